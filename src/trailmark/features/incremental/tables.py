"""What an evaluation stores of one state: denotations by object, and how many witnesses each has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from trailmark.features.incremental.closure import closure
from trailmark.features.incremental.distance import changed
from trailmark.features.incremental.normal_form import Op, Program, Ref

ConceptChange = dict[int, int]
"""The objects that enter (+1) and leave (-1) a concept; also differences of witness counts."""
RoleChange = dict[tuple[int, int], int]
Changes = Sequence[tuple[int, ConceptChange | RoleChange]]
"""The changes of several nodes, each with its node."""

NOTHING: frozenset[int] = frozenset()


@dataclass
class Tables:
    """Everything known of one state, by node; shared between states where it is equal, never altered."""

    members: list[bytearray]
    """Concepts: 1 at their objects."""
    sets: list[frozenset[int]]
    """Concepts that a distance reads, as sets."""
    rows: list[list[frozenset[int]]]
    """Roles: successors by object."""
    columns: list[list[frozenset[int]]]
    """Roles that are read backwards: predecessors by object."""
    counts: list[list[int]]
    """Witnesses by object."""
    pair_counts: list[list[dict[int, int]]]
    """Witnesses by pair."""
    sizes: list[int]

    @classmethod
    def blank(cls, nodes: int) -> Tables:
        return cls(
            [bytearray()] * nodes, [NOTHING] * nodes, [[]] * nodes, [[]] * nodes, [[]] * nodes, [[]] * nodes,
            [0] * nodes,
        )  # fmt: skip

    def copy(self) -> Tables:
        return Tables(
            self.members.copy(),
            self.sets.copy(),
            self.rows.copy(),
            self.columns.copy(),
            self.counts.copy(),
            self.pair_counts.copy(),
            self.sizes.copy(),
        )


@dataclass(frozen=True)
class Layout:
    """What is stored of each node besides its members or rows."""

    program: Program
    sets: frozenset[int]
    columns: frozenset[int]
    counted: frozenset[int]

    @cached_property
    def is_role(self) -> tuple[bool, ...]:
        return tuple(node.op.is_role for node in self.program.nodes)

    @cached_property
    def universe(self) -> frozenset[int]:
        return frozenset(range(len(self.program.structure.objects)))

    def concept(self, tables: Tables, ref: Ref) -> frozenset[int]:
        """The objects of a concept."""
        members = frozenset(x for x, member in enumerate(tables.members[ref.node]) if member)
        return self.universe - members if ref.negated else members

    def successors(self, tables: Tables, ref: Ref) -> Callable[[int], frozenset[int]]:
        """The function from an object to its successors in a role."""
        rows = tables.rows[ref.node]
        if ref.inverse:
            rows = tables.columns[ref.node] if ref.node in self.columns else _transposed(rows)
        if not ref.negated:
            return rows.__getitem__
        universe = self.universe
        return lambda x: universe - rows[x]


def evaluate(tables: Tables, layout: Layout, nodes: Iterable[int], atoms: Iterable[int] = ()) -> None:
    """Fill in the tables of these nodes, parts before wholes, where these atoms hold and the static ones."""
    program = layout.program
    static = program.structure.static_tuples
    by_symbol: dict[int, list[tuple[int, ...]]] = {}
    for atom in atoms:
        symbol, arguments = program.structure.decode(atom)
        by_symbol.setdefault(symbol, []).append(arguments)
    for index in nodes:
        node = program.nodes[index]
        tuples = [*static.get(node.symbol, ()), *by_symbol.get(node.symbol, ())]
        if node.op.is_role:
            _evaluate_role(tables, index, layout, tuples)
        else:
            _evaluate_concept(tables, index, layout, tuples)


def _evaluate_concept(tables: Tables, index: int, layout: Layout, tuples: list[tuple[int, ...]]) -> None:
    node, size = layout.program.nodes[index], len(layout.universe)
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
    node, size = layout.program.nodes[index], len(layout.universe)
    rows = [NOTHING] * size
    joined: list[tuple[int, int]] = []
    match node.op:
        case Op.R_PRIMITIVE:
            first, second = node.places
            joined = [(each[first], each[second]) for each in tuples]
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
        tables.columns[index] = _transposed(rows)
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


def _transposed(rows: list[frozenset[int]]) -> list[frozenset[int]]:
    """The predecessors of every object; objects with the same ones share one set, as in `rows`."""
    having: dict[int, list[int]] = {}
    for x, row in enumerate(rows):
        if row:
            having.setdefault(id(row), []).append(x)
    groups: list[list[int]] = [[] for _ in rows]
    for number, sharing in enumerate(having.values()):
        for y in rows[sharing[0]]:
            groups[y].append(number)
    sharers = list(having.values())
    made: dict[tuple[int, ...], frozenset[int]] = {(): NOTHING}
    columns: list[frozenset[int]] = []
    for each in groups:
        key = tuple(each)
        if key not in made:
            made[key] = frozenset(x for number in key for x in sharers[number])
        columns.append(made[key])
    return columns


@dataclass(frozen=True)
class SharedRows:
    """The objects of a static role by their sets of successors; the first with a set is its head."""

    heads: list[list[int]]
    """By object: the heads that have it as a successor."""
    sharers: dict[int, list[int]]
    """By head: all objects with its successors."""


def shared_rows(layout: Layout, tables: Tables, role: Ref) -> SharedRows:
    successors = layout.successors(tables, role)
    by_row: dict[frozenset[int], list[int]] = {}
    for x in range(len(layout.universe)):
        by_row.setdefault(successors(x), []).append(x)
    heads: list[list[int]] = [[] for _ in layout.universe]
    for row, sharers in by_row.items():
        for y in row:
            heads[y].append(sharers[0])
    return SharedRows(heads, {sharers[0]: sharers for sharers in by_row.values()})


def applied(
    tables: Tables,
    layout: Layout,
    changes: Changes,
    count_changes: Changes,
) -> Tables:
    """The tables after these changes of denotations and of witness counts, each with its node."""
    after = tables.copy()
    for index, change in changes:
        if not change:
            continue
        if not layout.is_role[index]:
            after.members[index] = tables.members[index].copy()
            continue
        after.rows[index] = tables.rows[index].copy()
        if index in layout.columns:
            after.columns[index] = tables.columns[index].copy()
    for index, change in count_changes:
        if not change:
            continue
        if layout.is_role[index]:
            after.pair_counts[index] = _copied_where(tables.pair_counts[index], cast(RoleChange, change))
        else:
            after.counts[index] = tables.counts[index].copy()
    alter(after, layout, changes, count_changes)
    return after


def alter(tables: Tables, layout: Layout, changes: Changes, count_changes: Changes) -> None:
    """Make these changes of denotations and of witness counts, each with its node, in the tables themselves:
    what they change must belong to no other state."""
    for index, change in changes:
        if not change:
            continue
        tables.sizes[index] += sum(change.values())
        if layout.is_role[index]:
            pairs = cast(RoleChange, change)
            _alter_rows(tables.rows[index], pairs)
            if index in layout.columns:
                _alter_rows(tables.columns[index], {(y, x): s for (x, y), s in pairs.items()})
        else:
            objects, members = cast(ConceptChange, change), tables.members[index]
            for x, s in objects.items():
                members[x] += s
            if index in layout.sets:
                tables.sets[index] = changed(tables.sets[index], objects)
    for index, change in count_changes:
        if layout.is_role[index]:
            _alter_pair_counts(tables.pair_counts[index], cast(RoleChange, change))
        else:
            counts = tables.counts[index]
            for x, k in cast(ConceptChange, change).items():
                counts[x] += k


def _alter_rows(rows: list[frozenset[int]], change: RoleChange) -> None:
    by_object: dict[int, ConceptChange] = {}
    for (x, y), s in change.items():
        by_object.setdefault(x, {})[y] = s
    for x, signs in by_object.items():
        rows[x] = changed(rows[x], signs)


def _copied_where(counts: list[dict[int, int]], change: RoleChange) -> list[dict[int, int]]:
    after = counts.copy()
    for x in {x for x, _ in change}:
        after[x] = counts[x].copy()
    return after


def _alter_pair_counts(counts: list[dict[int, int]], change: RoleChange) -> None:
    for (x, y), k in change.items():
        total = counts[x].get(y, 0) + k
        if total:
            counts[x][y] = total
        else:
            counts[x].pop(y, None)
