"""The committed state that a leap starts from, and the nodes of the search around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from trailmark.landmarks.guidance import Status
from trailmark.search.leap.course import CHECK_EVERY as CHECK_EVERY
from trailmark.search.leap.course import Course
from trailmark.search.leap.guards import Guards
from trailmark.search.leap.interplay import Interplay
from trailmark.search.leap.views import GOAL, READ, Goals, Job, View
from trailmark.task.lifted import Action, LiftedGenerator
from trailmark.task.plans import Step

CHUNK = 64
"""How many successors by one action schema a node gets at first; twice as many at each return to it. A node
with thousands of successors does not keep all others waiting."""


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


class Commit(NamedTuple):
    """A commit that can be taken back."""

    node: Node
    status: Status
    """The status of the progression before it."""
    banned: set[frozenset[int]]
    """What was banned in the base before it."""


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
            for place, value in zip(view.places, view.evaluation.values, strict=True):
                self.values[place] = value
        self.guards = Guards(task, course.guards)
        self._known_interplay: Interplay | None = None
        self.followers: list[Callable[[set[int], set[int]], None]] = []
        """Told the atoms that a commit, or taking one back, adds and deletes."""
        self.commits: list[Commit] = []
        self._banned: set[frozenset[int]] = set()
        """States around this base that must not be committed to again, as differences to it."""
        course.start(self.values)
        self._look_ahead()

    def _look_ahead(self) -> None:
        course = self.course
        self.view = self._views[course.status.next]
        self.goal_by_goal = course.awaited is None
        """Whether one open goal less ends the leap."""

    @property
    def _interplay(self) -> Interplay:
        """Made when a search first asks for it."""
        if self._known_interplay is None:
            self._known_interplay = Interplay(self.generator.task, self.state.root)
        return self._known_interplay

    def interplay(self, node: Node) -> set[int] | None:
        """The objects that an action must be about to be accepted together with what changed up to a
        node; None where any action may be."""
        if self.course.awaited is None or not self.course.guidance.accepts_changes_alone:
            return None
        return self._interplay.objects((*node.added, *node.deleted))

    def jobs_about(self, node: Node, objects: set[int]) -> list[Job]:
        """The joins of a node that find its actions about these objects. There may be others about them,
        that need nothing of them to hold."""
        view, jobs = self.view, list[Job]()
        for atom in sorted((self._interplay.atoms_about(objects) | node.added) - node.deleted):
            jobs += view.needed[atom][0]
        for atom in sorted(node.deleted):
            jobs += view.excluded[atom][0]
        return jobs

    def look_for_whole_pass(self, whole: bool) -> None:
        """Whether from now on only the end of a pass ends a leap."""
        self.course.whole_pass = whole
        self.view.accepts.clear()

    def root(self) -> Node:
        return Node(None, (), (), (), set(), set(), True)

    def enter(self, node: Node) -> None:
        """Make the node's state the current one."""
        self.state.visit(node.added, node.deleted)

    def differences(
        self, node: Node, adds: tuple[int, ...], deletes: tuple[int, ...]
    ) -> tuple[set[int], set[int]]:
        """The difference to the base after these effects in a node."""
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
        """Whether the state accepts the awaited subgoal."""
        view = self.view
        values = view.values_after(added, deleted)
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
                return self._may_end(added, deleted)
        return mark & READ != 0 and self.accepts(added, deleted) and self._may_end(added, deleted)

    def closes_goal(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a state has an open goal less and changes nothing about the awaited subgoal."""
        if self.goals.change(added, deleted) >= 0:
            return False
        view = self.view
        return view.values_after(added, deleted) == view.evaluation.values and self._may_end(added, deleted)

    def has_fewer_goals(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a state has an open goal less, whatever it changes about the awaited subgoal."""
        return self.goals.change(added, deleted) < 0 and self._may_end(added, deleted)

    def node(self, steps: Iterable[Step]) -> Node:
        """The node that steps from the base lead to."""
        node = self.root()
        for step in steps:
            action = self.generator.action(step)
            adds, deletes = self.generator.effects(action)
            node = Node(node, action, adds, deletes, *self.differences(node, adds, deletes), True)
        return node

    def _may_end(self, added: set[int], deleted: set[int]) -> bool:
        if self._banned and _difference(added, deleted) in self._banned:
            return False
        return not self._forbidden(added, deleted)

    def forbidden(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a guard holds in a state."""
        return self._forbidden(added, deleted)

    def guarded(self, node: Node) -> bool:
        """Whether a guard holds in a node whose parent has none, and nothing may follow it."""
        guards = self.guards
        if not guards.watching or not (guards.touched(node.adds) or guards.touched(node.deletes)):
            return False
        return self._forbidden(node.added, node.deleted)

    def _forbidden(self, added: set[int], deleted: set[int]) -> bool:
        if not self.guards.watching or not self.guards.hold(added, deleted):
            return False
        self.statistics.guarded += 1
        return True

    def commit(self, node: Node) -> None:
        """Make the node's state the base."""
        self.commits.append(Commit(node, self.course.status, self._banned))
        self._banned = set()
        self._move(node.added, node.deleted)
        self.course.advance(self.values)
        self._look_ahead()

    def ban(self, node: Node) -> None:
        """Never commit to the node's state from this base."""
        self._banned.add(_difference(node.added, node.deleted))

    def take_back(self) -> Node:
        """Return to the base before the last commit, and never commit to the same state from there."""
        node, status, banned = self.commits.pop()
        self._banned = banned | {_difference(node.added, node.deleted)}
        self._move(node.deleted, node.added)
        self.course.status = status
        self._look_ahead()
        return node

    def _move(self, added: set[int], deleted: set[int]) -> None:
        self.open_goals += self.goals.change(added, deleted)
        self.generator.commit(added, deleted)
        for view in self._views:
            view.commit(added, deleted)
            for place, value in zip(view.places, view.evaluation.values, strict=True):
                self.values[place] = value
        self.guards.commit(added, deleted)
        if self._known_interplay is not None:
            self._known_interplay.commit(added, deleted)
        for follow in self.followers:
            follow(added, deleted)


def _difference(added: set[int], deleted: set[int]) -> frozenset[int]:
    return frozenset(added.union([~atom for atom in deleted]))
