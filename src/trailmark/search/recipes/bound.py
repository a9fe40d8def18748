"""Recipes bound to a task: names turned into the numbers of its schemas, predicates and objects."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, Term
from trailmark.relational import Structure
from trailmark.search.recipes.facts import Literal
from trailmark.search.recipes.filters import Relation
from trailmark.search.recipes.travel import Move, find_move, ground, journeys
from trailmark.task.lifted import LiftedGenerator
from trailmark.task.lifted.schema import Literal as SchemaLiteral
from trailmark.task.lifted.schema import Schema, only_difference

FEW_EXAMPLES = 2
MOST_LITERALS = 400
"""Matching goes one call deeper with every literal, and Python allows a thousand calls."""


class Actions:
    """The action schemas of a task, by name, with those that are moves."""

    def __init__(self, generator: LiftedGenerator) -> None:
        self.structure = generator.structure
        self.schemas = generator.schemas
        self.index = {schema.name: schema.index for schema in self.schemas}
        self.moves = tuple(find_move(schema) for schema in self.schemas)
        self.journeys = journeys(self.moves)
        self.anything = frozenset(range(len(self.structure.objects)))

    def regressed(self, actions: Sequence[RecipeAction]) -> tuple[dict[RecipeCondition, None], set[Atom]]:
        """What must hold before these actions, and what they have made true after them. Negative
        preconditions are left to the execution."""
        needed: dict[RecipeCondition, None] = {}
        made: dict[Atom, None] = {}
        for action in actions:
            schema = self.done(action)
            for literal in schema.positive:
                atom = self._atom(literal, action.terms)
                if atom not in made:
                    needed[RecipeCondition(*atom)] = None
            for literal in schema.deletes:
                made.pop(self._atom(literal, action.terms), None)
            made.update(dict.fromkeys(self._atom(literal, action.terms) for literal in schema.adds))
        return needed, set(made)

    def done(self, action: RecipeAction) -> Schema:
        """The schema as a recipe does it: a repeated move leaves one place and reaches another."""
        index = self.index[action.schema]
        schema, move = self.schemas[index], self.moves[index]
        if action.repeated and move is not None:
            return replace(
                schema, positive=(move.leaves, *move.constant), deletes=(move.leaves,), adds=(move.reaches,)
            )
        return schema

    def _atom(self, literal: SchemaLiteral, terms: Sequence[Term]) -> Atom:
        names = self.structure.objects
        arguments = tuple(terms[term] if term >= 0 else names[~term] for term in literal.terms)
        return self.structure.vocabulary.symbols[literal.symbol].name, arguments


Atom = tuple[str, tuple[Term, ...]]


@dataclass
class BoundAction:
    """An action of a recipe; its terms are variables, or `~object`."""

    schema: Schema
    terms: tuple[int, ...]
    move: Move | None
    """Set where the action is repeated."""


@dataclass
class BoundRecipe:
    """A recipe of one task, and how trying it went there."""

    recipe: Recipe
    actions: tuple[BoundAction, ...]
    literals: tuple[Literal, ...]
    allowed: tuple[frozenset[int], ...]
    """By variable: the objects that the schemas allow."""
    anything: frozenset[int]
    """All objects."""
    static: Container[int]
    """The predicates that never change."""
    apart: tuple[frozenset[int], ...]
    """By variable: the variables that stand for other objects, or some action would not be applicable."""
    waits: dict[object, int] = field(default_factory=dict)
    """How many more leaps it is left out of, by the way of trying it."""
    losses: dict[object, int] = field(default_factory=dict)
    rejected: dict[object, dict[tuple[int | None, ...], int]] = field(default_factory=dict)
    """By the awaited counter: the bindings that did not end a leap, and after how many commits."""
    filtered: dict[object, BoundRecipe] = field(default_factory=dict)
    """By what filters ask for: the recipe with literals for that."""

    @cached_property
    def closed_literals(self) -> tuple[Literal, ...]:
        """The literals without open goals."""
        return tuple(literal for literal in self.literals if literal[0] >= 0)

    @cached_property
    def loose(self) -> tuple[int, ...]:
        """The variables that no literal speaks of but those that never change."""
        tied = {term for key, terms in self.literals for term in terms if key not in self.static}
        return tuple(variable for variable in range(self.recipe.variables) if variable not in tied)

    @cached_property
    def for_any_goal(self) -> BoundRecipe:
        """The recipe without open goals."""
        return replace(self, literals=self.closed_literals)

    def related(self, relations: Sequence[Relation]) -> BoundRecipe:
        """The recipe for objects that stand in these relations too; what lies between them gets variables
        behind its own."""
        literals, variables = list(self.literals), len(self.allowed)
        for relation in relations:
            further, variables = relation.literals(variables)
            literals += further
        more = variables - len(self.allowed)
        return replace(
            self,
            literals=tuple(literals),
            allowed=(*self.allowed, *[self.anything] * more),
            apart=(*self.apart, *[frozenset[int]()] * more),
        )

    def fits(self, objects: Sequence[int]) -> bool:
        """Whether the objects differ where they must."""
        return not any(
            objects[one] == objects[other] for one, others in enumerate(self.apart) for other in others
        )

    @property
    def may_be_chance(self) -> bool:
        """Whether so few examples speak for the recipe's open goals that they may be accidents."""
        return self.recipe.examples < FEW_EXAMPLES and self.closed_literals != self.literals

    @cached_property
    def moves(self) -> tuple[BoundAction, ...]:
        return tuple(action for action in self.actions if action.move is not None)


def bind_recipe(recipe: Recipe, actions: Actions) -> BoundRecipe | None:
    """The recipe for a task; None where its domain lacks something the recipe names."""
    structure = actions.structure
    objects, symbols = structure.object_index, structure.vocabulary
    bound: list[BoundAction] = []
    allowed: list[frozenset[int] | None] = [None] * recipe.variables
    for action in recipe.actions:
        index = actions.index.get(action.schema)
        terms = _terms(action.terms, objects)
        if index is None or terms is None or len(terms) != actions.schemas[index].arity:
            return None
        schema, move = actions.schemas[index], actions.moves[index]
        if action.repeated and move is None:
            return None
        bound.append(BoundAction(schema, terms, move if action.repeated else None))
        for term, may_be in zip(terms, schema.allowed, strict=True):
            if term >= 0:
                known = allowed[term]
                allowed[term] = may_be if known is None else known & may_be
            elif ~term not in may_be:
                return None
    literals: dict[Literal, None] = {}
    for condition in recipe.conditions:
        terms = _terms(condition.terms, objects)
        if condition.predicate not in symbols or terms is None:
            return None
        if len(terms) != symbols[condition.predicate].arity or max(terms, default=-1) >= recipe.variables:
            return None
        symbol = symbols.index[condition.predicate]
        literals[~symbol if condition.is_open else symbol, terms] = None
    domains = [may_be for may_be in allowed if may_be is not None]
    if not bound or len(domains) < recipe.variables or len(literals) > MOST_LITERALS:
        return None
    apart = _apart(bound, len(domains))
    return BoundRecipe(
        recipe,
        tuple(bound),
        tuple(literals),
        tuple(domains),
        actions.anything,
        actions.structure.static_tuples,
        apart,
    )


Lifted = tuple[int, tuple[int, ...]]
"""A predicate with the variables of a recipe, or `~object`."""


def _apart(actions: Sequence[BoundAction], variables: int) -> tuple[frozenset[int], ...]:
    """Which variables differ: an action deletes an atom of the one, after which an action needs the same atom
    of the other; or a schema asks for it."""
    found: list[set[int]] = [set() for _ in range(variables)]
    gone: dict[Lifted, None] = {}
    for action in actions:
        schema, terms = action.schema, action.terms
        pairs: list[tuple[int, ...]] = []
        if action.move is None:
            pairs += [_lifted(pair, terms) for pair in schema.different]
        for literal in schema.positive if action.move is None else (action.move.leaves,):
            needed = _lifted(literal.terms, terms)
            alike = [atom for symbol, atom in gone if symbol == literal.symbol]
            pairs += [pair for atom in alike if (pair := only_difference(atom, needed)) is not None]
        for first, second in pairs:
            if first >= 0 and second >= 0 and first != second:
                found[first].add(second)
                found[second].add(first)
        if action.move is None:  # a way may be of no length
            gone.update(
                dict.fromkeys((deleted.symbol, _lifted(deleted.terms, terms)) for deleted in schema.deletes)
            )
        for effect in schema.adds:
            # What is gone may be this, and hold again.
            added = effect.symbol, _lifted(effect.terms, terms)
            gone = {other: None for other in gone if not _may_be_equal(other, added)}
    return tuple(map(frozenset, found))


def _lifted(places: Sequence[int], terms: Sequence[int]) -> tuple[int, ...]:
    return tuple(terms[place] if place >= 0 else place for place in places)


def _may_be_equal(first: Lifted, second: Lifted) -> bool:
    return first[0] == second[0] and all(
        one == other or one >= 0 or other >= 0 for one, other in zip(first[1], second[1], strict=True)
    )


def _terms(terms: Sequence[Term], objects: Mapping[str, int]) -> tuple[int, ...] | None:
    if any(isinstance(term, str) and term not in objects for term in terms):
        return None
    return tuple(term if isinstance(term, int) else ~objects[term] for term in terms)


def atom_of(structure: Structure, literal: SchemaLiteral, objects: Sequence[int]) -> int:
    """The ground atom of a schema's literal."""
    return structure.encode(literal.symbol, ground(literal, objects))


@dataclass(frozen=True)
class Option:
    """An action with its objects, as a way to achieve something."""

    schema: Schema
    objects: tuple[int, ...]
    move: Move | None
    needed: list[int]
    """The atoms that must hold before it, as far as actions make them true."""
    cost: tuple[float, ...]
    """Smaller ones come first: how many of its conditions are missing, or about how many steps it takes, then
    what else tells options apart, and last how many objects were free to choose."""


def conditions_of(schema: Schema, move: Move | None) -> tuple[Literal, ...]:
    """What must hold before an action, or before a move that goes on as far as is needed."""
    literals = (move.leaves, *move.others) if move else schema.positive
    return tuple((literal.symbol, literal.terms) for literal in literals)
