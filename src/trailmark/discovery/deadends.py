"""Which states of a state space can still reach a goal, and which are dead.

A space need not be expanded completely. A state is solvable where a path to a goal is known, and
dead only where every path is known and none ends in a goal; of all others nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trailmark.relational import Interpretation, Structure


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
