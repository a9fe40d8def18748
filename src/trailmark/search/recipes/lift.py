"""Lifting: a leap's actions with variables for objects, and what had to hold before them.

An example is small, and much in it is the same by chance: with two cities an airplane brings a package to
where it came from. Two arguments get one variable only where one action makes what the other one needs, both
need the same fact, or a static fact that ties one of them to the other decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations

from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, Term
from trailmark.search.recipes.bound import Actions
from trailmark.search.recipes.travel import Move, ground
from trailmark.task.lifted import Action
from trailmark.task.lifted.schema import Literal

GroundAction = tuple[str, tuple[int, ...], bool]
"""A schema, its objects, and whether it is repeated."""
Argument = tuple[int, int]
"""The place of an action in the leap, and of a parameter in its schema."""


def lift(
    way: Sequence[Action],
    actions: Actions,
    repeated: Collection[str],
    is_open_goal: Callable[[int], bool],
    whole: bool,
) -> Recipe | None:
    """The recipe of a leap; `repeated` are the moves that a recipe repeats as often as is needed.

    None for a leap whose moves end where they began: what they did on the way would be lost.
    """
    collapsed_way = collapsed(way, actions, repeated)
    if any(again and _is_round_trip(actions, schema, objects) for schema, objects, again in collapsed_way):
        return None
    lifted, objects = _with_variables(collapsed_way, actions)
    needed, made = actions.regressed(lifted)
    structure = actions.structure
    for predicate, terms in sorted(made, key=str):
        arguments = [
            objects[term] if isinstance(term, int) else structure.object_index[term] for term in terms
        ]
        if is_open_goal(structure.encode(structure.vocabulary.index[predicate], arguments)):
            needed[RecipeCondition(predicate, terms, is_open=True)] = None
    return Recipe(tuple(lifted), tuple(needed), whole)


def collapsed(way: Sequence[Action], actions: Actions, repeated: Collection[str]) -> list[GroundAction]:
    """The actions with each run of a move as one: a repeated move, or a single step where one does it."""
    found: list[GroundAction] = []
    for run in runs(way, actions):
        schema, move = actions.schemas[run[0][0]], actions.moves[run[0][0]]
        ends = run[0][1:]
        if move is not None and len(run) > 1:
            merged = list(ends)
            merged[move.target] = run[-1][1 + move.target]
            ends = tuple(merged)
        if move is not None and schema.name in repeated:
            found.append((schema.name, ends, True))
        elif move is not None and len(run) > 1 and is_step(move, ends, actions):
            found.append((schema.name, ends, False))
        else:
            found += [(schema.name, action[1:], False) for action in run]
    return found


def runs(way: Sequence[Action], actions: Actions) -> list[list[Action]]:
    """The actions, those that move one thing on and on together."""
    found: list[list[Action]] = []
    for action in way:
        move = actions.moves[action[0]]
        last = found[-1][-1] if found else None
        if move is not None and last and last[0] == action[0] and move.follows(last[1:], action[1:]):
            found[-1].append(action)
        else:
            found.append([action])
    return found


def is_step(move: Move, ends: Sequence[int], actions: Actions) -> bool:
    """Whether one step leads from one end to the other, as far as static facts tell."""
    structure = actions.structure
    return structure.encode(move.edge.symbol, ground(move.edge, ends)) in structure.static_atoms


def _is_round_trip(actions: Actions, schema: str, objects: tuple[int, ...]) -> bool:
    move = actions.moves[actions.index[schema]]
    return move is not None and objects[move.source] == objects[move.target]


def repeated_moves(way: Sequence[Action], actions: Actions) -> set[str]:
    """The moves that a plan does several times in a row where one step would not do."""
    found: set[str] = set()
    for run in runs(way, actions):
        move = actions.moves[run[0][0]]
        if move is not None and len(run) > 1:
            ends = list(run[0][1:])
            ends[move.target] = run[-1][1 + move.target]
            if ends[move.source] != ends[move.target] and not is_step(move, ends, actions):
                found.add(move.schema.name)
    return found


def signature(recipe: Recipe) -> tuple[bool, tuple[RecipeAction, ...]]:
    """What tells recipes apart: their conditions follow from their actions, but for open goals."""
    return recipe.whole, recipe.actions


def merged(known: Recipe, example: Recipe) -> Recipe:
    """A recipe after one more example: what not all examples had is no condition."""
    common = set(example.conditions)
    return Recipe(
        known.actions,
        tuple(condition for condition in known.conditions if condition in common),
        known.whole,
        known.filters,
        known.examples + example.examples,
        known.used + example.used,
    )


def _with_variables(
    way: Sequence[GroundAction], actions: Actions
) -> tuple[list[RecipeAction], dict[int, int]]:
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
