"""Which actions may be accepted together with what has changed since the base.

Where a counter is to fall, two changes that have nothing to do with each
other do not add up to progress that neither of them is alone. So only actions on an object that has
changed are tested together with the change. Places do not count: that two things are at the same
place says little about either.
"""

from __future__ import annotations

from collections.abc import Iterable

from trailmark.task import Task


class Interplay:
    """The objects of a task that change, told from the places where they are, and what holds of them."""

    def __init__(self, task: Task, atoms: Iterable[int]) -> None:
        """The base has these atoms."""
        self._decode = task.structure.decode
        self._movable = self._objects_at_widest_places(task)
        self._about: dict[int, set[int]] = {thing: set() for thing in self._movable}
        """By object: the atoms of the base about it."""
        self.commit(atoms, ())

    def _objects_at_widest_places(self, task: Task) -> frozenset[int]:
        """The objects at the place of each predicate that has the most: a thing is at one place, a place
        has many things."""
        columns: dict[int, list[set[int]]] = {}
        for atom in (*task.initial_atoms, *(task.goal.positive - task.structure.static_atoms)):
            symbol, arguments = self._decode(atom)
            found = columns.setdefault(symbol, [set() for _ in arguments])
            for column, argument in zip(found, arguments, strict=True):
                column.add(argument)
        movable: set[int] = set()
        for found in columns.values():
            most = max(map(len, found), default=0)
            movable.update(*(column for column in found if len(column) == most))
        return frozenset(movable)

    def commit(self, added: Iterable[int], deleted: Iterable[int]) -> None:
        """The base changes by these atoms."""
        decode, about, movable = self._decode, self._about, self._movable
        for atom in added:
            for thing in movable.intersection(decode(atom)[1]):
                about[thing].add(atom)
        for atom in deleted:
            for thing in movable.intersection(decode(atom)[1]):
                about[thing].discard(atom)

    def atoms_about(self, objects: Iterable[int]) -> set[int]:
        """The atoms of the base about any of these objects."""
        return set().union(*[self._about[thing] for thing in objects])

    def objects(self, changed: Iterable[int]) -> set[int] | None:
        """The objects that these atoms say something about; None where one is about nothing but places,
        or about nothing."""
        decode, movable = self._decode, self._movable
        found: set[int] = set()
        for atom in changed:
            about = movable.intersection(decode(atom)[1])
            if not about:
                return None
            found |= about
        return found
