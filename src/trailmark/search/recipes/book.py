"""All recipes known for a program, growing with every leap that is lifted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from trailmark.programs.recipe import Recipe, RecipeFilter
from trailmark.search.recipes.filters import Filter, Relation
from trailmark.search.recipes.lift import merged, signature
from trailmark.task import Task


class Entry:
    """A recipe with what was learned of it on any task."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.used = recipe.used
        self.filters: dict[int, Filter] = {}
        """By the place of the awaited counter: what this task has shown. What a model knows of small tasks is
        often chance, and every task finds its own soon enough."""
        self._known: dict[int, Filter] = {}
        """The same as the model has it, for achieving, where every object that is tried in vain is dear."""
        for counter in {known.counter for known in recipe.filters}:
            self._known[counter] = Filter(
                {
                    (known.variable, known.concept): known.holds
                    for known in recipe.filters
                    if known.counter == counter
                }
            )

    def filter(self, counter: int) -> Filter:
        """What objects must be like at this counter."""
        if counter not in self.filters:
            self.filters[counter] = Filter()
        return self.filters[counter]

    def known_filter(self, counter: int) -> Filter:
        """The same where what the recipe lacks is achieved."""
        return self._known.setdefault(counter, Filter())

    def relations(self, counter: int) -> tuple[Relation, ...]:
        """How its objects are related at this counter."""
        found = (*self.filter(counter).relations, *self.known_filter(counter).relations)
        return tuple(dict.fromkeys(found))

    def learned(self) -> Recipe:
        """The recipe as a model keeps it."""
        filters = [
            RecipeFilter(counter, variable, concept, holds)
            for counter, known in sorted(self.filters.items())
            for (variable, concept), holds in known.members.items()
        ]
        return replace(self.recipe, filters=tuple(filters), used=self.used)


@dataclass
class Account:
    """What it was good for to achieve what recipes lack, in all runs on one task."""

    task: Task
    worked: bool
    """Whether it was at the last try; with recipes that learning has kept it is expected to be."""
    achievements: int = 0
    in_vain: int = 0
    """Attempts to achieve something that led to no leap."""


class RecipeBook:
    """Recipes by what they do."""

    def __init__(self, recipes: Iterable[Recipe] = (), repeated: Iterable[str] = ()) -> None:
        self._entries = {signature(recipe): Entry(recipe) for recipe in recipes}
        named = [action for entry in self._entries.values() for action in entry.recipe.actions]
        self.repeated = {action.schema for action in named if action.repeated} | set(repeated)
        """The moves that recipes repeat as often as is needed."""
        self.is_proven = bool(self._entries)
        """Whether it began with recipes that learning has kept."""
        self.version = 0
        """Changes whenever a recipe is added or altered."""
        self._account: Account | None = None

    def __iter__(self) -> Iterator[Entry]:
        """Shortest ones first, then those with fewer variables, then as they were learned."""
        return iter(
            sorted(
                self._entries.values(),
                key=lambda entry: (len(entry.recipe.actions), entry.recipe.variables),
            )
        )

    def __len__(self) -> int:
        return len(self._entries)

    def account(self, task: Task) -> Account:
        """What is known of achieving on this task; another task's is forgotten."""
        if self._account is None or self._account.task is not task:
            self._account = Account(task, worked=self.is_proven)
        return self._account

    def add(self, example: Recipe) -> bool:
        """Learn from one more example; whether the recipe is new."""
        known = self._entries.get(signature(example))
        if known is None:
            self._entries[signature(example)] = Entry(example)
            self.version += 1
            return True
        after = merged(known.recipe, example)
        if after.conditions != known.recipe.conditions:
            self.version += 1
        known.recipe = after
        return False

    def recipes(self, *, used_only: bool = False) -> tuple[Recipe, ...]:
        """What a model keeps."""
        return tuple(entry.learned() for entry in self if entry.used or not used_only)
