"""Which arguments of a leap's actions must be the same object: those that causal links tie together.

An example is small, and much in it is the same by chance: with two cities an airplane brings a package to
where it came from. Two arguments get one variable only where one action makes what the other one needs, both
need the same fact, or a static fact that ties one of them to the other decides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from trailmark.programs.recipe import RecipeAction, Term
from trailmark.search.recipes.bound import Actions
from trailmark.search.recipes.travel import ground
from trailmark.task.lifted.schema import Literal

GroundAction = tuple[str, tuple[int, ...], bool]
"""A schema, its objects, and whether it is repeated."""
Argument = tuple[int, int]
"""The place of an action in the leap, and of a parameter in its schema."""


def linked(way: Sequence[GroundAction], actions: Actions) -> tuple[list[RecipeAction], dict[int, int]]:
    """The actions with variables, and the object that each variable stood for."""
    links = _Links(way, actions)
    names = actions.structure.objects
    numbers: dict[Argument, int] = {}
    objects: dict[int, int] = {}

    def term(argument: Argument, value: int) -> Term:
        if value in links.constants:
            return names[value]
        number = numbers.setdefault(links.first(argument), len(numbers))
        objects[number] = value
        return number

    lifted = [
        RecipeAction(schema, tuple(term((step, place), value) for place, value in enumerate(values)), again)
        for step, (schema, values, again) in enumerate(way)
    ]
    return lifted, objects


class _Links:
    """Arguments that are tied together, as sets of them."""

    def __init__(self, way: Sequence[GroundAction], actions: Actions) -> None:
        self._actions = actions
        self._parent: dict[Argument, Argument] = {}
        self.constants: set[int] = set()
        """The objects that the schemas name: what is done there is done there in every example."""
        known: dict[int, list[Argument]] = {}
        static: list[tuple[int, tuple[int, ...], list[Argument]]] = []
        for step, (name, objects, again) in enumerate(way):
            schema = actions.done(RecipeAction(name, objects, again))
            literals = (*schema.positive, *schema.deletes, *schema.adds)
            self.constants |= {~term for literal in literals for term in literal.terms if term < 0}
            for literal in (*schema.positive, *schema.deletes):
                atom, arguments = self._atom(literal, objects), [(step, term) for term in literal.terms]
                if literal.fluent:
                    self._tie(known.setdefault(atom, arguments), arguments)
                else:
                    static.append((literal.symbol, ground(literal, objects), arguments))
            for literal in schema.deletes:
                known.pop(self._atom(literal, objects), None)
            for literal in schema.adds:
                known[self._atom(literal, objects)] = [(step, term) for term in literal.terms]
        while any(self._decided(*one, *other) for one, other in combinations(static, 2)):
            pass  # what is tied now may decide more

    def _atom(self, literal: Literal, objects: Sequence[int]) -> int:
        return self._actions.structure.encode(literal.symbol, ground(literal, objects))

    def first(self, argument: Argument) -> Argument:
        while argument in self._parent:
            argument = self._parent[argument]
        return argument

    def _tie(self, some: Sequence[Argument], others: Sequence[Argument]) -> bool:
        """Whether that changes something."""
        changed = False
        for pair in zip(some, others, strict=True):
            one, other = sorted(map(self.first, pair))
            if one != other and one[1] >= 0:
                self._parent[other] = one
                changed = True
        return changed

    def _decided(
        self,
        symbol: int,
        objects: tuple[int, ...],
        arguments: Sequence[Argument],
        other_symbol: int,
        other_objects: tuple[int, ...],
        others: Sequence[Argument],
    ) -> bool:
        """Ties what all else in one static fact decides, where that is tied already; whether it does."""
        if symbol != other_symbol or objects != other_objects:
            return False
        apart = [
            place
            for place, (one, other) in enumerate(zip(arguments, others, strict=True))
            if self.first(one) != self.first(other)
        ]
        if len(apart) != 1 or len(list(self._alike(symbol, objects, apart[0]))) > 1:
            return False
        return self._tie(arguments, others)

    def _alike(self, symbol: int, objects: tuple[int, ...], place: int) -> Iterator[tuple[int, ...]]:
        """The static facts that differ from this one in one place at most."""
        for fact in self._actions.structure.static_tuples.get(symbol, ()):
            if fact[:place] == objects[:place] and fact[place + 1 :] == objects[place + 1 :]:
                yield fact
