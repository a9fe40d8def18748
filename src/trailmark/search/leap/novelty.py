"""The first level of a leap: breadth-first search with novelty 1, by joins.

A state is novel if an atom holds in it for the first time. A successor by an action that was applicable in
the node's parent already brings no new atom, so a node joins only the actions that its own action made
possible. If its action changed what the landmark reads, actions that do so too are joined as well, because
together they may be accepted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.views import READ, Job
from trailmark.task.lifted import Action

CHUNK = 64
"""How many successors by one action schema a node gets at first; twice as many at each return to it. A node
with thousands of successors does not keep all others waiting."""
WIDE = 100
"""Successors of the base; with more, actions about what has changed are joined from the atoms about it."""
NEAR = 150
"""States before anything else is tried."""
MOST_TESTED = 50_000
"""States remembered as tested for acceptance; what is met after them is tested each time."""


class Rest(NamedTuple):
    """A join that had more results than its limit."""

    node: Node
    job: Job
    evaluated: bool
    limit: int


Waiting = tuple[Node, Action, bool]
"""A successor that is built when its turn comes: its parent, its action and whether that touched."""


def novelty_one(base: Base, shortcut: Callable[[], Node | None] | None = None) -> Node | None:
    """The first node found that ends the leap; None where no novel state is left. Where it is not near, the
    shortcut is tried before what is farther away."""
    search = _NoveltyOne(base)
    reached = search.run(NEAR if shortcut is not None else None)
    if reached is None and shortcut is not None:
        reached = shortcut() or (search.run() if search.unfinished else None)
    return reached


def _jobs(base: Base, node: Node) -> tuple[Sequence[Job], Sequence[Job]]:
    """The joins of a node that may bring something new: those to be tested, and those of novel actions."""
    view = base.view
    evaluated: list[Job] = []
    novel: list[Job] = []
    for atoms, starts in ((node.adds, view.needed), (node.deletes, view.excluded)):
        for atom in atoms:
            tested, others = starts[atom]
            evaluated += tested
            novel += others
    return (view.whole[0] if node.touched else evaluated), novel


class _NoveltyOne:
    def __init__(self, base: Base) -> None:
        self._base = base
        self._seen: set[int] = set()
        self._level: deque[Waiting] = deque()
        """The nodes that are being expanded, all of one depth."""
        self._rests: deque[Rest] = deque()
        """What is left to expand of nodes of this depth."""
        self._queue: deque[Waiting] = deque()
        """The nodes of the next depth."""
        self._tested: set[tuple[frozenset[int], frozenset[int]]] = set()
        """States that do not end the leap, as differences to the base."""
        self._begun = base.statistics.generated
        self.unfinished = False
        """Whether it was left before all novel states were looked at."""
        self._wide = False
        """Whether looking through all actions of a state takes longer than finding those about an object."""

    def run(self, most: int | None = None) -> Node | None:
        """The first node found that ends the leap; None where no novel state is left. After so many states
        it is left unfinished, and goes on when it is run again."""
        base, chunk = self._base, CHUNK
        reached: Node | None = None
        if not self.unfinished:
            base.statistics.expanded += 1
            reached = self._expand(base.root(), *base.view.whole, chunk)
            self._wide = base.statistics.generated - self._begun > WIDE
        self.unfinished = False
        while reached is None:
            if most is not None and base.statistics.generated - self._begun > most:
                self.unfinished = True
                break
            entry = self._next()
            if entry is None:
                break
            if isinstance(entry, Rest):
                jobs = (entry.job,)
                evaluated, novel = (jobs, ()) if entry.evaluated else ((), jobs)
                reached = self._expand(entry.node, evaluated, novel, entry.limit)
            else:
                base.statistics.expanded += 1
                parent, action, touched = entry
                adds, deletes = base.generator.effects_of[action[0]](action)
                node = Node(parent, action, adds, deletes, *base.differences(parent, adds, deletes), touched)
                if not base.guarded(node):
                    reached = self._expand(node, *_jobs(base, node), chunk)
        return reached

    def _next(self) -> Waiting | Rest | None:
        """Joins that were cut are finished before a node of the next depth has its turn; else paths would
        have detours over the first results of a join."""
        if not self._level:
            if self._rests:
                return self._rests.popleft()
            self._level, self._queue = self._queue, self._level
        return self._level.popleft() if self._level else None

    def _expand(self, node: Node, evaluated: Sequence[Job], novel: Sequence[Job], limit: int) -> Node | None:
        """Put the novel successors by these joins into the queue, or return one that ends the leap."""
        base, seen, queue = self._base, self._seen, self._queue
        base.enter(node)
        together = (
            base.objects_changed(node) if evaluated and node.touched and node.parent is not None else None
        )
        if together is not None and evaluated is base.view.whole[0] and self._wide:
            evaluated, together = base.jobs_about(node, together), None
        reached: Node | None = None
        for job in evaluated:
            found: list[Action] = []
            job[0](found, limit, seen, *job[1])
            complete = len(found) < limit
            if together is not None:
                found = [action for action in found if not together.isdisjoint(action[1:])]
            if found:
                base.statistics.generated += len(found)
                reached = self._evaluate(node, found)
                if reached is not None:
                    break
            if not complete:
                self._rests.append(Rest(node, job, True, 2 * limit))
        else:
            for job in novel:
                found = []
                job[0](found, limit, seen, *job[1])
                if found:
                    base.statistics.generated += len(found)
                    queue.extend([(node, action, False) for action in found])
                    if len(found) >= limit:
                        self._rests.append(Rest(node, job, False, 2 * limit))
        base.course.look_at_clock()
        return reached

    def _evaluate(self, node: Node, actions: list[Action]) -> Node | None:
        """Test each successor for acceptance and novelty; the one that ends the leap is returned."""
        base, seen, queue, tested = self._base, self._seen, self._queue, self._tested
        effects_of, root = base.generator.effects_of, base.state.root
        marks = base.view.marks
        for action in actions:
            adds, deletes = effects_of[action[0]](action)
            novel, mark = False, 0
            for atom in adds:
                if atom not in seen:
                    seen.add(atom)
                    if atom not in root:
                        novel = True
                mark |= marks[atom]
            for atom in deletes:
                mark |= marks[atom]
            if mark:
                added, deleted = base.differences(node, adds, deletes)
                state = frozenset(added), frozenset(deleted)
                if state not in tested:
                    if base.reached(added, deleted, mark):
                        return Node(node, action, adds, deletes, added, deleted, True)
                    if len(tested) < MOST_TESTED:
                        tested.add(state)
            if novel:
                queue.append((node, action, bool(mark & READ)))
        return None
