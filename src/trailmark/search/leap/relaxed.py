"""What a level with relaxed plans costs and may cost; and such a level for tasks beyond STRIPS.

Relaxed plans take few states where things must meet that novelty brings together too late, but ground the
task at first.
"""

from __future__ import annotations

from collections.abc import Callable

from trailmark.limits import UNLIMITED
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap.course import Course
from trailmark.search.result import SearchResult, Statistics
from trailmark.task.lifted.generator import ground_actions
from trailmark.task.states import Preferring, State
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
