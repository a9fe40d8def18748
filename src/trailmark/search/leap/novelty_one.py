"""The first level of a leap: breadth-first search with novelty 1.

A successor by an action that was applicable in the node's parent already brings no new atom, so a
node joins only the actions that its own action made possible. If its action changed what the
landmark reads, actions that do so too are joined as well, because together they may be accepted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.views import READ, Job
from trailmark.task.lifted import Action


class Rest(NamedTuple):
    """A join that had more results than its limit."""

    node: Node
    job: Job
    evaluated: bool
    limit: int


Waiting = tuple[Node, Action, bool]
"""A successor that is built when its turn comes: its parent, its action and whether that touched."""
Queue = deque[Waiting | Rest]


def novelty_one(base: Base) -> Node | None:
    """The first node found that ends the leap; None where no novel state is left."""
    base.generator.symmetry.on()
    seen: set[int] = set()
    queue: Queue = deque()
    chunk = base.course.options.chunk
    base.statistics.expanded += 1
    reached = _expand(base, base.root(), *base.view.whole, chunk, seen, queue)
    while reached is None and queue:
        entry = queue.popleft()
        if isinstance(entry, Rest):
            jobs = (entry.job,)
            evaluated, novel = (jobs, ()) if entry.evaluated else ((), jobs)
            reached = _expand(base, entry.node, evaluated, novel, entry.limit, seen, queue)
        else:
            base.statistics.expanded += 1
            parent, action, touched = entry
            adds, deletes = base.generator.effects_of[action[0]](action)
            node = Node(parent, action, adds, deletes, *base.differences(parent, adds, deletes), touched)
            if not base.guarded(node):
                reached = _expand(base, node, *_jobs(base, node), chunk, seen, queue)
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


def _expand(
    base: Base,
    node: Node,
    evaluated: Sequence[Job],
    novel: Sequence[Job],
    limit: int,
    seen: set[int],
    queue: Queue,
) -> Node | None:
    """Put the novel successors by these joins into the queue, or return one that ends the leap."""
    entered = base.enter(node)
    reached: Node | None = None
    for job in evaluated:
        found: list[Action] = []
        job[0](found, limit, seen, *job[1])
        if found:
            base.course.generated(found)
            reached = _evaluate(base, node, found, seen, queue)
            if reached is not None:
                break
            if len(found) >= limit:
                queue.append(Rest(node, job, True, 2 * limit))
    else:
        for job in novel:
            found = []
            job[0](found, limit, seen, *job[1])
            if found:
                base.course.generated(found)
                queue.extend([(node, action, False) for action in found])
                if len(found) >= limit:
                    queue.append(Rest(node, job, False, 2 * limit))
    base.leave(entered)
    base.course.look_at_clock()
    return reached


def _evaluate(base: Base, node: Node, actions: list[Action], seen: set[int], queue: Queue) -> Node | None:
    """Test each successor for acceptance and novelty; the one that ends the leap is returned."""
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
            if base.reached(added, deleted, mark):
                return Node(node, action, adds, deletes, added, deleted, True)
        if novel:
            queue.append((node, action, bool(mark & READ)))
    return None
