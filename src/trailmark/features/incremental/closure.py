"""Transitive closures by strongly connected components, from scratch and after a change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

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
