"""Trying a recipe: its bindings one after the other, until one ends the leap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from trailmark.search.recipes.book import Entry
from trailmark.search.recipes.bound import BoundRecipe, bind_recipe
from trailmark.search.recipes.execution import Way
from trailmark.search.recipes.filters import Filter
from trailmark.search.recipes.world import World

MOST_TRIED = 100
"""Bindings of a recipe that are carried out in one leap; the next one goes on with others."""
MOST_FILTERED = 10
"""The same for objects that filters leave out."""
MOST_SKIPPED = 1_000
"""Bindings that failed before and are passed by in one leap."""
MOST_WORK = 50_000
"""Tuples that one recipe may look at in one leap."""
FREE_WORK = 3_000
"""Tuples that a recipe may look at in vain before it is left out of some leaps."""
LONGEST_WAIT = 64
TRY_WORK = 30
"""What carrying a recipe out weighs against looking at a tuple."""


class Trying(Enum):
    """How recipes are tried."""

    AS_LEARNED = "as learned"
    FILTERED_OUT = "what filters leave out"
    ANY_GOAL = "without open goals"


class Attempts:
    """Recipes tried in the base of one task."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._bound: dict[Entry, BoundRecipe | None] = {}
        self.goal_closed: Way | None = None
        """The first state of this leap that does not end it but closes a goal, all counters as before."""

    def bind(self, entry: Entry) -> BoundRecipe | None:
        """The recipe for this task; None where it does not fit."""
        known = self._bound.get(entry)
        if entry not in self._bound or (known is not None and known.recipe is not entry.recipe):
            fresh = bind_recipe(entry.recipe, self._world.actions)
            if known is not None and fresh is not None:
                fresh.waits, fresh.losses = known.waits, known.losses
            self._bound[entry] = known = fresh
        return known

    def filter(self, entry: Entry) -> Filter:
        """What objects must be like for the awaited counter."""
        return entry.filter(self._world.base.course.status.next)

    def attempt(self, entry: Entry, trying: Trying) -> Way | None:
        """The state after the recipe for the first objects with which it ends the leap."""
        recipe = self.bind(entry)
        if recipe is None or not self._has_turn(entry, recipe, trying):
            return None
        matcher = self._world.matcher
        began = matcher.work
        matcher.most_work = began + MOST_WORK
        matched = self._matched(entry, recipe, trying)
        how = self._world.base.course.status.next, trying
        reached = None
        for binding in self._candidates(entry, recipe, matched, trying):
            matcher.work += TRY_WORK
            reached = self._carried_out(entry, recipe, binding)
            if reached is not None:
                recipe.losses[how] = 0
                break
        work = matcher.work - began
        self._world.base.statistics.work += work
        if reached is None and work > FREE_WORK:
            recipe.losses[how] = losses = recipe.losses.get(how, 0) + 1
            recipe.waits[how] = min(2**losses, LONGEST_WAIT)
        return reached

    def _has_turn(self, entry: Entry, recipe: BoundRecipe, trying: Trying) -> bool:
        """Whether there is something to try in this way, and the recipe has not to wait."""
        if trying is Trying.FILTERED_OUT and not self.filter(entry).active:
            return False
        if trying is Trying.ANY_GOAL and not recipe.may_be_chance:
            return False
        how = self._world.base.course.status.next, trying
        waits = recipe.waits.get(how, 0)
        if waits:
            recipe.waits[how] = waits - 1
        return not waits

    def _matched(self, entry: Entry, recipe: BoundRecipe, trying: Trying) -> BoundRecipe:
        """The recipe with the literals that are matched."""
        if trying is Trying.ANY_GOAL:
            return recipe.for_any_goal
        objects = self.filter(entry)
        if trying is Trying.FILTERED_OUT or not objects.active:
            return recipe
        asked = tuple(objects.active.items())
        if asked not in recipe.filtered:
            recipe.filtered[asked] = self._filtered(recipe, objects)
        return recipe.filtered[asked]

    def _candidates(
        self, entry: Entry, recipe: BoundRecipe, matched: BoundRecipe, trying: Trying
    ) -> Iterator[list[int]]:
        """The bindings to try, as far as the clock allows."""
        objects, course = self.filter(entry), self._world.base.course
        loose = trying is Trying.ANY_GOAL
        seen = tried = skipped = 0
        variables = len(recipe.allowed)
        known: set[tuple[int, ...]] = set()
        for binding in self._world.matcher.bindings(matched, matched.literals):
            seen += 1
            if len(binding) > variables:
                binding = binding[:variables]
                if tuple(binding) in known:
                    continue
                known.add(tuple(binding))
            if seen % 64 == 0:
                course.look_at_clock(True)
            if not loose and self._admits(recipe, objects, binding) == (trying is Trying.FILTERED_OUT):
                continue
            if self._was_rejected(recipe, binding):
                skipped += 1
                if skipped > MOST_SKIPPED:
                    return
                continue
            tried += 1
            if tried > (MOST_FILTERED if trying is Trying.FILTERED_OUT else MOST_TRIED):
                return
            yield binding

    def _rejected(self, recipe: BoundRecipe) -> dict[tuple[int | None, ...], int]:
        course = self._world.base.course
        return recipe.rejected.setdefault((course.status.next, course.whole_pass), {})

    def _was_rejected(self, recipe: BoundRecipe, binding: list[int]) -> bool:
        """Whether the objects did not end a leap, and nothing about them has changed since."""
        since = self._rejected(recipe).get(tuple(binding))
        return since is not None and not self._world.facts.changed_since(since, binding)

    def _admits(self, recipe: BoundRecipe, objects: Filter, binding: list[int]) -> bool:
        return not objects.active or objects.admits(self._world.bits(recipe, binding))

    def _filtered(self, recipe: BoundRecipe, objects: Filter) -> BoundRecipe:
        """The recipe with literals restricted to objects that the filter admits, where a literal has them,
        and with further ones for the relations that it asks for."""
        facts, literals = self._world.facts, recipe.literals
        for (variable, concept), holds in objects.members.items():
            place = next((n for n, (_, terms) in enumerate(literals) if variable in terms), None)
            if place is not None:
                key, terms = literals[place]
                key = self._world.concepts.restricted(facts, key, terms.index(variable), concept, holds)
                literals = (*literals[:place], (key, terms), *literals[place + 1 :])
        related = recipe.related(objects.relations)
        return replace(related, literals=literals + related.literals[len(literals) :])

    def _carried_out(self, entry: Entry, recipe: BoundRecipe, binding: list[int]) -> Way | None:
        """The state after the recipe where that ends the leap; filters learn from it either way."""
        world = self._world
        reached = world.execution().recipe(recipe, binding)
        objects = self.filter(entry)
        if reached is not None and world.ends(reached, world.base.course.whole_pass):
            if objects.watching:
                objects.accepted(world.bits(recipe, binding))
            return reached
        if reached is not None and world.base.closes_goal(reached.added, reached.deleted):
            self.goal_closed = self.goal_closed or reached
        else:
            self._rejected(recipe)[tuple(binding)] = world.facts.commits
        if reached is None:
            return None
        objects.rejected(world.bits(recipe, binding))
        return None
