"""Pool generation: all features up to a complexity, one of each valuation, the simplest first.

Concepts and roles grow by complexity (`growth`); features are read off them. Of the features of one
complexity the numericals come first, so that among equal ones the numerical stays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from trailmark.features.batch import function, nullary
from trailmark.features.bits import Bits, Elements, Speller, counts, pair_counts
from trailmark.features.distances import DistanceField, Fields, distance_values
from trailmark.features.grammar import PoolOptions
from trailmark.features.growth import CHUNK_BYTES, Growth
from trailmark.features.states import StateBatch
from trailmark.features.syntax import Expression, Kind, expression
from trailmark.features.valuations import Valuations

Values = NDArray[np.int32]
Progress = Callable[[int, int], None]
"""Told the complexity at work and the number of features so far."""
BYTES_A_FEATURE = 1000
"""About what Python needs for a feature besides its values."""
Part = tuple[Kind, int]
FeatureRecipe = tuple[str | Expression, tuple[Part, ...]]


class PoolEnd(Enum):
    """Why generation ended."""

    COMPLETE = "complete"
    """Every feature up to the complexity limit is there."""
    FEATURES = "feature limit"
    SECONDS = "time limit"
    MEMORY = "memory limit"
    STOPPED = "stopped"
    """By the caller or from the keyboard."""


@dataclass(frozen=True)
class Pool:
    """Features with pairwise different valuations, by increasing complexity."""

    valuations: Valuations
    end: PoolEnd
    concepts: int
    """How many concepts with different denotations were found on the way."""
    roles: int
    seconds: float

    @property
    def features(self) -> tuple[Expression, ...]:
        return self.valuations.features


class _Ended(Exception):
    def __init__(self, why: PoolEnd) -> None:
        self.why = why


def generate_pool(
    batch: StateBatch,
    options: PoolOptions | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Pool:
    """The pool of these states. Whatever ends generation early, the pool has what was found by then.

    A pool that ended early is the beginning of the one without the limit that ended it.
    """
    work = _Generation(batch, options or PoolOptions(), progress, stop)
    try:
        work.run()
        end = PoolEnd.COMPLETE
    except _Ended as ended:
        end = ended.why
    except KeyboardInterrupt:
        end = PoolEnd.STOPPED
    return work.pool(end)


@dataclass
class _Generation:
    batch: StateBatch
    options: PoolOptions
    progress: Progress | None
    stop: Callable[[], bool] | None
    started: float = field(default_factory=time.monotonic)
    complexity: int = 0
    kept: list[tuple[FeatureRecipe, bytes]] = field(default_factory=list)
    """The features found, each with its row of values."""
    known: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        needed = min(self.options.goal_instances, len(self.batch.instances))
        goals = frozenset(name for name, uses in self.batch.goal_uses().items() if uses >= needed)
        self.growth = Growth(self.batch, self.options.grammar, goals)
        self.fields = Fields(self.growth)
        self._empty: list[NDArray[np.bool_]] = []

    def run(self) -> None:
        for complexity in range(1, self.options.complexity + 1):
            self.complexity = complexity
            for recipe, values in self._features(complexity):
                self._keep(recipe, values)
                self._look_up()
            if complexity < self.options.complexity:
                self._grow()

    def _grow(self) -> None:
        """Concepts and roles of this complexity, and the counts of the concepts as they come."""
        growth, complexity = self.growth, self.complexity
        counting = self.options.grammar.allows("n_count", complexity + 1)
        self._empty, single = [], [np.empty(0, bool)]
        for rows, recipe in growth.concept_candidates(complexity):
            number = len(growth.concepts)
            fresh = growth.concepts.add(complexity, rows, recipe)
            if len(fresh):
                values = counts(rows[fresh], self.batch)
                self._empty.append(values == 0)
                single.append((values == 1).all(axis=1))
                if counting:
                    self._keep(_each("n_count", Kind.CONCEPT, number), values)
            self._look_up()
        growth.concepts.close(complexity)
        self.fields.starts[complexity] = np.flatnonzero(np.concatenate(single))
        for rows, recipe in growth.role_candidates(complexity):
            growth.roles.add(complexity, rows, recipe)
            self._look_up()
        growth.roles.close(complexity)
        growth.pair_goal_roles(complexity)

    def _features(self, complexity: int) -> Iterator[tuple[Callable[[int], FeatureRecipe], Values]]:
        """The features of this complexity but for the counts of concepts, numericals first."""
        allows, batch, below = self.options.grammar.allows, self.batch, complexity - 1
        concepts, roles = self.growth.concepts, self.growth.roles
        role_counts = [(number, pair_counts(rows, batch)) for number, rows in _chunks(roles, below)]
        if complexity == 1 and allows("n_function", 1):
            for name in self._functions():
                yield _leaf(expression("n_function", name)), function(batch, name)[None]
        if allows("n_count", complexity):
            for number, values in role_counts:
                yield _each("n_count", Kind.ROLE, number), values
        if allows("n_concept_distance", complexity):
            yield from self._distances(below)
        if complexity == 1 and allows("b_nullary", 1):
            for name in self._nullary():
                yield _leaf(expression("b_nullary", name)), nullary(batch, name)[None].astype(np.int32)
        for name, wanted in (("b_empty", True), ("b_nonempty", False)):
            if allows(name, complexity):
                number = concepts.first.get(below, 0)
                for empty in self._empty:
                    yield _each(name, Kind.CONCEPT, number), (empty == wanted).astype(np.int32)
                    number += len(empty)
                for number, values in role_counts:
                    yield _each(name, Kind.ROLE, number), ((values == 0) == wanted).astype(np.int32)
        if allows("b_inclusion", complexity):
            yield from self._inclusions(below)

    def _functions(self) -> Iterator[str]:
        """The nullary functions that have a value in every state."""
        for name in self.batch.vocabulary.functions:
            if all(name in state.values for _, states in self.batch.trajectories for state in states):
                yield name

    def _nullary(self) -> Iterator[str]:
        for symbol in self.batch.vocabulary.symbols:
            if symbol.arity == 0 and (symbol.goal_of is None or symbol.name in self.growth.goal_versions):
                yield symbol.name

    def _distances(self, size: int) -> Iterator[tuple[Callable[[int], FeatureRecipe], Values]]:
        concepts = self.growth.concepts
        for field_size in range(2, size):
            fields = self.fields.level(field_size)
            for number, goals in _chunks(concepts, size - field_size):
                for first, values in distance_values(fields, goals, self.batch):
                    yield _distance(fields[first:], number, len(goals)), values

    def _inclusions(self, size: int) -> Iterator[tuple[Callable[[int], FeatureRecipe], Values]]:
        concepts = self.growth.concepts
        for left_size in range(1, size):
            right = concepts.level(size - left_size)
            for index, left in enumerate(concepts.level(left_size)):
                part = (Kind.CONCEPT, concepts.first[left_size] + index)
                outside = counts(left & ~right, self.batch)
                yield (
                    _each("b_inclusion", Kind.CONCEPT, concepts.first[size - left_size], part),
                    (outside == 0).astype(np.int32),
                )

    def _keep(self, recipe: Callable[[int], FeatureRecipe], values: Values) -> None:
        """Keep the features with a new valuation, up to the limit."""
        values = np.ascontiguousarray(values)
        known, most = self.known, self.options.features
        keys: list[bytes] = values.view(f"V{4 * self.batch.states}").ravel().tolist()
        for index, key in enumerate(keys):
            if key not in known:
                if len(self.kept) >= most:
                    raise _Ended(PoolEnd.FEATURES)
                known.add(key)
                self.kept.append((recipe(index), key))

    def _look_up(self) -> None:
        """Report, and end if any limit is reached."""
        if self.progress is not None:
            self.progress(self.complexity, len(self.kept))
        if self.stop is not None and self.stop():
            raise _Ended(PoolEnd.STOPPED)
        if time.monotonic() - self.started > self.options.seconds:
            raise _Ended(PoolEnd.SECONDS)
        feature_bytes = len(self.kept) * (4 * self.batch.states + BYTES_A_FEATURE)
        if (
            self.growth.concepts.bytes + self.growth.roles.bytes + feature_bytes
            > self.options.megabytes << 20
        ):
            raise _Ended(PoolEnd.MEMORY)

    def pool(self, end: PoolEnd) -> Pool:
        speller = Speller(self.growth.concepts, self.growth.roles)
        kept = list(self.kept)
        features = tuple(
            name
            if isinstance(name, Expression)
            else expression(name, *(speller.spell(*part) for part in parts))
            for (name, parts), _ in kept
        )
        rows = np.frombuffer(b"".join(row for _, row in kept), np.int32)
        values = rows.reshape(len(kept), self.batch.states).copy()
        return Pool(
            Valuations(features, values, self.batch.offsets),
            end,
            len(self.growth.concepts),
            len(self.growth.roles),
            time.monotonic() - self.started,
        )


def _chunks(elements: Elements, complexity: int) -> Iterator[tuple[int, Bits]]:
    """The denotations of a complexity in chunks, each with the number of its first element."""
    level = elements.level(complexity)
    step = max(1, CHUNK_BYTES // (8 * elements.width))
    for begin in range(0, len(level), step):
        yield elements.first[complexity] + begin, level[begin : begin + step]


def _distance(fields: list[DistanceField], first_goal: int, goals: int) -> Callable[[int], FeatureRecipe]:
    def recipe(index: int) -> FeatureRecipe:
        which, goal = divmod(index, goals)
        start, role = (Kind.CONCEPT, fields[which].start), (Kind.ROLE, fields[which].role)
        return "n_concept_distance", (start, role, (Kind.CONCEPT, first_goal + goal))

    return recipe


def _leaf(feature: Expression) -> Callable[[int], FeatureRecipe]:
    return lambda index: (feature, ())


def _each(name: str, kind: Kind, first: int, *before: Part) -> Callable[[int], FeatureRecipe]:
    return lambda index: (name, (*before, (kind, first + index)))
