"""Lazy greedy search with preferred actions: the complete search that `auto` falls back on.

A state is evaluated when it is expanded, and its successors wait under its own estimate. Those by
actions that a relaxed plan begins with wait in a second queue too, which is served first as long as
the estimates go down. The other actions are generated when the first of them is served, which most
states never come to.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator

from trailmark.limits import UNLIMITED, Budget
from trailmark.search.result import SearchResult, Statistics
from trailmark.task.heuristics import Preferring
from trailmark.task.plans import Step
from trailmark.task.states import GroundAction, State
from trailmark.task.status import SearchStatus
from trailmark.task.task import Task

BOOST = 1000
"""By so many pops the queue of preferred actions is ahead after each best estimate."""

CHECK_EVERY = 16
"""Expansions between two looks at the clock and the memory."""


class _Node:
    """An expanded state with the path to it."""

    __slots__ = ("action", "cost", "parent", "state", "waiting")

    def __init__(self, state: State, parent: _Node | None, action: GroundAction | None, cost: float) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        self.cost = cost
        self.waiting: Iterator[GroundAction] | None = None
        """The applicable actions that were not served yet; None before the first is."""


def lazy_greedy(
    task: Task,
    estimate: Preferring,
    budget: Budget = UNLIMITED,
    progress: Callable[[Statistics], None] | None = None,
    max_states: int | None = None,
    *,
    start: State | None = None,
    ends: Callable[[State], bool] | None = None,
) -> SearchResult:
    """Searches from the initial state, or another, to the goal, or to the first state that ends it; two
    empty queues prove that there is no plan."""
    statistics = Statistics()
    every: list[tuple[float, int, _Node]] = []
    preferred: list[tuple[float, int, _Node, GroundAction]] = []
    lead = 0
    """By how many pops the preferred actions are still ahead."""
    seen: set[State] = set()
    best, entries = math.inf, 0
    node: _Node | None = _Node(start or task.initial_state, None, None, 0.0)
    while True:
        if node is not None and node.state not in seen:
            seen.add(node.state)
            if task.is_goal(node.state) or (ends is not None and ends(node.state)):
                return SearchResult(SearchStatus.SOLVED, _steps(node), node.cost, statistics)
            value, actions = estimate(node.state)
            statistics.evaluated += 1
            if not math.isinf(value):
                if value < best:
                    best = value
                    lead += BOOST
                statistics.expanded += 1
                for action in actions:
                    entries += 1
                    heapq.heappush(preferred, (value, entries, node, action))
                entries += 1
                heapq.heappush(every, (value, entries, node))
            if max_states is not None and statistics.evaluated >= max_states:
                return SearchResult(SearchStatus.NO_PLAN_FOUND, statistics=statistics)
            if statistics.evaluated % CHECK_EVERY == 0:
                stopped = _stopped(budget)
                if stopped is not None:
                    return SearchResult(stopped, statistics=statistics)
                if progress is not None:
                    progress(statistics)
        if preferred and (lead >= 0 or not every):
            lead -= 1
            _, _, parent, action = heapq.heappop(preferred)
        elif every:
            parent = every[0][2]
            if parent.waiting is None:
                parent.waiting = iter(task.actions(parent.state))
            following = next(parent.waiting, None)
            if following is None:
                heapq.heappop(every)
                node = None
                continue
            lead += 1
            action = following
        else:
            return SearchResult(SearchStatus.UNSOLVABLE, statistics=statistics)
        statistics.generated += 1
        reached = task.apply(parent.state, action)
        node = None if reached is None else _Node(reached[0], parent, action, parent.cost + reached[1])


def _stopped(budget: Budget) -> SearchStatus | None:
    if budget.expired():
        return SearchStatus.TIME_LIMIT
    return SearchStatus.MEMORY_LIMIT if budget.memory_exceeded() else None


def _steps(goal: _Node) -> tuple[Step, ...]:
    steps: list[Step] = []
    node: _Node | None = goal
    while node is not None and node.action is not None:
        steps.append(node.action.step)
        node = node.parent
    return tuple(reversed(steps))
