"""Achieving: an atom is made true by an action, and what that lacks is achieved before it in the same way.

Depth first, with the objects that lack least. That is no search: a choice is taken back only where it leads
nowhere, within a small limit of attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from trailmark.search.recipes.bound import Option, conditions_of
from trailmark.search.recipes.completion import Completing, Completion, unify
from trailmark.search.recipes.execution import Execution, Way
from trailmark.search.recipes.facts import Binding, Literal
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
"""So many open goals are looked at."""


class Achiever:
    """Makes atoms true, and closes goals."""

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

    def _begin(self) -> Execution:
        """From the base again."""
        self._state = self._completion.state = self._world.execution()
        return self._state

    def _is_given(self, literal: Literal) -> bool:
        """Whether no action makes it true: an open goal, or what never changes."""
        return literal[0] not in self._completion.makers

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
