"""Moving on for good: an evaluation that keeps nothing of the states before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trailmark.features.incremental.evaluation import UNCHANGED, Evaluation
from trailmark.features.incremental.roots import Atoms, Root


def committed(
    evaluation: Evaluation, added: Atoms, deleted: Atoms, functions: Mapping[str, float] | None = None
) -> Evaluation:
    """The evaluation of the state with these changes, as if the search had started there."""
    here = evaluation.rebase()
    values = here.values_after(added, deleted, functions)
    tables = here._evaluator._changed(here._roots.tables(here._root), added, deleted)
    root = Root(values, UNCHANGED, tables)
    return Evaluation(here._evaluator, replace(here._roots, first=root, _stored={}), root, values)
