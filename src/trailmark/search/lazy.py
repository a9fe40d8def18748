"""Lazy greedy search with preferred actions: the complete search that `auto` falls back on.

A state is evaluated when it is expanded, and its successors wait under its own estimates. There are
queues for each estimate: for h_FF, whose relaxed plans keep to what is near, for the number of open goals,
which leaves the plateaus of h_FF, and for that together with the passes left where a program says how many
there are. Successors by actions that a relaxed plan begins with wait in further queues too, which are served
first as long as an estimate goes down. The other actions are generated when the first of them is served,
which most states never come to.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from trailmark.errors import SearchStatus
from trailmark.limits import UNLIMITED, Budget
from trailmark.search.result import SearchResult, Statistics
from trailmark.task.plans import Step
from trailmark.task.states import GroundAction, Heuristic, Preferring, State, prepare
from trailmark.task.task import Task

BOOST = 1000
"""By so many pops the queues of preferred actions are ahead after each best estimate."""

CHECK_EVERY = 16
"""Expansions between two looks at the clock and the memory."""

CHECK_SECONDS = 0.02
"""The time after which they are looked at even so: a relaxed plan may take half a second."""


@dataclass(slots=True, eq=False)
class _Node:
    """An expanded state with the path to it."""

    state: State
    parent: _Node | None
    action: GroundAction | None
    cost: float
    waiting: list[Iterator[GroundAction]] = field(default_factory=list)
    """For each estimate the applicable actions not served yet; empty before the first is."""


class _Queues:
    """For each estimate a queue of nodes with all their actions, and one of preferred actions.

    They are served in turn: the next one is that with the least `served`.
    """

    def __init__(self, task: Task, estimates: int) -> None:
        self._task = task
        self._preferred: list[list[tuple[float, int, _Node, GroundAction]]] = [[] for _ in range(estimates)]
        self._every: list[list[tuple[float, int, _Node]]] = [[] for _ in range(estimates)]
        self._queues = (*self._preferred, *self._every)
        self._served = [0] * len(self._queues)
        self._best = [math.inf] * estimates
        self._entries = 0

    def push(self, node: _Node, estimates: Sequence[float], preferred: Sequence[GroundAction]) -> None:
        for place, value in enumerate(estimates):
            if value < self._best[place]:
                self._best[place] = value
                for queue in range(len(estimates)):
                    self._served[queue] -= BOOST
            for action in preferred:
                self._entries += 1
                heapq.heappush(self._preferred[place], (value, self._entries, node, action))
            self._entries += 1
            heapq.heappush(self._every[place], (value, self._entries, node))

    def pop(self) -> tuple[_Node, GroundAction] | None:
        """A node and one of its actions; None where there is none left."""
        half = len(self._every)
        while True:
            filled = [place for place, queue in enumerate(self._queues) if queue]
            if not filled:
                return None
            place = min(filled, key=self._served.__getitem__)
            self._served[place] += 1
            if place < half:
                return heapq.heappop(self._preferred[place])[2:]
            queue = self._every[place - half]
            node = queue[0][2]
            if not node.waiting:
                actions = self._task.actions(node.state)
                node.waiting = [iter(actions) for _ in range(half)]
            following = next(node.waiting[place - half], None)
            if following is not None:
                return node, following
            self._served[place] -= 1
            heapq.heappop(queue)


def lazy_greedy(
    task: Task,
    estimate: Preferring,
    budget: Budget = UNLIMITED,
    progress: Callable[[Statistics], None] | None = None,
    max_states: int | None = None,
    *,
    start: State | None = None,
    ends: Callable[[State], bool] | None = None,
    counts: Sequence[Heuristic] | None = None,
) -> SearchResult:
    """Searches from the initial state, or another, to the goal, or to the first state that ends it; empty
    queues prove that there is no plan. `counts` are further estimates, the open goals by default."""
    statistics = Statistics()
    further = (prepare(task, "goalcount"),) if counts is None else counts
    queues = _Queues(task, 1 + len(further))
    seen: set[State] = set()
    checked = time.monotonic()
    node: _Node | None = _Node(start or task.initial_state, None, None, 0.0)
    while True:
        if node is not None and node.state not in seen:
            seen.add(node.state)
            if task.is_goal(node.state) or (ends is not None and ends(node.state)):
                return SearchResult(SearchStatus.SOLVED, _steps(node), node.cost, statistics)
            value, actions = estimate(node.state)
            statistics.evaluated += 1
            if not math.isinf(value):
                statistics.expanded += 1
                queues.push(node, (value, *(count(node.state) for count in further)), actions)
            if max_states is not None and statistics.evaluated >= max_states:
                return SearchResult(SearchStatus.NO_PLAN_FOUND, statistics=statistics)
            if statistics.evaluated % CHECK_EVERY == 0 or time.monotonic() > checked + CHECK_SECONDS:
                checked = time.monotonic()
                stopped = _stopped(budget)
                if stopped is not None:
                    return SearchResult(stopped, statistics=statistics)
                if progress is not None:
                    progress(statistics)
        following = queues.pop()
        if following is None:
            return SearchResult(SearchStatus.UNSOLVABLE, statistics=statistics)
        parent, action = following
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
