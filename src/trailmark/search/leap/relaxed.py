"""The level of a leap that asks a relaxed plan: lazy greedy search with h_FF from the base on.

It is guided to the goal, and ends as soon as the awaited landmark is accepted. That takes few states where
things must meet that novelty brings together too late, but grounds the task at first.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isinf

from trailmark.errors import SearchStatus
from trailmark.limits import UNLIMITED
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.course import Course
from trailmark.search.leap.views import GOAL, READ
from trailmark.search.result import SearchResult, Statistics
from trailmark.task.lifted.generator import ground_actions
from trailmark.task.states import EngineStates, Preferring, State, prepare_preferring
from trailmark.task.task import Task

ACTIONS = 4_000_000
LEAST_STATES, MOST_STATES = 100, 1_000
"""States that h_FF looks at in one leap: so many ground actions in all, but within these bounds."""
STATE_WEIGHT = 20
ACTIONS_PER_STATE = 50
"""A state that h_FF looks at counts as so many generated ones, or as one for so many ground actions: it takes
as long."""


def evaluation_weight(task: Task) -> int:
    """As how many generated states one counts that h_FF looks at."""
    return max(STATE_WEIGHT, (task.engine.ground_actions or 1) // ACTIONS_PER_STATE)


def affordable_states(task: Task, least: int, most: int) -> int:
    """How many states h_FF may look at: fewer of larger tasks, where each takes longer."""
    return max(least, min(most, ACTIONS // (task.engine.ground_actions or 1)))


def search_to(
    task: Task, estimate: Preferring, start: State, ends: Callable[[State], bool], course: Course
) -> SearchResult:
    """Lazy greedy search from a state to one that ends the leap, under the limits of the course."""
    statistics, before, weight = course.statistics, course.statistics.generated, evaluation_weight(task)

    def count(found: Statistics) -> None:
        statistics.generated = before + found.generated + weight * found.evaluated

    def report(found: Statistics) -> None:
        count(found)
        course.look_at_clock(always=True)

    limit = affordable_states(task, LEAST_STATES, MOST_STATES)
    result = lazy_greedy(task, estimate, UNLIMITED, report, limit, start=start, ends=ends)
    count(result.statistics)
    statistics.expanded += result.statistics.expanded
    return result


def affords_grounding(task: Task, course: Course) -> bool:
    """Whether a leap may ground the task for relaxed plans."""
    most = course.options.ground_actions
    return ground_actions(task, most, lambda: course.look_at_clock(always=True)) is not None


class Relaxed:
    """Relaxed plans of one task; it is grounded when they are first asked for."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._affordable: bool | None = None
        """Whether the task can be grounded, once that was asked."""

    def prepared(self, course: Course) -> bool:
        """Whether there are relaxed plans; where the task is too large there are none."""
        if self._affordable is None:
            self._affordable = affords_grounding(self.task, course)
            if self._affordable:
                self.states = EngineStates(self.task)
                self.estimate = prepare_preferring(self.task)
        return self._affordable

    def in_dead_end(self, base: Base) -> bool:
        """Whether no relaxed plan is left in the base, where such plans have been asked for."""
        return bool(self._affordable) and isinf(self.estimate(self.states.state(base.state.root))[0])

    def search(self, base: Base) -> tuple[Node | None, bool]:
        """The first node found that ends the leap, and else whether there is no plan from the base on."""
        if not self.prepared(base.course):
            return None, False
        root, course = base.state.root, base.course

        def ends(state: State) -> bool:
            atoms = state.atoms
            added, deleted = set(atoms.difference(root)), set(root).difference(atoms)
            return base.reached(added, deleted, READ | GOAL)

        result = search_to(self.task, self.estimate, self.states.state(root), ends, course)
        if result.steps is None:
            return None, result.status is SearchStatus.UNSOLVABLE
        return base.node(result.steps), False
