"""Counters: numerical features that fall from pass to pass (beyond the paper, counter-first discovery).

A first counter never rises along any training trajectory, ends at one least value in all of them and
starts at different ones: packages not at their goal, say. Between two of its drops lies one pass of a
loop. A further counter never rises inside a pass and falls there: packages not picked up yet.
Together they are compared in lexicographic order: a state that is less than all before it is a low of
the counter, and the next subgoal on the way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from trailmark.features.states import Valuations
from trailmark.features.syntax import INFINITE, Expression, Kind
from trailmark.programs.program import Counter

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class CounterCandidate:
    """A counter that training plans allow, with how it falls along them."""

    rows: tuple[int, ...]
    """The features' rows in the valuations, the first counter first."""
    least: int
    """The value of the first counter where the loop is over."""
    lows: frozenset[int]
    """The training states, by their columns, that are less than all before them in their trajectory."""
    effort: int
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
    valuations: Valuations, fits: Bools, among: Collection[int] | None, per_group: int = 1
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
    chains = _order(valuations, counter.rows) * (INFINITE + 1) + valuations.values[rows]
    efforts = _efforts(valuations, _lows(valuations, chains))
    better = efforts < counter.effort
    rows, efforts = rows[better], efforts[better]
    complexity = np.array([weight(valuations.features[row]) for row in rows])
    order = np.lexsort((rows, complexity, efforts))
    rises = (steps[rows[order]] > 0).any(axis=1)
    chosen: list[CounterCandidate] = []
    for group in (order[~rises], order[rises]):
        nearest = rows[group][: 4 * limit].tolist()
        found = [extended(valuations, (*counter.rows, row), counter.least) for row in nearest]
        chosen += least_complex(valuations, found)[:limit]
    return chosen


def extended(valuations: Valuations, rows: tuple[int, ...], least: int) -> CounterCandidate:
    """The chain of these rows with its lows in the training trajectories."""
    lows = _lows(valuations, _order(valuations, rows)[None])
    (effort,) = _efforts(valuations, lows).tolist()
    return CounterCandidate(rows, least, frozenset(np.flatnonzero(lows).tolist()), effort)


def _order(valuations: Valuations, rows: Sequence[int]) -> NDArray[np.int64]:
    """A number for each state that orders states as the chain of these rows does."""
    _, order = np.unique(valuations.values[list(rows)], axis=1, return_inverse=True)
    return order.ravel().astype(np.int64)


def _lows(valuations: Valuations, chains: NDArray[np.int64]) -> Bools:
    """For each chain, given by a number for each state, the states that are less than all before them."""
    lows = np.zeros(chains.shape, np.bool_)
    for start, stop in pairwise(valuations.offsets):
        path = chains[:, start:stop]
        lows[:, start + 1 : stop] = path[:, 1:] < np.minimum.accumulate(path, axis=1)[:, :-1]
    return lows


def _efforts(valuations: Valuations, lows: Bools) -> NDArray[np.int64]:
    """Σ gap² for each of these rows of lows; the ends of a trajectory count among them."""
    starts, stops = np.array(valuations.offsets[:-1]), np.array(valuations.offsets[1:])
    marks, places = lows.copy(), np.arange(lows.shape[1])
    marks[:, starts] = marks[:, stops - 1] = True
    before = np.maximum.accumulate(np.where(marks, places, 0), axis=1)[:, :-1]
    gaps = np.where(marks[:, 1:], places[1:] - before, 0)
    gaps[:, starts[1:] - 1] = 0
    return np.asarray((gaps**2).sum(axis=1))


def _numerical(valuations: Valuations) -> Bools:
    return np.array([feature.kind is Kind.NUMERICAL for feature in valuations.features], dtype=np.bool_)


def gap_effort(valuations: Valuations, lows: Collection[int]) -> int:
    """Σ gap² over the trajectories between these states."""
    marks = np.zeros((1, valuations.offsets[-1]), np.bool_)
    marks[0, list(lows)] = True
    return int(_efforts(valuations, marks)[0])


def all_lows(counters: Iterable[CounterCandidate]) -> frozenset[int]:
    """The lows of all these counters."""
    return frozenset().union(*(counter.lows for counter in counters))


def reach_the_end(valuations: Valuations, counters: Iterable[CounterCandidate]) -> bool:
    """Whether the last low of these counters is the last state of every trajectory."""
    return all(last == stop - 1 for _, last, stop in _last_lows(valuations, all_lows(counters)))


def _last_lows(valuations: Valuations, lows: Collection[int]) -> Iterator[tuple[int, int, int]]:
    """Of each trajectory its first state, its last low (the first state where it has none) and its stop."""
    for start, stop in pairwise(valuations.offsets):
        yield start, max((low for low in lows if start < low < stop), default=start), stop


def _never_rises(valuations: Valuations) -> Bools:
    steps = np.diff(valuations.values.astype(np.int64), axis=1)
    inner = np.ones(steps.shape[1], dtype=np.bool_)
    inner[[stop - 1 for stop in valuations.offsets[1:-1]]] = False
    return np.asarray((steps[:, inner] <= 0).all(axis=1))


def _inside_steps(valuations: Valuations, counter: CounterCandidate) -> Bools:
    """The steps, by the column they start from, that do not lead to a low."""
    inside = np.zeros(valuations.offsets[-1], dtype=np.bool_)
    for start, last, _ in _last_lows(valuations, counter.lows):
        inside[start:last] = True
    inside[[low - 1 for low in counter.lows]] = False
    return inside


def least_complex(
    valuations: Valuations, counters: Sequence[CounterCandidate], per_group: int = 1
) -> list[CounterCandidate]:
    """Of counters with the same lows the least complex ones, by effort, then complexity."""

    def complexity(candidate: CounterCandidate) -> tuple[int, tuple[int, ...]]:
        return sum(weight(valuations.features[row]) for row in candidate.rows), candidate.rows

    groups: dict[frozenset[int], list[CounterCandidate]] = {}
    for candidate in sorted(counters, key=complexity):
        groups.setdefault(candidate.lows, []).append(candidate)
    kept = [candidate for group in groups.values() for candidate in group[:per_group]]
    return sorted(kept, key=lambda candidate: (candidate.effort, complexity(candidate)))


def covering(valuations: Valuations, counters: Sequence[CounterCandidate]) -> list[CounterCandidate]:
    """Goal counters that together fall wherever any of them falls, in the order plans finish them."""
    kept: list[CounterCandidate] = []
    for counter in sorted(counters, key=lambda counter: -len(counter.lows)):
        if not counter.lows <= all_lows(kept):
            kept.append(counter)

    def finish(counter: CounterCandidate) -> float:
        """Where plans finish it, as a share of their length: not every plan has each class."""
        ends = _last_lows(valuations, counter.lows)
        return mean([(last - start) / (stop - start) for start, last, stop in ends if last > start])

    return sorted(kept, key=finish)
