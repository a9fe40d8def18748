"""A discovered chain with possible landmarks and branches between its landmarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from trailmark.discovery.branches import Branch, best_branch
from trailmark.discovery.chain import Step
from trailmark.discovery.functions import StateFunctions
from trailmark.discovery.possible import MISSING, Pieces, Walk, pieces_between, possible_chain, walks
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.graph import NECESSARY, Landmark, LandmarkGraph

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
        for after in range(before + 1, min(before + 1 + WIDEST, end) + 1):
            if ends_of_loops.intersection(range(before + 1, after)):
                break
            check_time()
            branch = best_branch(pieces_between(functions, walked, before, after))
            if branch is None and after > before + 1:
                continue
            covered, orders = best[after]
            covered += achieved[after] if after < end else 0
            if branch is not None:
                covered, orders = covered + branch.covered, orders + branch.in_either_order
            if before not in best or (covered, orders) > best[before]:
                best[before], ways[before] = (covered, orders), (after, branch)
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
