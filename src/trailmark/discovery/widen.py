"""A discovered chain with possible landmarks, and with alternative chains, between its landmarks (the
paper's future work, "disjunctive paths").

Where the pieces between two landmarks fall into two groups, each group has an exact chain of its own.
Of all splits into two groups the one is taken whose pieces achieve the most landmarks in all, among
those in which every piece is recognised: the landmark that begins its own alternative holds in it
before the one that begins the other. Landmarks that would mislead are left out from the front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.chain import (
    LEAST_PIECES,
    MISSING,
    Flips,
    Pieces,
    Step,
    Walk,
    after,
    chain_of,
    flips_in,
    pieces_between,
    possible_chain,
    walks,
)
from trailmark.discovery.functions import StateFunctions
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.graph import NECESSARY, Landmark, LandmarkGraph

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


WIDEST = 5
"""So many landmarks of the chain a branch may replace. Where two things happen in either order the chain
has the one that is earlier on average, which then stands in both alternatives."""


def widened(
    graph: LandmarkGraph,
    functions: StateFunctions,
    wide: StateFunctions,
    possible: int,
    branches: bool,
    check_time: Callable[[], None] = lambda: None,
) -> LandmarkGraph:
    """The graph with alternative chains, and else with landmarks that at least `possible` per cent of
    the pieces achieve. `wide` has the state functions that they are made of.

    A training trajectory that satisfies the graph also satisfies the wider one: what is added lies
    strictly between landmarks in every piece that it is asked of.
    """
    end = len(graph.landmarks)
    walked = walks(graph, functions)
    ways = _branches(graph, wide, walked, check_time) if branches else {}
    landmarks: list[Landmark] = []
    places: dict[int, int] = {}
    before, groups = -1, 0
    while before < end:
        check_time()
        after, branch = ways.get(before, (before + 1, None))
        if branch is not None:
            groups += 1
            landmarks += _alternatives(wide, branch, groups)
        elif possible < NECESSARY:
            pieces = pieces_between(wide, walked, before, after)
            landmarks += [_landmark(wide, step, pieces) for step in possible_chain(pieces, possible)]
        places[after] = len(landmarks)
        landmarks += graph.landmarks[after : after + 1]
        before = after
    loops = [replace(each, source=places[each.source], target=places[each.target]) for each in graph.loops]
    return replace(graph, landmarks=tuple(landmarks), loops=tuple(loops))


def _branches(
    graph: LandmarkGraph, functions: StateFunctions, walked: list[Walk], check_time: Callable[[], None]
) -> dict[int, tuple[int, Branch | None]]:
    """By the landmark before it, the landmark after each branch: those with which the training
    trajectories achieve the most landmarks in all, of equal ones those with more things in either order,
    and of these those that replace the fewest."""
    end = len(graph.landmarks)
    ends_of_loops = {place for loop in graph.loops for place in (loop.source, loop.target)}
    achieved = [sum(event[0] == place for walk in walked for event in walk.accepted) for place in range(end)]
    best: dict[int, tuple[int, int]] = {end: (0, 0)}
    ways: dict[int, tuple[int, Branch | None]] = {}
    for before in range(end - 1, -2, -1):
        for behind in range(before + 1, min(before + 1 + WIDEST, end) + 1):
            if ends_of_loops.intersection(range(before + 1, behind)):
                break
            check_time()
            branch = best_branch(pieces_between(functions, walked, before, behind))
            if branch is None and behind > before + 1:
                continue
            covered, orders = best[behind]
            covered += achieved[behind] if behind < end else 0
            if branch is not None:
                covered, orders = covered + branch.covered, orders + branch.in_either_order
            if before not in best or (covered, orders) > best[before]:
                best[before], ways[before] = (covered, orders), (behind, branch)
    return ways


def _alternatives(functions: StateFunctions, branch: Branch, group: int) -> list[Landmark]:
    return [
        Landmark(_descriptors(functions, step), branch=(group, number))
        for number, steps in enumerate(branch.chains, start=1)
        for step in steps
    ]


def _landmark(functions: StateFunctions, step: Step, pieces: Pieces) -> Landmark:
    held = int((step.indices != MISSING).sum())
    share = NECESSARY if held == pieces.count else min(NECESSARY - 1, round(100 * held / pieces.count))
    return Landmark(_descriptors(functions, step), share=max(1, share))


def _descriptors(functions: StateFunctions, step: Step) -> tuple[StateDescriptor, ...]:
    return tuple(functions.literal(number) for number in step.literals)
