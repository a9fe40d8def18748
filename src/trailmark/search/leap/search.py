"""Leap search: reach the next landmark, commit to it, and go on until the goal holds."""

from __future__ import annotations

from trailmark.landmarks.graph import LandmarkGraph
from trailmark.limits import UNLIMITED
from trailmark.search.leap.base import Base, Node, OutOfBudget
from trailmark.search.leap.greedy import greedy
from trailmark.search.leap.novelty_one import novelty_one
from trailmark.search.leap.novelty_two import novelty_two
from trailmark.search.leap.options import (
    LeapOptions,
    LeapResult,
    LeapStatistics,
    LeapStatus,
    Level,
    Limits,
)
from trailmark.task import Task
from trailmark.task.lifted import Action, unsupported


def leap(
    task: Task, graph: LandmarkGraph, options: LeapOptions | None = None, budget: Limits = UNLIMITED
) -> LeapResult:
    """A plan by commitments to one landmark after the other, or how far that led."""
    statistics = LeapStatistics()
    reason = unsupported(task)
    if reason is not None:
        return LeapResult(LeapStatus.UNSUPPORTED, (), statistics, reason)
    search = _Search(Base(task, graph, options or LeapOptions(), budget, statistics))
    try:
        status = search.run()
    except OutOfBudget:
        status = LeapStatus.OUT_OF_BUDGET
    steps = tuple(search.base.generator.step(action) for action in search.actions)
    return LeapResult(status, steps, statistics, search.reason)


class _Search:
    def __init__(self, base: Base) -> None:
        self.base = base
        self.actions: list[Action] = []
        self.reason = ""
        self._first: dict[int, tuple[int, int]] = {}
        """By landmark: the level to start with, and for how many more leaps."""

    def run(self) -> LeapStatus:
        base = self.base
        if not _static_goals_hold(base.generator.task):
            self.reason = "a goal that no action changes does not hold"
            return LeapStatus.EXHAUSTED
        while base.open_goals:
            node, exhausted = self._leap()
            if node is None:
                if exhausted and not self.actions:
                    return LeapStatus.EXHAUSTED
                awaited = base.status.next + 1
                self.reason = "no goal more" if base.past_landmarks else f"landmark {awaited} is out of reach"
                return LeapStatus.STUCK
            self.actions += base.commit(node)
            base.statistics.leaps += 1
        return LeapStatus.SOLVED

    def _leap(self) -> tuple[Node | None, bool]:
        """The node to commit to, and else whether every reachable state was generated."""
        base, levels = self.base, self.base.options.levels
        awaited = base.status.next
        start, left = self._first.get(awaited, (0, 0))
        if left == 0:
            start = 0
        costs: list[int] = []
        exhausted = False
        for number in range(start, len(levels)):
            before = base.statistics.generated
            node: Node | None
            if levels[number] is Level.NOVELTY_ONE:
                node = novelty_one(base)
            elif levels[number] is Level.NOVELTY_TWO:
                node = novelty_two(base)
            else:
                node, exhausted = greedy(base)
            costs.append(base.statistics.generated - before)
            if node is not None:
                base.statistics.by_level[levels[number]] += 1
                if start:
                    self._first[awaited] = start, left - 1
                elif costs[-1] < sum(costs[:-1]):
                    self._first[awaited] = number, base.options.retry_lower_level
                return node, False
        if start:
            self._first.pop(awaited)
            return self._leap()
        return None, exhausted


def _static_goals_hold(task: Task) -> bool:
    symbols, structure = task.domain.vocabulary.symbols, task.structure

    def is_static(atom: int) -> bool:
        return symbols[structure.decode(atom)[0]].static

    return all(atom in structure.static_atoms for atom in task.goal.positive if is_static(atom)) and not any(
        atom in structure.static_atoms for atom in task.goal.negative
    )
