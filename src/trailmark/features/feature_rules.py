"""The rules by which features are read off concepts and roles, one complexity after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trailmark.features.batch import function, nullary
from trailmark.features.bits import Bits, Elements, counts, pair_counts
from trailmark.features.distances import DistanceField, Fields, distance_values
from trailmark.features.growth import CHUNK_BYTES, Growth
from trailmark.features.syntax import Expression, Kind, expression

Values = NDArray[np.int32]
Part = tuple[Kind, int]
FeatureDerivation = tuple[str | Expression, tuple[Part, ...]]
FeatureDerivations = Callable[[int], FeatureDerivation]
Features = Iterator[tuple[FeatureDerivations, Values]]
"""Stacks of features, with the derivation of each row."""


@dataclass
class FeatureRules:
    """Every feature of a complexity, by kind, from what has grown so far."""

    growth: Growth
    sizes: dict[int, list[NDArray[Any]]] = field(default_factory=lambda: {0: []})
    """By complexity the sizes of the concepts in every state, or only whether they have members."""

    def __post_init__(self) -> None:
        self.batch = self.growth.batch
        self.allows = self.growth.grammar.allows
        self.fields = Fields(self.growth)

    def numericals(self, complexity: int) -> Features:
        """Functions, and how many pairs roles have."""
        if complexity == 1 and self.allows("n_function", 1):
            for name in self._functions():
                yield _leaf(expression("n_function", name)), function(self.batch, name)[None]
        if self.allows("n_count", complexity):
            for number, values in self._role_counts(complexity - 1):
                yield each_of("n_count", Kind.ROLE, number), values

    def concept_counts(self, complexity: int) -> Features:
        if self.allows("n_count", complexity):
            for number, values in self._concept_sizes(complexity - 1):
                yield each_of("n_count", Kind.CONCEPT, number), values

    def booleans(self, complexity: int) -> Features:
        allows, below = self.allows, complexity - 1
        if complexity == 1 and allows("b_nullary", 1):
            for name in self._nullary():
                values = nullary(self.batch, name)[None].astype(np.int32)
                yield _leaf(expression("b_nullary", name)), values
        for name, wanted in (("b_empty", True), ("b_nonempty", False)):
            if allows(name, complexity):
                for kind, sizes in (
                    (Kind.CONCEPT, self._concept_sizes(below)),
                    (Kind.ROLE, self._role_counts(below)),
                ):
                    for number, values in sizes:
                        yield each_of(name, kind, number), ((values == 0) == wanted).astype(np.int32)
        if allows("b_inclusion", complexity):
            yield from self._inclusions(below)

    def _concept_sizes(self, complexity: int) -> Iterator[tuple[int, Values]]:
        number = self.growth.concepts.first.get(complexity, 0)
        for values in self.sizes[complexity]:
            yield number, values
            number += len(values)

    def _role_counts(self, complexity: int) -> Iterator[tuple[int, Values]]:
        for number, rows in _chunks(self.growth.roles, complexity):
            yield number, pair_counts(rows, self.batch)

    def _functions(self) -> Iterator[str]:
        """The nullary functions that have a value in every state."""
        for name in self.batch.vocabulary.functions:
            if all(name in state.values for _, states in self.batch.trajectories for state in states):
                yield name

    def _nullary(self) -> Iterator[str]:
        for symbol in self.batch.vocabulary.symbols:
            if symbol.arity == 0 and (symbol.goal_of is None or symbol.name in self.growth.goal_versions):
                yield symbol.name

    def distances(self, complexity: int) -> Features:
        if not self.allows("n_concept_distance", complexity):
            return
        concepts, size = self.growth.concepts, complexity - 1
        for field_size in range(2, size):
            fields = self.fields.level(field_size)
            for number, goals in _chunks(concepts, size - field_size):
                for first, values in distance_values(fields, goals, self.batch):
                    yield _distance(fields[first:], number, len(goals)), values

    def _inclusions(self, size: int) -> Features:
        concepts = self.growth.concepts
        for left_size in range(1, size):
            right = concepts.level(size - left_size)
            for index, left in enumerate(concepts.level(left_size)):
                part = (Kind.CONCEPT, concepts.first[left_size] + index)
                outside = counts(left & ~right, self.batch)
                yield (
                    each_of("b_inclusion", Kind.CONCEPT, concepts.first[size - left_size], part),
                    (outside == 0).astype(np.int32),
                )


def _chunks(elements: Elements, complexity: int) -> Iterator[tuple[int, Bits]]:
    """The denotations of a complexity in chunks, each with the number of its first element."""
    level = elements.level(complexity)
    step = max(1, CHUNK_BYTES // (8 * elements.width))
    for begin in range(0, len(level), step):
        yield elements.first[complexity] + begin, level[begin : begin + step]


def _distance(fields: list[DistanceField], first_goal: int, goals: int) -> FeatureDerivations:
    def derivation(index: int) -> FeatureDerivation:
        which, goal = divmod(index, goals)
        start, role = (Kind.CONCEPT, fields[which].start), (Kind.ROLE, fields[which].role)
        return "n_concept_distance", (start, role, (Kind.CONCEPT, first_goal + goal))

    return derivation


def _leaf(feature: Expression) -> FeatureDerivations:
    return lambda index: (feature, ())


def each_of(name: str, kind: Kind, first: int, *before: Part) -> FeatureDerivations:
    return lambda index: (name, (*before, (kind, first + index)))
