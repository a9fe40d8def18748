"""Traps: conditions that hold for ever once they hold.

What is closed under every action and never true in a goal proves that the goal is out of reach, and
not only in the states that were looked at. Conditions that are true of dead states by accident of
a few small instances are seldom closed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.deadends import StateSpace
from trailmark.discovery.samples import spread
from trailmark.features.batch import count, denotations
from trailmark.features.states import Trajectory, state_batch
from trailmark.features.syntax import Expression


class DeadSteps:
    """Steps from dead states of some spaces, to see which conditions last."""

    def __init__(self, spaces: Sequence[StateSpace], most: int) -> None:
        """At most so many states of each space, those on the brink first."""
        trajectories: list[Trajectory] = []
        before: list[int] = []
        after: list[int] = []
        first = 0
        for space in spaces:
            place: dict[int, int] = {}
            deeper = sorted(set(np.flatnonzero(space.dead).tolist()) - set(space.brink))
            for number in (*spread(space.brink, most // 2), *spread(deeper, most // 2)):
                for following in space.successors[number] or ():
                    before.append(first + place.setdefault(number, len(place)))
                    after.append(first + place.setdefault(following, len(place)))
            if place:
                trajectories.append((space.structure, [space.state(number) for number in place]))
                first += len(place)
        self._batch = state_batch(trajectories) if trajectories else None
        self._before, self._after = np.array(before, np.int64), np.array(after, np.int64)
        self._members: dict[Expression, NDArray[np.bool_]] = {}

    def lasts(self, concepts: Sequence[Expression]) -> bool:
        """Whether a conjunction that has a member before a step has one after it."""
        if self._batch is None:
            return True
        missing = [each for each in concepts if each not in self._members]
        self._members.update(denotations(missing, self._batch))
        members = np.logical_and.reduce([self._members[each] for each in concepts])
        holds = count(self._batch, members) > 0
        return not bool((holds[self._before] & ~holds[self._after]).any())
