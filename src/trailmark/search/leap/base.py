"""The committed state that a leap starts from, and the nodes of the search around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from trailmark.search.leap.breadth_first import Later
from trailmark.search.leap.course import CHECK_EVERY as CHECK_EVERY
from trailmark.search.leap.course import Course
from trailmark.search.leap.views import GOAL, READ, ChangingObjects, Goals, Guards, Job, View
from trailmark.task.lifted import Action, LiftedGenerator
from trailmark.task.plans import Step

CHUNK = 16
"""How many successors by one action schema a node gets when it is expanded; twice as many at each return."""


@dataclass(slots=True, eq=False)
class Node:
    """A state of the search, as its difference to the base."""

    parent: Node | None
    action: Action
    adds: tuple[int, ...]
    deletes: tuple[int, ...]
    added: set[int]
    deleted: set[int]
    touched: bool
    """Whether the action changed an atom that the awaited subgoal depends on."""

    def actions(self) -> list[Action]:
        """The way from the base to here."""
        found: list[Action] = []
        node = self
        while node.parent is not None:
            found.append(node.action)
            node = node.parent
        found.reverse()
        return found


def change(
    added: set[int], deleted: set[int], root: set[int], adds: Iterable[int], deletes: Iterable[int]
) -> None:
    """Alters a difference to the root by effects."""
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


class Base:
    """The state of the last commit with everything that tests of acceptance need."""

    def __init__(self, generator: LiftedGenerator, course: Course) -> None:
        task, guidance = generator.task, course.guidance
        self.course = course
        self.statistics = course.statistics
        self.generator = generator
        self.state = generator.state
        generator.reset(task.initial_atoms)
        self.goals = Goals(task)
        self.open_goals = self.goals.open_in(task.initial_atoms)
        self._views = [
            View(generator, guidance.features, places, self.goals.atoms)
            for places in (*guidance.deciding, ())
        ]
        # Features that decide nowhere stay at 0: a loop's counter is read by LM-G alone.
        self.values = [0] * len(guidance.features)
        for view in self._views:
            for place, value in zip(view.places, view.reading.evaluation.values, strict=True):
                self.values[place] = value
        self.guards = Guards(task, course.guards)
        self._known_changing: ChangingObjects | None = None
        self.followers: list[Callable[[set[int], set[int]], None]] = []
        """Told the atoms that a commit adds and deletes."""
        course.start(self.values)
        self._begin_pass()
        self._look_ahead()

    def _begin_pass(self) -> None:
        self._pass_began = self.course.status
        self._since: tuple[set[int], set[int]] = set(), set()
        """The atoms that hold since the pass began, and those that no longer do."""
        self._steps_since = 0

    def _look_ahead(self) -> None:
        course = self.course
        self.view = self._views[course.status.next]
        self.goal_by_goal = course.awaited is None
        """Whether one open goal less ends the leap."""

    @property
    def _changing(self) -> ChangingObjects:
        """Made when a search first asks for it."""
        if self._known_changing is None:
            self._known_changing = ChangingObjects(self.generator.task, self.state.root)
            self.followers.append(self._known_changing.commit)
        return self._known_changing

    def objects_changed(self, node: Node) -> set[int] | None:
        """The objects that an action must be about to be accepted together with what changed up to a
        node; None where any action may be."""
        if self.course.awaited is None or not self.course.guidance.accepts_changes_alone:
            return None
        return self._changing.objects((*node.added, *node.deleted))

    def jobs_about(self, node: Node, objects: set[int]) -> list[Job]:
        """The joins of a node that find its actions about these objects. There may be others about them,
        that need nothing of them to hold."""
        view, jobs = self.view, list[Job]()
        for atom in sorted((self._changing.atoms_about(objects) | node.added) - node.deleted):
            jobs += view.needed[atom][0]
        for atom in sorted(node.deleted):
            jobs += view.excluded[atom][0]
        return jobs

    def look_for_whole_pass(self, whole: bool) -> None:
        """Whether from now on only the end of a pass ends a leap."""
        if whole != self.course.whole_pass:
            self.course.whole_pass = whole
            self.view.accepts.clear()

    def root(self) -> Node:
        return Node(None, (), (), (), set(), set(), True)

    def expand(self, node: Node) -> Iterator[Node | Later[Node]]:
        """Its successors by every applicable action, those first that may end the leap."""
        self.statistics.expanded += 1
        yield from self._children(node, self.view.order, CHUNK)

    def _children(self, node: Node, schemas: Iterable[int], limit: int) -> Iterator[Node | Later[Node]]:
        """The successors by these schemas, so many by each for now."""
        self.enter(node)
        joins, found = self.generator.joins.whole, list[tuple[int, list[Action]]]()
        for schema in schemas:
            actions: list[Action] = []
            joins[schema].every(actions, limit, None)
            found.append((schema, actions))
        for schema, actions in found:
            self.statistics.generated += len(actions)
            self.course.look_at_clock()
            effects = self.generator.effects_of[schema]
            for action in actions:
                adds, deletes = effects(action)
                yield Node(node, action, adds, deletes, *self.differences(node, adds, deletes), True)
            if len(actions) >= limit:
                yield Later(self._children(node, (schema,), 2 * limit))

    def ends(self, node: Node) -> bool:
        """Whether the node's state ends the leap."""
        mark = 0
        for atom in (*node.adds, *node.deletes):
            mark |= self.view.marks[atom]
        return mark != 0 and self.reached(node.added, node.deleted, mark)

    def enter(self, node: Node) -> None:
        """Make the node's state the current one."""
        self.state.visit(node.added, node.deleted)

    def differences(
        self, node: Node, adds: tuple[int, ...], deletes: tuple[int, ...]
    ) -> tuple[set[int], set[int]]:
        """The difference to the base after these effects in a node."""
        added, deleted = node.added.copy(), node.deleted.copy()
        change(added, deleted, self.state.root, adds, deletes)
        return added, deleted

    def accepts(self, added: set[int], deleted: set[int]) -> bool:
        """Whether the state accepts the awaited subgoal."""
        view = self.view
        values = view.reading.values_after(added, deleted)
        known = view.accepts.get(values)
        if known is None:
            known = view.accepts[values] = self.course.accepts(self._valuation(values))
        return known

    def _valuation(self, viewed: tuple[int, ...]) -> list[int]:
        whole = self.values.copy()
        for place, value in zip(self.view.places, viewed, strict=True):
            whole[place] = value
        return whole

    def reached(self, added: set[int], deleted: set[int], mark: int) -> bool:
        """Whether a state ends the leap: the goal holds or the awaited subgoal is accepted.

        The mark says what the last action touched.
        """
        if mark & GOAL:
            left = self.open_goals + self.goals.change(added, deleted)
            if left == 0:
                return True
            if self.goal_by_goal and left < self.open_goals:
                return not self.forbidden(added, deleted)
        return mark & READ != 0 and self.accepts(added, deleted) and not self.forbidden(added, deleted)

    def closes_goal(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a state has an open goal less and changes nothing about the awaited subgoal."""
        if self.goals.change(added, deleted) >= 0:
            return False
        same = self.view.reading.values_after(added, deleted) == self.view.reading.evaluation.values
        return same and not self.forbidden(added, deleted)

    def has_fewer_goals(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a state has an open goal less, whatever it changes about the awaited subgoal."""
        return self.goals.change(added, deleted) < 0 and not self.forbidden(added, deleted)

    def node(self, steps: Iterable[Step]) -> Node:
        """The node that steps from the base lead to."""
        node = self.root()
        for step in steps:
            action = self.generator.action(step)
            adds, deletes = self.generator.effects(action)
            node = Node(node, action, adds, deletes, *self.differences(node, adds, deletes), True)
        return node

    def forbidden(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a guard holds in a state."""
        if not self.guards.watching or not self.guards.hold(added, deleted):
            return False
        self.statistics.guarded += 1
        return True

    def guarded(self, node: Node) -> bool:
        """Whether a guard holds in a node whose parent has none, and nothing may follow it."""
        guards = self.guards
        if not guards.watching or not (guards.touched(node.adds) or guards.touched(node.deletes)):
            return False
        return self.forbidden(node.added, node.deleted)

    def commit(self, node: Node) -> None:
        """Make the node's state the base."""
        self._since = _joined(self._since, node)
        self._steps_since += len(node.actions())
        self._move(node.added, node.deleted)
        self.course.advance(self.values)
        self._look_ahead()
        if self.goal_by_goal or self.course.status.accepted > self._pass_began.accepted:
            self._begin_pass()

    def take_back(self) -> int:
        """Make the state the base in which the pass began; how many steps led from there to here."""
        undone = self._steps_since
        gained, lost = self._since
        self._move(lost, gained)
        self.course.status = self._pass_began
        self._begin_pass()
        self._look_ahead()
        return undone

    def _move(self, added: set[int], deleted: set[int]) -> None:
        self.open_goals += self.goals.change(added, deleted)
        self.generator.commit(added, deleted)
        for view in self._views:
            view.commit(added, deleted)
            for place, value in zip(view.places, view.reading.evaluation.values, strict=True):
                self.values[place] = value
        self.guards.commit(added, deleted)
        for follow in self.followers:
            follow(added, deleted)


def _joined(since: tuple[set[int], set[int]], node: Node) -> tuple[set[int], set[int]]:
    """A difference followed by that of a node."""
    gained, lost = since
    return (gained - node.deleted) | (node.added - lost), (lost - node.added) | (node.deleted - gained)
