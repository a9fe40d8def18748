"""The second level of a leap: breadth-first search with novelty 2.

A state is what changed since the base: literals, an atom for one that was added and `~atom` for one
that was deleted. It is novel if two of its literals meet in it for the first time.
"""

from __future__ import annotations

from collections import deque

from trailmark.search.leap.base import Base, Node
from trailmark.task.lifted import Action

PAIR_CHUNK = 16
"""How many successors by one action schema a node gets at first: fewer than under novelty 1, because one wide
node after another multiplies."""
Queue = deque[tuple[Node, tuple[int, ...], int]]
"""Nodes with the schemas to join in them, and how many results each may have for now."""


class Pairs:
    """The pairs of literals seen so far, as the partners of each literal."""

    def __init__(self) -> None:
        self._partners: dict[int, set[int]] = {}

    def novel(self, new: set[int], literals: set[int]) -> bool:
        """Whether a new literal meets one for the first time; all pairs count as seen afterwards."""
        partners = self._partners
        found = False
        for literal in new:
            known = partners.get(literal)
            if known is None:
                known = partners[literal] = set()
            if not literals <= known:
                found = True
                known |= literals
                for other in literals:
                    if other != literal:
                        row = partners.get(other)
                        if row is None:
                            row = partners[other] = {other}
                        row.add(literal)
        return found


def novelty_two(base: Base) -> Node | None:
    """The first node found that ends the leap; None where no novel state is left or at the limit."""
    statistics = base.statistics
    end = statistics.generated + base.course.options.novelty_two_limit
    pairs = Pairs()
    every = tuple(base.view.order)
    queue: Queue = deque([(base.root(), every, PAIR_CHUNK)])
    while queue and statistics.generated < end:
        node, schemas, limit = queue.popleft()
        statistics.expanded += schemas is every
        found: list[tuple[int, list[Action]]] = []
        base.enter(node)
        for schema in schemas:
            actions: list[Action] = []
            base.generator.joins.whole[schema].every(actions, limit, None)
            if actions:
                found.append((schema, actions))
        for schema, actions in found:
            base.statistics.generated += len(actions)
            base.course.look_at_clock()
            reached = _evaluate(base, node, actions, pairs, queue, every)
            if reached is not None:
                return reached
            if len(actions) >= limit:
                queue.append((node, (schema,), 2 * limit))
    return None


def _evaluate(
    base: Base, node: Node, actions: list[Action], pairs: Pairs, queue: Queue, every: tuple[int, ...]
) -> Node | None:
    """Test each successor for acceptance and novelty; the one that ends the leap is returned."""
    marks = base.view.marks
    effects = base.generator.effects_of[actions[0][0]]
    literals = node.added.union([~atom for atom in node.deleted])
    for action in actions:
        adds, deletes = effects(action)
        added, deleted = base.differences(node, adds, deletes)
        mark = 0
        for atom in (*adds, *deletes):
            mark |= marks[atom]
        child = Node(node, action, adds, deletes, added, deleted, mark != 0)
        if mark and base.reached(added, deleted, mark):
            return child
        if base.guarded(child):
            continue
        now = added.union([~atom for atom in deleted])
        # What is as it was in the base again is no literal of the state, but new all the same.
        new = (now - literals).union([~literal for literal in literals - now])
        if pairs.novel(new, now | new):
            queue.append((child, every, PAIR_CHUNK))
    return None
