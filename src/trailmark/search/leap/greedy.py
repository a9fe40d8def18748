"""The last level of a leap: greedy best-first search that prunes nothing but duplicates and
states where a guard holds.

States are ordered by what the awaited subgoal still lacks, then by open goals.
"""

from __future__ import annotations

from heapq import heappop, heappush

from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.views import GOAL, READ

Estimate = tuple[float, ...]


def greedy(base: Base) -> tuple[Node | None, bool]:
    """The first node found that ends the leap, and whether all reachable states were generated."""
    statistics = base.statistics
    base.generator.symmetry.off()
    end = statistics.generated + base.course.options.greedy_limit
    root = base.root()
    closed: set[frozenset[int]] = {frozenset()}
    queue: list[tuple[Estimate, int, Node]] = [((), 0, root)]
    number, guarded = 0, False
    while queue:
        if statistics.generated >= end:
            return None, False
        _, _, node = heappop(queue)
        statistics.expanded += 1
        entered = base.enter(node)
        found = base.generator.applicable()
        base.leave(entered)
        base.statistics.generated += len(found)
        base.course.look_at_clock()
        for action in found:
            adds, deletes = base.generator.effects(action)
            now_added, now_deleted = base.differences(node, adds, deletes)
            key = frozenset(now_added.union([~atom for atom in now_deleted]))
            if key in closed:
                continue
            closed.add(key)
            child = Node(node, action, adds, deletes, now_added, now_deleted, True)
            if base.reached(now_added, now_deleted, READ | GOAL):
                return child, False
            if base.guarded(child):
                guarded = True
                continue
            number += 1
            heappush(queue, (_estimate(base, now_added, now_deleted), number, child))
    return None, not guarded


def _estimate(base: Base, added: set[int], deleted: set[int]) -> Estimate:
    goals = base.open_goals + base.goals.change(added, deleted)
    awaited = base.course.awaited
    if awaited is None:
        return (goals,)
    return (*base.course.guidance.lacks(awaited, base.valuation(added, deleted)), goals)
