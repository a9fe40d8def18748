"""The second level of a leap: breadth-first search with novelty 2.

A state is what changed since the base: literals, an atom for one that was added and `~atom` for one
that was deleted. It is novel if two of its literals meet in it for the first time.
"""

from __future__ import annotations

from collections import deque

from trailmark.search.leap.base import Base, Node
from trailmark.task.lifted import Action


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
    options, statistics = base.options, base.statistics
    effects_of, marks = base.generator.effects_of, base.view.marks
    end = statistics.generated + options.novelty_two_limit
    base.generator.symmetry.on()
    pairs = Pairs()
    queue: deque[tuple[Node, int, int]] = deque(_joins(base, base.root()))
    at: Node | None = None
    while queue and statistics.generated < end:
        node, schema, limit = queue.popleft()
        added, deleted = node.added, node.deleted
        if node is not at:
            at = node
            statistics.expanded += 1
        literals = added.union([~atom for atom in deleted])
        entered = base.enter(node)
        found: list[Action] = []
        base.generator.whole[schema].every(found, limit, None)
        base.leave(node, entered)
        statistics.generated += len(found)
        base.look_at_clock()
        if base.random is not None:
            base.random.shuffle(found)
        for action in found:
            adds, deletes = effects_of[schema](action)
            now_added, now_deleted = base.differences(node, adds, deletes)
            now = now_added.union([~atom for atom in now_deleted])
            mark = 0
            for atom in (*adds, *deletes):
                mark |= marks[atom]
            if mark and base.reached(now_added, now_deleted, mark):
                return Node(node, action, adds, deletes, now_added, now_deleted, True)
            # What is as it was in the base again is no literal of the state, but new all the same.
            new = (now - literals).union([~literal for literal in literals - now])
            if pairs.novel(new, now | new):
                child = Node(node, action, adds, deletes, now_added, now_deleted, bool(mark))
                queue.extend(_joins(base, child))
        if len(found) >= limit:
            queue.append((node, schema, 2 * limit))
    return None


def _joins(base: Base, node: Node) -> list[tuple[Node, int, int]]:
    return [(node, schema, base.options.pair_chunk) for schema in base.view.order]
