"""Goal by goal: one open goal after the other is achieved, the nearest first, and kept.

Where what changes decides which ways are open, as doors with keys do, a leap to the next landmark may open
ways that nobody needs. Here what a goal needs is achieved, and only what is in the way of that is taken away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from trailmark.search.recipes.achieve import Achiever
from trailmark.search.recipes.bound import Option, conditions_of
from trailmark.search.recipes.execution import Execution, Way
from trailmark.search.recipes.travel import find_move
from trailmark.search.recipes.ways import OPTIONS, Ways
from trailmark.search.recipes.world import World
from trailmark.task.lifted import LiftedGenerator

RANKED = 24
NEAREST = 5
"""Of so many goals so many are tried."""
ATTEMPTS = 300
"""Atoms that may be tried to be achieved for one goal."""
OBSTACLES = 50
"""So many things are tried to be taken out of one way."""
CHOICES = 6
"""So many options are tried for an atom."""


def ways_may_be_blocked(generator: LiftedGenerator) -> bool:
    """Whether something that changes decides where things can move."""
    moves = map(find_move, generator.schemas)
    return any(move is not None and not move.is_static for move in moves)


class GoalByGoal(Achiever):
    """Achieves goals by ways that may have to be cleared."""

    longest = 4_000

    def __init__(self, world: World) -> None:
        super().__init__(world)
        course = world.base.course
        self._ways = Ways(
            world.actions, world.travel, self._completion, lambda: course.look_at_clock(always=True)
        )

        self._distances: dict[int, float] = {}
        """How far goals were when that was last asked."""

    def next(self) -> Way | None:
        """A state with one more goal that holds, and all others as before."""
        base = self._world.base
        goals, root = base.goals.positive, base.state.root
        held = sorted(goals & root)
        self._ways.kept = frozenset(held)
        self._begin()
        for goal in self._nearest(sorted(goals - root - self._forbidden_now())):
            state, self.left = self._begin(), ATTEMPTS
            if self._all([goal, *held], ()):
                way = state.reached()
                if base.has_fewer_goals(way.added, way.deleted):
                    return way
        return None

    def _nearest(self, goals: list[int]) -> list[int]:
        """The goals that are nearest now, of those that were last time. Obstacles are weighed only where all
        goals lie behind some."""
        goals = sorted(goals, key=lambda goal: self._distances.get(goal, 0.0))[:RANKED]
        with self._ways.as_they_are():
            self._distances |= {goal: self._ways.far(goal) for goal in goals}
        if all(self._distances[goal] == inf for goal in goals):
            self._distances |= {goal: self._ways.far(goal) for goal in goals}
        return sorted(goals, key=self._distances.__getitem__)[:NEAREST]

    def _begin(self) -> Execution:
        self._ways.begin()
        return super()._begin()

    def _in_order(self, missing: list[int], above: tuple[int, ...]) -> list[int]:
        """Ways are cleared first and walked last: what is fetched need not be put down to open a door."""
        for atom in missing:
            self._clear_way(atom, above)
        return sorted(missing, key=self._ways.is_place)

    def _clear_way(self, atom: int, above: tuple[int, ...]) -> None:
        """Achieves what is in the way, where things move to make the atom true."""
        closed = {*above, atom}
        for _ in range(OBSTACLES):
            missing = self._ways.obstacles(atom, closed)
            if not missing:
                return
            before = self._state.mark()
            if not self._achieve(missing[0], (*above, atom), ()):
                self._state.back_to(before)
                closed.add(missing[0])

    def _options(self, atom: int, above: tuple[int, ...], wanted: Sequence[int]) -> Iterator[Option]:
        """Those that are nearest."""
        found: list[Option] = []
        for schema, move, binding in self._makers(atom):
            literals = conditions_of(schema, move)
            for objects, missing, free in self._completion.alternatives(
                literals, binding, schema.allowed, OPTIONS
            ):
                cost = float(missing) if move else self._ways.cost(schema, objects)
                option = Option(schema, objects, move, self._needed(schema, objects, move), (cost, free))
                if not self._is_circular(option, above):
                    found.append(option)
        yield from sorted(found, key=lambda option: option.cost)[:CHOICES]
