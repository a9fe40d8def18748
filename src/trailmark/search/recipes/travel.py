"""Moves that are repeated: an action schema that takes one thing from place to place along a static relation.

A recipe says from where to where; the way between is a shortest one, of least cost where steps cost
something. Shortest paths are found lazily, nearest places first, and kept where only static facts decide
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from trailmark.relational import Structure
from trailmark.search.recipes.facts import Facts
from trailmark.task.lifted.schema import Literal, Schema

MOST_PLACES = 1_000_000
"""What trees of shortest paths may hold together; then they are made anew."""

IsTrue = Callable[[int], bool]
"""Whether an atom holds where the move begins."""
Price = Callable[["Leg"], float | None]
"""What a step costs besides its own cost; None where it is not possible."""
StepCost = Callable[[Sequence[int]], float]


@dataclass(frozen=True)
class Move:
    """A schema that moves one thing: what it takes away and gives differ in one variable alone."""

    schema: Schema
    source: int
    """The variable of the place it moves from."""
    target: int
    leaves: Literal
    """Where the thing is before."""
    reaches: Literal
    edge: Literal
    """The static literal that relates the two places."""
    others: tuple[Literal, ...]
    """What else must hold for a step."""

    @cached_property
    def constant(self) -> tuple[Literal, ...]:
        """Of these, what may change but is the same for every step: who drives."""
        return tuple(literal for literal in self.others if literal.fluent and not self._is_local(literal))

    @cached_property
    def local(self) -> tuple[Literal, ...]:
        """The rest."""
        return tuple(literal for literal in self.others if literal not in self.constant)

    @cached_property
    def is_static(self) -> bool:
        """Whether nothing that changes decides which of the steps are possible, but where the thing is."""
        return not any(literal.fluent for literal in (*self.local, *self.schema.negative))

    def _is_local(self, literal: Literal) -> bool:
        return self.source in literal.terms or self.target in literal.terms

    @property
    def is_plain(self) -> bool:
        """Whether a step changes nothing but where the thing is."""
        return set(self.schema.adds) == {self.reaches} and set(self.schema.deletes) == {self.leaves}

    def follows(self, earlier: Sequence[int], later: Sequence[int]) -> bool:
        """Whether one step begins where the other has ended, of the same thing."""
        if earlier[self.target] != later[self.source]:
            return False
        places = (self.source, self.target)
        pairs = enumerate(zip(earlier, later, strict=True))
        return all(before == after for place, (before, after) in pairs if place not in places)


def find_move(schema: Schema) -> Move | None:
    """The schema as a move, where it is one."""
    for leaves in schema.positive:
        if not leaves.fluent or leaves not in schema.deletes:
            continue
        for reaches in schema.adds:
            if reaches.symbol != leaves.symbol:
                continue
            pairs = zip(leaves.terms, reaches.terms, strict=True)
            changed = [(source, target) for source, target in pairs if source != target]
            if len(changed) != 1 or min(changed[0]) < 0:
                continue
            ((source, target),) = changed
            if source in reaches.terms or target in leaves.terms:
                continue
            further = set(range(schema.arity)) - set(leaves.terms) - {target}
            edges = [
                literal
                for literal in schema.positive
                if not literal.fluent and source in literal.terms and target in literal.terms
            ]
            if edges:
                others = [literal for literal in schema.positive if literal not in (leaves, edges[0])]
                move = Move(schema, source, target, leaves, reaches, edges[0], tuple(others))
                changed_too = {term for literal in (*schema.adds, *schema.deletes) for term in literal.terms}
                if further <= {term for literal in move.constant for term in literal.terms} - changed_too:
                    return move
    return None


class Paths:
    """Shortest paths from one place, found as far as they were asked for."""

    def __init__(self, start: int, steps: Callable[[int], Iterable[tuple[int, float]]]) -> None:
        self._steps = steps
        self._came_from: dict[int, int | None] = {start: None}
        self._costs = {start: 0.0}
        self._nearest: list[int] = []
        self._done: set[int] = set()
        self._waiting: list[tuple[float, int, int]] = [(0.0, 0, start)]
        self._pushed = 0

    def __iter__(self) -> Iterator[int]:
        """Places that can be reached, nearest first."""
        place = 0
        while place < len(self._nearest) or self._advance():
            yield self._nearest[place]
            place += 1

    def __contains__(self, place: int) -> bool:
        while place not in self._done:
            if not self._advance():
                return False
        return True

    def __len__(self) -> int:
        """How many places are known so far."""
        return len(self._came_from)

    def cost(self, place: int) -> float:
        """Of the way to a place that can be reached."""
        return self._costs[place]

    def to(self, place: int) -> list[int]:
        """The places on the way, both ends included; the place must be one that can be reached."""
        path = [place]
        while (before := self._came_from[path[-1]]) is not None:
            path.append(before)
        path.reverse()
        return path

    def _advance(self) -> bool:
        """Finds the next nearest place; whether there is one."""
        while self._waiting:
            cost, _, here = heappop(self._waiting)
            if here in self._done:
                continue
            self._done.add(here)
            self._nearest.append(here)
            for there, step in self._steps(here):
                known = self._costs.get(there)
                if there not in self._done and (known is None or cost + step < known):
                    self._costs[there] = cost + step
                    self._came_from[there] = here
                    self._pushed += 1
                    heappush(self._waiting, (cost + step, self._pushed, there))
            return True
        return False


class Leg(NamedTuple):
    """One step of a move."""

    there: int
    cost: float
    needed: tuple[int, ...]
    """The atoms that decide whether it is possible: those that must hold,"""
    excluded: tuple[int, ...]
    """and those that must not."""


class Travel:
    """Ways of the moves of one task."""

    def __init__(self, facts: Facts, structure: Structure, costs: Sequence[StepCost | None]) -> None:
        self._facts = facts
        self._structure = structure
        self._costs = costs
        self._trees: dict[tuple[int, ...], Paths] = {}
        self._legs: dict[tuple[int, ...], dict[int, list[Leg]]] = {}

    def paths(self, move: Move, arguments: Sequence[int | None], is_true: IsTrue) -> Paths:
        """Shortest paths of what the arguments say from the place they say; the target is left open."""
        start = arguments[move.source]
        assert start is not None  # a move is asked for once its source is known
        if not move.is_static:
            return self.priced(move, arguments, lambda leg: 0.0 if _possible(leg, is_true) else None)
        mover = _mover(move, arguments)
        tree = (start, *mover)
        known = self._trees.get(tree)
        if known is None:
            if len(self._trees) * len(self._legs.get(mover, ())) > MOST_PLACES:
                self._trees.clear()
            known = self._trees[tree] = self.priced(move, arguments, lambda leg: 0.0)
        return known

    def priced(self, move: Move, arguments: Sequence[int | None], price: Price) -> Paths:
        """Cheapest paths where the steps have a price of their own."""
        start = arguments[move.source]
        assert start is not None
        legs = self._legs.setdefault(_mover(move, arguments), {})

        def near(here: int) -> Iterator[tuple[int, float]]:
            known = legs.get(here)
            if known is None:
                known = legs[here] = list(self._from(move, arguments, here))
            for leg in known:
                more = price(leg)
                if more is not None:
                    yield leg.there, leg.cost + more

        return Paths(start, near)

    def legs(self, move: Move, arguments: Sequence[int | None], places: Sequence[int]) -> Iterator[Leg]:
        """The steps of a path."""
        known = self._legs[_mover(move, arguments)]
        for here, there in pairwise(places):
            yield next(leg for leg in known[here] if leg.there == there)

    def _from(self, move: Move, arguments: Sequence[int | None], here: int) -> Iterator[Leg]:
        """The steps from a place that nothing that never changes rules out."""
        edge, schema, cost = move.edge, move.schema, self._costs[move.schema.index]
        if here not in schema.allowed[move.source]:
            return
        begins, ends = edge.terms.index(move.source), edge.terms.index(move.target)
        for pair in self._facts.about(edge.symbol, begins, here):
            there = pair[ends]
            step = list(arguments)
            step[move.source], step[move.target] = here, there
            objects: list[int] = [argument for argument in step if argument is not None]
            if len(objects) < len(step) or there not in schema.allowed[move.target]:
                continue
            if ground(edge, objects) != pair or not respects(schema, objects):
                continue
            needed = self._atoms([literal for literal in move.local if literal.fluent], objects)
            excluded = self._atoms([literal for literal in schema.negative if literal.fluent], objects)
            static = self._structure.static_atoms
            if static.issuperset(self._atoms(_static(move.local), objects)) and static.isdisjoint(
                self._atoms(_static(schema.negative), objects)
            ):
                yield Leg(there, 1.0 if cost is None else cost(objects), needed, excluded)

    def _atoms(self, literals: Sequence[Literal], objects: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            [self._structure.encode(literal.symbol, ground(literal, objects)) for literal in literals]
        )


def _mover(move: Move, arguments: Sequence[int | None]) -> tuple[int, ...]:
    """The move and all its objects but the places."""
    places = (move.source, move.target)
    objects = (-1 if n in places or argument is None else argument for n, argument in enumerate(arguments))
    return move.schema.index, *objects


def _possible(leg: Leg, is_true: IsTrue) -> bool:
    return all(map(is_true, leg.needed)) and not any(map(is_true, leg.excluded))


def _static(literals: Sequence[Literal]) -> list[Literal]:
    return [literal for literal in literals if not literal.fluent]


def ground(literal: Literal, objects: Sequence[int]) -> tuple[int, ...]:
    """The arguments of a literal of a schema with these objects."""
    return tuple([objects[term] if term >= 0 else ~term for term in literal.terms])


def respects(schema: Schema, objects: Sequence[int]) -> bool:
    """Whether objects are equal and different as the schema says."""

    def value(term: int) -> int:
        return objects[term] if term >= 0 else ~term

    return all(value(first) == value(second) for first, second in schema.equal) and not any(
        value(first) == value(second) for first, second in schema.different
    )
