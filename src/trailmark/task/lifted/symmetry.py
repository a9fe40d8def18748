"""Interchangeable objects: of many that no state tells apart, a few stand for all.

Two objects with the same static, goal and current atoms can be swapped without changing anything,
and so can their swapped plans. Joins therefore use, of every class of such objects, those that the
search has touched since its base and as many untouched ones as one action may need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from trailmark.relational import Structure
from trailmark.task.lifted.schema import Schema
from trailmark.task.lifted.state import MOST_REMEMBERED

if TYPE_CHECKING:
    from trailmark.task.task import Task

_MASK = 2**64 - 1
MOST_HOLES = 64
"""Members that left a class before it is written anew: a dictionary skips the places of old ones."""
SMALL = 8
"""Where no class has more objects than this, all are used: to choose would cost more than it saves."""


class Symmetry:
    """The classes of interchangeable objects at a base, and the objects that joins may use.

    A signature is a sum of hashes of numbers, the same in every run. `allowed` has 1 at every object
    until `on()`.
    """

    def __init__(self, task: Task, structure: Structure, schemas: Sequence[Schema]) -> None:
        self._decode = structure.decode
        self._size = len(structure.objects)
        self.allowed = bytearray(b"\1") * self._size
        self.few: set[int] = set()
        """The allowed objects, while joins do not use all of them."""
        signatures = [0] * self._size
        kinds = {kind: number for number, kind in enumerate(sorted(_kinds(task)))}
        for name, types in task.object_types.items():
            signatures[structure.object_index[name]] = hash(tuple(sorted(kinds[each] for each in types)))
        for number in range(len(task.domain.model.constants)):
            signatures[number] += hash((number, number, number, number))
        every = set(range(self._size))
        for symbol, tuples in structure.static_tuples.items():
            if structure.vocabulary.symbols[symbol].arity == 2:
                _add_pairs(signatures, symbol, tuples, self._size)
                continue
            for arguments in tuples:
                self._add(signatures, symbol, arguments, 1, every)
        for atom in task.goal.negative:
            self._add(signatures, *self._decode(atom), 2, every)
        shared = Counter(signatures)
        self.candidates = frozenset(each for each in every if shared[signatures[each]] > 1)
        """Objects that may have others like them in some state."""
        self._static = tuple(signatures)
        self.spare = max((_most_alike(schema, self.candidates) for schema in schemas), default=1)
        """Untouched objects of a class that one action may need."""
        self._touching: dict[int, tuple[int, ...]] = {}
        self.clear()

    def clear(self) -> None:
        """The base has no atoms but static ones; every object is used."""
        self._is_on = False
        self._holes: dict[int, int] = {}
        self.allowed[:] = b"\1" * self._size
        self.few.clear()
        self._signatures = list(self._static)
        self._classes: dict[int, dict[int, None]] = {}
        for candidate in sorted(self.candidates):
            self._classes.setdefault(self._static[candidate], {})[candidate] = None
        self._large = sum(len(each) > SMALL for each in self._classes.values())

    def on(self) -> None:
        """From now on joins use the first objects of each class alone, where that is worth it."""
        self._switch(self._large > 0)

    def off(self) -> None:
        """Joins use every object again."""
        self._switch(False)

    def _switch(self, on: bool) -> None:
        if on != self._is_on:
            self._is_on = on
            for members in self._classes.values():
                for each in islice(members, self.spare, None):
                    self.allowed[each] = not on
            self.few.clear()
            if on:
                self.few.update(each for each in range(self._size) if self.allowed[each])

    def _allow(self, each: int, allowed: bool) -> None:
        self.allowed[each] = allowed
        if self._is_on:
            (self.few.add if allowed else self.few.discard)(each)

    def move(self, added: Iterable[int], deleted: Iterable[int]) -> None:
        """The base has changed: its objects find their new classes."""
        if not self.candidates:
            return
        signatures, before = self._signatures, dict[int, int]()
        for sign, atoms in ((1, added), (-1, deleted)):
            for atom in atoms:
                for each in self._candidates_in(atom):
                    before.setdefault(each, signatures[each])
                self._add(signatures, *self._decode(atom), sign, self.candidates)
        for each, old in sorted(before.items()):
            if signatures[each] != old:
                self._leave(each, old)
                self._join(each, signatures[each])

    def _leave(self, each: int, signature: int) -> None:
        members = self._classes[signature]
        self._large -= len(members) == SMALL + 1
        del members[each]
        holes = self._holes[signature] = self._holes.get(signature, 0) + 1
        if not members:
            del self._classes[signature]
        elif holes > MOST_HOLES:
            members = self._classes[signature] = dict.fromkeys(members)
            self._holes[signature] = 0
        for first in islice(members, self.spare):
            self._allow(first, True)

    def _join(self, each: int, signature: int) -> None:
        members = self._classes.setdefault(signature, {})
        members[each] = None
        self._large += len(members) == SMALL + 1
        self._allow(each, len(members) <= self.spare or not self._is_on)

    def focus(self, added: Iterable[int], deleted: Iterable[int]) -> list[int]:
        """Allow what a state with this difference to the base needs; `unfocus` takes it back."""
        if not self._is_on:
            return []
        touched: dict[int, set[int]] = {}
        for atoms in (added, deleted):
            for atom in atoms:
                for each in self._candidates_in(atom):
                    touched.setdefault(self._signatures[each], set()).add(each)
        allowed, changed = self.allowed, list[int]()
        for signature, objects in touched.items():
            untouched = (each for each in self._classes[signature] if each not in objects)
            for each in (*objects, *islice(untouched, self.spare)):
                if not allowed[each]:
                    allowed[each] = 1
                    changed.append(each)
        self.few.update(changed)
        return changed

    def unfocus(self, changed: list[int]) -> None:
        for atom in changed:
            self._allow(atom, False)

    def _candidates_in(self, atom: int) -> tuple[int, ...]:
        found = self._touching.get(atom)
        if found is None:
            if len(self._touching) >= MOST_REMEMBERED:
                self._touching.clear()
            arguments = self._decode(atom)[1]
            found = tuple(each for each in dict.fromkeys(arguments) if each in self.candidates)
            self._touching[atom] = found
        return found

    def _add(
        self,
        signatures: list[int],
        symbol: int,
        arguments: tuple[int, ...],
        times: int,
        objects: Collection[int],
    ) -> None:
        """Put an atom into the signatures of its objects, each of which sees itself as a blank."""
        for argument in set(arguments):
            if argument in objects:
                seen = tuple([self._size if other == argument else other for other in arguments])
                signatures[argument] = (signatures[argument] + times * hash((symbol, seen))) & _MASK


def _add_pairs(signatures: list[int], symbol: int, pairs: Iterable[tuple[int, ...]], blank: int) -> None:
    """`Symmetry._add` for many atoms of two objects at once: an instance may have ten thousands of them."""
    for first, second in pairs:
        if first == second:
            signatures[first] += hash((symbol, (blank, blank)))
        else:
            signatures[first] += hash((symbol, (blank, second)))
            signatures[second] += hash((symbol, (first, blank)))
    signatures[:] = [each & _MASK for each in signatures]


def _kinds(task: Task) -> set[str]:
    return {kind for kinds in task.object_types.values() for kind in kinds}


def _most_alike(schema: Schema, candidates: frozenset[int]) -> int:
    """How many parameters of the schema may take objects of one class."""
    domains = [objects & candidates for objects in schema.allowed]
    return max((sum(not domain.isdisjoint(other) for other in domains) for domain in domains), default=1) or 1
