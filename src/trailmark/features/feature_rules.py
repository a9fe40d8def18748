"""The rules by which features are read off concepts and roles, one complexity after the other.

Distances go from a concept with one object in every state, along a role, to any concept. Those from the
start to every node (a field) are computed once for each start and role, and only different fields are kept.
The distance to a concept is then the least value of the field on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trailmark.features.batch import function, nullary
from trailmark.features.bits import Bits, Edges, Elements, by_node, counts, edges, unpack
from trailmark.features.growth import CHUNK_BYTES, Growth
from trailmark.features.states import StateBatch
from trailmark.features.syntax import INFINITE, Expression, Kind, expression

Field = NDArray[np.int32]


@dataclass(frozen=True)
class DistanceField:
    """The distance of every node from a start concept along a role."""

    start: int
    role: int
    steps: Field


class Fields:
    """The different distance fields of each complexity (of start and role together)."""

    def __init__(self, growth: Growth) -> None:
        self._growth = growth
        self._known: set[bytes] = set()
        self._levels: dict[int, list[DistanceField]] = {}
        self.starts: dict[int, NDArray[np.intp]] = {}
        """Which concepts of a complexity (their places in the level) have one object in every state."""

    def level(self, complexity: int) -> list[DistanceField]:
        if complexity not in self._levels:
            self._levels[complexity] = [
                field
                for start_complexity in range(1, complexity)
                for field in self._fields(start_complexity, complexity - start_complexity)
            ]
        return self._levels[complexity]

    def _fields(self, start_complexity: int, role_complexity: int) -> Iterator[DistanceField]:
        growth = self._growth
        starts = self.starts[start_complexity]
        first = growth.roles.first.get(role_complexity, 0)
        chosen = [
            index
            for index in range(len(growth.roles.level(role_complexity)))
            if _outermost(growth.roles.derivations[first + index][0]) in growth.grammar.distance_roles
        ]
        if not len(starts) or not chosen:
            return
        sources = growth.concepts.level(start_complexity)[starts]
        backwards = edges(growth.roles.level(role_complexity)[chosen], growth.batch, backwards=True)
        for position, role in enumerate(chosen):
            for start, steps in zip(starts, _spread(sources, backwards, position, growth.batch), strict=True):
                key = steps.tobytes()
                if key not in self._known:
                    self._known.add(key)
                    yield DistanceField(
                        growth.concepts.first[start_complexity] + int(start), first + role, steps
                    )


def _outermost(derivation: str | Expression) -> str:
    return derivation.constructor.name if isinstance(derivation, Expression) else derivation


def _spread(sources: Bits, backwards: Edges, role: int, batch: StateBatch) -> Field:
    """The field of every source along one role, by breadth-first search of all at once."""
    nodes, count = int(batch.nodes[-1]), len(sources)
    low, high = backwards.role_rows[role], backwards.role_rows[role + 1]
    begin, end = backwards.role_edges[role], backwards.role_edges[role + 1]
    reached = by_node(sources)
    rows, starts = backwards.row[low:high] - role * len(reached), backwards.first[low:high] - begin
    steps = np.full((count, nodes), INFINITE, np.int32)
    distance, news = 0, reached
    while news.any():
        new_nodes, who = np.nonzero(unpack(news.view(np.uint8)[:nodes], count))
        steps[who, new_nodes] = distance
        if begin == end:
            break
        wider = reached.copy()
        wider[rows] |= np.bitwise_or.reduceat(
            reached.take(backwards.target[begin:end], axis=0), starts, axis=0
        )
        distance, news, reached = distance + 1, wider & ~reached, wider
    return steps


Values = NDArray[np.int32]
Spelled = Callable[[int], Expression]
Features = Iterator[tuple[Spelled, Values]]
"""Stacks of features: the values, and what makes the feature of a row."""


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
            states = [state for _, states in self.batch.trajectories for state in states]
            for name in self.batch.vocabulary.functions:
                if all(name in state.values for state in states):
                    yield partial(_leaf, "n_function", name), function(self.batch, name)[None]
        if self.allows("n_count", complexity):
            for number, values in self._role_counts(complexity - 1):
                yield self.each_of("n_count", Kind.ROLE, number), values

    def concept_counts(self, complexity: int) -> Features:
        if self.allows("n_count", complexity):
            for number, values in self._concept_sizes(complexity - 1):
                yield self.each_of("n_count", Kind.CONCEPT, number), values

    def booleans(self, complexity: int) -> Features:
        allows, below = self.allows, complexity - 1
        if complexity == 1 and allows("b_nullary", 1):
            for name, arity in self.growth.predicates():
                if arity == 0:
                    values = nullary(self.batch, name)[None].astype(np.int32)
                    yield partial(_leaf, "b_nullary", name), values
        if allows("b_empty", complexity):
            for kind, sizes in (
                (Kind.CONCEPT, self._concept_sizes(below)),
                (Kind.ROLE, self._role_counts(below)),
            ):
                for number, values in sizes:
                    yield self.each_of("b_empty", kind, number), (values == 0).astype(np.int32)

    def _concept_sizes(self, complexity: int) -> Iterator[tuple[int, Values]]:
        number = self.growth.concepts.first.get(complexity, 0)
        for values in self.sizes[complexity]:
            yield number, values
            number += len(values)

    def _role_counts(self, complexity: int) -> Iterator[tuple[int, Values]]:
        for number, rows in _chunks(self.growth.roles, complexity):
            yield number, counts(rows, self.batch, Kind.ROLE)

    def distances(self, complexity: int) -> Features:
        if not self.allows("n_concept_distance", complexity):
            return
        nodes, starts = int(self.batch.nodes[-1]), self.batch.nodes[:-1]
        for field_size in range(2, complexity - 1):
            fields = self.fields.level(field_size)
            for number, goals in _chunks(self.growth.concepts, complexity - 1 - field_size):
                members = unpack(goals, nodes).view(bool)
                for known in fields:
                    steps = np.where(members, known.steps, INFINITE)
                    yield self._distance(known, number), np.minimum.reduceat(steps, starts, axis=1)

    def each_of(self, name: str, kind: Kind, first: int) -> Spelled:
        """The feature that this constructor makes of each element from this one on."""
        return lambda index: expression(name, self.growth.expression(kind, first + index))

    def _distance(self, known: DistanceField, first_goal: int) -> Spelled:
        start, role = (Kind.CONCEPT, known.start), (Kind.ROLE, known.role)

        def spelled(index: int) -> Expression:
            parts = (start, role, (Kind.CONCEPT, first_goal + index))
            return expression("n_concept_distance", *(self.growth.expression(*part) for part in parts))

        return spelled


def _chunks(elements: Elements, complexity: int) -> Iterator[tuple[int, Bits]]:
    """The denotations of a complexity in chunks, each with the number of its first element."""
    level = elements.level(complexity)
    step = max(1, CHUNK_BYTES // (8 * elements.width))
    for begin in range(0, len(level), step):
        yield elements.first[complexity] + begin, level[begin : begin + step]


def _leaf(constructor: str, name: str, index: int) -> Expression:
    return expression(constructor, name)
