"""What recipes are matched against: the atoms of the base, those that never change, and open goals.

Tuples are found by their predicate and one bound place, those that never change by all bound places. Rows
keep the order in which their tuples came, so that what is matched does not depend on hashes. Only commits
change them. A predicate may also be restricted to objects of a concept: what a filter leaves out is then not
looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import cast

from trailmark.relational import Structure

Key = int
"""A predicate by its place in the vocabulary; `~place` stands for its goals that do not hold yet. Keys past
the vocabulary are restrictions."""
Arguments = tuple[int, ...]
Term = int
"""A variable by its number, or `~object`."""
Literal = tuple[Key, tuple[Term, ...]]
Binding = list[int | None]
"""The object of each variable; None where it has none yet."""

NO_ROW: tuple[Arguments, ...] = ()


class Row(dict[Arguments, None]):
    """Tuples in the order they came.

    A dictionary keeps the gaps of what was deleted, and reading its first entries goes through them: a row
    with more gaps than entries should be made anew.
    """

    __slots__ = ("_gaps",)

    def __init__(self, tuples: Iterable[Arguments] = ()) -> None:
        super().__init__(dict.fromkeys(tuples))
        self._gaps = 0

    def drop(self, arguments: Arguments) -> bool:
        """Take a tuple out; whether the row should be made anew."""
        del self[arguments]
        self._gaps += 1
        return self._gaps > len(self) + 8


class Restriction:
    """A predicate restricted to tuples whose object at one place passes a test."""

    def __init__(self, of: Key, place: int, admits: Callable[[int], bool]) -> None:
        self.of = of
        self.place = place
        self.admits = admits


class StaticFacts:
    """The tuples that never change, by those of their objects that a join knows.

    There may be very many of them, as of a predicate that says which objects differ, and most are never
    asked for in this way.
    """

    def __init__(self, structure: Structure) -> None:
        self._tuples = structure.static_tuples
        self._objects = max(1, len(structure.objects))
        self._atoms = structure.static_atoms
        self._encode = structure.encode
        self._rows: dict[tuple[Key, tuple[int, ...]], dict[Arguments, list[Arguments]]] = {}

    def holds(self, key: Key, arguments: Arguments) -> bool:
        return self._encode(key, arguments) in self._atoms

    def expected(self, key: Key) -> int:
        """How long a row about one object may be."""
        return 1 + len(self._tuples[key]) // self._objects

    def whole(self, key: Key) -> tuple[Arguments, ...]:
        return self._tuples[key]

    def agreeing(self, key: Key, places: tuple[int, ...], bound: Arguments) -> Collection[Arguments]:
        """The tuples with these objects at these places."""
        rows = self._rows.get((key, places))
        if rows is None:
            rows = self._rows[key, places] = {}
            for arguments in self._tuples[key]:
                rows.setdefault(tuple([arguments[place] for place in places]), []).append(arguments)
        return rows.get(bound, NO_ROW)

    def __contains__(self, key: Key) -> bool:
        return key in self._tuples


class Facts:
    """The tuples of the base, by predicate and by one of their objects."""

    def __init__(
        self, static: StaticFacts, structure: Structure, goals: frozenset[int], atoms: Collection[int]
    ) -> None:
        self._static = static
        self._decode = structure.decode
        self._goals = goals
        self._next_key = len(structure.vocabulary.symbols)
        self._rows: dict[Key, Row] = {}
        self._by_object: dict[tuple[Key, int], dict[int, Row]] = {}
        self._restricted: dict[Key, list[tuple[Key, Restriction]]] = {}
        """By predicate: its restrictions, with the keys of their own."""
        self.commits = 0
        self._changed: dict[int | None, int] = {}
        """By object: the last commit that changed a fact about it."""
        for atom in sorted(goals.difference(atoms)):
            symbol, arguments = self._decode(atom)
            self._insert(~symbol, arguments)
        for atom in sorted(atoms):
            self._insert(*self._decode(atom))

    def row(
        self, key: Key, terms: Sequence[Term], binding: Binding, most: int | None = None
    ) -> Collection[Arguments] | None:
        """The shortest row that holds every tuple of the literal under this binding; None where it is
        expected to be longer than `most`."""
        if key in self._static:
            return self._static_row(key, terms, binding, most)
        best = self._rows.get(key)
        if not best:
            return NO_ROW
        for place, term in enumerate(terms):
            bound = ~term if term < 0 else binding[term]
            if bound is not None:
                row = self._by_object[key, place].get(bound)
                if not row:
                    return NO_ROW
                if len(row) < len(best):
                    best = row
        return best

    def _static_row(
        self, key: Key, terms: Sequence[Term], binding: Binding, most: int | None
    ) -> Collection[Arguments] | None:
        static = self._static
        objects = [~term if term < 0 else binding[term] for term in terms]
        if None not in objects:
            arguments = tuple(cast("list[int]", objects))
            return (arguments,) if static.holds(key, arguments) else NO_ROW
        places = tuple([place for place, bound in enumerate(objects) if bound is not None])
        if not places:
            whole = static.whole(key)
            return None if most is not None and len(whole) > most else whole
        if most is not None and static.expected(key) > most:
            return None
        return static.agreeing(key, places, tuple([bound for bound in objects if bound is not None]))

    def about(self, key: Key, place: int, bound: int) -> Collection[Arguments]:
        """The tuples of a predicate with this object at this place."""
        if key in self._static:
            return self._static.agreeing(key, (place,), (bound,))
        return self._by_object.get((key, place), {}).get(bound, NO_ROW)

    def restrict(self, restriction: Restriction) -> Key:
        """A key for the tuples that pass; `objects_changed` tells when the test has changed its mind."""
        key, self._next_key = self._next_key, self._next_key + 1
        self._restricted.setdefault(restriction.of, []).append((key, restriction))
        of = restriction.of
        for arguments in self._static.whole(of) if of in self._static else self._rows.get(of, NO_ROW):
            if restriction.admits(arguments[restriction.place]):
                self._insert(key, arguments)
        return key

    def objects_changed(self, key: Key, restriction: Restriction, objects: Iterable[int]) -> None:
        """The test of a restriction may say something else of these objects now."""
        rows = self._rows.setdefault(key, Row())
        for thing in sorted(objects):
            admitted = restriction.admits(thing)
            for arguments in tuple(self.about(restriction.of, restriction.place, thing)):
                if admitted and arguments not in rows:
                    self._insert(key, arguments)
                elif not admitted and arguments in rows:
                    self._remove(key, arguments)
            rows = self._rows[key]

    def commit(self, added: Iterable[int], deleted: Iterable[int]) -> None:
        """The base has changed by these atoms."""
        self.commits += 1
        for atom in sorted(deleted):
            symbol, arguments = self._decode(atom)
            self._changed.update(dict.fromkeys(arguments, self.commits))
            self._remove(symbol, arguments)
            if atom in self._goals:
                self._insert(~symbol, arguments)
        for atom in sorted(added):
            symbol, arguments = self._decode(atom)
            self._changed.update(dict.fromkeys(arguments, self.commits))
            self._insert(symbol, arguments)
            if atom in self._goals:
                self._remove(~symbol, arguments)

    def changed_since(self, commit: int, objects: Iterable[int | None]) -> bool:
        """Whether a fact about one of these objects has changed since a commit."""
        return any(self._changed.get(bound, 0) > commit for bound in objects)

    def _insert(self, key: Key, arguments: Arguments) -> None:
        if key not in self._rows:
            self._rows[key] = Row()
        self._rows[key][arguments] = None
        for place, argument in enumerate(arguments):
            rows = self._by_object.setdefault((key, place), {})
            row = rows.get(argument)
            if row is None:
                row = rows[argument] = Row()
            row[arguments] = None
        for restricted, restriction in self._restricted.get(key, ()):
            if restriction.admits(arguments[restriction.place]):
                self._insert(restricted, arguments)

    def _remove(self, key: Key, arguments: Arguments) -> None:
        if self._rows[key].drop(arguments):
            self._rows[key] = Row(self._rows[key])
        for place, argument in enumerate(arguments):
            rows = self._by_object[key, place]
            if rows[argument].drop(arguments):
                rows[argument] = Row(rows[argument])
        for restricted, _ in self._restricted.get(key, ()):
            if arguments in self._rows.get(restricted, NO_ROW):
                self._remove(restricted, arguments)


def widened(
    binding: Binding, terms: Sequence[int], arguments: Sequence[int], allowed: Sequence[frozenset[int]]
) -> Binding | None:
    """The binding with the terms standing for the arguments; None where they cannot."""
    extended = binding
    for term, argument in zip(terms, arguments, strict=True):
        if term < 0:
            if ~term != argument:
                return None
            continue
        known = extended[term]
        if known is None:
            if argument not in allowed[term]:
                return None
            if extended is binding:
                extended = binding.copy()
            extended[term] = argument
        elif known != argument:
            return None
    return extended
