"""Carrying a recipe out: its actions one after the other from the base, every precondition checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from trailmark.search.leap.base import Base, Node, change
from trailmark.search.recipes.bound import Actions, BoundRecipe, atom_of
from trailmark.search.recipes.facts import Arguments, Binding, Facts
from trailmark.search.recipes.travel import Leg, Move, Travel, ground, possible, respects
from trailmark.task.lifted import Action
from trailmark.task.lifted.schema import Schema


class Way(Node):
    """A state with the actions that lead to it from the base."""

    __slots__ = ("way",)

    def __init__(self, added: set[int], deleted: set[int], way: list[Action]) -> None:
        super().__init__(None, (), (), (), added, deleted, True)
        self.way = way

    def actions(self) -> list[Action]:
        return self.way


Mark = tuple[int, int, set[int], set[int]]

_versions = count(1)


class Execution:
    """A state that changes action by action, as a difference to the base."""

    def __init__(self, base: Base, actions: Actions, facts: Facts, travel: Travel) -> None:
        self._base = base
        self._facts = facts
        self._structure = actions.structure
        self._static = actions.structure.static_atoms
        self._travel = travel
        self._guarded = base.guards.watching
        self.way: list[Action] = []
        self.version = 0
        """Changes with the state, and is the same where that is; the base has 0."""
        self._added: set[int] = set()
        self._deleted: set[int] = set()
        self._changed_at = -1
        """The version of which the changed tuples are known by predicate."""

    def reached(self) -> Way:
        """The current state."""
        return Way(self._added, self._deleted, self.way)

    def mark(self) -> Mark:
        """Where to come back to."""
        return self.version, len(self.way), self._added.copy(), self._deleted.copy()

    def back_to(self, mark: Mark) -> None:
        self.version, length, self._added, self._deleted = mark
        del self.way[length:]

    def tuples(self, symbol: int, terms: Sequence[int], binding: Binding) -> Iterator[Arguments]:
        """The tuples of a predicate in the current state, as far as one object that is bound restricts
        them."""
        if self._changed_at != self.version:
            self._changed_at = self.version
            self._more, self._less = self._by_symbol(self._added), self._by_symbol(self._deleted)
        less = self._less.get(symbol, ())
        for arguments in self._facts.row(symbol, terms, binding) or ():
            if arguments not in less:
                yield arguments
        yield from self._more.get(symbol, ())

    def _by_symbol(self, atoms: set[int]) -> dict[int, list[Arguments]]:
        found: dict[int, list[Arguments]] = {}
        for symbol, arguments in map(self._structure.decode, sorted(atoms)):
            found.setdefault(symbol, []).append(arguments)
        return found

    def holds(self, symbol: int, arguments: Sequence[int]) -> bool:
        """Whether the atom holds in the current state."""
        return self.is_true(self._structure.encode(symbol, arguments))

    def recipe(self, recipe: BoundRecipe, binding: Sequence[int]) -> Way | None:
        """The state after the recipe; None where an action is not applicable or a guard holds."""
        for action in recipe.actions:
            objects = [binding[term] if term >= 0 else ~term for term in action.terms]
            if not (self.travelled(action.move, objects) if action.move else self.do(action.schema, objects)):
                return None
        return self.reached()

    def actions(self, actions: Sequence[Action]) -> Way:
        """The state after those of the actions that are applicable in turn."""
        for action in actions:
            self.do(self._base.generator.schemas[action[0]], action[1:])
        return self.reached()

    def travelled(self, move: Move, objects: list[int]) -> bool:
        """Moves by a shortest way; whether there is one."""
        source, target = objects[move.source], objects[move.target]
        if not all(
            self.holds(literal.symbol, ground(literal, objects)) for literal in (move.leaves, *move.constant)
        ):
            return False
        if source == target:
            return True
        paths = self._travel.paths(move, objects, self.is_true)
        if target not in paths:
            return False
        places = paths.to(target)
        steps = [leg.action for leg in self._travel.legs(move, objects, places, self._possible)]
        if not move.is_plain or self._guarded or not move.is_static:
            return all(self.do(self._base.generator.schemas[step[0]], step[1:]) for step in steps)
        self.way += steps
        # The steps between cancel out.
        leaves, reaches = (
            atom_of(self._structure, literal, objects) for literal in (move.leaves, move.reaches)
        )
        self._change((reaches,), (leaves,))
        return True

    def do(self, schema: Schema, objects: Sequence[int]) -> bool:
        """Applies an action where that is possible; whether it was, and no guard holds after it."""
        if not self._applicable(schema, objects):
            return False
        action = (schema.index, *objects)
        adds, deletes = self._base.generator.effects_of[schema.index](action)
        self._change(adds, deletes)
        self.way.append(action)
        return not (self._guarded and self._base.forbidden(self._added, self._deleted))

    def _possible(self, leg: Leg) -> bool:
        return possible(leg, self.is_true)

    def _applicable(self, schema: Schema, objects: Sequence[int]) -> bool:
        structure = self._structure
        return (
            respects(schema, objects)
            and all(self.is_true(atom_of(structure, literal, objects)) for literal in schema.positive)
            and not any(self.is_true(atom_of(structure, literal, objects)) for literal in schema.negative)
        )

    def is_true(self, atom: int) -> bool:
        if atom in self._added:
            return True
        return atom not in self._deleted and (atom in self._base.state.root or atom in self._static)

    def _change(self, adds: Sequence[int], deletes: Sequence[int]) -> None:
        self.version = next(_versions)
        change(self._added, self._deleted, self._base.state.root, adds, deletes)
