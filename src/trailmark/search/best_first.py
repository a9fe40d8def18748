"""Best-first search: one loop for A*, weighted A* and greedy search, with or without landmarks.

The searches differ in the function that makes the queue entry. A cheaper path to a closed state reopens it,
but in greedy search.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from trailmark.errors import SearchStatus
from trailmark.limits import UNLIMITED, Budget
from trailmark.search.guide import LandmarkGuide, Mark
from trailmark.search.result import SearchResult, Statistics
from trailmark.search.standing import Standing
from trailmark.task.plans import Step
from trailmark.task.states import GroundAction, Heuristic, State
from trailmark.task.task import Task

Key = Callable[[float, float], tuple[float, float]]
"""The queue entry of a state from its path cost g and its estimate h."""


def astar_key(g: float, h: float) -> tuple[float, float]:
    return g + h, h


def greedy_key(g: float, h: float) -> tuple[float, float]:
    return h, g


def weighted_astar_key(weight: float) -> Key:
    return lambda g, h: (g + weight * h, h)


CHECK_EVERY = 32
"""Expansions between two looks at the memory; the clock is looked at before each estimate, which may take a
tenth of a second."""


class Pruning(Enum):
    """What happens when a generated state traverses a loop."""

    NONE = "none"
    CLEAR = "clear"
    """The open list is cleared (the paper's pruning). The other successors of the same state go on to be
    listed, and what was dropped stays known."""
    FORGET = "forget"
    """The other successors are left out too, and dropped states can be reached anew."""


@dataclass(frozen=True)
class BestFirstOptions:
    key: Key = astar_key
    prune: Pruning = Pruning.NONE
    ordered: bool = False
    """Take successors in the order of their actions' names, so that every run finds the same plan: the
    engine's own order differs from run to run."""
    too_dear: Callable[[float, float], bool] = lambda g, h: math.isinf(h)
    """States with such a path cost and estimate are left out."""
    max_states: int | None = None
    """Gives up beyond this many evaluated states."""


@dataclass(slots=True, eq=False)
class _Node:
    """A known state with the best path to it so far."""

    state: State
    parent: _Node | None
    action: GroundAction | None
    g: float
    h: float
    mark: Mark | None
    closed: bool = False


def best_first(
    task: Task,
    heuristic: Heuristic,
    guide: LandmarkGuide | None = None,
    options: BestFirstOptions = BestFirstOptions(),  # noqa: B008 -- frozen
    budget: Budget = UNLIMITED,
    progress: Callable[[Statistics, Standing | None], None] | None = None,
) -> SearchResult:
    """Searches from the initial state. Without pruning an empty open list proves unsolvability."""
    return _Search(task, heuristic, guide, options, budget, progress).run()


@dataclass
class _Search:
    task: Task
    heuristic: Heuristic
    guide: LandmarkGuide | None
    options: BestFirstOptions
    budget: Budget
    progress: Callable[[Statistics, Standing | None], None] | None
    statistics: Statistics = field(default_factory=Statistics)
    nodes: dict[State, _Node] = field(default_factory=dict)
    open: list[tuple[float, float, int, _Node]] = field(default_factory=list)
    entries: int = 0
    furthest: _Node | None = None
    """The first node with the most landmarks, and how many states were generated before it."""
    generated_before: int = 0

    def run(self) -> SearchResult:
        task, statistics = self.task, self.statistics
        start = task.initial_state
        mark = self.guide.start(start) if self.guide else None
        self.furthest = _Node(start, None, None, 0.0, self._estimate(start, mark), mark)
        self._insert(self.furthest)
        while self.open:
            key, _, _, node = heapq.heappop(self.open)
            if node.closed or math.isinf(node.h) or key > self._key(node)[0]:
                continue
            if task.is_goal(node.state):
                return self._solution(node)
            node.closed = True
            self._expand(node)
            look = statistics.expanded % CHECK_EVERY == 0
            stopped = self._stopped(look)
            if stopped is not None:
                return SearchResult(stopped, statistics=statistics, standing=self._standing())
            if look and self.progress is not None:
                self.progress(statistics, self._standing())
        complete = statistics.pruned == 0
        status = SearchStatus.UNSOLVABLE if complete else SearchStatus.NO_PLAN_FOUND
        return SearchResult(status, statistics=statistics, standing=self._standing())

    def _expand(self, node: _Node) -> None:
        task, guide, statistics, nodes = self.task, self.guide, self.statistics, self.nodes
        statistics.expanded += 1
        mark = node.mark
        if guide is not None and mark is not None:
            mark = guide.expand(mark, node.state)
        successors = task.successors(node.state)
        if self.options.ordered:
            successors.sort(key=lambda found: (found[0].step.action, found[0].step.arguments))
        for action, state, cost in successors:
            statistics.generated += 1
            g = node.g + cost
            known = nodes.get(state)
            if known is not None:
                if g < known.g:
                    self._improve(known, node, action, g)
                continue
            if self.budget.expired() or self._seen_enough():
                return
            child_mark = None
            if guide is not None and mark is not None:
                child_mark = guide.step(mark, action, state)
            child = _Node(state, node, action, g, self._estimate(state, child_mark), child_mark)
            if self.options.too_dear(g, child.h):
                continue
            if child_mark is not None and child_mark.looped:
                statistics.loops_traversed += 1
                if self.options.prune is not Pruning.NONE:
                    self._drop_open()
                    if self.options.prune is Pruning.FORGET:
                        self._insert(child)
                        return
            self._insert(child)
            self._note(child)

    def _note(self, child: _Node) -> None:
        best = self.furthest.mark if self.furthest is not None else None
        if child.mark is not None and best is not None and child.mark.status.accepted > best.status.accepted:
            self.furthest, self.generated_before = child, self.statistics.generated

    def _standing(self) -> Standing | None:
        if self.guide is None or self.furthest is None or self.furthest.mark is None:
            return None
        status, goal, atoms = self.furthest.mark.status, self.task.goal, self.furthest.state.atoms
        return Standing(
            status.accepted,
            self.guide.maximum,
            sum(status.traversals),
            self.guide.guidance.awaited(status),
            len(goal.positive - atoms) + len(goal.negative & atoms),
            self.statistics.generated - self.generated_before,
        )

    def _estimate(self, state: State, mark: Mark | None) -> float:
        self.statistics.evaluated += 1
        return self.heuristic(state) + (mark.value if mark is not None else 0)

    def _key(self, node: _Node) -> tuple[float, float]:
        return self.options.key(node.g, node.h)

    def _insert(self, node: _Node) -> None:
        self.nodes[node.state] = node
        self._push(node)

    def _push(self, node: _Node) -> None:
        if math.isinf(node.h):
            return
        self.entries += 1
        heapq.heappush(self.open, (*self._key(node), self.entries, node))

    def _improve(self, known: _Node, parent: _Node, action: GroundAction, g: float) -> None:
        """A cheaper path to a known state; the first path's landmark status stays."""
        if known.closed and self.options.key is greedy_key:
            return
        known.parent, known.action, known.g = parent, action, g
        if known.closed:
            known.closed = False
            self.statistics.reopened += 1
        self._push(known)

    def _drop_open(self) -> None:
        """The paper's pruning."""
        self.statistics.pruned += 1
        if self.options.prune is Pruning.FORGET:
            for *_, waiting in self.open:
                if not waiting.closed:
                    self.nodes.pop(waiting.state, None)
        self.open.clear()

    def _stopped(self, look_at_memory: bool) -> SearchStatus | None:
        if self.budget.expired():
            return SearchStatus.TIME_LIMIT
        if look_at_memory and self.budget.memory_exceeded():
            return SearchStatus.MEMORY_LIMIT
        return SearchStatus.NO_PLAN_FOUND if self._seen_enough() else None

    def _seen_enough(self) -> bool:
        limit = self.options.max_states
        return limit is not None and self.statistics.evaluated > limit

    def _solution(self, goal: _Node) -> SearchResult:
        steps: list[Step] = []
        node: _Node | None = goal
        while node is not None and node.action is not None:
            steps.append(node.action.step)
            node = node.parent
        if goal.mark is not None:
            self.statistics.landmarks_accepted = goal.mark.status.accepted
            self.statistics.loops_traversed = sum(goal.mark.status.traversals)
        return SearchResult(SearchStatus.SOLVED, tuple(reversed(steps)), goal.g, self.statistics)
