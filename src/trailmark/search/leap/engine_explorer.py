"""Leap search on the engine's successors, for tasks that the lifted generator does not cover.

The same levels, plain and slower: every successor is generated and evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from trailmark.errors import SearchStatus
from trailmark.features.incremental.evaluation import bind
from trailmark.landmarks.functions import StateDescriptor
from trailmark.search.leap.breadth_first import Atoms, Pairs, breadth_first
from trailmark.search.leap.course import Course
from trailmark.search.leap.options import Level
from trailmark.search.leap.relaxed import affordable_states, affords_grounding, search_to
from trailmark.search.leap.views import Goals
from trailmark.task import State, Step, Task
from trailmark.task.states import Preferring, prepare_preferring

LEAST_STATES, MOST_STATES = 100, 1_000
"""States that h_FF looks at in one leap, within these bounds."""


@dataclass(slots=True, eq=False)
class _Node:
    """A state of the engine and its difference to the base."""

    parent: _Node | None
    step: Step | None
    state: State
    added: frozenset[int]
    deleted: frozenset[int]

    def steps(self) -> list[Step]:
        found: list[Step] = []
        node: _Node | None = self
        while node is not None and node.step is not None:
            found.append(node.step)
            node = node.parent
        found.reverse()
        return found


class EngineExplorer:
    """Explores with the engine's generator."""

    def __init__(self, task: Task, course: Course) -> None:
        self._task = task
        self._course = course
        self._state = task.initial_state
        self._atoms = self._state.atoms
        self._goals = Goals(task)
        self._evaluation = bind(course.guidance.features, task.structure).start(
            task.interpretation(self._state)
        )
        self._watched = self._not_holding()
        course.start(self._evaluation.values)

    @property
    def solved(self) -> bool:
        return self._task.is_goal(self._state)

    @property
    def open_goals(self) -> int:
        return self._goals.open_in(self._atoms)

    def explore(self, level: Level) -> tuple[list[Step] | None, bool]:
        if level in (Level.RECIPES, Level.ACHIEVING, Level.GOAL):
            return None, False
        if level is Level.RELAXED:
            node, exhausted = self._relaxed()
        else:
            measure = Atoms(self._atoms) if level is Level.NOVELTY_ONE else Pairs()
            node, exhausted = breadth_first(self, measure, self._course), False
        if node is None:
            return None, exhausted
        self._evaluation = self._evaluation.after(node.added, node.deleted, self._numbers(node.state))
        self._state, self._atoms = node.state, node.state.atoms
        self._watched = self._not_holding()
        self._course.advance(self._evaluation.values)
        return node.steps(), False

    def look_for_whole_pass(self, whole: bool) -> None:
        self._course.whole_pass = whole

    def lift_guards(self) -> bool:
        watching = bool(self._watched)
        self._watched = []
        return watching

    def take_back(self) -> int:
        return 0

    def _not_holding(self) -> list[tuple[int, StateDescriptor]]:
        """The guards that do not hold in the base, each with its place in a valuation."""
        index, values = self._course.guidance.feature_index, self._evaluation.values
        places = [(index[guard.feature], guard) for guard in self._course.guards]
        return [(place, guard) for place, guard in places if not guard.holds(values[place])]

    def guarded(self, node: _Node) -> bool:
        if not self._watched or self._task.is_goal(node.state):
            return False
        values = self._values(node)
        guarded = any(guard.holds(values[place]) for place, guard in self._watched)
        self._course.statistics.guarded += guarded
        return guarded

    def _relaxed(self) -> tuple[_Node | None, bool]:
        if not self._groundable:
            return None, False

        def ends(state: State) -> bool:
            atoms = state.atoms
            node = _Node(None, None, state, atoms - self._atoms, self._atoms - atoms)
            return self.ends(node)

        limit = affordable_states(self._task, LEAST_STATES, MOST_STATES)
        result = search_to(self._task, self._estimator, self._state, ends, self._course, limit)
        if result.steps is None:
            return None, result.status is SearchStatus.UNSOLVABLE
        node = self.root()
        for step in result.steps:
            node = next(child for child in self.expand(node) if child.step == step)
        return node, False

    @cached_property
    def _groundable(self) -> bool:
        return affords_grounding(self._task, self._course)

    @cached_property
    def _estimator(self) -> Preferring:
        return prepare_preferring(self._task)

    def root(self) -> _Node:
        return _Node(None, None, self._state, frozenset(), frozenset())

    def expand(self, node: _Node) -> Iterator[_Node]:
        course, task = self._course, self._task
        course.statistics.expanded += 1
        successors = task.successors(node.state)
        course.statistics.generated += len(successors)
        course.look_at_clock()
        present = node.state.atoms
        for action, state, _ in successors:
            gained, lost = task.change(present, action, state)
            added = node.added.difference(lost).union(atom for atom in gained if atom not in node.deleted)
            deleted = node.deleted.difference(gained).union(atom for atom in lost if atom not in node.added)
            yield _Node(node, action.step, state, added, deleted)

    def ends(self, node: _Node) -> bool:
        course, task = self._course, self._task
        if task.is_goal(node.state):
            return True
        if course.awaited is None:
            ended = self._goals.change(node.added, node.deleted) < 0
        else:
            ended = course.accepts(self._values(node))
        return ended and not self.guarded(node)

    def _values(self, node: _Node) -> tuple[int, ...]:
        return self._evaluation.values_after(node.added, node.deleted, self._numbers(node.state))

    def _numbers(self, state: State) -> dict[str, float]:
        return {term.function: value for term, value in state.values.items() if not term.terms}
