"""Exact discovery of landmarks in polynomial time (Equation "Generalized landmark discovery").

A landmark that contains a literal uses states where the literal turns true, so its index sum is at
least that of the literal's first flips. Hence the least index sum is that of the best single
literal, and the largest landmark at an index vector is the set of all literals whose first flips
are exactly that vector: no search is needed.

A k-possible landmark (the paper's future work) is held in at least k per cent of the pieces that the
trajectories have between two landmarks of the chain. It is found by the same objectives, where a piece
without it counts as if it were achieved at its end, and the same argument holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.functions import StateFunctions, Truth
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import Progression
from trailmark.landmarks.satisfaction import acceptances

Indices = NDArray[np.int64]
"""One state index for each trajectory."""

CELLS_AT_ONCE = 1 << 24
"""How many cells of the truth table are searched for flips at a time: bounds the memory in use."""


@dataclass(frozen=True, eq=False)
class Flips:
    """Where literals turn true: one entry a flip, ordered by literal, trajectory and state.

    Only literals that flip in enough trajectories are kept: in every one, where nothing else is said.
    """

    literals: NDArray[np.int64]
    trajectories: NDArray[np.int64]
    states: NDArray[np.int64]
    count: int
    """The number of trajectories."""
    least: int
    """In how many of them a literal must flip."""


@dataclass(frozen=True, eq=False)
class Step:
    """One landmark of the chain, as found: its literals and the state of each trajectory."""

    literals: tuple[int, ...]
    indices: Indices

    @property
    def objectives(self) -> tuple[int, int]:
        """The two objectives: the sum of indices (least) and the number of literals (most)."""
        return int(self.indices.sum()), len(self.literals)


def find_flips(functions: StateFunctions) -> Flips:
    """Every flip of every literal, where a literal flips if it is false and then true."""
    return flips_in(functions.truth, functions.offsets, functions.trajectories)


def flips_in(truth: Truth, borders: Sequence[int], least: int) -> Flips:
    """The flips in a table of descriptors by states, with one trajectory between two borders.

    Literal `2·d` is descriptor d, literal `2·d + 1` its negation.
    """
    offsets = np.array(borders, dtype=np.int64)
    states, count = int(offsets[-1]), len(offsets) - 1
    trajectory_of = np.repeat(np.arange(count), np.diff(offsets))
    index_of = np.arange(states) - offsets[trajectory_of]
    rows_at_once = max(1, CELLS_AT_ONCE // max(1, states))
    literals, columns = [], []
    for start in range(0, len(truth), rows_at_once):
        rows, where = _changes(truth[start : start + rows_at_once], index_of)
        turns_false = ~truth[rows + start, where]
        literals.append(2 * (rows + start) + turns_false)
        columns.append(where)
    literal = np.concatenate(literals) if literals else np.zeros(0, dtype=np.int64)
    column = np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64)
    order = np.argsort(literal, kind="stable")
    literal, column = literal[order], column[order]
    flips = Flips(literal, trajectory_of[column], index_of[column], count, least)
    return after(flips, np.zeros(count, dtype=np.int64))


def after(flips: Flips, previous: Indices) -> Flips:
    """The flips after these states, of the literals that still flip in enough trajectories."""
    later = flips.states > previous[flips.trajectories]
    literals, trajectories, states = flips.literals[later], flips.trajectories[later], flips.states[later]
    firsts = group_starts(literals, trajectories)
    size = int(literals[-1]) + 1 if len(literals) else 0
    enough = np.bincount(literals[firsts], minlength=size) >= flips.least
    kept = enough[literals]
    return Flips(literals[kept], trajectories[kept], states[kept], flips.count, flips.least)


def next_landmark(flips: Flips) -> Step | None:
    """The optimum of both objectives among these flips; None where no literal flips everywhere.

    Among optimal landmarks the one with the lexicographically smallest indices is taken, so that
    the result depends on the order of the training trajectories alone.
    """
    if not len(flips.literals):
        return None
    firsts = group_starts(flips.literals, flips.trajectories)
    vectors = flips.states[firsts].reshape(-1, flips.count)
    literals = flips.literals[firsts].reshape(-1, flips.count)[:, 0]
    sums = vectors.sum(axis=1)
    optimal = np.flatnonzero(sums == sums.min())
    together: dict[tuple[int, ...], list[int]] = {}
    for vector, literal in zip(vectors[optimal].tolist(), literals[optimal].tolist(), strict=True):
        together.setdefault(tuple(vector), []).append(literal)
    best = min(together, key=lambda vector: (-len(together[vector]), vector))
    return Step(tuple(together[best]), np.array(best, dtype=np.int64))


def chain(functions: StateFunctions) -> list[Step]:
    """The whole chain without loops: landmarks until no literal flips in every trajectory any more."""
    return chain_of(find_flips(functions))


def chain_of(flips: Flips) -> list[Step]:
    """The same for flips that are known."""
    steps: list[Step] = []
    while (step := next_landmark(flips)) is not None:
        steps.append(step)
        flips = after(flips, step.indices)
    return steps


def _changes(truth: Truth, index_of: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and columns where the value differs from that of the state before, if there is one."""
    changed = truth[:, 1:] != truth[:, :-1]
    changed &= index_of[1:] > 0
    rows, columns = np.nonzero(changed)
    return rows, columns + 1


def group_starts(literals: NDArray[np.int64], trajectories: NDArray[np.int64]) -> NDArray[np.intp]:
    """Where each (literal, trajectory) begins in these ordered entries: its first flip."""
    if not len(literals):
        return np.zeros(0, dtype=np.intp)
    new = np.ones(len(literals), dtype=np.bool_)
    new[1:] = (literals[1:] != literals[:-1]) | (trajectories[1:] != trajectories[:-1])
    return np.flatnonzero(new)


MISSING = -1
"""The index of a landmark in a piece that does not achieve it."""
LEAST_PIECES = 2
"""In how many pieces a landmark must be seen, against overfitting."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """What the training trajectories do between two landmarks, in all passes of loops around them.

    The first state of a piece is the one that accepted the landmark before, or the initial one; its
    last state is the one before the next landmark is accepted.
    """

    truth: Truth
    """Whether each descriptor (row) holds in each state (column)."""
    offsets: tuple[int, ...]
    """Where each piece begins, and the end of the last one."""

    @property
    def count(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.array([stop - start for start, stop in pairwise(self.offsets)], dtype=np.int64)


@dataclass(frozen=True)
class Walk:
    """What one training trajectory accepts."""

    start: int
    """The column of its initial state."""
    accepted: tuple[tuple[int, int], ...]
    """Landmarks with their states; first -1 for the initial state, and last, where the whole chain is
    accepted, its length with the state after the last one."""


def walks(graph: LandmarkGraph, functions: StateFunctions) -> list[Walk]:
    """Every training trajectory along a chain."""
    end = len(graph.landmarks)
    progression = Progression(graph)
    found = []
    for start, trajectory in zip(functions.offsets, functions.of_graph(graph), strict=False):
        accepted, status = acceptances(progression, trajectory)
        events = [(-1, 0), *((each.landmark, each.state) for each in accepted)]
        if status is not None and status.next == end:
            events.append((end, len(trajectory)))
        found.append(Walk(start, tuple(events)))
    return found


def pieces_between(functions: StateFunctions, walked: list[Walk], before: int, after: int) -> Pieces:
    """The pieces from one landmark to a later one, with all of those in between; -1 is the initial state."""
    found: list[range] = []
    for walk in walked:
        for place, (landmark, state) in enumerate(walk.accepted):
            run = walk.accepted[place : place + after - before + 1]
            if landmark == before and [each for each, _ in run] == list(range(before, after + 1)):
                found.append(range(walk.start + state, walk.start + run[-1][1]))
    columns = np.array([column for each in found for column in each], dtype=np.intp)
    return Pieces(functions.truth[:, columns], tuple(accumulate(map(len, found), initial=0)))


def possible_chain(pieces: Pieces, per_cent: int) -> list[Step]:
    """The landmarks that at least so many per cent of the pieces achieve, one after the other.

    A landmark comes after those before it in every piece that has both.
    """
    least = max(LEAST_PIECES, -(-per_cent * pieces.count // 100))
    flips = flips_in(pieces.truth, pieces.offsets, least)
    previous = np.zeros(pieces.count, dtype=np.int64)
    steps: list[Step] = []
    while (step := next_possible(flips, pieces.lengths)) is not None:
        steps.append(step)
        previous = np.where(step.indices == MISSING, previous, step.indices)
        flips = after(flips, previous)
    return steps


def next_possible(flips: Flips, lengths: NDArray[np.int64]) -> Step | None:
    """The optimum of both objectives; among equal ones that with the smallest indices."""
    if not len(flips.literals):
        return None
    firsts = group_starts(flips.literals, flips.trajectories)
    literals, where, states = flips.literals[firsts], flips.trajectories[firsts], flips.states[firsts]
    gains = np.bincount(literals, weights=lengths[where] - states)
    together: dict[tuple[int, ...], list[int]] = {}
    for literal in np.flatnonzero(gains == gains.max()).tolist():
        own = literals == literal
        vector = lengths.copy()
        vector[where[own]] = states[own]
        together.setdefault(tuple(vector.tolist()), []).append(literal)
    best = min(together, key=lambda vector: (-len(together[vector]), vector))
    indices = np.array(best, dtype=np.int64)
    return Step(tuple(together[best]), np.where(indices == lengths, MISSING, indices))
