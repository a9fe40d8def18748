"""Discovery of a landmark graph: landmark after landmark, and after each one its loop (Problem 1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

import numpy as np

from trailmark.discovery import asp, loops
from trailmark.discovery.functions import StateFunctions
from trailmark.errors import NoGraphError, TimeLimitError
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop
from trailmark.landmarks.progression import Satisfaction
from trailmark.limits import UNLIMITED, Budget


class Solver(Enum):
    """Which of the two implementations of the same models is used."""

    EXACT = "exact"
    ASP = "asp"


class SearchAfter(Enum):
    """From where the landmark after a loop is searched."""

    FIRST = "first"
    """After the first occurrence of the loop landmark, as the paper prints it."""
    LAST = "last"
    """After its last occurrence, which keeps the next landmark out of the loop's passes."""


@dataclass(frozen=True)
class DiscoveryOptions:
    solver: Solver = Solver.EXACT
    loop_condition: loops.LoopCondition = loops.LoopCondition.MINIMAL
    search_after: SearchAfter = SearchAfter.FIRST
    satisfied_loops: bool = False
    """Keep a loop only where every training trajectory satisfies the graph with it, both when the loop
    is found and in the end: the graph is then satisfied by all of them. Where it is not, the landmarks
    after the loop are searched from its last occurrence on before the loop is given up."""


DEFAULT_OPTIONS = DiscoveryOptions()


@dataclass(frozen=True)
class Discovery:
    """A discovered graph, and what is known of it on the training trajectories."""

    graph: LandmarkGraph
    indices: tuple[tuple[int, ...], ...]
    """For each landmark of the chain its state in each trajectory, as discovered: where it turned true."""
    occurrences: tuple[tuple[int, ...], ...]
    """For each loop of the graph how often its landmark occurs in each trajectory."""
    satisfaction: tuple[Satisfaction, ...]
    """Whether each training trajectory satisfies the graph, and if not why."""

    @property
    def satisfied(self) -> bool:
        return all(self.satisfaction)


def discover(
    functions: StateFunctions, options: DiscoveryOptions = DEFAULT_OPTIONS, budget: Budget = UNLIMITED
) -> Discovery:
    """The graph of generalized landmarks of the training trajectories.

    Raises `NoGraphError` where no state function turns true in every trajectory.
    """
    passed: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()
    while True:
        found = _discover(functions, options, budget, passed, refused)
        if found.satisfied or not options.satisfied_loops or not found.graph.loops:
            return found
        # What comes after a loop is found by its first flips and may lie in the loop's passes: it is
        # then searched after them, and if that does not help the loop is given up. The last loop is
        # the one that the fewest landmarks were built on.
        last = found.graph.loops[-1].source
        if last in passed or options.search_after is SearchAfter.LAST:
            refused |= {last}
        else:
            passed |= {last}


def _discover(
    functions: StateFunctions,
    options: DiscoveryOptions,
    budget: Budget,
    passed: frozenset[int],
    refused: frozenset[int],
) -> Discovery:
    """One pass over the chain: the landmarks at `refused` places get no loop, and after the loops of those
    at `passed` places the search goes on from the last occurrence."""
    landmarks: list[Landmark] = []
    edges: list[Loop] = []
    indices: list[tuple[int, ...]] = []
    counts: list[tuple[int, ...]] = []
    previous = np.zeros(functions.trajectories, dtype=np.int64)
    while (step := _landmark(functions, options, budget, previous)) is not None:
        landmarks.append(Landmark(tuple(functions.literal(number) for number in step.literals)))
        indices.append(tuple(step.indices.tolist()))
        previous = step.indices
        found = None
        if len(landmarks) - 1 not in refused:
            found = _loop(functions, options, budget, LandmarkGraph(tuple(landmarks), tuple(edges)))
        if found is not None:
            loop, where = found
            edges.append(loop)
            counts.append(tuple(len(states) for states in where.states))
            if options.search_after is SearchAfter.LAST or loop.source in passed:
                previous = np.maximum(previous, [states[-1] if states else 0 for states in where.states])
    if not landmarks:
        raise _no_graph(functions)
    graph = LandmarkGraph(tuple(landmarks), tuple(edges))
    return Discovery(graph, tuple(indices), tuple(counts), loops.answers(graph, functions))


def _landmark(
    functions: StateFunctions, options: DiscoveryOptions, budget: Budget, previous: loops.Indices
) -> loops.Step | None:
    if options.solver is Solver.ASP:
        return asp.solve_landmark(functions, previous, budget)
    _check_time(budget)
    return loops.next_landmark(functions, previous)


def _loop(
    functions: StateFunctions, options: DiscoveryOptions, budget: Budget, graph: LandmarkGraph
) -> tuple[Loop, loops.Occurrences] | None:
    condition, satisfied = options.loop_condition, options.satisfied_loops
    if options.solver is Solver.EXACT:
        _check_time(budget)
        return loops.find_loop(graph, functions, condition, satisfied=satisfied)
    found = asp.solve_loop(graph, functions, condition, budget)
    fits = found is None or not satisfied or loops.fits_everywhere(graph, functions, found[0])
    return found if fits else None


def _check_time(budget: Budget) -> None:
    if budget.expired():
        raise TimeLimitError("discovery ran out of time", hint="give it more, or a smaller pool")


def _no_graph(functions: StateFunctions) -> NoGraphError:
    """Why there is not even one landmark, and what to try."""
    short = [number for number, (a, b) in enumerate(pairwise(functions.offsets), 1) if b - a == 1]
    if short:
        return NoGraphError(
            f"trajectory {', '.join(map(str, short))} has no step, so nothing can change in it",
            hint="leave out problems whose goal is already true",
        )
    if not functions.descriptors:
        return NoGraphError("there is no state descriptor to make landmarks of", hint=_LARGER_POOL)
    silent = [
        number
        for number, (start, stop) in enumerate(pairwise(functions.offsets), 1)
        if not (functions.truth[:, start + 1 : stop] != functions.truth[:, start : stop - 1]).any()
    ]
    if silent:
        return NoGraphError(
            f"no state descriptor changes in trajectory {', '.join(map(str, silent))}", hint=_LARGER_POOL
        )
    return NoGraphError(
        "no state descriptor turns true, or false, in every training trajectory",
        hint=f"{_LARGER_POOL}, or train on problems that are more alike",
    )


_LARGER_POOL = "use a larger feature pool (--config, --complexity) or fewer rules (--rules)"
