"""The engine's numbers of atoms, and ours."""

from __future__ import annotations

from typing import Any

from trailmark.relational import Structure


class AtomNumbers(dict[int, int]):
    """The engine's atom numbers to ours, filled as atoms are first met; -1 for the engine's own."""

    def __init__(self, structure: Structure, look_up: Any) -> None:
        super().__init__()
        self._structure = structure
        self._look_up = look_up

    def __missing__(self, index: int) -> int:
        atom = self._look_up(index)
        name = atom.get_predicate().get_name()
        known = -1
        if name[0] == "p" and name[1:].isdigit():
            objects = [int(each.get_name()[1:]) for each in atom.get_objects()]
            known = self._structure.encode(int(name[1:]), objects)
        self[index] = known
        return known
