"""Moves that are repeated: an action schema that takes one thing from place to place along a static relation.

A recipe says from where to where; the way between is a shortest one, of least cost where steps cost
something. Shortest paths are found lazily, nearest places first, and kept where only static facts decide
them. Where several schemas move the same thing, as up, down, left and right, a journey mixes their steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from trailmark.relational import Structure
from trailmark.search.recipes.facts import Facts
from trailmark.search.recipes.paths import Paths
from trailmark.task.lifted import Action
from trailmark.task.lifted.schema import Literal, Schema, only_difference

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
    kin: tuple[Move, ...] = ()
    """Of a journey: the other moves that its steps may be of."""

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
        own = not any(literal.fluent for literal in (*self.local, *self.schema.negative))
        return own and all(move.is_static and not move.constant for move in self.kin)

    def _is_local(self, literal: Literal) -> bool:
        return self.source in literal.terms or self.target in literal.terms

    @property
    def is_plain(self) -> bool:
        """Whether a step changes nothing but where the thing is."""
        own = set(self.schema.adds) == {self.reaches} and set(self.schema.deletes) == {self.leaves}
        return own and all(move.is_plain for move in self.kin)

    def is_kin(self, other: Move) -> bool:
        """Whether the other takes the same thing from place to place, and nothing else has to be chosen."""

        def places(move: Move) -> tuple[int, int]:
            return move.leaves.symbol, move.leaves.terms.index(move.source)

        decided = {*other.leaves.terms, other.target}
        return places(self) == places(other) and decided.issuperset(range(other.schema.arity))

    @property
    def is_another(self) -> bool:
        """Whether all its journeys are also those of an earlier schema, which asks for no more."""
        return any(
            move.schema.index < self.schema.index
            and move.is_kin(self)
            and not move.constant
            and all(kind <= wider for kind, wider in zip(self._kinds, move._kinds, strict=True))
            for move in self.kin
        )

    @property
    def _kinds(self) -> list[frozenset[int]]:
        """What may be at each place of what it reaches."""
        return [self.schema.allowed[term] if term >= 0 else frozenset({~term}) for term in self.reaches.terms]

    def objects_of(self, objects: Sequence[int | None], move: Move) -> list[int | None]:
        """The objects of this move for one of its kin."""
        found: list[int | None] = [None] * move.schema.arity
        for own, term in zip(self.leaves.terms, move.leaves.terms, strict=True):
            if term >= 0:
                found[term] = objects[own] if own >= 0 else ~own
        return found

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
            changed = only_difference(leaves.terms, reaches.terms)
            if changed is None or min(changed) < 0:
                continue
            source, target = changed
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


def journeys(moves: Sequence[Move | None]) -> tuple[Move | None, ...]:
    """The moves with their kin."""
    known = [move for move in moves if move is not None]
    return tuple(
        move
        and replace(move, kin=tuple(other for other in known if other is not move and move.is_kin(other)))
        for move in moves
    )


class Leg(NamedTuple):
    """One step of a move, as an action."""

    there: int
    cost: float
    needed: tuple[int, ...]
    """The atoms that decide whether it is possible: those that must hold,"""
    excluded: tuple[int, ...]
    """and those that must not."""
    action: Action


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
            return self.priced(move, arguments, lambda leg: 0.0 if possible(leg, is_true) else None)
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

    def legs(
        self,
        move: Move,
        arguments: Sequence[int | None],
        places: Sequence[int],
        may_be: Callable[[Leg], bool] = lambda leg: True,
    ) -> Iterator[Leg]:
        """The steps of a path, each the cheapest one of those that may be."""
        known = self._legs[_mover(move, arguments)]
        for here, there in pairwise(places):
            steps = (leg for leg in known[here] if leg.there == there and may_be(leg))
            yield min(steps, key=lambda leg: leg.cost)

    def _from(self, journey: Move, arguments: Sequence[int | None], here: int) -> Iterator[Leg]:
        """The steps from a place that nothing that never changes rules out."""
        yield from self._steps(journey, journey.local, arguments, here)
        for move in journey.kin:
            yield from self._steps(move, move.others, journey.objects_of(arguments, move), here)

    def _steps(
        self, move: Move, others: Sequence[Literal], arguments: Sequence[int | None], here: int
    ) -> Iterator[Leg]:
        edge, schema, cost = move.edge, move.schema, self._costs[move.schema.index]
        begins, ends = edge.terms.index(move.source), edge.terms.index(move.target)
        for pair in self._facts.about(edge.symbol, begins, here):
            there = pair[ends]
            step = list(arguments)
            step[move.source], step[move.target] = here, there
            objects: list[int] = [argument for argument in step if argument is not None]
            if len(objects) < len(step) or ground(edge, objects) != pair or not respects(schema, objects):
                continue
            needed = self._atoms([literal for literal in others if literal.fluent], objects)
            excluded = self._atoms([literal for literal in schema.negative if literal.fluent], objects)
            static = self._structure.static_atoms
            if static.issuperset(self._atoms(_static(others), objects)) and static.isdisjoint(
                self._atoms(_static(schema.negative), objects)
            ):
                action = (schema.index, *objects)
                yield Leg(there, 1.0 if cost is None else cost(objects), needed, excluded, action)

    def _atoms(self, literals: Sequence[Literal], objects: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            [self._structure.encode(literal.symbol, ground(literal, objects)) for literal in literals]
        )


def _mover(move: Move, arguments: Sequence[int | None]) -> tuple[int, ...]:
    """The move and all its objects but the places."""
    places = (move.source, move.target)
    objects = (-1 if n in places or argument is None else argument for n, argument in enumerate(arguments))
    return move.schema.index, len(move.kin), *objects


def possible(leg: Leg, is_true: IsTrue) -> bool:
    return all(map(is_true, leg.needed)) and not any(map(is_true, leg.excluded))


def _static(literals: Sequence[Literal]) -> list[Literal]:
    return [literal for literal in literals if not literal.fluent]


def ground(literal: Literal, objects: Sequence[int]) -> tuple[int, ...]:
    """The arguments of a literal of a schema with these objects."""
    return tuple([objects[term] if term >= 0 else ~term for term in literal.terms])


def respects(schema: Schema, objects: Sequence[int]) -> bool:
    """Whether objects are of the kinds that the schema says, and equal and different as it says."""

    def value(term: int) -> int:
        return objects[term] if term >= 0 else ~term

    return (
        all(thing in kind for thing, kind in zip(objects, schema.allowed, strict=True))
        and all(value(first) == value(second) for first, second in schema.equal)
        and not any(value(first) == value(second) for first, second in schema.different)
    )
