"""The committed state that a leap starts from, and the nodes of the search around it.

A node knows its parent and its action; its difference to the base is worked out when it is
expanded, or when its features are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from trailmark.features.incremental import bind
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import Policy, Progression
from trailmark.relational import Interpretation
from trailmark.search.leap.options import LeapOptions, LeapStatistics, Limits
from trailmark.task import Task
from trailmark.task.lifted import Action, LiftedGenerator

CHECK_EVERY = 256
"""Generated states between two looks at the clock."""


class OutOfBudget(Exception):
    """Time is up in the middle of a leap."""


class Node:
    """A state of the search: `added` and `deleted` are the difference between it and the base."""

    __slots__ = ("action", "added", "adds", "deleted", "deletes", "parent", "touched")

    def __init__(
        self,
        parent: Node | None,
        action: Action,
        adds: tuple[int, ...],
        deletes: tuple[int, ...],
        added: set[int] | None,
        deleted: set[int] | None,
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
        self.task = task
        self.graph = graph
        self.options = options
        self.budget = budget
        self.statistics = statistics
        self.random = Random(options.seed) if options.seed is not None else None
        self.generator = LiftedGenerator(task)
        self.state = self.generator.state
        self.progression = Progression(graph, Policy.STAY)
        evaluator = bind(graph.features, task.structure)
        self.evaluation = evaluator.start(Interpretation(task.initial_atoms))
        self.status = self.progression.start(self.evaluation.values)
        self._goal_positive = frozenset(task.goal.positive) - task.structure.static_atoms
        self._goal_negative = frozenset(task.goal.negative) - task.structure.static_atoms
        self.goal_atoms = self._goal_positive | self._goal_negative
        self.open_goals = len(self._goal_positive - task.initial_atoms) + len(
            self._goal_negative & task.initial_atoms
        )
        self.relevant = Relevant(evaluator.relevant, task)
        goal_symbols = {task.structure.decode(atom)[0] for atom in self.goal_atoms}
        self.evaluated = tuple(
            any(
                each.symbol in evaluator.relevant or each.symbol in goal_symbols
                for each in (*s.adds, *s.deletes)
            )
            for s in self.generator.schemas
        )
        """For each schema, whether its actions may change a feature or a goal."""
        self.order = sorted(range(len(self.evaluated)), key=lambda schema: not self.evaluated[schema])
        """Schemas whose actions may be accepted come first."""
        self._accepts: dict[Sequence[int], bool] = {}
        self._next_check = 0

    @property
    def past_landmarks(self) -> bool:
        return self.status.next == len(self.graph.landmarks)

    def root(self) -> Node:
        return Node(None, (), (), (), set(), set(), True)

    def count(self, generated: int) -> None:
        """Add to the generated states, and look at the clock now and then."""
        self.statistics.generated += generated
        if self.statistics.generated >= self._next_check:
            self._next_check = self.statistics.generated + CHECK_EVERY
            if self.budget.expired():
                raise OutOfBudget

    def differences(
        self, node: Node, adds: tuple[int, ...], deletes: tuple[int, ...]
    ) -> tuple[set[int], set[int]]:
        """The difference to the base after these effects in an expanded node."""
        assert node.added is not None and node.deleted is not None
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

    def settle(self, node: Node) -> None:
        """Work out the difference of a node whose parent was expanded."""
        if node.added is None and node.parent is not None:
            node.added, node.deleted = self.differences(node.parent, node.adds, node.deletes)

    def accepts(self, added: set[int], deleted: set[int]) -> bool:
        """Whether the state accepts the awaited landmark."""
        values = self.evaluation.values_after(added, deleted)
        known = self._accepts.get(values)
        if known is None:
            known = self.progression.step(self.status, values) is not self.status
            self._accepts[values] = known
        return known

    def goals_left(self, added: set[int], deleted: set[int]) -> int:
        """How many goals are open in a state."""
        positive, negative = self._goal_positive, self._goal_negative
        return (
            self.open_goals
            - len(positive.intersection(added))
            + len(positive.intersection(deleted))
            + len(negative.intersection(added))
            - len(negative.intersection(deleted))
        )

    def reached(self, added: set[int], deleted: set[int], touched: bool, goal_touched: bool) -> bool:
        """Whether a state ends the leap: the goal holds or the awaited landmark is accepted."""
        if goal_touched:
            left = self.goals_left(added, deleted)
            if left == 0 or (left < self.open_goals and self.past_landmarks and self.options.goal_by_goal):
                return True
        return touched and not self.past_landmarks and self.accepts(added, deleted)

    def commit(self, node: Node) -> list[Action]:
        """Make the node's state the base, and return the way to it."""
        self.settle(node)
        assert node.added is not None and node.deleted is not None
        self.open_goals = self.goals_left(node.added, node.deleted)
        self.state.commit(node.added, node.deleted)
        self.evaluation = self.evaluation.after(node.added, node.deleted).rebase()
        self._accepts.clear()
        self._advance()
        return node.actions()

    def _advance(self) -> None:
        """Accept the landmark that holds here, and with `skip_held` those right after it.

        This ends: a loop leads back only where something decreased since its last acceptance.
        """
        values = self.evaluation.values
        after = self.progression.step(self.status, values)
        while after is not self.status:
            self.statistics.accepted += 1
            self.statistics.loops += sum(after.traversals) - sum(self.status.traversals)
            self.status = after
            if self.options.skip_held:
                after = self.progression.step(self.status, values)


class Relevant(dict[int, bool]):
    """By atom: whether it is of a predicate that some feature reads."""

    def __init__(self, symbols: frozenset[int], task: Task) -> None:
        super().__init__()
        self._symbols = symbols
        self._structure = task.structure

    def __missing__(self, atom: int) -> bool:
        known = self[atom] = self._structure.decode(atom)[0] in self._symbols
        return known
