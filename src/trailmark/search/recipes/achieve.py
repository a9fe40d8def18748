"""Achieving what a recipe lacks: its conditions one by one, each by an action that makes it true.

A recipe was seen with a clear block; elsewhere the block is buried, and so is the place it belongs on. What
an action needs is achieved before it in the same way, depth first, with the objects that lack least. That
is no search: a choice is taken back only where it leads nowhere, within a small limit of attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from trailmark.search.recipes.bound import BoundRecipe, Option, conditions_of
from trailmark.search.recipes.completion import OBJECTS, ROWS, Completing, Completion, unify
from trailmark.search.recipes.execution import Execution, Way
from trailmark.search.recipes.facts import Binding, Literal
from trailmark.search.recipes.filters import Bit, Filter
from trailmark.search.recipes.travel import Move
from trailmark.search.recipes.world import World
from trailmark.task.lifted.schema import Schema

ATTEMPTS = 1_000
ATTEMPTS_PER_OBJECT = 15
"""Atoms that may be tried in vain."""
DEEPEST = 200
CHOICES = 6
"""So many ways to bind a schema are looked at."""
TURNS = 2
"""Which condition binds an object decides which others are missing; where one fails another has its turn."""
ROUNDS = 3
"""What is achieved may be undone while something else is; so often it is looked after."""
GOALS = 1_000
"""So many bindings of a recipe's open goals are looked at,"""
TRIED = 200
"""of which so many are tried."""
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


class Achiever:
    """Carries recipes out where some of their conditions do not hold yet."""

    longest = 400
    """Actions of a leap."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._structure = world.actions.structure
        self._state = world.execution()
        self._completion = Completion(world.actions, self._state)
        self._known: dict[tuple[int, int, int], list[tuple[Option, set[int], set[int]]]] = {}
        """The options for an atom in a state by its version; the same states are met again and again."""
        world.base.followers.append(lambda added, deleted: self._known.clear())
        self._forbidden: set[int] = set()
        """The open goals that guards forbid where the leap begins."""
        self.affordable = ATTEMPTS + ATTEMPTS_PER_OBJECT * len(self._structure.objects)
        self.left = self.affordable
        """How many more atoms may be tried to be achieved."""

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

    def close_goal(self) -> Way | None:
        """A state with one more goal that holds, and all others as before, whatever the counters say. What is
        tried in vain is not had again until something was achieved."""
        base = self._world.base
        self._forbidden = self._forbidden_now()
        found = self._goal_closed(lambda way: base.has_fewer_goals(way.added, way.deleted))
        if found is not None:
            self.left = self.affordable
        return found

    def _forbidden_now(self) -> set[int]:
        """The open goals with which a guard holds as things are: others come before them."""
        base = self._world.base
        opened = base.goals.positive - base.state.root if base.guards.watching else ()
        return {goal for goal in opened if base.guards.hold({goal}, set())}

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

    def _goal_closed(self, ends: Callable[[Way], bool]) -> Way | None:
        """A state that ends the leap with one more goal that holds, and all others as before."""
        goals, root = self._world.base.goals.positive, self._world.base.state.root
        held = sorted(goals & root)
        for goal in sorted(goals - root - self._forbidden)[:GOALS]:
            state = self._begin()
            if self.left > 0 and self._all([goal, *held], ()):
                way = state.reached()
                if ends(way):
                    return way
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

    def _begin(self) -> Execution:
        """From the base again."""
        self._state = self._completion.state = self._world.execution()
        return self._state

    def _is_given(self, literal: Literal) -> bool:
        """Whether no action makes it true: an open goal, or what never changes."""
        return literal[0] not in self._completion.makers

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

    def _all(self, wanted: Sequence[int], above: tuple[int, ...]) -> bool:
        """Makes all of these atoms true; whether that was possible."""
        for _ in range(ROUNDS):
            missing = [atom for atom in wanted if not self._state.is_true(atom)]
            if not missing:
                return True
            for atom in self._in_order(missing, above):
                if not self._achieve(atom, above, wanted):
                    return False
        return all(map(self._state.is_true, wanted))

    def _in_order(self, missing: list[int], above: tuple[int, ...]) -> list[int]:
        """In which order atoms are made true."""
        return missing

    def _achieve(self, atom: int, above: tuple[int, ...], wanted: Sequence[int]) -> bool:
        state = self._state
        if state.is_true(atom):
            return True
        self.left -= 1
        if self.left % 64 == 0:
            self._world.base.course.look_at_clock(True)
        if atom in above or self.left < 0 or len(above) > DEEPEST or len(state.way) > self.longest:
            return False
        above = (*above, atom)
        for option in self._options(atom, above, wanted):
            before = state.mark()
            if self._done(option, above):
                return True
            state.back_to(before)
        return False

    def _options(self, atom: int, above: tuple[int, ...], wanted: Sequence[int]) -> Iterator[Option]:
        """The options to try, in that order; last those with objects that only looking ahead finds."""
        for turn in range(TURNS + 1):
            yield from self._best(self._possible(atom, above, wanted, turn))

    def _best(self, options: Iterable[Option]) -> list[Option]:
        """Of each schema the option that lacks least, in that order."""
        found: dict[int, Option] = {}
        for option in options:
            known = found.get(option.schema.index)
            if known is None or option.cost < known.cost:
                found[option.schema.index] = option
        return sorted(found.values(), key=lambda option: option.cost)

    def _done(self, option: Option, above: tuple[int, ...]) -> bool:
        if not self._all(option.needed, above):
            return False
        if option.move:
            return self._state.travelled(option.move, list(option.objects))
        return self._state.do(option.schema, option.objects)

    def _needed(self, schema: Schema, objects: Sequence[int], move: Move | None) -> list[int]:
        needed = conditions_of(schema, move)
        return [self._completion.atom(literal, objects) for literal in needed if not self._is_given(literal)]

    def _possible(
        self, atom: int, above: tuple[int, ...], wanted: Sequence[int], turn: int
    ) -> Iterator[Option]:
        """The options that do not need what they serve. What they spoil of what is wanted is missing too, and
        what else of it they make true is not; of equal ones that comes first which makes most of it true,
        even if it holds: it may not any more when what is missing is done."""
        key = self._state.version, atom, turn
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = list(self._found(atom, turn))
        for option, adds, deletes in known:
            if not self._is_circular(option, above):
                missing, free = option.cost
                spoiled = len(deletes.intersection(wanted))
                served = adds.intersection(wanted)
                gained = sum(not self._state.is_true(other) for other in served)
                yield replace(option, cost=(missing + spoiled - gained, -len(served), free))

    def _found(self, atom: int, turn: int) -> Iterator[tuple[Option, set[int], set[int]]]:
        """Options in the current state, each with the atoms that it makes true and false."""
        for schema, move, binding in self._makers(atom):
            effects, conditions = (
                self._world.base.generator.effects_of[schema.index],
                conditions_of(schema, move),
            )
            how = Completing(ahead=turn == TURNS)
            completed = self._completion.completed(conditions, binding, schema.allowed, turn % TURNS, how)
            for objects, missing, free in islice(completed, CHOICES):
                adds, deletes = effects((schema.index, *objects))
                needed = self._needed(schema, objects, move)
                option = Option(schema, objects, move, needed, (missing, free))
                yield option, set(adds), set(deletes).difference(adds)

    def _makers(self, atom: int) -> Iterator[tuple[Schema, Move | None, Binding]]:
        """The actions that make the atom true, with the objects it says; as a move where it is one."""
        symbol, arguments = self._structure.decode(atom)
        for schema, number in self._completion.makers.get(symbol, ()):
            binding: Binding = [None] * schema.arity
            if unify(binding, schema.adds[number].terms, arguments, schema.allowed):
                move = self._world.actions.journeys[schema.index]
                if move is None or schema.adds[number] != move.reaches:
                    yield schema, None, binding
                elif not move.is_another:
                    yield schema, move, binding

    def _is_circular(self, option: Option, above: tuple[int, ...]) -> bool:
        """Whether it needs what it is to serve."""
        return any(atom in above and not self._state.is_true(atom) for atom in option.needed)
