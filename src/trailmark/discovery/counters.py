"""Counters: numerical features that fall from pass to pass (beyond the paper, counter-first discovery).

A first counter never rises along any training trajectory, ends at one least value in all of them and
starts at different ones: packages not at their goal, say. Between two of its drops lies one pass of a
loop. A further counter never rises inside a pass and falls there: packages not picked up yet.
Together they are compared in lexicographic order: a state that is less than all before it is a low of
the counter, and the next subgoal on the way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from trailmark.features.states import Valuations
from trailmark.features.syntax import INFINITE, Expression, Kind
from trailmark.programs.program import Counter

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class CounterCandidate:
    """A counter that training plans allow, with how it falls along them."""

    rows: tuple[int, ...]
    """The features' rows in the valuations, the first counter first."""
    least: int
    """The value of the first counter where the loop is over."""
    lows: tuple[tuple[int, ...], ...]
    """For each trajectory the states that are less than all before them, counted from its start."""
    effort: float
    """Σ gap² between the lows over the trajectories: how far apart they lie."""

    def counter(self, features: Sequence[Expression]) -> Counter:
        """The counter itself, where the rows stand for these features."""
        return Counter(tuple(features[row] for row in self.rows), self.least)


CLOSURE_WEIGHT = 3
"""What a closure weighs more than its place in the syntax tree: it costs far more on large instances than
on those of training, where nothing tells that."""


def weight(feature: Expression) -> int:
    """The complexity of a feature as counters compare it."""
    return feature.complexity + CLOSURE_WEIGHT * _closures(feature)


def _closures(feature: Expression) -> int:
    own = feature.constructor.name in ("r_transitive_closure", "r_transitive_reflexive_closure")
    return own + sum(_closures(child) for child in feature.children)


ALIKE = 2
"""Features that fall at the same states are alike in training; so many of them are kept."""


def first_counters(valuations: Valuations, among: Collection[int] | None = None) -> list[CounterCandidate]:
    """The first counters among these rows, those with the least effort first."""
    starts, ends = _starts_and_ends(valuations)
    moves = (starts > ends).any(axis=1) & (starts >= ends).all(axis=1)
    differ = (starts != starts[:, :1]).any(axis=1) | (valuations.trajectories == 1)
    return _with_one_end(valuations, _never_rises(valuations) & moves & differ, among, ALIKE)


def record_counters(valuations: Valuations, among: Collection[int] | None = None) -> list[CounterCandidate]:
    """Features among these rows that end at their least value everywhere but may rise on the way: every
    record low is a subgoal. For what does not stay done."""
    starts, ends = _starts_and_ends(valuations)
    lows = np.minimum.reduceat(valuations.values, list(valuations.offsets[:-1]), axis=1)
    fits = (lows == ends).all(axis=1) & (starts > ends).any(axis=1) & ~_never_rises(valuations)
    return _with_one_end(valuations, fits, among)


def _with_one_end(
    valuations: Valuations, fits: NDArray[np.bool_], among: Collection[int] | None, per_group: int = 1
) -> list[CounterCandidate]:
    """The numerical features that fit, are always finite, and end at one value in all trajectories."""
    _, ends = _starts_and_ends(valuations)
    finite = (valuations.values < INFINITE).all(axis=1) & _numerical(valuations)
    rows = np.flatnonzero(fits & finite & (ends == ends[:, :1]).all(axis=1)).tolist()
    found = [extended(valuations, (row,), int(ends[row, 0])) for row in rows if among is None or row in among]
    return least_complex(valuations, found, per_group)


def _starts_and_ends(valuations: Valuations) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The features' values in the first and in the last state of every trajectory."""
    first, last = valuations.offsets[:-1], [stop - 1 for stop in valuations.offsets[1:]]
    return valuations.values[:, list(first)], valuations.values[:, last]


def further_counters(valuations: Valuations, counter: CounterCandidate, limit: int) -> list[CounterCandidate]:
    """The counter with one feature more that brings its lows closer together.

    Those that never rise inside a gap come first, then those whose record lows lie closest. The
    last step of a gap is exempt: there an earlier feature of the chain falls.
    """
    inside = _inside_steps(valuations, counter)
    if not inside.any():
        return []
    columns = np.flatnonzero(inside)
    steps = valuations.values[:, columns + 1].astype(np.int64) - valuations.values[:, columns]
    candidates = _numerical(valuations) & (steps < 0).any(axis=1)
    candidates[list(counter.rows)] = False
    rows = np.flatnonzero(candidates)
    if not len(rows):
        return []
    efforts = _efforts(valuations, counter, rows)
    rises: NDArray[np.bool_] = np.asarray((steps[rows] > 0).any(axis=1))
    complexity = np.array([weight(valuations.features[row]) for row in rows])
    better: NDArray[np.bool_] = np.asarray(efforts < counter.effort)
    order = np.lexsort((rows, complexity, efforts, rises))
    chosen: list[CounterCandidate] = []
    monotone = [int(rows[place]) for place in order if better[place] and not rises[place]]
    others = [int(rows[place]) for place in order if better[place] and rises[place]]
    for group in (monotone, others):
        found = [extended(valuations, (*counter.rows, row), counter.least) for row in group[: 4 * limit]]
        chosen += least_complex(valuations, found)[:limit]
    return chosen


def _efforts(valuations: Valuations, counter: CounterCandidate, rows: Rows) -> NDArray[np.float64]:
    """The effort of the counter extended by each of these rows, for all of them at once."""
    known = valuations.values[list(counter.rows)].T.tolist()
    table = valuations.values[rows]
    total = np.zeros(len(rows))
    for start, stop in pairwise(valuations.offsets):
        last = np.zeros(len(rows), dtype=np.int64)
        lowest = table[:, start].copy()
        best = known[start]
        for index in range(1, stop - start):
            values, mine = known[start + index], table[:, start + index]
            if values < best:
                less = np.ones(len(rows), dtype=np.bool_)
                best = values
            elif values == best:
                less = mine < lowest
            else:
                continue
            total[less] += (index - last[less]) ** 2
            last[less] = index
            lowest[less] = mine[less]
        total += (stop - start - 1 - last) ** 2
    return total


def extended(valuations: Valuations, rows: tuple[int, ...], least: int) -> CounterCandidate:
    """The chain of these rows with its lows in the training trajectories."""
    table = valuations.values[list(rows)].T.tolist()
    lows: list[tuple[int, ...]] = []
    effort = 0.0
    for start, stop in pairwise(valuations.offsets):
        found: list[int] = []
        best, last = table[start], 0
        for index in range(1, stop - start):
            values = table[start + index]
            if values < best:
                found.append(index)
                effort += (index - last) ** 2
                best, last = values, index
        effort += (stop - start - 1 - last) ** 2
        lows.append(tuple(found))
    return CounterCandidate(rows, least, tuple(lows), effort)


def _numerical(valuations: Valuations) -> NDArray[np.bool_]:
    return np.array([feature.kind is Kind.NUMERICAL for feature in valuations.features], dtype=np.bool_)


def gap_effort(valuations: Valuations, lows: Sequence[tuple[tuple[int, ...], ...]]) -> float:
    """Σ gap² over the trajectories between the lows of several counters together."""
    total = 0.0
    for path, (start, stop) in enumerate(pairwise(valuations.offsets)):
        reached = sorted({0, stop - start - 1, *(state for states in lows for state in states[path])})
        total += sum((after - before) ** 2 for before, after in pairwise(reached))
    return total


def reach_the_end(valuations: Valuations, counters: Sequence[CounterCandidate]) -> bool:
    """Whether the last low of these counters is the last state of every trajectory."""
    return all(
        max((state for counter in counters for state in counter.lows[path]), default=0) == stop - start - 1
        for path, (start, stop) in enumerate(pairwise(valuations.offsets))
    )


def _never_rises(valuations: Valuations) -> NDArray[np.bool_]:
    steps = np.diff(valuations.values.astype(np.int64), axis=1)
    inner = np.ones(steps.shape[1], dtype=np.bool_)
    inner[[stop - 1 for stop in valuations.offsets[1:-1]]] = False
    return np.asarray((steps[:, inner] <= 0).all(axis=1))


def _inside_steps(valuations: Valuations, counter: CounterCandidate) -> NDArray[np.bool_]:
    """The steps, by the column they start from, that do not lead to a low."""
    inside = np.zeros(valuations.offsets[-1], dtype=np.bool_)
    for (start, stop), lows in zip(pairwise(valuations.offsets), counter.lows, strict=True):
        last = lows[-1] if lows else 0
        inside[start : start + last] = True
        for low in lows:
            inside[start + low - 1] = False
        inside[stop - 1] = False
    return inside


def least_complex(
    valuations: Valuations, counters: Sequence[CounterCandidate], per_group: int = 1
) -> list[CounterCandidate]:
    """Of counters with the same lows the least complex ones, by effort, then complexity."""

    def complexity(candidate: CounterCandidate) -> tuple[int, tuple[int, ...]]:
        return sum(weight(valuations.features[row]) for row in candidate.rows), candidate.rows

    groups: dict[tuple[tuple[int, ...], ...], list[CounterCandidate]] = {}
    for candidate in sorted(counters, key=complexity):
        groups.setdefault(candidate.lows, []).append(candidate)
    kept = [candidate for group in groups.values() for candidate in group[:per_group]]
    return sorted(kept, key=lambda candidate: (candidate.effort, complexity(candidate)))


def covering(valuations: Valuations, counters: Sequence[CounterCandidate]) -> list[CounterCandidate]:
    """Goal counters that together fall wherever any of them falls, in the order plans finish them."""
    covered: set[tuple[int, int]] = set()
    kept: list[CounterCandidate] = []
    for counter in sorted(counters, key=lambda counter: -sum(map(len, counter.lows))):
        falls = {(path, state) for path, states in enumerate(counter.lows) for state in states}
        if falls - covered:
            kept.append(counter)
            covered |= falls
    lengths = [stop - start for start, stop in pairwise(valuations.offsets)]

    def finish(counter: CounterCandidate) -> float:
        """Where plans finish it, as a share of their length: not every plan has each class."""
        pairs = zip(counter.lows, lengths, strict=True)
        return mean([states[-1] / length for states, length in pairs if states])

    return sorted(kept, key=finish)
