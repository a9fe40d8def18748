"""Discovery step by step beside clingo: the same objectives, and our answer among the optima."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trailmark.discovery.asp import landmark_facts, loop_facts, solve, solve_landmark, solve_loop
from trailmark.discovery.functions import StateFunctions
from trailmark.discovery.loops import (
    Indices,
    LoopCondition,
    Step,
    find_loop,
    next_landmark,
)
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop


def chain(functions: StateFunctions) -> list[Step]:
    """The whole chain without loops: landmarks until no literal flips in every trajectory any more."""
    steps: list[Step] = []
    previous = np.zeros(functions.trajectories, dtype=np.int64)
    while (step := next_landmark(functions, previous)) is not None:
        steps.append(step)
        previous = step.indices
    return steps


def check_chain(functions: StateFunctions) -> int:
    """Along the whole chain; returns its length."""
    previous = np.zeros(functions.trajectories, dtype=np.int64)
    length = 0
    while True:
        ours, theirs = next_landmark(functions, previous), solve_landmark(functions, previous)
        if ours is None or theirs is None:
            assert ours is None
            assert theirs is None
            return length
        total, size = int(theirs.indices.sum()), len(theirs.literals)
        assert (int(ours.indices.sum()), len(ours.literals)) == (total, size)
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


def landmark_costs(functions: StateFunctions, previous: Indices, step: Step) -> tuple[int, ...] | None:
    """What a given landmark costs in the ASP model: index sum and minus its size; None if it is not one."""
    fixed = [f":- not at({t},{k})." for t, k in enumerate(step.indices.tolist())]
    fixed += [f"wanted({number // 2},{1 - number % 2})." for number in step.literals]
    fixed += [":- wanted(D,V), not select(D,V).", ":- select(D,V), not wanted(D,V)."]
    optimum = solve("landmark.lp", landmark_facts(functions, previous), extra=fixed)
    return None if optimum is None else optimum.costs


def loop_costs(
    graph: LandmarkGraph, functions: StateFunctions, loop: Loop, condition: LoopCondition
) -> tuple[int, ...] | None:
    """What a given loop costs in the ASP model, most important objective first; None if it is not one."""
    fixed = [f":- not target({loop.target + 1})."]
    fixed += [f"wanted({name})." for name in _names(functions, loop)]
    fixed += [":- wanted(F), not select(F).", ":- select(F), not wanted(F)."]
    optimum = solve("loop.lp", loop_facts(graph, functions, condition), extra=fixed)
    return None if optimum is None else optimum.costs


def _names(functions: StateFunctions, loop: Loop) -> Iterator[str]:
    """The loop's state functions as the model writes them."""
    descriptors = {each: number for number, each in enumerate(functions.descriptors)}
    for each in loop.exit:
        known = each in descriptors
        yield f"exit({descriptors[each if known else each.negated]},{int(known)})"
    yield from (f"progress({functions.progressors.index(each)})" for each in loop.progression)
    yield from (f"counter({functions.values.index(each)})" for each in loop.counter)
