"""Discovery step by step beside clingo: the same objectives, and our answer among the optima."""

from __future__ import annotations

import numpy as np

from trailmark.discovery import LoopCondition, StateFunctions
from trailmark.discovery.asp import landmark_costs, loop_costs, solve_landmark, solve_loop
from trailmark.discovery.chain import after, chain, find_flips, next_landmark
from trailmark.discovery.loops import find_loop
from trailmark.landmarks import Landmark, LandmarkGraph


def check_chain(functions: StateFunctions) -> int:
    """Along the whole chain; returns its length."""
    previous = np.zeros(functions.trajectories, dtype=np.int64)
    flips = find_flips(functions)
    length = 0
    while True:
        flips = after(flips, previous)
        ours, theirs = next_landmark(flips), solve_landmark(functions, previous)
        if ours is None or theirs is None:
            assert ours is None
            assert theirs is None
            return length
        assert ours.objectives == theirs.objectives
        total, size = theirs.objectives
        assert landmark_costs(functions, previous, ours) == (total, -size)
        previous = ours.indices
        length += 1


def check_loops(functions: StateFunctions, condition: LoopCondition) -> int:
    """Landmark by landmark, with the loops found so far: the same loop, or none in both."""
    landmarks, loops = [], []
    for step in chain(functions):
        landmarks.append(Landmark(tuple(functions.literal(number) for number in step.literals)))
        graph = LandmarkGraph(tuple(landmarks), tuple(loops))
        ours, theirs = find_loop(graph, functions, condition), solve_loop(graph, functions, condition)
        if ours is None or theirs is None:
            assert ours is None
            assert theirs is None
            continue
        loop, other = ours[0], theirs[0]
        assert loop.target == other.target
        assert loop_costs(graph, functions, loop, condition) == loop_costs(graph, functions, other, condition)
        if condition is LoopCondition.ALL:
            assert set(loop.exit) == set(other.exit)
            assert set(loop.progression) == set(other.progression)
            assert set(loop.counter) == set(other.counter)
        loops.append(loop)
    return len(loops)
