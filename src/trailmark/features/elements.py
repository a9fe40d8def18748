"""The concepts and roles that a growing pool keeps: one of each denotation, the simplest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trailmark.features.bits import Bits
from trailmark.features.syntax import CONSTRUCTORS, Expression, Kind, expression

Recipe = tuple[str | Expression, int, int]
"""How an element is made: a constructor and the numbers of its parts (the second may be unused), or an
expression without parts. Most elements are never printed, so their expressions are made when needed."""

IMPLIES = "implies"
"""The recipe of `c_all(r_identity(C),D)`, for which no role is stored."""

BYTES_AN_ELEMENT = 300
"""About what Python needs for a recipe, a key and their places in tables, besides the bits."""


@dataclass
class Elements:
    """The elements of one kind, numbered in the order in which they were found."""

    kind: Kind
    width: int
    """The bytes of a denotation."""
    numbers: dict[bytes, int] = field(default_factory=dict)
    recipes: list[Recipe] = field(default_factory=list)
    complexities: list[int] = field(default_factory=list)
    levels: dict[int, Bits] = field(default_factory=dict)
    """The denotations of each complexity, from the element `first[complexity]` on."""
    first: dict[int, int] = field(default_factory=dict)
    _open: list[Bits] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.recipes)

    @property
    def bytes(self) -> int:
        return len(self.recipes) * (2 * self.width + BYTES_AN_ELEMENT)

    def level(self, complexity: int) -> Bits:
        known = self.levels.get(complexity)
        return np.empty((0, self.width), np.uint8) if known is None else known

    def row(self, number: int) -> Bits:
        """The denotation of one element of a closed level."""
        complexity = self.complexities[number]
        row: Bits = self.levels[complexity][number - self.first[complexity]]
        return row

    def add(self, complexity: int, candidates: Bits, recipe: Callable[[int], Recipe]) -> NDArray[np.intp]:
        """Keep the candidates with a new denotation, and say which they are."""
        keys: list[bytes] = candidates.view(f"V{self.width}").ravel().tolist()
        numbers, next_number = self.numbers, len(self.numbers)
        fresh: list[int] = []
        for index, key in enumerate(keys):
            if numbers.setdefault(key, next_number) == next_number:
                fresh.append(index)
                next_number += 1
        if fresh:
            self._open.append(candidates[fresh])
            self.recipes.extend(recipe(index) for index in fresh)
            self.complexities.extend([complexity] * len(fresh))
        return np.array(fresh, np.intp)

    def number_of(self, denotation: Bits) -> int | None:
        """The element with this denotation."""
        return self.numbers.get(denotation.tobytes())

    def close(self, complexity: int) -> None:
        """No more elements of this complexity will come."""
        self.first[complexity] = len(self.recipes) - sum(map(len, self._open))
        self.levels[complexity] = np.concatenate([np.empty((0, self.width), np.uint8), *self._open])
        self._open.clear()


class Speller:
    """Makes the expressions of elements from their recipes, each once."""

    def __init__(self, concepts: Elements, roles: Elements) -> None:
        self._elements = {Kind.CONCEPT: concepts, Kind.ROLE: roles}
        self._made: dict[tuple[Kind, int], Expression] = {}

    def spell(self, kind: Kind, number: int) -> Expression:
        made = self._made.get((kind, number))
        if made is None:
            made = self._made[kind, number] = self._spell(*self._elements[kind].recipes[number])
        return made

    def _spell(self, name: str | Expression, left: int, right: int) -> Expression:
        if isinstance(name, Expression):
            return name
        if name == IMPLIES:
            condition = expression("r_identity", self.spell(Kind.CONCEPT, left))
            return expression("c_all", condition, self.spell(Kind.CONCEPT, right))
        takes = CONSTRUCTORS[name].takes
        parts = zip(takes, (left, right), strict=False)
        return expression(name, *(self.spell(kind, part) for kind, part in parts if isinstance(kind, Kind)))
