"""The level of a leap with relaxed plans: lazy greedy search, aimed at one atom at a time.

Relaxed plans take few states where things must meet that novelty brings together too late, but ground the
task at first. Aimed at all open goals at once, h_FF lets their objects compete and ends on a plateau. Here
the search is guided to a single atom, with which the awaited subgoal would be accepted, or to a single open
goal, and keeps the goals that hold. Only the end of a pass counts as progress: what lies inside a pass
ends leaps that close nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isinf

from trailmark.limits import UNLIMITED
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.course import Course
from trailmark.search.leap.views import GOAL, READ
from trailmark.search.result import SearchResult, Statistics
from trailmark.task.lifted.generator import ground_actions
from trailmark.task.states import Heuristic, Preferring, State, Subgoals, prepare_preferring
from trailmark.task.task import Task

AIMS = 3
RANKED = 24
"""So many atoms of either kind are aimed at, the nearest of so many."""
PATIENCE = 10
"""So many times as many states where there is nothing else to try."""
MOST_TESTED = 3_000
"""Atoms that are tested for acceptance in one leap."""
STATES_TO_BEGIN = 10
STATES_PER_STEP = 3
"""For an atom that is far away h_FF looks at so many states for each step of the relaxed plan, and more."""
ACTIONS = 4_000_000
LEAST_STATES, MOST_STATES = 50, 400
"""States that h_FF looks at for one atom: so many ground actions in all, but within these bounds. An eighth
of them is tried for every atom first."""
STATE_WEIGHT = 20
ACTIONS_PER_STATE = 50
"""A state that h_FF looks at counts as so many generated ones, or as one for so many ground actions: it takes
as long."""


class SubgoalLevel:
    """Relaxed plans of one task; it is grounded when they are first asked for."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._affordable: bool | None = None
        """Whether the task can be grounded, once that was asked."""
        self.patient = False
        """Whether there is nothing else to try."""

    def search(self, base: Base) -> tuple[Node | None, bool]:
        """The first node found that ends the leap, and else whether there is no plan from the base on."""
        course = base.course
        if not self._prepared(course):
            return None, False
        start = self._subgoals.state(base.state.root)
        if isinf(self._estimate(start)[0]):
            return None, True
        whole = course.has_inner_progress and not course.whole_pass
        if whole:
            base.look_for_whole_pass(True)
        try:
            return self._aim(base, start), False
        finally:
            if whole:
                base.look_for_whole_pass(False)

    def _prepared(self, course: Course) -> bool:
        """Whether there are relaxed plans; where the task is too large there are none."""
        if self._affordable is None:
            task = self._task
            self._affordable = affords_grounding(task, course)
            if self._affordable:
                self._subgoals = Subgoals(task)
                self._estimate = prepare_preferring(task)
                self._limit = affordable_states(task, LEAST_STATES, MOST_STATES)
                self._weight = evaluation_weight(task)
        return self._affordable

    def _aim(self, base: Base, start: State) -> Node | None:
        """The first node that a search towards one of the nearest atoms finds."""
        accepted, goals = self._accepted(base), sorted(base.goals.positive - base.state.root)
        # What is awaited comes first, however far: goals that are near may have to be given up for it.
        aims = {aim[1]: aim for atoms in (accepted, goals) for aim in self._nearest(base, start, atoms)}
        most = self._limit * (PATIENCE if self.patient else 1)
        for least in (most // 8, most):
            for steps, _, estimate in aims.values():
                limit = max(least, int(STATES_PER_STEP * steps) + STATES_TO_BEGIN)
                node = self._search(base, start, estimate, limit)
                if node is not None:
                    return node
        return None

    def _accepted(self, base: Base) -> list[int]:
        """The atoms that only have to hold for the awaited subgoal to be accepted; goals come first."""
        if base.course.awaited is None:
            return []
        root, marks, goals = base.state.root, base.view.marks, base.goals.positive
        read = [atom for atom in self._subgoals.atoms if atom not in root and marks[atom] & READ]
        read.sort(key=lambda atom: atom not in goals)
        return [atom for atom in read[:MOST_TESTED] if base.accepts({atom}, set())]

    def _nearest(self, base: Base, start: State, atoms: Sequence[int]) -> list[tuple[float, int, Preferring]]:
        """Those with the shortest relaxed plans that keep the goals which hold, each with its estimate."""
        course, goals, root = base.course, base.goals, base.state.root
        kept = goals.positive & root
        found: list[tuple[float, int, Preferring]] = []
        for atom in atoms[:RANKED]:
            estimate = self._subgoals.towards(kept | {atom}, goals.negative - root)
            steps = estimate(start)[0]
            course.statistics.generated += self._weight
            course.look_at_clock(always=True)
            if not isinf(steps):
                found.append((steps, atom, estimate))
        found.sort(key=lambda aim: aim[:2])
        return found[:AIMS]

    def _search(self, base: Base, start: State, estimate: Preferring, limit: int) -> Node | None:
        """Lazy greedy search to a state that ends the leap and is no dead end."""
        root = base.state.root

        def ends(state: State) -> bool:
            atoms = state.atoms
            added, deleted = set(atoms.difference(root)), set(root).difference(atoms)
            ended = base.reached(added, deleted, READ | GOAL) or base.has_fewer_goals(added, deleted)
            return ended and not isinf(self._estimate(state)[0])

        result = search_to(self._task, estimate, start, ends, base.course, limit, counts=())
        return None if result.steps is None else base.node(result.steps)


def evaluation_weight(task: Task) -> int:
    """As how many generated states one counts that h_FF looks at."""
    return max(STATE_WEIGHT, (task.engine.ground_actions or 1) // ACTIONS_PER_STATE)


def affordable_states(task: Task, least: int, most: int) -> int:
    """How many states h_FF may look at: fewer of larger tasks, where each takes longer."""
    return max(least, min(most, ACTIONS // (task.engine.ground_actions or 1)))


def search_to(
    task: Task,
    estimate: Preferring,
    start: State,
    ends: Callable[[State], bool],
    course: Course,
    limit: int,
    counts: Sequence[Heuristic] | None = None,
) -> SearchResult:
    """Lazy greedy search from a state to one that ends the leap, under the limits of the course; h_FF looks
    at so many states, and `counts` are further estimates as in `lazy_greedy`."""
    statistics, before, weight = course.statistics, course.statistics.generated, evaluation_weight(task)

    def count(found: Statistics) -> None:
        statistics.generated = before + found.generated + weight * found.evaluated

    def report(found: Statistics) -> None:
        count(found)
        course.look_at_clock(always=True)

    result = lazy_greedy(task, estimate, UNLIMITED, report, limit, start=start, ends=ends, counts=counts)
    count(result.statistics)
    statistics.expanded += result.statistics.expanded
    return result


def affords_grounding(task: Task, course: Course) -> bool:
    """Whether a leap may ground the task for relaxed plans."""
    most = course.options.ground_actions
    return ground_actions(task, most, lambda: course.look_at_clock(always=True)) is not None
