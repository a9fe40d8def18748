"""Moving on for good: an evaluation that keeps nothing of the states before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trailmark.features.incremental.evaluation import UNCHANGED, Evaluation
from trailmark.features.incremental.roots import Atoms, Root, Values
from trailmark.features.incremental.tables import Tables


def committed(
    evaluation: Evaluation, added: Atoms, deleted: Atoms, functions: Mapping[str, float] | None = None
) -> Evaluation:
    """The evaluation of the state with these changes, as if the search had started there."""
    here = evaluation.rebase()
    values = here.values_after(added, deleted, functions)
    tables = here._evaluator._changed(here._roots.tables(here._root), added, deleted)
    return _from(here, values, tables)


def moved(evaluation: Evaluation, added: Atoms, deleted: Atoms) -> Evaluation:
    """The same in the tables of the evaluation, which is of no use any more, nor is any that it was made
    from or that was made from it. That takes no longer where an instance is larger."""
    here = evaluation.rebase()
    values = here.values_after(added, deleted)
    tables = here._roots.tables(here._root)
    here._evaluator._alter(tables, added, deleted)
    return _from(here, values, tables)


def _from(before: Evaluation, values: Values, tables: Tables) -> Evaluation:
    root = Root(values, UNCHANGED, tables)
    return Evaluation(before._evaluator, replace(before._roots, first=root, _stored={}), root, values)
