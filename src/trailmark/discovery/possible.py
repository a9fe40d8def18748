"""Landmarks between those of a chain that only some trajectories achieve (the paper's future work).

A k-possible landmark is held in at least k per cent of the pieces that the trajectories have between
two landmarks of the chain. It is found by the chain's own objectives, where a piece without it counts
as if it were achieved at its end. The argument of `chain` holds as it is: the least sum is that of the
first flips of some single literal, and the largest landmark there is the set of all literals that
first flip in the same pieces at the same states.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.chain import Flips, Step, after, flips_in, group_starts
from trailmark.discovery.functions import StateFunctions, Truth
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import Progression
from trailmark.landmarks.satisfaction import acceptances

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
