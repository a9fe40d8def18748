"""Evaluation from nothing: the tables of a state from its atoms, and feature values from the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from trailmark.features.incremental.normal_form import Feature, Measure, Op, Ref
from trailmark.features.incremental.reach import closure, distance
from trailmark.features.incremental.tables import NOTHING, Layout, Tables, transposed


def evaluate(tables: Tables, layout: Layout, nodes: Iterable[int], atoms: Iterable[int] = ()) -> None:
    """Fill in the tables of these nodes, parts before wholes, where these atoms hold and the static ones."""
    form = layout.form
    static = form.structure.static_tuples
    by_symbol: dict[int, list[tuple[int, ...]]] = {}
    for atom in atoms:
        symbol, arguments = form.structure.decode(atom)
        by_symbol.setdefault(symbol, []).append(arguments)
    for index in nodes:
        node = form.nodes[index]
        tuples = [*static.get(node.symbol, ()), *by_symbol.get(node.symbol, ())]
        if node.op.is_role:
            _evaluate_role(tables, index, layout, tuples)
        else:
            _evaluate_concept(tables, index, layout, tuples)


def _evaluate_concept(tables: Tables, index: int, layout: Layout, tuples: list[tuple[int, ...]]) -> None:
    node, size = layout.form.nodes[index], len(layout.universe)
    members = bytearray(size)
    counts = [0] * size
    match node.op:
        case Op.C_ONE_OF:
            members[node.places[0]] = 1
        case Op.C_PRIMITIVE:
            for arguments in tuples:
                counts[arguments[node.places[0]]] += 1
            members = bytearray(count > 0 for count in counts)
        case Op.C_AND:
            left, right = (layout.concept(tables, ref) for ref in node.refs)
            for x in left & right:
                members[x] = 1
        case Op.C_SOME | Op.C_SOME_NOT:
            role, concept = node.refs
            inside = layout.concept(tables, concept)
            successors = layout.successors(tables, role)
            counts = [len(successors(x) & inside) for x in range(size)]
            none = 0 if node.op is Op.C_SOME else len(inside)
            members = bytearray(count != none for count in counts)
    tables.members[index] = members
    if index in layout.counted:
        tables.counts[index] = counts
    if index in layout.sets:
        tables.sets[index] = layout.concept(tables, Ref(index))
    tables.sizes[index] = sum(members)


def _evaluate_role(tables: Tables, index: int, layout: Layout, tuples: list[tuple[int, ...]]) -> None:
    node, size = layout.form.nodes[index], len(layout.universe)
    rows = [NOTHING] * size
    joined: list[tuple[int, int]] = []
    match node.op:
        case Op.R_PRIMITIVE:
            first, second = node.places
            joined = [(row[first], row[second]) for row in tuples]
            rows = _rows(size, joined)
        case Op.R_AND | Op.R_DIFF | Op.R_OR | Op.R_XOR:
            left, right = (layout.successors(tables, ref) for ref in node.refs)
            combine = _COMBINE[node.op]
            rows = [combine(left(x), right(x)) for x in range(size)]
        case Op.R_RESTRICT:
            successors = layout.successors(tables, node.refs[0])
            inside = layout.concept(tables, node.refs[1])
            rows = [successors(x) & inside for x in range(size)]
        case Op.R_IDENTITY:
            for x in layout.concept(tables, node.refs[0]):
                rows[x] = frozenset((x,))
        case Op.R_COMPOSE:
            left, right = (layout.successors(tables, ref) for ref in node.refs)
            if index in layout.counted:
                joined = [(x, z) for x in range(size) for y in left(x) for z in right(y)]
            rows = [NOTHING.union(*(right(y) for y in left(x))) for x in range(size)]
        case Op.R_CLOSURE:
            closed = closure(range(size), layout.successors(tables, node.refs[0]), [])
            rows = [closed[x] for x in range(size)]
    tables.rows[index] = rows
    if index in layout.columns:
        tables.columns[index] = transposed(rows)
    if index in layout.counted:
        tables.pair_counts[index] = _counted(size, joined)
    tables.sizes[index] = sum(map(len, rows))


_COMBINE: dict[Op, Callable[[frozenset[int], frozenset[int]], frozenset[int]]] = {
    Op.R_AND: lambda a, b: a if a <= b else a & b,
    Op.R_DIFF: lambda a, b: a if a.isdisjoint(b) else a - b,
    Op.R_OR: lambda a, b: a if b <= a else a | b,
    Op.R_XOR: frozenset.__xor__,
}
"""Where the result is the first operand it is that very set: closures share one among many objects."""


def _rows(size: int, pairs: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    rows: dict[int, set[int]] = {}
    for x, y in pairs:
        rows.setdefault(x, set()).add(y)
    return [frozenset(rows[x]) if x in rows else NOTHING for x in range(size)]


def _counted(size: int, pairs: Iterable[tuple[int, int]]) -> list[dict[int, int]]:
    counts: list[dict[int, int]] = [{} for _ in range(size)]
    for x, y in pairs:
        counts[x][y] = counts[x].get(y, 0) + 1
    return counts


def value(layout: Layout, tables: Tables, feature: Feature, atoms: frozenset[int]) -> int:
    """A feature's value from the tables; functions apart."""
    if feature.measure is Measure.FUNCTION:
        return 0
    if feature.measure is Measure.NULLARY:
        return int(layout.form.structure.bases[feature.symbol] in atoms)
    if feature.measure is Measure.DISTANCE:
        start, role, goal = feature.refs
        sources, targets = layout.concept(tables, start), layout.concept(tables, goal)
        return distance(sources, layout.successors(tables, role), targets)
    (ref,) = feature.refs
    size = tables.sizes[ref.node]
    if ref.negated:
        objects = len(layout.universe)
        size = (objects**2 if layout.form.nodes[ref.node].op.is_role else objects) - size
    if feature.measure is Measure.COUNT:
        return size
    return int((size == 0) == (feature.measure is Measure.EMPTY))
