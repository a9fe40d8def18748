"""Actions that move something from one place to another, and the moves of a plan that lead one thing to a
place, one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.task import Trajectory
from trailmark.task.lifted.schema import Literal, Schema, only_difference


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
        others = [
            effect for effect in (*schema.adds, *schema.deletes) if not set(effect.terms) <= movers | {*way}
        ]
        # Without a mover, as where `robot-at` has a room alone, it may look as if `clear` went from a block
        # to the one below.
        is_move = movers or {*schema.deletes} <= {pair.leaves for pair in pairs}
        # What comes from two places at once is made of them, as a cocktail of ingredients.
        is_move = is_move and len({pair.source for pair in pairs if pair.target == way[1]}) == 1
        if is_move and all(_is_carried(effect, schema, movers) for effect in others):
            return found
    return []


def _changed(leaves: Literal, reaches: Literal) -> tuple[int, int] | None:
    """The one place in which two atoms of a predicate differ."""
    return only_difference(leaves.terms, reaches.terms) if leaves.symbol == reaches.symbol else None


def _is_carried(literal: Literal, schema: Schema, movers: set[int]) -> bool:
    """Whether the effect changes another value of the mover, such as its fuel."""
    pairs = [(a, b) for a in schema.deletes for b in schema.adds if literal in (a, b)]
    return any(_changed(a, b) and set(a.terms) & set(b.terms) <= movers for a, b in pairs)


def relocations(schemas: Mapping[str, Schema]) -> dict[str, list[Relocation]]:
    """What the schemas move, by name: first what is moved by fewest of them. What takes being at a place, as
    filling a can at the well does, is no move of its own."""
    found = {name: _relocations(schema) for name, schema in schemas.items()}
    movers = Counter(relocation.reaches.symbol for known in found.values() for relocation in known)
    for name, known in found.items():
        lasting = {
            literal.symbol for literal in schemas[name].positive if literal not in schemas[name].deletes
        }
        if movers.keys() & lasting - {relocation.reaches.symbol for relocation in known}:
            known.clear()
        known.sort(key=lambda relocation: movers[relocation.reaches.symbol])
    return found


Produced = tuple[int, int]
"""An atom that a step needs to be true or false, and the last step that made it so."""


@dataclass(frozen=True)
class Moves:
    """Moves of a plan that lead one thing to a place."""

    relation: str
    steps: tuple[int, ...]
    target: str
    movers: tuple[str, ...]


@dataclass(frozen=True)
class Deed:
    """An action that serves a pass, and the moves that lead to its place."""

    step: int
    """Its place in the plan, counted from 0."""
    approaches: tuple[Moves, ...] = ()
    repeats: bool = False
    """Whether it stands for a group of actions that is repeated."""
    is_earlier: bool = False
    """Whether an earlier pass has done it, and what it does still holds."""
    purposes: tuple[tuple[int, int], ...] = ()
    """Atoms that it makes true or false, each with the step of the pass that needs it so."""

    @property
    def first(self) -> int:
        """Where its moves begin."""
        return min((step for moves in self.approaches for step in moves.steps), default=self.step)


class Journeys:
    """The moves of one plan, whose actions relocate things."""

    def __init__(
        self,
        path: Trajectory,
        relocations: Mapping[str, Sequence[Relocation]],
        producers: Callable[[int], Sequence[Produced]],
    ) -> None:
        self._structure = path.structure
        self._steps = path.plan.steps
        self._relocations = relocations
        self._producers = producers

    def own(self, step: int) -> list[Moves]:
        """What the step itself moves."""
        return [self._moves([(step, known)]) for known in self._known(step)]

    def is_part(self, by: int, journeys: Sequence[Moves]) -> bool:
        """Whether a step moves what is moved anyway, as when it leaves a place."""
        moved = {(moves.relation, moves.movers) for moves in self.own(by)}
        return any((moves.relation, moves.movers) in moved for moves in journeys)

    def towards(self, needed: Sequence[Produced], floor: int, ends: Collection[int]) -> list[Moves]:
        """The moves that lead to what is needed; of several things that one moves, the first is told."""
        first: dict[int, int] = {}
        for atom, by in needed:
            if atom in (reached := self._arrivals(by)):
                first[by] = min(reached.index(atom), first.get(by, len(reached)))
        return [self._moves(self._chain(by, place, floor, ends)) for by, place in first.items()]

    def enabling(self, moves: Moves) -> Iterator[Produced]:
        """What made moves possible, with the step that did, moves of the same thing left out."""
        for move in moves.steps:
            yield from (needed for needed in self._producers(move) if not self.is_part(needed[1], [moves]))

    def _known(self, step: int) -> Sequence[Relocation]:
        return self._relocations[self._steps[step].action]

    def _arrivals(self, step: int) -> list[int]:
        """The atoms that say where a move leads what it moves; empty for another step."""
        return [self._atom(step, known.reaches) for known in self._known(step)]

    def _atom(self, step: int, literal: Literal) -> int:
        places = [self._structure.object_index[name] for name in self._steps[step].arguments]
        return self._structure.encode(literal.symbol, [places[t] if t >= 0 else ~t for t in literal.terms])

    def _chain(
        self, last: int, place: int, floor: int, ends: Collection[int]
    ) -> list[tuple[int, Relocation]]:
        """Moves that follow each other up to this one, after the pass before; the last one first."""
        chain = [(last, self._known(last)[place])]
        while True:
            step, known = chain[-1]
            leaves = self._atom(step, known.leaves)
            by = next((by for atom, by in self._producers(step) if atom == leaves), floor)
            if by <= floor or by in ends or leaves not in (reached := self._arrivals(by)):
                return chain
            chain.append((by, self._known(by)[reached.index(leaves)]))

    def _moves(self, chain: Sequence[tuple[int, Relocation]]) -> Moves:
        last, known = chain[0]
        names = self._steps[last].arguments
        relation = self._structure.vocabulary.symbols[known.reaches.symbol].name
        movers = tuple(names[term] for term in known.movers)
        return Moves(relation, tuple(sorted(step for step, _ in chain)), names[known.target], movers)
