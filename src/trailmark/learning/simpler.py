"""Simpler features that change in the same steps of the training plans as a learned one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from trailmark.features.batch import evaluate
from trailmark.features.states import StateBatch
from trailmark.features.syntax import Expression, expression
from trailmark.relational import Vocabulary

Steps = set[tuple[int, int]]
"""Steps of plans: the plan, and the place of the step."""


class SimplerFeatures:
    """Counts of what a predicate or a goal says, and where they change in the plans."""

    def __init__(self, batch: StateBatch, ends: Steps) -> None:
        self._ends = ends
        self._candidates = list(_candidates(batch.vocabulary))
        known = evaluate(self._candidates, batch)
        self._changes = np.diff(known.values, axis=1)
        self._offsets = known.offsets

    def like(self, feature: Expression, steps: Steps, *, inside: bool) -> tuple[Expression, bool] | None:
        """The first simpler feature that falls, or rises, in exactly these steps, and whether it rises; steps
        that end passes do not matter `inside` passes."""
        if not steps:
            return None
        for candidate, changes in zip(self._candidates, self._changes, strict=True):
            if candidate is feature or candidate.complexity > feature.complexity:
                continue
            for gains in (True, False):
                found = self._steps(changes > 0 if gains else changes < 0)
                if (found - self._ends if inside else found) == steps:
                    return candidate, gains
        return None

    def _steps(self, changed: NDArray[np.bool_]) -> Steps:
        places = changed.nonzero()[0]
        plans = np.searchsorted(self._offsets, places, side="right") - 1
        lasts = np.array(self._offsets[1:]) - 1
        return {
            (int(plan), int(place - self._offsets[plan]))
            for plan, place in zip(plans, places, strict=True)
            if place < lasts[plan]
        }


def _candidates(vocabulary: Vocabulary) -> Iterator[Expression]:
    """Goals that are open first, then what holds, by the names of the domain."""
    symbols = [symbol for symbol in vocabulary.symbols if not symbol.is_type]
    for symbol in symbols:
        if symbol.goal_of is not None and symbol.arity == 1:
            wanted, held = (expression("c_primitive", name, 0) for name in (symbol.name, symbol.goal_of))
            yield expression("n_count", expression("c_and", wanted, expression("c_not", held)))
        elif symbol.goal_of is not None and symbol.arity == 2:
            roles = [expression("r_primitive", name, 0, 1) for name in (symbol.name, symbol.goal_of)]
            yield expression("n_count", expression("r_diff", *roles))
    for symbol in symbols:
        if symbol.goal_of is None and not symbol.static:
            for position in range(symbol.arity):
                yield expression("n_count", expression("c_primitive", symbol.name, position))
