"""Distances between concepts along a role: `n_concept_distance`, from scratch and after a change."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from trailmark.features.syntax import INFINITE

Successors = Callable[[int], Collection[int]]

MOST_STORED = 16_000_000
"""Entries of stored distance rows for one static role (4 bytes each); then they are made anew."""
STEPS_PER_PAIR = 4
"""A search from all sources replaces looking up pairs where these are this often the objects."""


def distance(sources: Collection[int], successors: Successors, targets: Collection[int]) -> int:
    """The least number of steps from a source to a target, 0 where they meet, else INFINITE."""
    if not sources or not targets:
        return INFINITE
    goal = set(targets)
    reached = set(sources)
    frontier: Collection[int] = reached
    steps = 0
    while frontier:
        if not goal.isdisjoint(frontier):
            return steps
        following: set[int] = set()
        for x in frontier:
            following.update(successors(x))
        following -= reached
        reached |= following
        frontier = following
        steps += 1
    return INFINITE


def changed(members: frozenset[int], change: Mapping[int, int]) -> frozenset[int]:
    """The members after a change of signs."""
    if not change:
        return members
    return members.difference(change).union(x for x, s in change.items() if s > 0)


def changed_successors(
    successors: Callable[[int], frozenset[int]], change: Mapping[tuple[int, int], int], inverse: bool
) -> Successors:
    """The successors after a change of signs, whose pairs are turned round where `inverse`."""
    rows: dict[int, set[int]] = {}
    for pair, s in change.items():
        x, y = reversed(pair) if inverse else pair
        if x not in rows:
            rows[x] = set(successors(x))
        if s > 0:
            rows[x].add(y)
        else:
            rows[x].discard(y)

    def after(x: int) -> Collection[int]:
        return rows[x] if x in rows else successors(x)

    return after


@dataclass
class StaticDistances:
    """Distances along a role that never changes; one row an object, made when first asked for."""

    size: int
    successors: Successors
    predecessors: Successors
    _from: dict[int, array[int]] = field(default_factory=dict)
    _to: dict[int, array[int]] = field(default_factory=dict)

    def after(
        self,
        value: int,
        sources: frozenset[int],
        source_change: Mapping[int, int],
        targets: frozenset[int],
        target_change: Mapping[int, int],
    ) -> int:
        """The distance after sources and targets change, from the value before."""
        now = changed(sources, source_change)
        goal = changed(targets, target_change)
        if not now or not goal:
            return INFINITE
        if value < INFINITE:
            lost = [x for x, s in source_change.items() if s < 0]
            lost_targets = [y for y, s in target_change.items() if s < 0]
            if lost or lost_targets:
                if min(len(now), len(goal)) <= len(lost) + len(lost_targets):
                    return self.between(now, goal)
                if any(self._nearest(x, targets) == value for x in lost) or any(
                    self._nearest_source(y, sources) == value for y in lost_targets
                ):
                    return self.between(now, goal)
        for x, s in source_change.items():
            if s > 0:
                value = min(value, self._nearest(x, goal))
        for y, s in target_change.items():
            if s > 0:
                value = min(value, self._nearest_source(y, now))
        return value

    def between(self, sources: frozenset[int], targets: frozenset[int]) -> int:
        """The distance from some source to some target."""
        if not sources.isdisjoint(targets):
            return 0
        if len(sources) * len(targets) > STEPS_PER_PAIR * self.size:
            return distance(sources, self.successors, targets)
        if len(sources) <= len(targets):
            return min((self._nearest(x, targets) for x in sources), default=INFINITE)
        return min((self._nearest_source(y, sources) for y in targets), default=INFINITE)

    def _nearest(self, source: int, targets: frozenset[int]) -> int:
        if source in targets:
            return 0
        row = self._from.get(source)
        if row is None:
            row = self._row(self._from, source, self.successors)
        return min(map(row.__getitem__, targets), default=INFINITE)

    def _nearest_source(self, target: int, sources: frozenset[int]) -> int:
        if target in sources:
            return 0
        row = self._to.get(target)
        if row is None:
            row = self._row(self._to, target, self.predecessors)
        return min(map(row.__getitem__, sources), default=INFINITE)

    def _row(self, rows: dict[int, array[int]], source: int, steps: Successors) -> array[int]:
        """Breadth-first distances from one object."""
        if (len(rows) + 1) * self.size > MOST_STORED:
            rows.clear()
        row = rows[source] = array("i", [INFINITE]) * self.size
        row[source] = 0
        frontier = [source]
        depth = 0
        while frontier:
            depth += 1
            following: list[int] = []
            for x in frontier:
                for y in steps(x):
                    if row[y] == INFINITE:
                        row[y] = depth
                        following.append(y)
            frontier = following
        return row
