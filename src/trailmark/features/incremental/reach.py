"""Reaching along a role: transitive closures by strongly connected components, and distances between
concepts (`n_concept_distance`), from scratch and after a change.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from trailmark.features.syntax import INFINITE

Rows = Sequence[frozenset[int]]
"""The successors of every object."""


def closure(
    sources: Collection[int], successors: Callable[[int], Collection[int]], known: Rows
) -> dict[int, frozenset[int]]:
    """What each source reaches in one or more steps.

    `known` says it for every object that is not a source. Members of one strongly connected
    component reach the same objects and share one set.
    """
    reached: dict[int, frozenset[int]] = {}
    for component in _components(sources, successors):
        members = frozenset(component)
        targets: set[int] = set()
        cyclic = len(component) > 1
        for x in component:
            for y in successors(x):
                if y in members:
                    cyclic = True
                elif y not in targets:
                    targets.add(y)
                    targets |= reached[y] if y in reached else known[y]
        if cyclic:
            targets |= members
        shared = frozenset(targets)
        for x in component:
            reached[x] = shared
    return reached


def closure_change(
    change: dict[tuple[int, int], int],
    sign: int,
    successors: Callable[[int], frozenset[int]],
    closed: Rows,
    closed_inverse: Rows,
) -> dict[tuple[int, int], int]:
    """The pairs that enter (+1) and leave (-1) the closure when the role under it changes.

    `change` holds the role's own pairs with their signs times `sign`; the rest describes the state
    before. A path over a changed pair reaches the first such pair by old steps, so only the objects
    that reached the start of a changed pair are looked at again.
    """
    affected: set[int] = set()
    rows: dict[int, set[int]] = {}
    for (x, y), s in change.items():
        if x not in rows:
            rows[x] = set(successors(x))
            affected.add(x)
            affected |= closed_inverse[x]
        if s == sign:
            rows[x].add(y)
        else:
            rows[x].discard(y)

    def now(x: int) -> Collection[int]:
        return rows[x] if x in rows else successors(x)

    result: dict[tuple[int, int], int] = {}
    for x, after in closure(sorted(affected), now, closed).items():
        before = closed[x]
        if after != before:
            for y in after - before:
                result[x, y] = 1
            for y in before - after:
                result[x, y] = -1
    return result


def _components(sources: Collection[int], successors: Callable[[int], Collection[int]]) -> list[list[int]]:
    """The strongly connected components of the graph on `sources`, successors first (Tarjan)."""
    inside = set(sources)
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    components: list[list[int]] = []
    for source in sources:
        if source in order:
            continue
        order[source] = low[source] = len(order)
        stack.append(source)
        on_stack.add(source)
        work = [(source, iter(successors(source)))]
        while work:
            x, rest = work[-1]
            for y in rest:
                if y not in inside:
                    continue
                if y not in order:
                    order[y] = low[y] = len(order)
                    stack.append(y)
                    on_stack.add(y)
                    work.append((y, iter(successors(y))))
                    break
                if y in on_stack:
                    low[x] = min(low[x], order[y])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[x])
                if low[x] == order[x]:
                    component: list[int] = []
                    while not component or component[-1] != x:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    components.append(component)
    return components


Successors = Callable[[int], Collection[int]]

MOST_STORED = 8_000_000
"""Entries of stored distances along one static role in one direction, 4 bytes each; then anew."""
SEARCH_COST = 4
"""Looking up a pair's distance costs this part of a search's cost for one object."""


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
class Towards:
    """Distances to single objects and to sets of them along a role that never changes.

    Rows are made when first asked for: those from an object at once, those to a set when looking up
    its members one by one has cost as much, so that the total is at most twice the least possible.
    """

    size: int
    successors: Successors
    predecessors: Successors
    _from: dict[int, array[int]] = field(default_factory=dict)
    _to: dict[frozenset[int], array[int]] = field(default_factory=dict)
    _spent: dict[frozenset[int], int] = field(default_factory=dict)

    def nearest(self, source: int, targets: frozenset[int]) -> int:
        """The distance from one object."""
        row = self._from.get(source)
        if row is None:
            if len(self._from) * self.size > MOST_STORED:
                self._from.clear()
            row = self._from[source] = _distances((source,), self.successors, self.size)
        return min(map(row.__getitem__, targets), default=INFINITE)

    def to(self, targets: frozenset[int], uses: int) -> Callable[[int], int]:
        """The function from an object to its distance, expected to be called this often."""
        row = self._to.get(targets)
        if row is not None:
            return row.__getitem__
        spent = self._spent.get(targets, 0) + uses * len(targets)
        if spent <= SEARCH_COST * self.size:
            self._spent[targets] = spent
            return lambda source: self.nearest(source, targets)
        if len(self._to) * self.size > MOST_STORED:
            self._to.clear()
            self._spent.clear()
        row = self._to[targets] = _distances(targets, self.predecessors, self.size)
        return row.__getitem__

    def moved(
        self, value: int, sources: frozenset[int], change: Mapping[int, int], targets: frozenset[int]
    ) -> int:
        """The distance after the sources alone change, from the value before."""
        now = changed(sources, change)
        if not now or not targets:
            return INFINITE
        nearest = self.to(targets, len(change))
        lost = any(s < 0 for s in change.values())
        if lost and (len(now) <= len(change) or any(nearest(x) == value for x, s in change.items() if s < 0)):
            return min(map(self.to(targets, len(now)), now))
        return min(value, min((nearest(x) for x, s in change.items() if s > 0), default=INFINITE))


@dataclass(frozen=True)
class StaticDistances:
    """Distances along a role that never changes, in both directions."""

    forward: Towards
    backward: Towards

    @classmethod
    def along(cls, size: int, successors: Successors, predecessors: Successors) -> StaticDistances:
        return cls(Towards(size, successors, predecessors), Towards(size, predecessors, successors))

    def after(
        self,
        value: int,
        sources: frozenset[int],
        source_change: Mapping[int, int],
        targets: frozenset[int],
        target_change: Mapping[int, int],
    ) -> int:
        """The distance after sources and targets change, from the value before."""
        if not target_change:
            return self.forward.moved(value, sources, source_change, targets)
        if not source_change:
            return self.backward.moved(value, targets, target_change, sources)
        now, goal = changed(sources, source_change), changed(targets, target_change)
        if not now or not goal:
            return INFINITE
        if not now.isdisjoint(goal):
            return 0
        if len(now) * len(goal) > SEARCH_COST * self.forward.size:
            return distance(now, self.forward.successors, goal)
        if len(now) <= len(goal):
            return min(self.forward.nearest(x, goal) for x in now)
        return min(self.backward.nearest(y, now) for y in goal)


def _distances(sources: Collection[int], successors: Successors, size: int) -> array[int]:
    """The distance of every object from the sources."""
    row = array("i", [INFINITE]) * size
    for x in sources:
        row[x] = 0
    frontier = list(sources)
    depth = 0
    while frontier:
        depth += 1
        following: list[int] = []
        for x in frontier:
            for y in successors(x):
                if row[y] == INFINITE:
                    row[y] = depth
                    following.append(y)
        frontier = following
    return row
