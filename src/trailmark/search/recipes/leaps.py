"""Leaps by recipes: sweeps over the recipes until one ends the leap.

A recipe is tried as it was learned; then with objects that its filters leave out. Where none ends the leap,
what is near is searched; then recipes are tried for which what they lack is achieved, and those for objects
without an open goal. Recipes for whole passes come first, which keeps to one
subject, or the shortest recipes do, whatever progress they make, which collects what is near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trailmark.programs.recipe import MOST_VARIABLES
from trailmark.search.leap.base import Base, Node
from trailmark.search.recipes.book import Entry, RecipeBook
from trailmark.search.recipes.execution import Way
from trailmark.search.recipes.lacking import RecipeAchiever
from trailmark.search.recipes.lift import lift
from trailmark.search.recipes.trying import TRY_WORK, Attempts, Trying
from trailmark.search.recipes.world import World
from trailmark.task.lifted import Action

ACHIEVING_WORK = 10_000
"""Tuples that may be looked at for open goals to be achieved in one leap."""
WORTH = 200
"""So many attempts to achieve something may be in vain for each leap that was made so."""
LONGEST_LEAP = 60
"""Longer leaps of a search are not lifted."""

Sweep = tuple[bool, Trying]
"""Whether only the end of a pass ends the leap, and how recipes are tried."""
NEAREST: tuple[Sweep, ...] = tuple((False, trying) for trying in Trying if trying is not Trying.ANY_GOAL)
WHOLE_FIRST: tuple[Sweep, ...] = (
    (True, Trying.AS_LEARNED),
    (True, Trying.FILTERED_OUT),
    (False, Trying.AS_LEARNED),
    (False, Trying.FILTERED_OUT),
)
LAST: Sweep = (False, Trying.ANY_GOAL)
Search = Callable[[Base, Callable[[], Node | None] | None], Node | None]
"""A search from the base, with a shortcut to be tried once what is near was looked at."""


class RecipeLeaps:
    """The recipes of a program at work on one task."""

    def __init__(self, base: Base, book: RecipeBook, *, whole_first: bool) -> None:
        self.world = World(base)
        self._base = base
        self._book = book
        self._sweeps = WHOLE_FIRST if whole_first else NEAREST
        self._attempts = Attempts(self.world)
        self._order: tuple[int, list[Entry]] = (-1, [])
        self._achiever = RecipeAchiever(self.world)
        self._account = book.account(base.generator.task)
        self._whole_only = False

    def keep_to_whole_passes(self) -> None:
        """From now on only the end of a pass ends a leap, where passes have one."""
        self._whole_only, self._account.in_vain = True, 0

    def leap(self) -> Way | None:
        """A state that ends the leap; None where no recipe leads to one.

        Where nothing ends it, a state will do that closes a goal and changes no counter.
        """
        if not len(self._book):
            return None
        if self._whole_only and self._base.course.has_inner_progress:
            return self._whole_pass()
        self._attempts.goal_closed = None
        return self._swept(self._sweeps) or self._attempts.goal_closed

    def _whole_pass(self) -> Way | None:
        """The end of a pass, by a recipe as it is or one for which what it lacks is achieved."""
        found = self._swept(WHOLE_FIRST[:2])
        if found is None:
            self._base.look_for_whole_pass(True)
            found = self._achieved()
            self._base.look_for_whole_pass(False)
        return found

    def achieving(self, search: Search) -> Node | None:
        """A state that ends the leap, by a search with a shortcut: a recipe for which what it lacks is
        achieved. Where that worked for the last leap, or is expected to, it comes first."""
        if not len(self._book):
            return search(self._base, None)
        found = self._achieved() if self._account.worked else None
        return found or search(self._base, lambda: self._achieved() or self._swept([LAST]))

    def _achieved(self) -> Way | None:
        """What is spent in vain on achieving follows what it was good for."""
        account = self._account
        left = self._achiever.affordable + WORTH * account.achievements - account.in_vain
        if left <= 0:
            return None
        counter = self._base.course.status.next
        whole = self._base.course.whole_pass
        entries = [entry for entry in self._entries() if entry.recipe.whole or not whole]
        bound = [
            (recipe.related(entry.relations(counter)), entry.known_filter(counter))
            for entry in entries
            if (recipe := self._attempts.bind(entry)) is not None
        ]
        matcher = self.world.matcher
        began = matcher.work
        matcher.most_work = began + ACHIEVING_WORK
        found = self._achiever.leap(bound, whole, left)
        spent = left - max(0, self._achiever.left)
        self._base.statistics.work += matcher.work - began + TRY_WORK * spent
        account.worked = found is not None
        if found is None:
            account.in_vain += spent
        account.achievements += found is not None
        return found

    def learn(self, way: Sequence[Action]) -> bool:
        """Lift a leap from the base that a search has found; whether that is a new recipe."""
        if len(way) > LONGEST_LEAP:
            return False
        world = self.world
        whole = self._base.course.has_inner_progress and world.ends(world.replayed(way), True)
        needed = self._needed(list(way), whole)
        if not needed:
            return False
        recipe = lift(needed, world.actions, self._book.repeated, world.is_open_goal, whole)
        if recipe is None or recipe.variables > MOST_VARIABLES:
            return False
        return self._book.add(recipe)

    def _needed(self, way: list[Action], whole: bool) -> list[Action]:
        """The way without actions that it also ends the leap without."""
        place = 0
        while place < len(way):
            shorter = self.world.replayed(way[:place] + way[place + 1 :])
            if self.world.ends(shorter, whole):
                way = shorter.way
            else:
                place += 1
        return way

    def _swept(self, sweeps: Sequence[Sweep]) -> Way | None:
        base = self._base
        has_passes = base.course.has_inner_progress
        found = None
        for whole, trying in sweeps:
            if whole and not has_passes:
                continue
            base.look_for_whole_pass(whole)
            found = self._sweep(
                [entry for entry in self._entries() if entry.recipe.whole or not whole], trying
            )
            if found is not None:
                break
        base.look_for_whole_pass(False)
        return found

    def _entries(self) -> list[Entry]:
        if self._order[0] != self._book.version:
            self._order = self._book.version, list(self._book)
        return self._order[1]

    def _sweep(self, entries: Sequence[Entry], trying: Trying) -> Way | None:
        for entry in entries:
            found = self._attempts.attempt(entry, trying)
            if found is not None:
                entry.used += 1
                return found
        return None
