"""Relations between the objects of a recipe: chains of facts from one to another that tell its purpose.

An airplane flies to the city where the goal of its package is. No action of the recipe needs that, and no
object is a good one or a bad one by itself: the pair is. A chain goes through one open goal, and through
facts before and behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from trailmark.relational import Vocabulary
from trailmark.search.recipes.facts import Facts, Key, Literal

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

    def between(self, binding: Sequence[int], variables: Sequence[int]) -> Iterator[Relation]:
        """Those from the objects of these variables to others of the binding."""
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
        for link in self._goals if not has_goal else ():
            for there in self._next(here, link):
                yield from self._chains(there, (*chain, link), True)
        for link in self._links if has_goal or left > 1 else ():
            for there in self._next(here, link):
                yield from self._chains(there, (*chain, link), has_goal)

    def _next(self, here: int, link: Link) -> list[int]:
        row = self._facts.about(link.key, link.source, here)
        return [arguments[link.target] for arguments in row] if len(row) <= MOST_FACTS else []
