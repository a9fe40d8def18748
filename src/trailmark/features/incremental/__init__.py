"""Incremental evaluation for search: a successor's feature values from the atoms that change.

`bind` an expression set to an instance, `start` from a state, then ask for `values_after` a change or
for the evaluation `after` it. The cost is that of the change: see `kernel` for how.
"""
