"""How far atoms are from holding, and what is in the way of things that move.

A way may lead through places that are closed now: an obstacle is an atom that some action makes true. What
it weighs is found outwards: first obstacles that can be taken away with what is in reach, then those for
which the others must be taken away before. What has no way is as far as the actions that make it true, two
deep.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import inf

from trailmark.search.recipes.bound import Actions, atom_of
from trailmark.search.recipes.completion import Completion, unify
from trailmark.search.recipes.execution import Execution
from trailmark.search.recipes.facts import Binding, Literal
from trailmark.search.recipes.paths import Paths
from trailmark.search.recipes.travel import Leg, Move, Travel
from trailmark.task.lifted.schema import Schema

OPTIONS = 60
"""So many ways to make an atom true are compared."""
DEPTH = 3
"""So many actions deep it is looked for what makes an atom true."""
SPOILED = 20.0
"""What it weighs to undo something that must be achieved again."""


class Ways:
    """Ways and distances in a state that changes."""

    def __init__(
        self, actions: Actions, travel: Travel, completion: Completion, look_at_clock: Callable[[], None]
    ) -> None:
        self._structure = actions.structure
        self._travel = travel
        self._completion = completion
        self._look_at_clock = look_at_clock
        self._moves = actions.moves
        self.kept: Collection[int] = ()
        """What should not be undone on the way."""
        self._weights: dict[int, float] = {}
        """By obstacle: about how many steps it takes to take it away."""
        self._met: set[int] = set()
        """Obstacles beside what is in reach that have no weight yet."""
        self._fixed: set[int] = set()
        """Those that cannot be taken away as things are."""
        self._weighing = False
        self._known: dict[tuple[int, ...], Paths] = {}
        self._far: dict[tuple[int, int], float] = {}
        self._known_at: tuple[Execution | None, int, int] = (None, -1, 0)

    def begin(self) -> None:
        """Obstacles are weighed anew."""
        self._weights.clear()

    def is_place(self, atom: int) -> bool:
        """Whether a thing moves to make the atom true."""
        return next(self.moved(atom), None) is not None

    def moved(self, atom: int) -> Iterator[tuple[Move, list[int]]]:
        """The moves that make the atom true, each with the objects of a first and last place."""
        completion = self._completion
        symbol, arguments = self._structure.decode(atom)
        for schema, number in completion.makers.get(symbol, ()):
            move = self._moves[schema.index]
            if move is None or schema.adds[number] != move.reaches:
                continue
            binding: Binding = [None] * schema.arity
            if not unify(binding, move.reaches.terms, arguments, schema.allowed):
                continue
            wanted = tuple((literal.symbol, literal.terms) for literal in (move.leaves, *move.constant))
            for objects, missing, _ in islice(completion.completed(wanted, binding, schema.allowed), OPTIONS):
                if not missing:
                    yield move, list(objects)

    def obstacles(self, atom: int, closed: Collection[int]) -> list[int] | None:
        """What is missing on the cheapest way, in order, where none of those given is on it; None where there
        is no way."""
        is_true = self._completion.state.is_true
        best: tuple[float, list[int]] | None = None
        for move, objects in self.moved(atom):
            target = objects[move.target]
            while True:
                self._met.clear()
                paths = self._travel.priced(move, objects, self._price(closed))
                if target in paths or not self._weighed():
                    break
            if target in paths and (best is None or paths.cost(target) < best[0]):
                legs = self._travel.legs(move, objects, paths.to(target))
                needed = [atom for leg in legs for atom in leg.needed]
                best = paths.cost(target), [obstacle for obstacle in needed if not is_true(obstacle)]
        return None if best is None else best[1]

    def far(self, atom: int, depth: int = DEPTH) -> float:
        """About how many steps it takes to make an atom true."""
        if self._completion.state.is_true(atom):
            return 0.0
        self._look_again()
        if not depth and not self.is_place(atom):
            return inf
        known = self._far.get((atom, depth))
        if known is None or (known == inf and not self._weighing):
            known = self._far[atom, depth] = self._found(atom, depth)
        return known

    def _look_again(self) -> None:
        """Forget what was found in another state."""
        state = self._completion.state
        if self._known_at != (state, state.version, len(self._weights)):
            self._known_at = state, state.version, len(self._weights)
            self._known.clear()
            self._far.clear()
            self._fixed.clear()

    def _found(self, atom: int, depth: int) -> float:
        self._look_at_clock()
        moves = list(self.moved(atom))
        if moves:
            return min(self._length(move, objects) for move, objects in moves)
        return min((self.cost(*option, depth - 1) for option in self._options(atom)), default=inf)

    def _options(self, atom: int) -> Iterator[tuple[Schema, tuple[int, ...]]]:
        """Actions that make the atom true."""
        symbol, arguments = self._structure.decode(atom)
        for schema, number in self._completion.makers.get(symbol, ()):
            binding: Binding = [None] * schema.arity
            if not unify(binding, schema.adds[number].terms, arguments, schema.allowed):
                continue
            wanted: tuple[Literal, ...] = tuple(
                (literal.symbol, literal.terms) for literal in schema.positive
            )
            for objects, _, _ in self._completion.alternatives(wanted, binding, schema.allowed, OPTIONS):
                yield schema, objects

    def cost(
        self, schema: Schema, objects: Sequence[int], depth: int = DEPTH - 1, on_the_way: bool = False
    ) -> float:
        """About how many steps it takes to do an action; where it is on the way, to come to it costs
        nothing."""
        deletes = (atom_of(self._structure, effect, objects) for effect in schema.deletes)
        cost = 1.0 + SPOILED * sum(atom in self.kept for atom in deletes)
        for literal in schema.positive:
            atom = atom_of(self._structure, literal, objects)
            far = self.far(atom, depth) if cost < inf else inf
            cost += 0.0 if on_the_way and far < inf and self.is_place(atom) else far
        return cost

    @contextmanager
    def as_they_are(self) -> Iterator[None]:
        """No obstacle is weighed: ways lead through those that are known alone."""
        self._weighing = True
        yield
        self._weighing = False

    def _weighed(self) -> bool:
        """Weighs the obstacles that were met; whether some can be taken away."""
        self._look_again()
        with self.as_they_are():
            found = {
                atom: min(
                    (self.cost(*option, on_the_way=True) for option in self._options(atom)), default=inf
                )
                for atom in sorted(self._met - self._fixed)
            }
        known = {atom: weight for atom, weight in found.items() if weight < inf}
        self._fixed |= found.keys() - known.keys()
        self._weights |= known
        return bool(known)

    def _length(self, move: Move, objects: list[int]) -> float:
        """Of the cheapest way; obstacles beyond what is known are weighed until there is one."""
        target = objects[move.target]
        key = (move.schema.index, *objects[: move.target], -1, *objects[move.target + 1 :])
        while True:
            self._look_again()
            paths = self._known.get(key)
            if paths is None:
                if not self._weighing:
                    self._met.clear()
                paths = self._known[key] = self._travel.priced(move, objects, self._price(()))
            if target in paths:
                return paths.cost(target)
            if self._weighing or not self._weighed():
                return inf

    def _price(self, closed: Collection[int]) -> Callable[[Leg], float | None]:
        is_true, weights, achievable = self._completion.state.is_true, self._weights, self._achievable

        def price(leg: Leg) -> float | None:
            weight = 0.0
            for atom in leg.needed:
                if is_true(atom):
                    continue
                known = weights.get(atom)
                if known is None or atom in closed:
                    if not self._weighing and atom not in closed and achievable(atom):
                        self._met.add(atom)
                    return None
                weight += known
            return None if any(map(is_true, leg.excluded)) else weight

        return price

    def _achievable(self, atom: int) -> bool:
        return self._structure.decode(atom)[0] in self._completion.makers
