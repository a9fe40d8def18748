"""Recipes: how a pass is made, and of which objects.

A recipe is a leap lifted from an example: its actions with variables for objects, and what must hold
before the first of them. Where its conditions can be met, its actions are tried instead of a search.
A recipe is a hint and proves nothing: every precondition is checked again when it is carried out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from trailmark.errors import InputError
from trailmark.features.syntax import Expression, Kind

Term = int | str
"""A variable by its number, or an object of the domain by its name."""
MOST_VARIABLES = 100
MOST_RECIPES = 1_000
"""Limits of what a model keeps."""


@dataclass(frozen=True)
class RecipeAction:
    """An action schema applied to terms."""

    schema: str
    terms: tuple[Term, ...]
    repeated: bool = False
    """Whether it is done again and again, by the shortest way from its first place to its last."""

    def __str__(self) -> str:
        return _applied(self.schema + ("*" if self.repeated else ""), self.terms)


@dataclass(frozen=True)
class RecipeCondition:
    """An atom that holds before the first action or, where it is open, a goal that does not hold yet."""

    predicate: str
    terms: tuple[Term, ...]
    is_open: bool = False

    def __str__(self) -> str:
        return _applied(("open " if self.is_open else "") + self.predicate, self.terms)


@dataclass(frozen=True)
class RecipeFilter:
    """What the object of a variable is, found out from objects with which the recipe failed."""

    counter: int
    """The place of the awaited counter in its program."""
    variable: int
    concept: Expression
    holds: bool
    """Whether the object is in the concept, or is not."""

    def __post_init__(self) -> None:
        if self.concept.kind is not Kind.CONCEPT:
            raise InputError(f"{self.concept} is a {self.concept.kind.value}, not a concept")

    def __str__(self) -> str:
        return f"?{self.variable} {'in' if self.holds else 'not in'} {self.concept}"


@dataclass(frozen=True)
class Recipe:
    """Actions that end a leap wherever their conditions hold, as far as is known."""

    actions: tuple[RecipeAction, ...]
    """Variables are numbered in the order of their first use."""
    conditions: tuple[RecipeCondition, ...]
    whole: bool
    """Whether it leads to the end of a pass, and not only nearer to it."""
    filters: tuple[RecipeFilter, ...] = ()
    examples: int = 1
    """In how many leaps it was seen."""
    used: int = 0
    """How many leaps were made by it while learning."""

    def __post_init__(self) -> None:
        used = {term for action in self.actions for term in action.terms if isinstance(term, int)}
        asked = {term for part in self.conditions for term in part.terms if isinstance(term, int)}
        asked |= {known.variable for known in self.filters}
        if not self.actions:
            raise InputError("a recipe needs at least one action")
        if used != set(range(len(used))):
            raise InputError("the variables of a recipe are numbered from 0, without gaps")
        if not asked <= used:
            raise InputError(f"no action of the recipe is about its variable {min(asked - used)}")

    @cached_property
    def variables(self) -> int:
        """How many variables there are."""
        return len({term for action in self.actions for term in action.terms if isinstance(term, int)})

    def __str__(self) -> str:
        conditions = [str(condition) for condition in (*self.conditions, *self.filters)]
        actions = " ".join(map(str, self.actions))
        return f"{actions} where {', '.join(conditions)}" if conditions else actions


def _applied(name: str, terms: tuple[Term, ...]) -> str:
    return "(" + " ".join([name, *(f"?{term}" if isinstance(term, int) else term for term in terms)]) + ")"
