"""The last level of a leap: greedy best-first search that prunes nothing but duplicates and
states where a guard holds.

States are ordered by what the awaited landmark still lacks, then by open goals.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from trailmark.features.syntax import Expression
from trailmark.landmarks.graph import Landmark
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
        base.course.generated(found)
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
    view, landmark = base.view, base.course.awaited
    if landmark is None:
        return (goals,)
    values = dict(zip(view.features, view.values_after(added, deleted), strict=True))
    return (*lacks(landmark, values), goals)


def lacks(landmark: Landmark, values: Mapping[Expression, float]) -> Estimate:
    """The descriptors that do not hold, and how far the progressors' features are from a low."""
    lacking = sum(not each.holds(values[each.feature]) for each in landmark.descriptors)
    progress = sum(values[each.feature] * (1 if each.decreases else -1) for each in landmark.progressors)
    return lacking, progress
