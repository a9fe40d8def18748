"""Which atoms can change a feature at all, whatever the state.

A feature often reads a predicate only where something that never changes holds too: of all places
a package may be at, only its goal counts. Where an atom does not matter, a search need not evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from trailmark.features.incremental.evaluation import Evaluator
from trailmark.features.incremental.normal_form import Measure, Node, Op, Ref

Element = tuple[int, ...]
"""An object of a concept, or a pair of a role."""
Successors = Callable[[int], frozenset[int]]


class Relevance(dict[int, bool]):
    """By atom: whether adding or deleting it can change a value; worked out when first asked for."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__()
        self._layout = evaluator._layout
        self._static = evaluator._static
        self._program = evaluator._layout.program
        self._concepts: dict[Ref, frozenset[int] | None] = {}

    def __missing__(self, atom: int) -> bool:
        symbol, arguments = self._program.structure.decode(atom)
        known = self[atom] = any(
            self._matters(index, tuple([arguments[place] for place in places]))
            for index, places in self._primitives.get(symbol, ())
        ) or any(
            feature.measure is Measure.NULLARY and feature.symbol == symbol
            for feature in self._program.features
        )
        return known

    @cached_property
    def _primitives(self) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
        found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for index, node in enumerate(self._program.nodes):
            if node.op in (Op.C_PRIMITIVE, Op.R_PRIMITIVE):
                found.setdefault(node.symbol, []).append((index, node.places))
        return found

    @cached_property
    def _users(self) -> dict[int, list[tuple[int, int]]]:
        """By node: the nodes that refer to it, and at which place they do."""
        found: dict[int, list[tuple[int, int]]] = {}
        for index, node in enumerate(self._program.nodes):
            for place, ref in enumerate(node.refs):
                found.setdefault(ref.node, []).append((index, place))
        return found

    @cached_property
    def _measured(self) -> frozenset[int]:
        return frozenset(ref.node for feature in self._program.features for ref in feature.refs)

    def _matters(self, index: int, element: Element) -> bool:
        """Whether a feature can change when the element enters or leaves the node."""
        return index in self._measured or any(
            self._passes(self._program.nodes[user], user, place, element)
            for user, place in self._users.get(index, ())
        )

    def _passes(self, node: Node, index: int, place: int, element: Element) -> bool:
        """Whether the change reaches a feature through this user of the node."""
        seen = element[::-1] if node.refs[place].inverse else element
        match node.op:
            case Op.C_AND | Op.R_AND:
                return self._possible(node.refs[1 - place], seen) and self._matters(index, seen)
            case Op.R_DIFF:
                other = node.refs[1 - place]
                possible = self._possible(other if place else other.complement(), seen)
                return possible and self._matters(index, seen)
            case Op.R_RESTRICT if place == 0:
                return self._possible(node.refs[1], seen[1:]) and self._matters(index, seen)
            case Op.C_SOME if place == 0:
                return self._possible(node.refs[1], seen[1:]) and self._matters(index, seen[:1])
            case _:
                return True

    def _possible(self, ref: Ref, element: Element) -> bool:
        """Whether the element is in the denotation of the reference in some state, as far as known."""
        if len(element) == 1:
            bound = self._concept(ref)
            return bound is None or element[0] in bound
        x, y = element[::-1] if ref.inverse else element
        rows = self._rows(Ref(ref.node, ref.negated))
        return rows is None or y in rows(x)

    def _concept(self, ref: Ref) -> frozenset[int] | None:
        """A set that holds the concept in every state; None for all objects."""
        if ref not in self._concepts:
            bound: frozenset[int] | None = None
            if self._program.static[ref.node]:
                bound = self._layout.concept(self._static, ref)
            elif not ref.negated:
                bound = self._fluent_concept(self._program.nodes[ref.node])
            self._concepts[ref] = bound
        return self._concepts[ref]

    def _fluent_concept(self, node: Node) -> frozenset[int] | None:
        if node.op is Op.C_AND:
            parts = [part for part in map(self._concept, node.refs) if part is not None]
            return frozenset.intersection(*parts) if parts else None
        if node.op is Op.C_SOME and not node.refs[0].inverse:
            rows, targets = self._rows(node.refs[0]), self._concept(node.refs[1])
            if rows is not None:
                return frozenset(self._sources(rows, targets))
        return None

    def _sources(self, rows: Successors, targets: frozenset[int] | None) -> Iterator[int]:
        for x in self._layout.universe:
            row = rows(x)
            if row and (targets is None or not row.isdisjoint(targets)):
                yield x

    def _rows(self, ref: Ref) -> Successors | None:
        """Successors that hold those of the role, not turned round, in every state; None for all."""
        if self._program.static[ref.node]:
            return self._layout.successors(self._static, ref)
        node = self._program.nodes[ref.node]
        if ref.negated or node.op not in (Op.R_AND, Op.R_DIFF, Op.R_RESTRICT):
            return None
        parts = node.refs if node.op is Op.R_AND else node.refs[:1]
        bounds = [self._rows(part) for part in parts if not part.inverse]
        known = [bound for bound in bounds if bound is not None]
        return known[0] if known else None
