"""Pool generation: all features up to a complexity, one of each valuation, the simplest first.

Concepts and roles grow by complexity (`growth`); features are read off them (`feature_rules`). Of the
features of one complexity the numericals come first, so that among equal ones the numerical stays.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain

import numpy as np

from trailmark.errors import TimeLimitError
from trailmark.features import feature_rules
from trailmark.features.batch import evaluate
from trailmark.features.bits import counts, pack
from trailmark.features.grammar import LimitCounts, PoolOptions
from trailmark.features.growth import Growth
from trailmark.features.states import StateBatch, Valuations
from trailmark.features.syntax import Expression, Kind
from trailmark.limits import Budget

Progress = Callable[[int, int], None]
"""Told the complexity at work and the number of features so far."""
MOST_BYTES = 1 << 30
"""The memory for the denotations that are kept."""
BYTES_A_FEATURE = 1000
"""About what Python needs for a feature besides its values."""


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
    """Without the identities of concepts."""
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

    A pool that ended early is the beginning of the one without the limit that ended it. Where the limit
    counts elements, concepts and roles of a complexity come before its features, Booleans first, and the
    pool ends with the rule that reached the limit.
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
    kept: list[tuple[Expression, bytes]] = field(default_factory=list)
    """The features found, each with its row of values."""
    known: set[bytes] = field(default_factory=set)
    identities: int = 0
    """The identity roles that DLPlan would have stored."""

    def __post_init__(self) -> None:
        self.growth = Growth(self.batch, self.options.grammar, self.batch.goal_versions())
        self.rules = feature_rules.FeatureRules(self.growth)
        self.counts_elements = self.options.limit_counts is LimitCounts.ELEMENTS
        # DLPlan compares Booleans and numericals only with their like.
        self.known_booleans: set[bytes] = set() if self.counts_elements else self.known

    def run(self) -> None:
        rules, most = self.rules, self.options.complexity
        for complexity in range(1, most + 1):
            self.complexity = complexity
            if self.counts_elements:
                self._grow()
                self._keep_all(rules.booleans(complexity), self.known_booleans)
                self._keep_all(chain(rules.concept_counts(complexity), rules.numericals(complexity)))
                self._keep_all(rules.distances(complexity))
            else:
                self._keep_all(rules.numericals(complexity))
                self._keep_all(rules.distances(complexity))
                self._keep_all(rules.booleans(complexity), self.known_booleans)
                if complexity < most:
                    self._grow()
            rules.sizes.pop(complexity - 1)

    def _grow(self) -> None:
        """Concepts and roles of this complexity, and the counts of the concepts as they come."""
        growth, complexity = self.growth, self.complexity
        counting = not self.counts_elements and self.options.grammar.allows("n_count", complexity + 1)
        sizes, single = self.rules.sizes.setdefault(complexity, []), [np.empty(0, bool)]
        for rows, derivation in growth.concept_candidates(complexity):
            number = len(growth.concepts)
            fresh = growth.concepts.add(complexity, rows, derivation)
            if len(fresh):
                values = counts(rows[fresh], self.batch)
                sizes.append(values if self.counts_elements else values > 0)
                single.append((values == 1).all(axis=1))
                if counting:
                    self._keep(self.rules.each_of("n_count", Kind.CONCEPT, number), values)
            self._look_up()
            self._check_elements()
        growth.concepts.close(complexity)
        self.rules.fields.starts[complexity] = np.flatnonzero(np.concatenate(single))
        for rows, derivation in growth.role_candidates(complexity):
            growth.roles.add(complexity, rows, derivation)
            self._look_up()
        growth.roles.close(complexity)
        growth.pair_goal_roles(complexity)
        if self.counts_elements:
            self.identities = _identity_roles(growth, complexity)

    def _check_elements(self) -> None:
        """Ends where DLPlan would: with enough elements no further rule is used."""
        if self.counts_elements:
            stored = len(self.growth.concepts) + len(self.growth.roles) + len(self.kept)
            if stored + self.identities >= self.options.features:
                raise _Ended(PoolEnd.FEATURES)

    def _keep_all(self, features: feature_rules.Features, known: set[bytes] | None = None) -> None:
        self._check_elements()
        for spelled, values in features:
            self._keep(spelled, values, known)
            self._look_up()

    def _keep(
        self, spelled: feature_rules.Spelled, values: feature_rules.Values, known: set[bytes] | None = None
    ) -> None:
        """Keep the features with a new valuation, up to the limit."""
        values = np.ascontiguousarray(values)
        known = self.known if known is None else known
        most = sys.maxsize if self.counts_elements else self.options.features
        keys: list[bytes] = values.view(f"V{4 * self.batch.states}").ravel().tolist()
        for index, key in enumerate(keys):
            if key not in known:
                if len(self.kept) >= most:
                    raise _Ended(PoolEnd.FEATURES)
                known.add(key)
                self.kept.append((spelled(index), key))

    def _look_up(self) -> None:
        """Report, and end if any limit is reached."""
        if self.progress is not None:
            self.progress(self.complexity, len(self.kept))
        if self.stop is not None and self.stop():
            raise _Ended(PoolEnd.STOPPED)
        if time.monotonic() - self.started > self.options.seconds:
            raise _Ended(PoolEnd.SECONDS)
        feature_bytes = len(self.kept) * (4 * self.batch.states + BYTES_A_FEATURE)
        if self.growth.concepts.bytes + self.growth.roles.bytes + feature_bytes > MOST_BYTES:
            raise _Ended(PoolEnd.MEMORY)

    def pool(self, end: PoolEnd) -> Pool:
        features = tuple(feature for feature, _ in self.kept)
        rows = np.frombuffer(b"".join(row for _, row in self.kept), np.int32)
        values = rows.reshape(len(features), self.batch.states).copy()
        return Pool(
            Valuations(features, values, self.batch.offsets),
            end,
            len(self.growth.concepts),
            len(self.growth.roles),
            time.monotonic() - self.started,
        )


def _identity_roles(growth: Growth, complexity: int) -> int:
    """How many identities of concepts DLPlan has up to this complexity beside the roles stored here.

    A stored role within the diagonal, such as the empty one, is one of these.
    """
    if "r_identity" not in growth.grammar.constructors:
        return 0
    concepts = sum(known < complexity for known in growth.concepts.complexities)
    left, right = growth.batch.pair_nodes
    outside = pack((left != right)[None])
    levels = [growth.roles.level(level) & outside for level in growth.roles.levels]
    return concepts - sum(int((~level.any(axis=1)).sum()) for level in levels)


FIRST = 4
"""So many are evaluated even where the time is up: the first ones count open goals, and without any of them
there is nothing to learn."""
TOGETHER = 32
"""So many features are evaluated together, and share their parts; those that the clock ends are left out."""


def extended(
    pool: Valuations, batch: StateBatch, added: Sequence[Expression], plans: int, budget: Budget
) -> tuple[Valuations, dict[Expression, int]]:
    """The pool with those of the added features that differ from all others, on the plans' states;
    and the row of each added feature or of its equal.

    Features are told apart on all states of the batch, those of random walks included. Where the time is
    up the rest of the added features is left out.
    """
    parts = [evaluate(added[:FIRST], batch).values]
    with suppress(TimeLimitError):
        parts.extend(
            evaluate(added[place : place + TOGETHER], batch, budget.check).values
            for place in range(FIRST, len(added), TOGETHER)
        )
    values = np.concatenate(parts)
    rows = {row.tobytes(): place for place, row in enumerate(pool.values)}
    kept: list[int] = []
    found: dict[Expression, int] = {}
    for place, row in enumerate(values):
        key = row.tobytes()
        if key not in rows:
            rows[key] = len(pool.features) + len(kept)
            kept.append(place)
        found[added[place]] = rows[key]
    states = pool.offsets[plans]
    table = np.concatenate([pool.values[:, :states], values[kept, :states]])
    features = (*pool.features, *(added[place] for place in kept))
    return Valuations(features, table, pool.offsets[: plans + 1]), found
