"""The state that joins read: its atoms, and rows of objects by what is already bound.

There is one, changed in place: a search moves it to the node it expands and back, and a commit
moves its root.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from trailmark.relational import Structure

Value = int | tuple[int, ...]
"""What a row holds: the object at the only free place, or the objects at the free places."""
Rows = dict[int, set[Value]]
Atoms = AbstractSet[int]
Pattern = tuple[int, tuple[int, ...]]
"""A predicate and the places of it that are bound when a join reads it."""


MOST_REMEMBERED = 50_000
"""Atoms whose places in the rows, or whose joins, are remembered; then they are looked up anew."""


def row_key(arguments: tuple[int, ...], places: Iterable[int], objects: int) -> int:
    """The bound objects as one number; 0 where nothing is bound."""
    key = 0
    for place in places:
        key = key * objects + arguments[place]
    return key


def row_value(arguments: tuple[int, ...], places: tuple[int, ...]) -> Value:
    free = [each for place, each in enumerate(arguments) if place not in places]
    return free[0] if len(free) == 1 else tuple(free)


def static_rows(structure: Structure, pattern: Pattern) -> dict[int, tuple[Value, ...]]:
    """The rows of a predicate that never changes, in the order of its atoms."""
    symbol, places = pattern
    rows: dict[int, list[Value]] = {}
    tuples = structure.static_tuples.get(symbol, ())
    if len(places) == 1 and structure.vocabulary.symbols[symbol].arity == 2:
        # By far the most common case.
        bound, free = places[0], 1 - places[0]
        for arguments in tuples:
            rows.setdefault(arguments[bound], []).append(arguments[free])
    else:
        for arguments in tuples:
            key = row_key(arguments, places, len(structure.objects))
            rows.setdefault(key, []).append(row_value(arguments, places))
    return {key: tuple(row) for key, row in rows.items()}


class _Entries(dict[int, tuple[tuple[set[Value], Value], ...]]):
    """The places of atoms in the rows, looked up when an atom is first met.

    Rows are never replaced, so what was found once stays true.
    """

    def __init__(self, structure: Structure, patterns: dict[Pattern, Rows]) -> None:
        super().__init__()
        self._decode = structure.decode
        self._size = len(structure.objects)
        self._patterns: dict[int, list[tuple[tuple[int, ...], Rows]]] = {}
        for (symbol, places), rows in patterns.items():
            self._patterns.setdefault(symbol, []).append((places, rows))

    def __missing__(self, atom: int) -> tuple[tuple[set[Value], Value], ...]:
        symbol, arguments = self._decode(atom)
        found: list[tuple[set[Value], Value]] = []
        for places, rows in self._patterns.get(symbol, ()):
            value: Value
            if len(arguments) == 2 and len(places) == 1:
                # By far the most common case.
                key, value = arguments if places[0] == 0 else arguments[::-1]
            else:
                key, value = row_key(arguments, places, self._size), row_value(arguments, places)
            row = rows.get(key)
            if row is None:
                row = rows[key] = set()
            found.append((row, value))
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        entry = self[atom] = tuple(found)
        return entry


class WorkingState:
    """The current state and the root it is described against."""

    __slots__ = ("_added", "_deleted", "_entries", "_patterns", "atoms", "root")

    def __init__(self, structure: Structure, patterns: dict[Pattern, Rows]) -> None:
        """`patterns` holds the rows of every fluent pattern that some join reads, empty at first."""
        self.root: set[int] = set()
        self.atoms: set[int] = set()
        self._added: Atoms = frozenset()
        self._deleted: Atoms = frozenset()
        self._patterns = patterns
        self._entries = _Entries(structure, patterns)

    def clear(self) -> None:
        """Nothing holds any more."""
        self._added = self._deleted = frozenset()
        self.atoms.clear()
        self.root.clear()
        for rows in self._patterns.values():
            for row in rows.values():
                row.clear()

    def visit(self, added: Atoms, deleted: Atoms) -> None:
        """Move the current state to the one with this difference to the root.

        The sets are kept, and must not be altered before the next visit. Nodes visited one after the
        other have much in common, and only what they have not is touched.
        """
        before_added, before_deleted = self._added, self._deleted
        self._change(added - before_added, before_added - added)
        self._change(before_deleted - deleted, deleted - before_deleted)
        self._added, self._deleted = added, deleted

    def commit(self, added: Atoms, deleted: Atoms) -> None:
        """Make the state with this difference to the root the root."""
        self.visit(added, deleted)
        self.root.difference_update(deleted)
        self.root.update(added)
        self._added = self._deleted = frozenset()

    def _change(self, added: Atoms, deleted: Atoms) -> None:
        atoms, entries = self.atoms, self._entries
        for atom in deleted:
            atoms.discard(atom)
            for row, value in entries[atom]:
                row.discard(value)
        for atom in added:
            atoms.add(atom)
            for row, value in entries[atom]:
                row.add(value)
