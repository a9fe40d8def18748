"""Breadth-first search for a state that ends a leap; only novel states are expanded.

What is novel a measure says: a state in which an atom holds for the first time (novelty 1), or in which two
changes since the base meet for the first time (novelty 2). Joins and the engine find successors each in their
way, and both are asked here. `novelty_one` is the same search for joins, which find novel actions alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from trailmark.search.leap.course import Course


class Difference(Protocol):
    """A state of the search, as its difference to the base."""

    @property
    def parent(self) -> Difference | None: ...
    @property
    def added(self) -> AbstractSet[int]: ...
    @property
    def deleted(self) -> AbstractSet[int]: ...


Found = TypeVar("Found", bound=Difference)


@dataclass(frozen=True)
class Later(Generic[Found]):
    """More successors of a node, for when its turn comes again: one wide node after another multiplies."""

    children: Iterator[Found | Later[Found]]


class Successors(Protocol[Found]):
    """What finds and tests the states around the base."""

    def root(self) -> Found: ...

    def expand(self, node: Found) -> Iterator[Found | Later[Found]]:
        """Its successors; nothing is computed before the first is asked for."""

    def ends(self, node: Found) -> bool:
        """Whether the state ends the leap."""

    def guarded(self, node: Found) -> bool:
        """Whether a guard holds in it, so that nothing may follow."""


class Measure(Protocol):
    def novel(self, node: Difference) -> bool:
        """Whether the state is new by this measure; what is new in it counts as seen from now on."""


def breadth_first(successors: Successors[Found], measure: Measure, course: Course) -> Found | None:
    """The first state found that ends the leap; None where no novel state is left or at the limit."""
    statistics = course.statistics
    end = statistics.generated + course.options.novelty_two_limit
    queue = deque([successors.expand(successors.root())])
    while queue and statistics.generated < end:
        for child in queue.popleft():
            if isinstance(child, Later):
                queue.append(child.children)
            elif successors.ends(child):
                return child
            elif not successors.guarded(child) and measure.novel(child):
                queue.append(successors.expand(child))
    return None


class Atoms:
    """Novelty 1: an atom holds for the first time."""

    def __init__(self, base: Iterable[int]) -> None:
        self._seen = set(base)

    def novel(self, node: Difference) -> bool:
        if node.added <= self._seen:
            return False
        self._seen |= node.added
        return True


class Pairs:
    """Novelty 2: two literals changed since the base meet for the first time, an atom for one that was added
    and `~atom` for one that was deleted."""

    def __init__(self) -> None:
        self._partners: dict[int, set[int]] = {}
        """The literals that each has met."""
        self._expanded: Difference | None = None
        self._before: set[int] = set()
        """The literals of the node that is being expanded."""

    def novel(self, node: Difference) -> bool:
        if node.parent is not None and node.parent is not self._expanded:
            self._expanded, self._before = node.parent, _literals(node.parent)
        now = _literals(node)
        # What is as it was in the base again is no literal of the state, but new all the same.
        new = (now - self._before).union([~literal for literal in self._before - now])
        return self.meet(new, now | new)

    def meet(self, new: set[int], literals: set[int]) -> bool:
        """Whether a new literal meets one for the first time; all pairs count as seen afterwards."""
        partners = self._partners
        found = False
        for literal in new:
            known = partners.setdefault(literal, set())
            if not literals <= known:
                found = True
                known |= literals
                for other in literals:
                    if other != literal:
                        partners.setdefault(other, {other}).add(literal)
        return found


def _literals(node: Difference) -> set[int]:
    return {*node.added, *[~atom for atom in node.deleted]}
