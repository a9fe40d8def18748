"""Which states of a state space can still reach a goal, which are dead, and which conditions are traps.

A space need not be expanded completely. A state is solvable where a path to a goal is known, and dead only
where every path is known and none ends in a goal; of all others nothing is said. A trap is a condition that
holds for ever once it holds. What is closed under every action and never true in a goal proves that the
goal is out of reach, and not only in the states that were looked at. Conditions that are true of dead
states by accident of a few small instances are seldom closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from trailmark.features.batch import count, denotations
from trailmark.features.states import Trajectory, state_batch
from trailmark.features.syntax import Expression
from trailmark.relational import Interpretation, Structure

Item = TypeVar("Item")


def spread(items: Sequence[Item], most: int) -> Sequence[Item]:
    """At most so many of the items, evenly spread; all where there are no more."""
    return items[:: -(-len(items) // most)] if len(items) > most else items


@dataclass(frozen=True)
class StateSpace:
    """Some states of an instance and where its actions lead, each state a number from 0 on."""

    structure: Structure
    successors: Sequence[Sequence[int] | None]
    """The states that each state leads to; None where it was not expanded."""
    goals: frozenset[int]
    """A goal needs no successors: a plan ends there."""
    state: Callable[[int], Interpretation]

    @property
    def is_complete(self) -> bool:
        return all(
            following is not None or number in self.goals for number, following in enumerate(self.successors)
        )

    @cached_property
    def solvable(self) -> NDArray[np.bool_]:
        """Whether a path from each state to a goal is known."""
        return self._lead_to(self.goals)

    @cached_property
    def dead(self) -> NDArray[np.bool_]:
        """Whether each state is known to lead to no goal."""
        unknown = (number for number, following in enumerate(self.successors) if following is None)
        return ~self._lead_to([*self.goals, *unknown])

    @cached_property
    def brink(self) -> tuple[int, ...]:
        """The dead states that a solvable state leads to: where the mistake was made."""
        dead, found = self.dead, set[int]()
        for number in set(np.flatnonzero(self.solvable).tolist()) - self.goals:
            found.update(each for each in self.successors[number] or () if dead[each])
        return tuple(sorted(found))

    def _lead_to(self, targets: Iterable[int]) -> NDArray[np.bool_]:
        """The states with a path to a target."""
        before = self._predecessors
        reached = np.zeros(len(self.successors), np.bool_)
        waiting = list(targets)
        reached[waiting] = True
        while waiting:
            for number in before[waiting.pop()]:
                if not reached[number]:
                    reached[number] = True
                    waiting.append(number)
        return reached

    @cached_property
    def _predecessors(self) -> list[list[int]]:
        before: list[list[int]] = [[] for _ in self.successors]
        for number, following in enumerate(self.successors):
            if number not in self.goals:
                for each in following or ():
                    before[each].append(number)
        return before


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
