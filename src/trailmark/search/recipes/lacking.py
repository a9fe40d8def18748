"""Recipes that lack something: their conditions are achieved one by one before they are carried out.

A recipe was seen with a clear block; elsewhere the block is buried, and so is the place it belongs on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from trailmark.search.recipes.achieve import ATTEMPTS, GOALS, Achiever
from trailmark.search.recipes.bound import BoundRecipe
from trailmark.search.recipes.completion import OBJECTS, ROWS, Completing
from trailmark.search.recipes.execution import Way
from trailmark.search.recipes.facts import Binding
from trailmark.search.recipes.filters import Bit, Filter

TRIED = 200
"""Of the bindings of a recipe's open goals so many are tried."""
HOPEFUL = 50
"""Where all fail, so many are tried with other objects beside those of the goals."""


class Goal(NamedTuple):
    """A recipe with the objects of its open goals."""

    recipe: BoundRecipe
    objects: Filter
    partial: Binding
    missing: int
    """How many of its conditions that speak of these objects alone do not hold."""

    @property
    def is_bound(self) -> bool:
        return any(bound is not None for bound in self.partial)


class RecipeAchiever(Achiever):
    """Carries recipes out where some of their conditions do not hold yet."""

    def leap(self, recipes: Iterable[tuple[BoundRecipe, Filter]], whole: bool, attempts: int) -> Way | None:
        """A state that ends the leap; recipes that lack least come first, and those that fail often are
        given up. Where all fail, other objects have a turn for the goals that lack least, and as many
        attempts again, for which nobody is charged."""
        self.left = attempts
        self._forbidden = self._forbidden_now()
        goals = sorted(self._goals(recipes), key=self._hope)
        found = self._first(goals, whole, others=False)
        if found is None and self.left > 0:
            left, spent = self.left, attempts - self.left
            self.left = min(left, max(ATTEMPTS, spent))
            found = self._first([goal for goal in goals[:HOPEFUL] if goal.is_bound], whole, others=True)
            self.left = left
        return found or self._goal_closed(lambda way: self._world.ends(way, whole))

    def _first(self, goals: Sequence[Goal], whole: bool, *, others: bool) -> Way | None:
        """By the first of the goals for which that is possible."""
        failures: dict[int, list[Mapping[Bit, bool]]] = {}
        for goal in goals:
            failed = failures.setdefault(id(goal.recipe), [])
            if len(failed) >= TRIED or self.left < 0:
                continue
            found = self._reached(goal, whole, failed, others)
            if found is not None:
                return found
            self._failed(goal)[tuple(goal.partial)] = self._world.facts.commits
        return None

    def _hope(self, goal: Goal) -> tuple[bool, bool, int]:
        """What failed comes last, unless something about its objects has changed since."""
        since = self._failed(goal).get(tuple(goal.partial))
        again = since is not None and not self._world.facts.changed_since(since, goal.partial)
        return again, not goal.is_bound, goal.missing

    def _failed(self, goal: Goal) -> dict[tuple[int | None, ...], int]:
        return goal.recipe.rejected.setdefault(("achieved", self._world.base.course.status.next), {})

    def _reached(self, goal: Goal, whole: bool, failed: list[Mapping[Bit, bool]], others: bool) -> Way | None:
        for binding in self._bindings(goal, others):
            if len(failed) >= TRIED or self.left < 0:
                return None
            if not self._admits(goal.recipe, goal.objects, binding):
                continue
            way, bits = self._carried_out(goal.recipe, binding), self._world.bits(goal.recipe, binding)
            if way is None:
                continue
            if self._world.ends(way, whole):
                goal.objects.accepted(bits)
                for told in failed:
                    goal.objects.rejected(told)
                return way
            goal.objects.rejected(bits)
            failed.append(bits)
        return None

    def _goals(self, recipes: Iterable[tuple[BoundRecipe, Filter]]) -> Iterator[Goal]:
        """Recipes with the objects of their open goals; without any, with none."""
        self._begin()
        for recipe, objects in recipes:
            given = [literal for literal in recipe.literals if literal[0] not in self._completion.changing]
            partials: Iterable[Binding] = [[None] * len(recipe.allowed)]
            bound = set[int]()
            if any(key < 0 for key, _ in given):
                partials = self._world.matcher.partial(recipe, given)
                bound.update(term for _, terms in given for term in terms)
            told = [
                literal
                for literal in recipe.literals
                if literal[0] in self._completion.changing
                and all(term < 0 or term in bound for term in literal[1])
            ]
            opened = [(~key, terms) for key, terms in given if key < 0 and self._forbidden]
            fitting = (known for known in partials if self._admits(recipe, objects, known))
            for partial in islice(fitting, GOALS):
                if self._forbidden.isdisjoint(self._completion.atom(literal, partial) for literal in opened):
                    yield Goal(recipe, objects, partial, self._completion.missing(told, partial))

    def _bindings(self, goal: Goal, others: bool) -> Iterator[tuple[int, ...]]:
        """Objects for all of the recipe: the first ones, or `others`."""
        self._begin()
        literals = [literal for literal in goal.recipe.literals if literal[0] >= 0]
        how = Completing(rows=OBJECTS if others else ROWS)
        found = self._completion.completed(tuple(literals), goal.partial, goal.recipe.allowed, how=how)
        fitting = (objects for objects, _, _ in found if goal.recipe.fits(objects))
        most = OBJECTS if others else 1
        yield from list(islice(fitting, int(others), most if goal.is_bound else TRIED))

    def _admits(self, recipe: BoundRecipe, objects: Filter, binding: Sequence[int | None]) -> bool:
        """Whether the filter has nothing against what is bound."""
        return not objects.active or objects.admits(self._world.bits(recipe, binding))

    def _carried_out(self, recipe: BoundRecipe, binding: tuple[int, ...]) -> Way | None:
        state = self._begin()
        wanted = [
            self._completion.atom(literal, binding)
            for literal in recipe.literals
            if not self._is_given(literal)
        ]
        if not self._all(wanted, ()):
            return None
        return state.recipe(recipe, binding)
