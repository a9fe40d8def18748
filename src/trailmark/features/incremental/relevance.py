"""Which atoms can change a feature at all, whatever the state.

A feature often reads a predicate only where something that never changes holds too: of all places
a package may be at, only its goal counts. Where an atom does not matter, a search need not evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trailmark.features.incremental.evaluation import Evaluator
from trailmark.features.incremental.normal_form import FormNode, Measure, Op, Ref

Element = tuple[int, ...]
"""An object of a concept, or a pair of a role."""
Check = Callable[[Element], bool]
Successors = Callable[[int], frozenset[int]]


class Relevance:
    """Says of an atom whether adding or deleting it can change a value in some state."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._layout = evaluator._layout
        self._static = evaluator._static
        self._form = form = evaluator._layout.form
        self._measured = frozenset(ref.node for feature in form.features for ref in feature.refs)
        self._users: dict[int, list[tuple[int, int]]] = {}
        for index, node in enumerate(form.nodes):
            for place, ref in enumerate(node.refs):
                self._users.setdefault(ref.node, []).append((index, place))
        self._concepts: dict[Ref, frozenset[int] | None] = {}
        self._checks: dict[int, list[tuple[tuple[int, ...], Check | None]]] = {}
        for index, node in enumerate(form.nodes):
            if node.op in (Op.C_PRIMITIVE, Op.R_PRIMITIVE) and not form.static[index]:
                self._checks.setdefault(node.symbol, []).append((node.places, self._check(index)))
        for feature in form.features:
            if feature.measure is Measure.NULLARY:
                self._checks.setdefault(feature.symbol, []).append(((), None))

    @property
    def symbols(self) -> frozenset[int]:
        """The predicates that features read."""
        return frozenset(self._checks)

    def matters(self, symbol: int, arguments: tuple[int, ...]) -> bool:
        """Whether the atom of this predicate with these objects can change a feature."""
        for places, check in self._checks.get(symbol, ()):
            if check is None or check(tuple([arguments[place] for place in places])):
                return True
        return False

    def _check(self, index: int) -> Check | None:
        """Whether a feature can change when an element enters or leaves the node; None for always."""
        if index in self._measured:
            return None
        ways: list[Check] = []
        for user, place in self._users.get(index, ()):
            way = self._way(user, place)
            if way is None:
                return None
            ways.append(way)
        if len(ways) == 1:
            return ways[0]
        return lambda element: any(way(element) for way in ways)

    def _way(self, user: int, place: int) -> Check | None:
        """Whether a change gets through this user of the node to a feature; None for always."""
        node = self._form.nodes[user]
        first: Check | None
        match node.op:
            case Op.C_AND | Op.R_AND:
                first = self._possible(node.refs[1 - place])
            case Op.R_DIFF:
                other = node.refs[1 - place]
                first = self._possible(other if place else other.complement())
            case Op.R_RESTRICT | Op.C_SOME if place == 0:
                target = self._possible(node.refs[1])
                first = None if target is None else lambda element: target(element[1:])
            case _:
                return None
        after = self._check(user)
        if after is not None and node.op is Op.C_SOME:
            whole = after
            after = lambda element: whole(element[:1])  # noqa: E731
        combined = _both(first, after)
        if combined is None or not node.refs[place].inverse:
            return combined
        return lambda element: combined(element[::-1])

    def _possible(self, ref: Ref) -> Check | None:
        """Whether an element may be in the denotation in some state, as far as known; None for yes."""
        if not self._form.nodes[ref.node].op.is_role:
            bound = self._concept(ref)
            return None if bound is None else lambda element: element[0] in bound
        rows = self._rows(Ref(ref.node, ref.negated))
        if rows is None:
            return None
        if ref.inverse:
            return lambda element: element[0] in rows(element[1])
        return lambda element: element[1] in rows(element[0])

    def _concept(self, ref: Ref) -> frozenset[int] | None:
        """A set that holds the concept in every state; None for all objects."""
        if ref not in self._concepts:
            bound: frozenset[int] | None = None
            if self._form.static[ref.node]:
                bound = self._layout.concept(self._static, ref)
            elif not ref.negated:
                bound = self._fluent_concept(self._form.nodes[ref.node])
            self._concepts[ref] = bound
        return self._concepts[ref]

    def _fluent_concept(self, node: FormNode) -> frozenset[int] | None:
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
        if self._form.static[ref.node]:
            return self._layout.successors(self._static, ref)
        node = self._form.nodes[ref.node]
        if ref.negated or node.op not in (Op.R_AND, Op.R_DIFF, Op.R_RESTRICT):
            return None
        parts = node.refs if node.op is Op.R_AND else node.refs[:1]
        bounds = [self._rows(part) for part in parts if not part.inverse]
        return next((bound for bound in bounds if bound is not None), None)


def _both(first: Check | None, second: Check | None) -> Check | None:
    if first is None:
        return second
    if second is None:
        return first
    return lambda element: first(element) and second(element)
