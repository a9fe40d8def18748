"""Leap search on the engine's successors, for tasks that the lifted generator does not cover.

The same levels, plain and slower: every successor is generated and evaluated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from trailmark.errors import SearchStatus
from trailmark.features.incremental.evaluation import bind
from trailmark.landmarks.functions import StateDescriptor
from trailmark.search.leap.course import Course
from trailmark.search.leap.novelty import Pairs
from trailmark.search.leap.options import Level
from trailmark.search.leap.relaxed import affordable_states, affords_grounding, search_to
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

    @property
    def literals(self) -> set[int]:
        return {*self.added, *(~atom for atom in self.deleted)}

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
        goal = self._task.goal
        return len(goal.positive - self._atoms) + len(goal.negative & self._atoms)

    def explore(self, level: Level) -> tuple[list[Step] | None, bool]:
        if level in (Level.RECIPES, Level.GOAL):
            return None, False
        if level is Level.RELAXED:
            node, exhausted = self._relaxed()
        else:
            is_new = _new_atoms(self._atoms) if level is Level.NOVELTY_ONE else _new_pairs()
            node, exhausted = self._breadth_first(is_new), False
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

    def _guarded(self, node: _Node) -> bool:
        if not self._watched or self._task.is_goal(node.state):
            return False
        values = self._values(node)
        guarded = any(guard.holds(values[place]) for place, guard in self._watched)
        self._course.statistics.guarded += guarded
        return guarded

    def _breadth_first(self, is_new: Callable[[_Node, _Node], bool]) -> _Node | None:
        end = self._course.statistics.generated + self._course.options.novelty_two_limit
        queue = deque([self._root()])
        while queue and self._course.statistics.generated < end:
            node = queue.popleft()
            for child in self._expand(node):
                if self._guarded(child):
                    continue
                if self._ends(child):
                    return child
                if is_new(node, child):
                    queue.append(child)
        return None

    def _relaxed(self) -> tuple[_Node | None, bool]:
        if not self._groundable:
            return None, False

        def ends(state: State) -> bool:
            atoms = state.atoms
            node = _Node(None, None, state, atoms - self._atoms, self._atoms - atoms)
            return self._ends(node)

        limit = affordable_states(self._task, LEAST_STATES, MOST_STATES)
        result = search_to(self._task, self._estimator, self._state, ends, self._course, limit)
        if result.steps is None:
            return None, result.status is SearchStatus.UNSOLVABLE
        node = self._root()
        for step in result.steps:
            node = next(child for child in self._expand(node) if child.step == step)
        return node, False

    @cached_property
    def _groundable(self) -> bool:
        return affords_grounding(self._task, self._course)

    @cached_property
    def _estimator(self) -> Preferring:
        return prepare_preferring(self._task)

    def _root(self) -> _Node:
        return _Node(None, None, self._state, frozenset(), frozenset())

    def _expand(self, node: _Node) -> Iterable[_Node]:
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

    def _ends(self, node: _Node) -> bool:
        course, task = self._course, self._task
        if task.is_goal(node.state):
            return True
        if course.awaited is not None:
            return course.accepts(self._values(node))
        return self._more_goals(node) < 0

    def _values(self, node: _Node) -> tuple[int, ...]:
        return self._evaluation.values_after(node.added, node.deleted, self._numbers(node.state))

    def _numbers(self, state: State) -> dict[str, float]:
        return {term.function: value for term, value in state.values.items() if not term.terms}

    def _more_goals(self, node: _Node) -> int:
        """How many more literals of the goal are open than in the base."""
        goal = self._task.goal
        touched = (node.added | node.deleted) & (goal.positive | goal.negative)
        open_before = sum((atom in goal.positive) != (atom in self._atoms) for atom in touched)
        return len(touched) - 2 * open_before


def _new_atoms(base: frozenset[int]) -> Callable[[_Node, _Node], bool]:
    seen = set(base)

    def is_new(parent: _Node, child: _Node) -> bool:
        if child.added <= seen:
            return False
        seen.update(child.added)
        return True

    return is_new


def _new_pairs() -> Callable[[_Node, _Node], bool]:
    pairs = Pairs()

    def is_new(parent: _Node, child: _Node) -> bool:
        before, now = parent.literals, child.literals
        new = (now - before).union([~literal for literal in before - now])
        return pairs.novel(new, now | new)

    return is_new
