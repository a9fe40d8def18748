"""What recipes are matched against: the atoms of the base, those that never change, and open goals.

Tuples are found by their predicate and one bound place. Rows keep the order in which their tuples came,
so that what is matched does not depend on hashes. Only commits change them. A predicate may also be
restricted to objects of a concept: what a filter leaves out is then not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

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


class Facts:
    """The tuples of the base, by predicate and by one of their objects."""

    def __init__(self, structure: Structure, goals: frozenset[int], atoms: Collection[int]) -> None:
        self._decode = structure.decode
        self._goals = goals
        self._next_key = len(structure.vocabulary.symbols)
        self._rows: dict[Key, Row] = {}
        self._by_object: dict[tuple[Key, int], dict[int, Row]] = {}
        self._restricted: dict[Key, list[tuple[Key, Restriction]]] = {}
        """By predicate: its restrictions, with the keys of their own."""
        self.log: list[tuple[Key, Arguments]] = []
        """Every tuple that was inserted since the start, in order."""
        for symbol, tuples in structure.static_tuples.items():
            for arguments in tuples:
                self._insert(symbol, arguments)
        for atom in sorted(goals.difference(atoms)):
            symbol, arguments = self._decode(atom)
            self._insert(~symbol, arguments)
        for atom in sorted(atoms):
            self._insert(*self._decode(atom))
        self.log.clear()

    def row(self, key: Key, terms: Sequence[Term], binding: Binding) -> Collection[Arguments]:
        """The shortest row that holds every tuple of the literal under this binding."""
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

    def about(self, key: Key, place: int, bound: int) -> Collection[Arguments]:
        """The tuples of a predicate with this object at this place."""
        return self._by_object.get((key, place), {}).get(bound, NO_ROW)

    def restrict(self, restriction: Restriction) -> Key:
        """A key for the tuples that pass; `objects_changed` tells when the test has changed its mind."""
        key, self._next_key = self._next_key, self._next_key + 1
        self._restricted.setdefault(restriction.of, []).append((key, restriction))
        for arguments in self._rows.get(restriction.of, NO_ROW):
            if restriction.admits(arguments[restriction.place]):
                self._insert(key, arguments)
        return key

    def objects_changed(self, key: Key, restriction: Restriction, objects: Iterable[int]) -> None:
        """The test of a restriction may say something else of these objects now."""
        rows = self._rows.setdefault(key, Row())
        for each in sorted(objects):
            admitted = restriction.admits(each)
            for arguments in tuple(self.about(restriction.of, restriction.place, each)):
                if admitted and arguments not in rows:
                    self._insert(key, arguments)
                elif not admitted and arguments in rows:
                    self._remove(key, arguments)
            rows = self._rows[key]

    def commit(self, added: Iterable[int], deleted: Iterable[int]) -> None:
        """The base has changed by these atoms."""
        for atom in sorted(deleted):
            symbol, arguments = self._decode(atom)
            self._remove(symbol, arguments)
            if atom in self._goals:
                self._insert(~symbol, arguments)
        for atom in sorted(added):
            symbol, arguments = self._decode(atom)
            self._insert(symbol, arguments)
            if atom in self._goals:
                self._remove(~symbol, arguments)

    def _insert(self, key: Key, arguments: Arguments) -> None:
        self.log.append((key, arguments))
        self._rows.setdefault(key, Row())[arguments] = None
        for place, each in enumerate(arguments):
            self._by_object.setdefault((key, place), {}).setdefault(each, Row())[arguments] = None
        for restricted, restriction in self._restricted.get(key, ()):
            if restriction.admits(arguments[restriction.place]):
                self._insert(restricted, arguments)

    def _remove(self, key: Key, arguments: Arguments) -> None:
        if self._rows[key].drop(arguments):
            self._rows[key] = Row(self._rows[key])
        for place, each in enumerate(arguments):
            rows = self._by_object[key, place]
            if rows[each].drop(arguments):
                rows[each] = Row(rows[each])
        for restricted, _ in self._restricted.get(key, ()):
            if arguments in self._rows.get(restricted, NO_ROW):
                self._remove(restricted, arguments)
