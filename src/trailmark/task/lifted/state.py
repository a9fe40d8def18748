"""The state that joins read: its atoms, and rows of objects by what is already bound.

There is one, changed in place: a search moves it to the node it expands and back, and a commit
moves its root.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import sqrt
from operator import itemgetter

from trailmark.relational import Structure
from trailmark.task.lifted.schema import Literal, Schema

Value = int | tuple[int, ...]
"""What a row holds: the object at the only free place, or the objects at the free places."""
Rows = dict[int, set[Value]]
Atoms = AbstractSet[int]
Pattern = tuple[int, tuple[int, ...]]
"""A predicate and the places of it that are bound when a join reads it."""


MOST_REMEMBERED = 50_000
"""Atoms whose places in the rows, or whose joins, are remembered; then they are looked up anew."""


def row_entry(arguments: tuple[int, ...], places: tuple[int, ...], objects: int) -> tuple[int, Value]:
    """The objects at the bound places as one number, 0 where nothing is bound; and what the row holds."""
    key = 0
    for place in places:
        key = key * objects + arguments[place]
    free = [argument for place, argument in enumerate(arguments) if place not in places]
    return key, free[0] if len(free) == 1 else tuple(free)


def static_rows(structure: Structure, pattern: Pattern) -> dict[int, tuple[Value, ...]]:
    """The rows of a predicate that never changes, in the order of its atoms."""
    symbol, places = pattern
    rows: dict[int, list[Value]] = {}
    for arguments in structure.static_tuples.get(symbol, ()):
        key, value = row_entry(arguments, places, len(structure.objects))
        rows.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in rows.items()}


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
            if len(arguments) == 2 and len(places) == 1:  # by far the most common case, without a call
                key, value = arguments if places[0] == 0 else arguments[::-1]
            else:
                key, value = row_entry(arguments, places, self._size)
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

    def __init__(self) -> None:
        self.root: set[int] = set()
        self.atoms: set[int] = set()
        self._added: Atoms = frozenset()
        self._deleted: Atoms = frozenset()
        self._patterns: dict[Pattern, Rows] = {}
        self._entries: _Entries | None = None
        """None while no join reads the state."""

    def index(self, structure: Structure, patterns: dict[Pattern, Rows]) -> None:
        """From now on the rows of these patterns, empty at first, hold what the joins read."""
        self._patterns = patterns
        self._entries = _Entries(structure, patterns)
        for atom in sorted(self.atoms):
            for row, value in self._entries[atom]:
                row.add(value)

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
        if entries is None:
            atoms -= deleted
            atoms |= added
            return
        for atom in deleted:
            atoms.discard(atom)
            for row, value in entries[atom]:
                row.discard(value)
        for atom in added:
            atoms.add(atom)
            for row, value in entries[atom]:
                row.add(value)


@dataclass(frozen=True)
class Read:
    """Go through the rows of a precondition that match what is bound."""

    literal: Literal
    bound: tuple[int, ...]
    """The places of the literal whose terms are bound."""


@dataclass(frozen=True)
class Choose:
    """Go through the objects of a variable that no precondition binds."""

    variable: int


EQUALITY = -1
"""The symbol of literals that two terms are the same object."""


@dataclass(frozen=True)
class Test:
    """A literal, all of whose terms are bound, holds or does not hold."""

    literal: Literal
    positive: bool


@dataclass(frozen=True)
class Fits:
    """A bound variable's object has the parameter's type."""

    variable: int


Operation = Read | Choose | Test | Fits


class Statistics:
    """How many atoms of each predicate hold at the start, and how many objects are at their places."""

    def __init__(self, structure: Structure, atoms: Iterable[int]) -> None:
        self._tuples = {symbol: list(tuples) for symbol, tuples in structure.static_tuples.items()}
        decode = structure.decode
        for atom in atoms:
            symbol, arguments = decode(atom)
            self._tuples.setdefault(symbol, []).append(arguments)
        self._values: dict[tuple[int, int], frozenset[int]] = {}
        self._rows: dict[tuple[int, tuple[int, ...]], float] = {}

    def values(self, symbol: int, place: int) -> frozenset[int]:
        """The objects at one place of a predicate."""
        known = self._values.get((symbol, place))
        if known is None:
            known = frozenset([arguments[place] for arguments in self._tuples.get(symbol, ())])
            self._values[symbol, place] = known
        return known

    def rows(self, symbol: int, bound: tuple[int, ...]) -> float | None:
        """The mean number of atoms that agree on the bound places; nothing without atoms at the start."""
        tuples = self._tuples.get(symbol)
        if not tuples:
            return None
        known = self._rows.get((symbol, bound))
        if known is None:
            keys = len(set(map(itemgetter(*bound), tuples))) if bound else 1
            known = self._rows[symbol, bound] = len(tuples) / keys
        return known


def operations(
    schema: Schema, trigger: Literal | None, statistics: Statistics, certain: Sequence[frozenset[int]]
) -> tuple[list[Operation], list[Operation]]:
    """The tests that the trigger's objects pass or fail whatever the state, and the join after them.

    The trigger is a precondition whose terms are bound from the start, known to hold (or not to, if
    negative). `certain` says for each parameter which positive preconditions, by number, have only
    objects of its type at its place, so that its type needs no test.
    """
    waiting = [other for other in schema.positive if other is not trigger]
    tests = [Test(other, False) for other in schema.negative if other is not trigger]
    tests += [Test(Literal(EQUALITY, terms, False), True) for terms in schema.equal]
    tests += [Test(Literal(EQUALITY, terms, False), False) for terms in schema.different]
    bound: set[int] = set()

    def settle(new: Iterable[int], by: Literal | None, found: list[Operation]) -> None:
        """Whatever can be tested once these variables are bound too."""
        for variable in sorted(set(new) - bound):
            bound.add(variable)
            if by not in schema.positive or schema.positive.index(by) not in certain[variable]:
                found.append(Fits(variable))
        for test in list(tests):
            if all(term < 0 or term in bound for term in test.literal.terms):
                tests.remove(test)
                found.append(test)
        for literal in list(waiting):
            if all(term < 0 or term in bound for term in literal.terms):
                waiting.remove(literal)
                found.append(Test(literal, True))

    first: list[Operation] = []
    settle((term for term in (trigger.terms if trigger else ()) if term >= 0), trigger, first)
    fixed = [check for check in first if not (isinstance(check, Test) and check.literal.fluent)]
    join: list[Operation] = [check for check in first if isinstance(check, Test) and check.literal.fluent]
    while len(bound) < schema.arity:
        options: list[tuple[float, int, Read | Choose]] = []
        for number, literal in enumerate(waiting):
            places = tuple(place for place, term in enumerate(literal.terms) if term < 0 or term in bound)
            rows = statistics.rows(literal.symbol, places)
            if rows is None and not literal.fluent:
                rows = 0.0
            elif rows is None:
                rows = _unseen_rows(schema, {term for term in literal.terms if term >= 0} - bound)
            options.append((rows, number, Read(literal, places)))
        options.extend(
            (len(schema.allowed[variable]), len(waiting) + variable, Choose(variable))
            for variable in range(schema.arity)
            if variable not in bound
        )
        _, _, chosen = min(options, key=lambda option: option[:2])
        join.append(chosen)
        if isinstance(chosen, Read):
            waiting.remove(chosen.literal)
            settle((term for term in chosen.literal.terms if term >= 0), chosen.literal, join)
        else:
            bound.add(chosen.variable)
            settle((), None, join)
    return fixed, join


def _unseen_rows(schema: Schema, variables: Iterable[int]) -> float:
    """The rows expected of a predicate of which no atom holds at the start.

    Later it may hold of one object (what a hand holds) or of most (who is on board): the geometric mean
    of the two, for the variable with the fewest objects.
    """
    return sqrt(min(len(schema.allowed[variable]) for variable in variables))
