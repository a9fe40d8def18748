"""Alternative chains between two landmarks of a chain (the paper's future work, "disjunctive paths").

Where the pieces between two landmarks fall into two groups, each group has an exact chain of its own.
Of all splits into two groups the one is taken whose pieces achieve the most landmarks in all, among
those in which every piece is recognised: the landmark that begins its own alternative holds in it
before the one that begins the other. Landmarks that would mislead are left out from the front.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.chain import Flips, Step, after, chain_of, flips_in
from trailmark.discovery.possible import LEAST_PIECES, Pieces

MOST_FOR_ALL_SPLITS = 8
"""Of so many pieces every split is tried; of more only those by where a literal turns true."""
MOST_SPLITS = 200
"""Of these, those that the most literals make."""

Members = NDArray[np.bool_]
"""Whether each piece belongs to the first group."""


@dataclass(frozen=True, eq=False)
class Branch:
    """Two alternative chains, and which pieces take the first one."""

    chains: tuple[tuple[Step, ...], tuple[Step, ...]]
    first: tuple[int, ...]
    covered: int
    """How many landmarks all pieces achieve together."""

    @property
    def in_either_order(self) -> bool:
        """Whether what begins one alternative comes later in the other, and the other way round."""
        (first, *then), (second, *after_that) = (
            [set(step.literals) for step in each] for each in self.chains
        )
        return any((first - second) & each for each in after_that) and any(
            (second - first) & each for each in then
        )


def best_branch(pieces: Pieces) -> Branch | None:
    """The best two alternatives; None where there are none.

    Among equal ones those are preferred in which two things happen in either order, that leave out fewer
    landmarks, whose groups are of more equal size, and then the first in the order of the pieces.
    """
    flips = flips_in(pieces.truth, pieces.offsets, LEAST_PIECES)
    best: tuple[tuple[int, ...], Branch] | None = None
    for members in _splits(pieces, flips):
        chains = chain_of(_part(flips, members)), chain_of(_part(flips, ~members))
        sizes = int(members.sum()), int((~members).sum())
        if best is not None and sum(s * len(c) for s, c in zip(sizes, chains, strict=True)) < -best[0][0]:
            continue
        first, second = (np.array([_first_held(pieces, step) for step in each]) for each in chains)
        for i, j in _recognised(first, second, members):
            kept = tuple(chains[0][i:]), tuple(chains[1][j:])
            covered = sizes[0] * len(kept[0]) + sizes[1] * len(kept[1])
            if best is not None and covered < -best[0][0]:
                continue
            branch = Branch(kept, tuple(np.flatnonzero(members).tolist()), covered)
            key = (-covered, not branch.in_either_order, i + j, abs(sizes[0] - sizes[1]))
            if best is None or key < best[0]:
                best = key, branch
    return None if best is None else best[1]


def _splits(pieces: Pieces, flips: Flips) -> Iterator[Members]:
    """Ways to split the pieces in two, each once, with the first piece in the first group."""
    if pieces.count <= MOST_FOR_ALL_SPLITS:
        for size in range(LEAST_PIECES, pieces.count - LEAST_PIECES + 1):
            for others in combinations(range(1, pieces.count), size - 1):
                members = np.zeros(pieces.count, dtype=np.bool_)
                members[[0, *others]] = True
                yield members
        return
    size = int(flips.literals[-1]) + 1 if len(flips.literals) else 0
    occurs = np.zeros((size, pieces.count), dtype=np.bool_)
    occurs[flips.literals, flips.trajectories] = True
    occurs ^= ~occurs[:, :1]
    enough = (occurs.sum(axis=1) >= LEAST_PIECES) & ((~occurs).sum(axis=1) >= LEAST_PIECES)
    splits, literals = np.unique(occurs[enough], axis=0, return_counts=True)
    yield from splits[np.argsort(-literals, kind="stable")[:MOST_SPLITS]]


def _part(flips: Flips, members: Members) -> Flips:
    """The flips in some pieces, of the literals that flip in all of them."""
    number = np.cumsum(members) - 1
    kept = members[flips.trajectories]
    count = int(members.sum())
    part = Flips(flips.literals[kept], number[flips.trajectories[kept]], flips.states[kept], count, count)
    return after(part, np.zeros(count, dtype=np.int64))


def _first_held(pieces: Pieces, step: Step) -> NDArray[np.int64]:
    """For each piece the first state, not counting the one it begins with, where the landmark holds; the
    piece's length where there is none."""
    literals = np.array(step.literals, dtype=np.intp)
    held = (pieces.truth[literals // 2] ^ (literals % 2 == 1)[:, None]).all(axis=0)
    found = pieces.lengths
    for piece, length in enumerate(found.tolist()):
        states = np.flatnonzero(held[pieces.offsets[piece] + 1 : pieces.offsets[piece] + length])
        if len(states):
            found[piece] = states[0] + 1
    return found


def _recognised(
    first: NDArray[np.int64], second: NDArray[np.int64], members: Members
) -> Iterator[tuple[int, int]]:
    """The landmarks of both chains that may begin them. Where both hold, the first alternative is taken."""
    for i in range(len(first)):
        for j in range(len(second)):
            own = np.where(members, first[i] <= second[j], second[j] < first[i])
            if own.all():
                yield i, j
