"""Filters: what tells the objects a recipe works for from those it does not, learned from counterexamples.

A recipe's conditions say what its actions need, not what a counter counts. The concepts of the counters do:
a binding that fails differs in one of them from all that succeeded, and the concept that is blamed most often
is asked for from then on. What an accepted binding contradicts is asked for no more.

Relations between two objects are asked for in the same way: chains of facts from one to another that tell
the recipe's purpose. An airplane flies to the city where the goal of its package is. No action of the recipe
needs that, and no object is a good one or a bad one by itself: the pair is. A chain goes through one open
goal, and through facts before and behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from trailmark.features.incremental.evaluation import bind, moved_members
from trailmark.features.syntax import Expression, Kind, expression, subexpressions, with_open_goal
from trailmark.relational import Interpretation, Vocabulary
from trailmark.search.recipes.facts import Facts, Key, Literal, Restriction
from trailmark.task import Task

LONGEST_CHAIN = 3
MOST_FACTS = 30
"""What an object has more facts of than this tells little about it."""


@dataclass(frozen=True)
class Link:
    """A fact that leads from the object at one of its places to that at another."""

    key: Key
    arity: int
    source: int
    target: int


@dataclass(frozen=True)
class Relation:
    """A chain of facts from the object of one variable to that of another."""

    first: int
    last: int
    chain: tuple[Link, ...]

    def holds(self, binding: Sequence[int], facts: Facts) -> bool:
        """Whether there is such a chain between the objects of a binding."""
        reached = {binding[self.first]}
        for link in self.chain:
            reached = {
                arguments[link.target]
                for there in reached
                for arguments in facts.about(link.key, link.source, there)
            }
        return binding[self.last] in reached

    def literals(self, variables: int) -> tuple[list[Literal], int]:
        """The chain as literals, with further variables from this number on, and how many there are then."""
        found: list[Literal] = []
        here = self.first
        for number, link in enumerate(self.chain, 1):
            further = count(variables)
            there = self.last if number == len(self.chain) else next(further)
            ends = {link.source: here, link.target: there}
            terms = tuple(ends[place] if place in ends else next(further) for place in range(link.arity))
            found.append((link.key, terms))
            here, variables = there, next(further)
        return found, variables


Bit = tuple[int, Expression] | Relation
"""A variable and a concept that its object is in or not; or a relation that objects stand in or not."""


def concepts_of(features: Iterable[Expression], vocabulary: Vocabulary) -> list[Expression]:
    """The concepts that these features are made of and, for every goal predicate they mention, the objects
    at each place of goals that are still open."""
    parts = list(subexpressions(list(features)))
    found = {part: None for part in parts if part.kind is Kind.CONCEPT and part.constructor.name != "c_top"}
    mentioned = {part.arguments[0] for part in parts if part.constructor.name.endswith("_primitive")}
    for symbol in vocabulary.symbols:
        if symbol.goal_of is not None and symbol.arity <= 2 and {symbol.name, symbol.goal_of} & mentioned:
            found.update(dict.fromkeys(with_open_goal(symbol)))
    return list(found)


class Concepts:
    """Which objects are in which concepts, in the base."""

    def __init__(self, task: Task, concepts: Sequence[Expression], atoms: frozenset[int]) -> None:
        numbers = {term.function: value for term, value in task.model.initial_values if not term.terms}
        evaluator = bind([expression("n_count", concept) for concept in concepts], task.structure)
        self._evaluation = evaluator.start(Interpretation(atoms, numbers))
        self._places = {concept: place for place, concept in enumerate(concepts)}
        self._tables: dict[Expression, tuple[bytearray, bool]] = {}
        self._restricted: dict[tuple[int, int, Expression, bool], tuple[int, Restriction]] = {}

    def commit(self, added: Collection[int], deleted: Collection[int], facts: Facts) -> None:
        """The base has changed by these atoms."""
        asked = {concept: None for _, _, concept, _ in self._restricted}
        places = {concept: self._places[concept] for concept in asked if concept in self._places}
        self._evaluation, changed = moved_members(self._evaluation, list(places.values()), added, deleted)
        self._tables.clear()
        objects = dict(zip(places, changed, strict=True))
        for (_, _, concept, _), (key, restriction) in self._restricted.items():
            facts.objects_changed(key, restriction, objects.get(concept, ()))

    def restricted(self, facts: Facts, key: int, place: int, concept: Expression, holds: bool) -> int:
        """The key of the facts whose object at a place is in the concept, or is not."""
        wanted = key, place, concept, holds
        if wanted not in self._restricted:
            restriction = Restriction(
                key, place, lambda candidate: self.contains(concept, candidate) == holds
            )
            self._restricted[wanted] = facts.restrict(restriction), restriction
        return self._restricted[wanted][0]

    def contains(self, concept: Expression, candidate: int) -> bool:
        """Whether the object is in the concept; False for one that is not known."""
        table = self._tables.get(concept)
        if table is None:
            place = self._places.get(concept)
            if place is None:
                return False
            table = self._tables[concept] = self._evaluation.members(place)
        members, negated = table
        return (not members[candidate]) if negated else bool(members[candidate])


class Filter:
    """What is known of the objects of one recipe at one counter."""

    def __init__(self, active: Mapping[Bit, bool] | None = None) -> None:
        self._common: dict[Bit, bool] | None = None
        """Bits that were the same in all accepted bindings; None before the first."""
        self.watching = bool(active)
        """Whether bits matter: not before a binding was rejected."""
        self._blamed: dict[Bit, int] = {}
        """How often a rejected binding differed in a common bit."""
        self.active: dict[Bit, bool] = dict(active or {})
        """Bits that are asked for."""

    @property
    def members(self) -> dict[tuple[int, Expression], bool]:
        """Those bits of them that speak of one object."""
        return {bit: holds for bit, holds in self.active.items() if not isinstance(bit, Relation)}

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Those that speak of two."""
        return tuple(bit for bit in self.active if isinstance(bit, Relation))

    def admits(self, bits: Mapping[Bit, bool]) -> bool:
        """Whether all bits are as is asked for, as far as they are known."""
        return all(bits.get(bit, holds) == holds for bit, holds in self.active.items())

    def accepted(self, bits: Mapping[Bit, bool]) -> None:
        """A binding with these bits ended the leap."""
        if self._common is None:
            self._common = dict(bits)
        else:
            self._common = {bit: holds for bit, holds in self._common.items() if bits.get(bit) == holds}
        self.active = {bit: holds for bit, holds in self.active.items() if self._common.get(bit) == holds}

    def rejected(self, bits: Mapping[Bit, bool]) -> None:
        """A binding with these bits did not."""
        self.watching = True
        if self._common is None:
            return
        differing = [bit for bit, holds in self._common.items() if bits.get(bit) != holds]
        for bit in differing:
            self._blamed[bit] = self._blamed.get(bit, 0) + 1
        if differing and not any(bit in self.active for bit in differing):
            worst = max(differing, key=self._blamed.__getitem__)
            self.active[worst] = self._common[worst]


class Relations:
    """Finds the relations between objects."""

    def __init__(self, facts: Facts, vocabulary: Vocabulary) -> None:
        self._facts = facts
        places = [
            (number, symbol.arity, source, target)
            for number, symbol in enumerate(vocabulary.symbols)
            if symbol.goal_of is None
            for source in range(symbol.arity)
            for target in range(symbol.arity)
            if source != target
        ]
        self._links = [Link(*place) for place in places]
        self._goals = [Link(~number, *rest) for number, *rest in places]
        self._known: dict[tuple[int, bool], list[tuple[Link, int]]] = {}

    def between(self, binding: Sequence[int], variables: Sequence[int]) -> Iterator[Relation]:
        """Those from the objects of these variables to others of the binding."""
        self._known.clear()
        for first in variables:
            for chain, reached in dict.fromkeys(self._chains(binding[first], (), False)):
                for last, end in enumerate(binding):
                    if end == reached and last != first:
                        yield Relation(first, last, chain)

    def _chains(
        self, here: int, chain: tuple[Link, ...], has_goal: bool
    ) -> Iterator[tuple[tuple[Link, ...], int]]:
        """Chains through one open goal, and where they end."""
        left = LONGEST_CHAIN - len(chain)
        if has_goal:
            yield chain, here
        if not left:
            return
        if not has_goal:
            for link, there in self._next(here, goals=True):
                yield from self._chains(there, (*chain, link), True)
        if has_goal or left > 1:
            for link, there in self._next(here, goals=False):
                yield from self._chains(there, (*chain, link), has_goal)

    def _next(self, here: int, *, goals: bool) -> list[tuple[Link, int]]:
        """Where open goals or facts lead from an object."""
        known = self._known.get((here, goals))
        if known is None:
            known = self._known[here, goals] = [
                (link, arguments[link.target])
                for link in (self._goals if goals else self._links)
                if len(row := self._facts.about(link.key, link.source, here)) <= MOST_FACTS
                for arguments in row
            ]
        return known
