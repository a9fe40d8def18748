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

from trailmark.search.leap.base import Base, Node
from trailmark.task.lifted import Action
from trailmark.task.lifted.generator import Join


class Job(NamedTuple):
    """One join of a node, to be returned to if it has more than `limit` results."""

    node: Node
    join: Join
    objects: tuple[int, ...]
    evaluated: bool
    """Whether it yields every action, to be tested here, or novel ones only."""
    limit: int


def novelty_one(base: Base) -> Node | None:
    """The first node found that ends the leap; None where no novel state is left."""
    seen: set[int] = set()
    queue: deque[Node | Job] = deque([base.root()])
    state = base.state
    while queue:
        entry = queue.popleft()
        node = entry.node if isinstance(entry, Job) else entry
        base.settle(node)
        added, deleted = node.added, node.deleted
        assert added is not None and deleted is not None
        state.change(added, deleted)
        try:
            jobs: Iterable[Job]
            if isinstance(entry, Job):
                jobs = (entry,)
            else:
                base.statistics.expanded += 1
                jobs = _jobs(base, node)
            for job in jobs:
                found: list[Action] = []
                job.join(found, job.limit, seen, *job.objects)
                if not found:
                    continue
                base.count(len(found))
                if base.random is not None:
                    base.random.shuffle(found)
                if job.evaluated:
                    reached = _evaluate(base, node, found, seen, queue)
                    if reached is not None:
                        return reached
                else:
                    for action in found:
                        effects = base.generator.effects_of[action[0]]
                        queue.append(Node(node, action, *effects(action), None, None, False))
                if len(found) >= job.limit:
                    queue.append(job._replace(limit=2 * job.limit))
        finally:
            state.change(deleted, added)
    return None


def _evaluate(
    base: Base, node: Node, actions: list[Action], seen: set[int], queue: deque[Node | Job]
) -> Node | None:
    """Test each successor for acceptance and novelty; the one that ends the leap is returned."""
    effects_of, relevant, goals, root = (
        base.generator.effects_of,
        base.relevant,
        base.goal_atoms,
        base.state.root,
    )
    for action in actions:
        adds, deletes = effects_of[action[0]](action)
        novel = False
        for atom in adds:
            if atom not in seen:
                seen.add(atom)
                if atom not in root:
                    novel = True
        touched = goal_touched = False
        for atom in chain(adds, deletes):
            if relevant[atom]:
                touched = True
            if atom in goals:
                goal_touched = True
        added: set[int] | None = None
        deleted: set[int] | None = None
        if touched or goal_touched:
            added, deleted = base.differences(node, adds, deletes)
            if base.reached(added, deleted, touched, goal_touched):
                return Node(node, action, adds, deletes, added, deleted, True)
        if novel:
            queue.append(Node(node, action, adds, deletes, added, deleted, touched))
    return None


def _jobs(base: Base, node: Node) -> Iterator[Job]:
    """The joins of a node that may bring something new, those that may be accepted first."""
    generator, evaluated, chunk = base.generator, base.evaluated, base.options.chunk
    if node.parent is None:
        for schema in base.order:
            every, novel = generator.whole[schema]
            if evaluated[schema]:
                yield Job(node, every, (), True, chunk)
            elif novel is not None:
                yield Job(node, novel, (), False, chunk)
        return
    parent_adds, parent_deletes = node.adds, node.deletes
    later: list[Job] = []
    if node.touched:
        for schema in base.order:
            if evaluated[schema]:
                yield Job(node, generator.whole[schema].every, (), True, chunk)
    for triggers in chain(
        (generator.triggers(atom, True) for atom in parent_adds),
        (generator.triggers(atom, False) for atom in parent_deletes),
    ):
        for schema, every, novel, objects in triggers:
            if evaluated[schema]:
                if not node.touched:
                    yield Job(node, every, objects, True, chunk)
            elif novel is not None:
                later.append(Job(node, novel, objects, False, chunk))
    yield from later
