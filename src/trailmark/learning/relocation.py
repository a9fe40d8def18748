"""Action schemas that move something from one place to another."""

from __future__ import annotations

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


def _relocation(schema: Schema) -> Relocation | None:
    """The schema as a move, where it is one: it changes nothing but things about the mover and the places."""
    for leaves in schema.deletes:
        for reaches in schema.adds:
            if leaves not in schema.positive or len(leaves.terms) > 2:
                continue
            changed = _changed(leaves, reaches)
            if changed is None or min(changed) < 0:
                continue
            about = {*leaves.terms, changed[1]}
            others = [each for each in (*schema.adds, *schema.deletes) if not set(each.terms) <= about]
            movers = about - set(changed)
            if all(_is_carried(each, schema, movers) for each in others):
                return Relocation(leaves, reaches, *changed)
    return None


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


def relocations(schemas: Mapping[str, Schema]) -> dict[str, Relocation | None]:
    """The schemas that move something, by name. What takes being at a place, as filling a can at the well
    does, is no move of its own."""
    found = {name: _relocation(schema) for name, schema in schemas.items()}
    places = {known.reaches.symbol for known in found.values() if known is not None}
    for name, known in found.items():
        if known is not None:
            lasting = [each.symbol for each in schemas[name].positive if each not in schemas[name].deletes]
            if places.intersection(lasting) - {known.reaches.symbol}:
                found[name] = None
    return found
