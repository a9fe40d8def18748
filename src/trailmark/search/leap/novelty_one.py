"""The first level of a leap: breadth-first search with novelty 1.

A successor by an action that was applicable in the node's parent already brings no new atom, so a
node joins only the actions that its own action made possible. If its action changed what the
landmark reads, actions that do so too are joined as well, because together they may be accepted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from trailmark.search.leap.base import READ, Base, Node
from trailmark.task.lifted import Action
from trailmark.task.lifted.generator import Join


class Job(NamedTuple):
    """One join of a node."""

    join: Join
    objects: tuple[int, ...]
    evaluated: bool
    """Whether it yields every action, to be tested here, or novel ones only."""


class Rest(NamedTuple):
    """A join that had more results than its limit."""

    node: Node
    job: Job
    limit: int


Waiting = tuple[Node, Action, bool]
"""A successor that is built when its turn comes: its parent, its action and whether that touched."""
Queue = deque[Waiting | Rest]


def novelty_one(base: Base) -> Node | None:
    """The first node found that ends the leap; None where no novel state is left."""
    base.generator.symmetry.on()
    seen: set[int] = set()
    queue: Queue = deque()
    node, limit = base.root(), base.options.chunk
    base.statistics.expanded += 1
    jobs: Iterable[Job] = _root_jobs(base)
    while True:
        reached = _expand(base, node, jobs, limit, seen, queue)
        if reached is not None or not queue:
            return reached
        entry = queue.popleft()
        if isinstance(entry, Rest):
            node, jobs, limit = entry.node, (entry.job,), entry.limit
        else:
            node, limit = _build(base, *entry), base.options.chunk
            jobs = _jobs(base, node)


def _build(base: Base, parent: Node, action: Action, touched: bool) -> Node:
    adds, deletes = base.generator.effects_of[action[0]](action)
    added, deleted = base.differences(parent, adds, deletes)
    base.statistics.expanded += 1
    return Node(parent, action, adds, deletes, added, deleted, touched)


def _expand(
    base: Base, node: Node, jobs: Iterable[Job], limit: int, seen: set[int], queue: Queue
) -> Node | None:
    """Put the novel successors by these joins into the queue, or return one that ends the leap."""
    entered = base.enter(node)
    reached: Node | None = None
    for job in jobs:
        join, objects, evaluated = job
        found: list[Action] = []
        join(found, limit, seen, *objects)
        if not found:
            continue
        base.statistics.generated += len(found)
        if base.random is not None:
            base.random.shuffle(found)
        if evaluated:
            reached = _evaluate(base, node, found, seen, queue)
            if reached is not None:
                break
        else:
            for action in found:
                queue.append((node, action, False))
        if len(found) >= limit:
            queue.append(Rest(node, job, 2 * limit))
    base.leave(node, entered)
    base.look_at_clock()
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


def _root_jobs(base: Base) -> Iterator[Job]:
    for schema in base.view.order:
        every, novel = base.generator.whole[schema]
        if base.view.evaluated[schema]:
            yield Job(every, (), True)
        elif novel is not None:
            yield Job(novel, (), False)


def _jobs(base: Base, node: Node) -> Iterator[Job]:
    """The joins of a node that may bring something new, those that may be accepted first."""
    needed, excluded = base.generator.needed, base.generator.excluded
    evaluated, touched = base.view.evaluated, node.touched
    if touched:
        for schema in base.view.order:
            if evaluated[schema]:
                yield Job(base.generator.whole[schema].every, (), True)
    later: list[Job] = []
    for started in chain([needed[atom] for atom in node.adds], [excluded[atom] for atom in node.deletes]):
        for schema, every, novel, objects in started:
            if evaluated[schema]:
                if not touched:
                    yield Job(every, objects, True)
            elif novel is not None:
                later.append(Job(novel, objects, False))
    yield from later
