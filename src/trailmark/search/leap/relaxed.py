"""The level of a leap that asks a relaxed plan: lazy greedy search with h_FF from the base on.

It is guided to the goal, and ends as soon as the awaited landmark is accepted or a goal is closed
aside. That takes few states where things must meet that novelty brings together too late, but
grounds the task at first.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isinf

from trailmark.limits import UNLIMITED
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.course import Course
from trailmark.search.leap.views import GOAL, READ
from trailmark.search.result import SearchResult, Statistics
from trailmark.task.heuristics import Preferring, prepare_preferring
from trailmark.task.lifted.reachable import has_ground_actions_up_to
from trailmark.task.states import EngineStates, State
from trailmark.task.status import SearchStatus
from trailmark.task.task import Task


def search_to(
    task: Task, estimate: Preferring, start: State, ends: Callable[[State], bool], course: Course
) -> SearchResult:
    """Lazy greedy search from a state to one that ends the leap, under the limits of the course."""
    statistics, generated = course.statistics, course.statistics.generated

    def count(found: Statistics) -> None:
        statistics.generated = generated + found.generated
        course.look_at_clock(always=True)

    limit = course.options.relaxed_limit
    result = lazy_greedy(task, estimate, UNLIMITED, count, limit, start=start, ends=ends)
    statistics.generated = generated + result.statistics.generated
    statistics.expanded += result.statistics.expanded
    return result


def affords_grounding(task: Task, course: Course) -> bool:
    """Whether a leap may ground the task for relaxed plans."""
    return has_ground_actions_up_to(
        task, course.options.ground_actions, lambda: course.look_at_clock(always=True)
    )


class Relaxed:
    """What the level needs of one task, made when it is first asked."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._states: EngineStates | None = None
        self._affordable: bool | None = None
        """Whether the task can be grounded, once that was asked."""
        self._careful = False
        """Whether a dead end was met."""

    def is_dead_end(self, base: Base, node: Node) -> bool:
        """Whether no relaxed plan is left in a node. Before a search has run into a dead end, none is
        looked for: that takes a heuristic's time for every commit."""
        if self._states is None or not self._careful:
            return False
        return isinf(self._estimate(self._states.state((base.state.root - node.deleted) | node.added))[0])

    def search(self, base: Base) -> tuple[Node | None, bool]:
        """The first node found that ends the leap, and else whether there is no plan from the base on."""
        if self._affordable is None:
            self._affordable = affords_grounding(self._task, base.course)
        if not self._affordable:
            return None, False
        if self._states is None:
            self._states = EngineStates(self._task)
            self._estimate = prepare_preferring(self._task)
        root, course = base.state.root, base.course

        def ends(state: State) -> bool:
            atoms = state.atoms
            added, deleted = set(atoms.difference(root)), set(root).difference(atoms)
            if base.reached(added, deleted, READ | GOAL):
                return True
            return base.course.looks_aside and base.closes_goal(added, deleted)

        result = search_to(self._task, self._estimate, self._states.state(root), ends, course)
        if result.steps is None:
            dead = result.status is SearchStatus.UNSOLVABLE
            self._careful |= dead
            return None, dead
        node = base.root()
        for step in result.steps:
            action = base.generator.action(step)
            adds, deletes = base.generator.effects(action)
            node = Node(node, action, adds, deletes, *base.differences(node, adds, deletes), True)
        return node, False
