"""Action schemas that move something from one place to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.task.lifted.schema import Literal, Schema


@dataclass(frozen=True)
class Relocation:
    """What a schema moves: the atoms that say where it was and where it is differ in one variable."""

    leaves: Literal
    reaches: Literal
    source: int
    """The variable of the place it moves from."""
    target: int

    @property
    def movers(self) -> list[int]:
        """The variables of what moves."""
        return [term for term in self.leaves.terms if term >= 0 and term != self.source]


def _relocations(schema: Schema) -> list[Relocation]:
    """What the schema moves, where it is a move: it takes one thing or several along one way, and changes
    nothing but things about these and the places."""
    pairs = [
        Relocation(leaves, reaches, *changed)
        for leaves in schema.deletes
        for reaches in schema.adds
        if leaves in schema.positive and len(leaves.terms) <= 2
        if (changed := _changed(leaves, reaches)) is not None and min(changed) >= 0
    ]
    for way in dict.fromkeys((pair.source, pair.target) for pair in pairs):
        found = [pair for pair in pairs if (pair.source, pair.target) == way]
        movers = {term for pair in found for term in pair.leaves.terms} - {*way}
        others = [each for each in (*schema.adds, *schema.deletes) if not set(each.terms) <= movers | {*way}]
        # Without a mover, as where `robot-at` has a room alone, it may look as if `clear` went from a block
        # to the one below.
        is_move = movers or {*schema.deletes} <= {pair.leaves for pair in pairs}
        if is_move and all(_is_carried(each, schema, movers) for each in others):
            return found
    return []


def _changed(leaves: Literal, reaches: Literal) -> tuple[int, int] | None:
    """The one place in which two atoms of a predicate differ."""
    if leaves.symbol != reaches.symbol:
        return None
    pairs = zip(leaves.terms, reaches.terms, strict=True)
    changed = [(source, target) for source, target in pairs if source != target]
    return changed[0] if len(changed) == 1 else None


def _is_carried(literal: Literal, schema: Schema, movers: set[int]) -> bool:
    """Whether the effect changes another value of the mover, such as its fuel."""
    pairs = [(a, b) for a in schema.deletes for b in schema.adds if literal in (a, b)]
    return any(_changed(a, b) and set(a.terms) & set(b.terms) <= movers for a, b in pairs)


def relocations(schemas: Mapping[str, Schema]) -> dict[str, list[Relocation]]:
    """What the schemas move, by name: first what is moved by fewest of them. What takes being at a place, as
    filling a can at the well does, is no move of its own."""
    found = {name: _relocations(schema) for name, schema in schemas.items()}
    movers = Counter(each.reaches.symbol for known in found.values() for each in known)
    for name, known in found.items():
        lasting = {each.symbol for each in schemas[name].positive if each not in schemas[name].deletes}
        if movers.keys() & lasting - {each.reaches.symbol for each in known}:
            known.clear()
        known.sort(key=lambda each: movers[each.reaches.symbol])
    return found
