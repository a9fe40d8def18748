"""Moves of a plan that lead one thing to a place, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.learning.relocation import Relocation
from trailmark.task import Trajectory
from trailmark.task.lifted.schema import Literal

Produced = tuple[int, int]
"""An atom that a step needs to be true or false, and the last step that made it so."""


@dataclass(frozen=True)
class Moves:
    """Moves of a plan that lead one thing to a place."""

    relation: str
    steps: tuple[int, ...]
    target: str
    movers: tuple[str, ...]


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
