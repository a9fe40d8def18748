"""The committed state that a leap starts from, and the nodes of the search around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from random import Random

from trailmark.features.incremental import bind
from trailmark.features.incremental.commit import committed
from trailmark.features.incremental.relevance import Relevance
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import StateFunction, features_of
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import Policy, Progression
from trailmark.relational import Interpretation, Structure
from trailmark.search.leap.options import LeapOptions, LeapStatistics, Limits
from trailmark.task import Task
from trailmark.task.lifted import Action, LiftedGenerator
from trailmark.task.lifted.generator import Join, Triggers
from trailmark.task.lifted.schema import Schema
from trailmark.task.lifted.state import MOST_REMEMBERED, decoder

CHECK_EVERY = 256
"""Generated states between two looks at the clock."""


READ, GOAL = 1, 2
"""Marks of an atom: some feature of the awaited landmark depends on it; it is in the goal."""
MOST_INSTANCES = 5_000
"""Effects are looked at one by one, up to this many, before one of them is taken to be marked."""


class OutOfBudget(Exception):
    """Time is up in the middle of a leap."""


class Node:
    """A state of the search, as its difference to the base."""

    __slots__ = ("action", "added", "adds", "deleted", "deletes", "parent", "touched")

    def __init__(
        self,
        parent: Node | None,
        action: Action,
        adds: tuple[int, ...],
        deletes: tuple[int, ...],
        added: set[int],
        deleted: set[int],
        touched: bool,
    ) -> None:
        self.parent = parent
        self.action = action
        self.adds = adds
        self.deletes = deletes
        self.added = added
        self.deleted = deleted
        self.touched = touched
        """Whether the action changed an atom that the awaited landmark depends on."""

    def actions(self) -> list[Action]:
        """The way from the base to here."""
        found: list[Action] = []
        node = self
        while node.parent is not None:
            found.append(node.action)
            node = node.parent
        found.reverse()
        return found


class Base:
    """The state of the last commit with everything that tests of acceptance need."""

    def __init__(
        self,
        task: Task,
        graph: LandmarkGraph,
        options: LeapOptions,
        budget: Limits,
        statistics: LeapStatistics,
    ) -> None:
        self.graph = graph
        self.options = options
        self.budget = budget
        self.statistics = statistics
        self.random = Random(options.seed) if options.seed is not None else None
        self.generator = LiftedGenerator(task)
        self.state = self.generator.state
        self.goals = Goals(task)
        self.open_goals = self.goals.open_in(task.initial_atoms)
        self.progression = Progression(graph, Policy.STAY)
        generator, goals = self.generator, self.goals.atoms
        views = [View(generator, features, goals) for features in _features_by_landmark(graph)]
        self._views = (*views, View(generator, (), goals))
        values: dict[Expression, int] = {}
        for view in views:
            values.update(zip(view.features, view.evaluation.values, strict=True))
        # A loop's counter is read by LM-G alone.
        self.values = [values.get(feature, 0) for feature in graph.features]
        self.status = self.progression.start(self.values)
        self._next_check = 0
        self._advance()

    @property
    def past_landmarks(self) -> bool:
        return self.status.next == len(self.graph.landmarks)

    def root(self) -> Node:
        return Node(None, (), (), (), set(), set(), True)

    def enter(self, node: Node) -> list[int]:
        """Make the node's state the current one; `leave` with what this returns."""
        self.state.change(node.added, node.deleted)
        return self.generator.symmetry.focus(node.added, node.deleted)

    def leave(self, node: Node, entered: list[int]) -> None:
        self.state.change(node.deleted, node.added)
        self.generator.symmetry.unfocus(entered)

    def prepare(self, actions: list[Action]) -> None:
        """Count generated states, and shuffle them where that is asked for."""
        self.statistics.generated += len(actions)
        if self.random is not None:
            self.random.shuffle(actions)

    def look_at_clock(self) -> None:
        """Asks for the time now and then; raises `OutOfBudget` where it is up."""
        if self.statistics.generated >= self._next_check:
            self._next_check = self.statistics.generated + CHECK_EVERY
            if self.budget.expired():
                raise OutOfBudget

    def differences(
        self, node: Node, adds: tuple[int, ...], deletes: tuple[int, ...]
    ) -> tuple[set[int], set[int]]:
        """The difference to the base after these effects in an expanded node."""
        added, deleted, root = node.added.copy(), node.deleted.copy(), self.state.root
        for atom in deletes:
            if atom in root:
                deleted.add(atom)
            else:
                added.discard(atom)
        for atom in adds:
            if atom in root:
                deleted.discard(atom)
            else:
                added.add(atom)
        return added, deleted

    def accepts(self, added: set[int], deleted: set[int]) -> bool:
        """Whether the state accepts the awaited landmark."""
        view = self.view
        values = view.values_after(added, deleted)
        known = view.accepts.get(values)
        if known is None:
            whole = self.values.copy()
            for place, value in zip(view.places, values, strict=True):
                whole[place] = value
            known = view.accepts[values] = self.progression.step(self.status, whole) is not self.status
        return known

    def reached(self, added: set[int], deleted: set[int], mark: int) -> bool:
        """Whether a state ends the leap: the goal holds or the awaited landmark is accepted.

        The mark says what the last action touched.
        """
        if mark & GOAL:
            left = self.open_goals + self.goals.change(added, deleted)
            if left == 0 or (left < self.open_goals and self.past_landmarks and self.options.goal_by_goal):
                return True
        return mark & READ != 0 and self.accepts(added, deleted)

    def commit(self, node: Node) -> list[Action]:
        """Make the node's state the base, and return the way to it."""
        added, deleted = node.added, node.deleted
        self.open_goals += self.goals.change(added, deleted)
        self.generator.commit(added, deleted)
        for view in self._views:
            view.commit(added, deleted)
            for place, value in zip(view.places, view.evaluation.values, strict=True):
                self.values[place] = value
        self._advance()
        return node.actions()

    def _advance(self) -> None:
        """Accept the landmark that holds here, and those after it that hold here too.

        In Algorithm 1 a state accepts one landmark and the next waits for the next state; committing
        to a step for that alone would lead astray. This ends, because a loop leads back only where
        something progressed since its last acceptance.
        """
        after = self.progression.step(self.status, self.values)
        while after is not self.status:
            self.statistics.accepted += 1
            self.statistics.loops += sum(after.traversals) - sum(self.status.traversals)
            self.status = after
            after = self.progression.step(self.status, self.values)
        self.view = self._views[self.status.next]


class View:
    """What is looked at while one landmark is awaited: its own features and its loop's."""

    def __init__(
        self,
        generator: LiftedGenerator,
        features: Sequence[tuple[int, Expression]],
        goals: frozenset[int],
    ) -> None:
        task = generator.task
        self.places = [place for place, _ in features]
        """Where its features are in a valuation of the whole graph."""
        self.features = [feature for _, feature in features]
        evaluator = bind(self.features, task.structure)
        numbers = {term.function: value for term, value in task.model.initial_values if not term.terms}
        self.evaluation = evaluator.start(Interpretation(task.initial_atoms, numbers))
        self.marks = Marks(task.structure, Relevance(evaluator), goals)
        self.accepts: dict[tuple[int, ...], bool] = {}
        """What the progression said of values since the last commit."""
        evaluated = [self.marks.any_of(schema) for schema in generator.schemas]
        """For each schema, whether its actions may change a feature or a goal."""
        self.order = sorted(range(len(evaluated)), key=lambda schema: not evaluated[schema])
        """Schemas whose actions may be accepted come first."""
        self.whole = _split(
            [(schema, each.every, each.novel, ()) for schema, each in enumerate(generator.whole)], evaluated
        )
        """The joins over a whole state."""
        self.needed = Starts(generator.needed, evaluated)
        self.excluded = Starts(generator.excluded, evaluated)

    def values_after(self, added: set[int], deleted: set[int]) -> tuple[int, ...]:
        """The values of its features in the state with this difference to the base."""
        marks = self.marks
        return self.evaluation.values_after(
            [atom for atom in added if marks[atom] & READ], [atom for atom in deleted if marks[atom] & READ]
        )

    def commit(self, added: set[int], deleted: set[int]) -> None:
        marks = self.marks
        gained = [atom for atom in added if marks[atom] & READ]
        lost = [atom for atom in deleted if marks[atom] & READ]
        if gained or lost:
            self.evaluation = committed(self.evaluation, gained, lost)
        self.accepts.clear()


Job = tuple[Join, tuple[int, ...]]
"""A join, and the objects it is given."""
Jobs = tuple[tuple[Job, ...], tuple[Job, ...]]
"""Joins of every action, to be tested for acceptance, and joins of novel actions only."""


def _split(
    joins: Iterable[tuple[int, Join, Join | None, tuple[int, ...]]], evaluated: Sequence[bool]
) -> Jobs:
    tested: list[Job] = []
    others: list[Job] = []
    for schema, every, novel, objects in joins:
        if evaluated[schema]:
            tested.append((every, objects))
        elif novel is not None:
            others.append((novel, objects))
    return tuple(tested), tuple(others)


class Starts(dict[int, Jobs]):
    """By atom: the joins it can start."""

    def __init__(self, triggers: Triggers, evaluated: Sequence[bool]) -> None:
        super().__init__()
        self._triggers = triggers
        self._evaluated = evaluated

    def __missing__(self, atom: int) -> Jobs:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        jobs = self[atom] = _split(self._triggers[atom], self._evaluated)
        return jobs


class Marks(dict[int, int]):
    """By atom: `READ`, `GOAL`, both or neither."""

    def __init__(self, structure: Structure, relevance: Relevance, goals: frozenset[int]) -> None:
        super().__init__()
        self._structure = structure
        self._decode = decoder(structure)
        self._matters = relevance.matters
        self._goals = goals

    def __missing__(self, atom: int) -> int:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        mark = GOAL if atom in self._goals else 0
        if self._matters(*self._decode(atom)):
            mark |= READ
        self[atom] = mark
        return mark

    def any_of(self, schema: Schema) -> bool:
        """Whether some action of the schema may change a marked atom."""
        for literal in (*schema.adds, *schema.deletes):
            choices = [sorted(schema.allowed[term]) if term >= 0 else [~term] for term in literal.terms]
            instances = product(*choices)
            for arguments in islice(instances, MOST_INSTANCES):
                if self[self._structure.encode(literal.symbol, arguments)]:
                    return True
            if next(instances, None) is not None:
                return True
        return False


class Goals:
    """The goal's literals."""

    def __init__(self, task: Task) -> None:
        self.positive = task.goal.positive - task.structure.static_atoms
        self.negative = task.goal.negative
        self.atoms = self.positive | self.negative

    def open_in(self, atoms: frozenset[int]) -> int:
        """How many literals do not hold."""
        return len(self.positive - atoms) + len(self.negative & atoms)

    def change(self, added: set[int], deleted: set[int]) -> int:
        """How many more literals are open after a change."""
        positive, negative = self.positive, self.negative
        change = len(positive.intersection(deleted)) - len(positive.intersection(added))
        if negative:
            change += len(negative.intersection(added)) - len(negative.intersection(deleted))
        return change


def _features_by_landmark(graph: LandmarkGraph) -> Iterator[list[tuple[int, Expression]]]:
    """For each landmark the features that decide its acceptance, with their places in a valuation."""
    for position, landmark in enumerate(graph.landmarks):
        loop = graph.loop_at(position)
        functions: list[StateFunction] = [*landmark.descriptors, *landmark.progressors]
        if loop is not None:
            functions += [*loop.exit, *loop.progression]
        features = dict.fromkeys(feature for function in functions for feature in features_of(function))
        yield [(graph.feature_index[feature], feature) for feature in features]
