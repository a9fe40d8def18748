"""What an evaluation stores of one state: denotations by object, and how many witnesses each has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from trailmark.features.incremental.normal_form import NormalForm, Ref
from trailmark.relational import Structure

ConceptChange = dict[int, int]
"""The objects that enter (+1) and leave (-1) a concept; also differences of witness counts."""
RoleChange = dict[tuple[int, int], int]
Changes = Sequence[tuple[int, ConceptChange | RoleChange]]
"""The changes of several nodes, each with its node."""

Values = tuple[int, ...]
Atoms = Collection[int]

NOTHING: frozenset[int] = frozenset()


class AtomKeys(dict[int, "tuple[int, object] | None"]):
    """By atom: its predicate's slot and its key there, None where no feature reads the predicate."""

    def __init__(self, slots: Mapping[int, int], structure: Structure) -> None:
        super().__init__()
        self.slots = slots
        self.structure = structure

    def __missing__(self, atom: int) -> tuple[int, object] | None:
        symbol, arguments = self.structure.decode(atom)
        slot = self.slots.get(symbol)
        key = arguments[0] if len(arguments) == 1 else arguments
        entry = self[atom] = None if slot is None else (slot, key)
        return entry


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
        return Tables(*[part.copy() for part in vars(self).values()])

    def concept(self, ref: Ref) -> frozenset[int]:
        """The objects of a concept."""
        return frozenset(x for x, member in enumerate(self.members[ref.node]) if member != ref.negated)

    def successors(self, ref: Ref) -> list[frozenset[int]]:
        """The successors of every object in a role."""
        rows = self.rows[ref.node]
        return (self.columns[ref.node] or transposed(rows)) if ref.inverse else rows


def transposed(rows: list[frozenset[int]]) -> list[frozenset[int]]:
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
    for key in map(tuple, groups):
        if key not in made:
            made[key] = frozenset(x for number in key for x in sharers[number])
        columns.append(made[key])
    return columns


def changed(members: frozenset[int], change: Mapping[int, int], sign: int = 1) -> frozenset[int]:
    """The members after a change, in which those with this sign enter."""
    if not change:
        return members
    return members.difference(change).union(x for x, s in change.items() if s == sign)


def applied(tables: Tables, form: NormalForm, changes: Changes, count_changes: Changes) -> Tables:
    """The tables after these changes of denotations and of witness counts, each with its node."""
    after = tables.copy()
    for index, change in changes:
        if change:
            after.members[index] = tables.members[index].copy()
            after.rows[index] = tables.rows[index].copy()
            after.columns[index] = tables.columns[index].copy()
    for index, change in count_changes:
        if change:
            after.counts[index] = tables.counts[index].copy()
            pairs = after.pair_counts[index] = tables.pair_counts[index].copy()
            for x in {key[0] for key in change if isinstance(key, tuple)}:
                pairs[x] = pairs[x].copy()
    alter(after, form, changes, count_changes)
    return after


def alter(tables: Tables, form: NormalForm, changes: Changes, count_changes: Changes) -> None:
    """Make these changes of denotations and of witness counts, each with its node, in the tables themselves:
    what they change must belong to no other state."""
    for index, change in changes:
        if not change:
            continue
        tables.sizes[index] += sum(change.values())
        if form.nodes[index].op.is_role:
            pairs = cast(RoleChange, change)
            _alter_rows(tables.rows[index], pairs)
            if index in form.columns:
                _alter_rows(tables.columns[index], {(y, x): s for (x, y), s in pairs.items()})
        else:
            objects, members = cast(ConceptChange, change), tables.members[index]
            for x, s in objects.items():
                members[x] += s
            if index in form.sets:
                tables.sets[index] = changed(tables.sets[index], objects)
    for index, change in count_changes:
        if form.nodes[index].op.is_role:
            rows = tables.pair_counts[index]
            for (x, y), k in cast(RoleChange, change).items():
                rows[x][y] = rows[x].get(y, 0) + k
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
