"""Exact discovery of landmarks in polynomial time (Equation "Generalized landmark discovery").

A landmark that contains a literal uses states where the literal turns true, so its index sum is at
least that of the literal's first flips. Hence the least index sum is that of the best single
literal, and the largest landmark at an index vector is the set of all literals whose first flips
are exactly that vector: no search is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.functions import StateFunctions, Truth

Indices = NDArray[np.int64]
"""One state index for each trajectory."""

CELLS_AT_ONCE = 1 << 24
"""How many cells of the truth table are searched for flips at a time: bounds the memory in use."""


@dataclass(frozen=True, eq=False)
class Flips:
    """Where literals turn true: one entry a flip, ordered by literal, trajectory and state.

    Only literals that flip in every trajectory are kept.
    """

    literals: NDArray[np.int64]
    trajectories: NDArray[np.int64]
    states: NDArray[np.int64]
    count: int
    """The number of trajectories."""


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
    """Every flip of every literal, where a literal flips if it is false and then true.

    Literal `2·d` is descriptor d, literal `2·d + 1` its negation.
    """
    truth, offsets = functions.truth, np.array(functions.offsets, dtype=np.int64)
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
    flips = Flips(literal, trajectory_of[column], index_of[column], count)
    return after(flips, np.zeros(count, dtype=np.int64))


def after(flips: Flips, previous: Indices) -> Flips:
    """The flips after these states, of the literals that still flip in every trajectory."""
    later = flips.states > previous[flips.trajectories]
    literals, trajectories, states = flips.literals[later], flips.trajectories[later], flips.states[later]
    firsts = group_starts(literals, trajectories)
    size = int(literals[-1]) + 1 if len(literals) else 0
    enough = np.bincount(literals[firsts], minlength=size) == flips.count
    kept = enough[literals]
    return Flips(literals[kept], trajectories[kept], states[kept], flips.count)


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
    steps: list[Step] = []
    flips = find_flips(functions)
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
