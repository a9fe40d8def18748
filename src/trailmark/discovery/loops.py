"""Exact discovery in polynomial time: landmarks of the chain (Equation "Generalized landmark discovery"), and
its repeated stretches with their conditions (Equation "Discovery of loop").

A landmark that contains a literal uses states where the literal turns true, so its index sum is at
least that of the literal's first flips. Hence the least index sum is that of the best single
literal, and the largest landmark at an index vector is the set of all literals whose first flips
are exactly that vector: no search is needed.

Occurrences of a loop are counted by the progression, not by flips: a landmark is accepted where it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.functions import Columns, StateFunctions, Truth
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import LandmarkGraph, Loop
from trailmark.landmarks.progression import Progression, Satisfaction, acceptances, satisfaction

Indices = NDArray[np.int64]
"""One state index for each trajectory."""


@dataclass(frozen=True, eq=False)
class Step:
    """One landmark of the chain, as found: its literals and the state of each trajectory."""

    literals: tuple[int, ...]
    indices: Indices


def next_landmark(functions: StateFunctions, previous: Indices) -> Step | None:
    """The optimum of both objectives after these states; None where no literal flips in every trajectory.

    Literal `2·d` is descriptor d, literal `2·d + 1` its negation; it flips where it is false and then true.
    Among optimal landmarks the one with the lexicographically smallest indices is taken, so that the result
    depends on the order of the training trajectories alone.
    """
    count = len(functions.descriptors)
    everywhere = np.ones((count, 2), np.bool_)
    indices = np.zeros((functions.trajectories, count, 2), np.int64)
    for number, (start, stop) in enumerate(pairwise(functions.offsets)):
        states = functions.truth[:, start + previous[number] : stop]
        before, now = states[:, :-1], states[:, 1:]
        for sign, flips in enumerate((now > before, now < before)):
            everywhere[:, sign] &= flips.any(axis=1)
            if flips.shape[1]:
                indices[number, :, sign] = previous[number] + 1 + flips.argmax(axis=1)
    literals = np.flatnonzero(everywhere)
    if not len(literals):
        return None
    vectors = indices.reshape(functions.trajectories, -1)[:, literals]
    sums = vectors.sum(axis=0)
    together: dict[tuple[int, ...], list[int]] = {}
    for place in np.flatnonzero(sums == sums.min()).tolist():
        together.setdefault(tuple(vectors[:, place].tolist()), []).append(int(literals[place]))
    best = min(together, key=lambda vector: (-len(together[vector]), vector))
    return Step(tuple(together[best]), np.array(best, dtype=np.int64))


LEAST_LOOP_TRAJECTORIES = 2
"""In how many trajectories a repetition must be seen, against overfitting (|T_loop| in the paper)."""


class LoopCondition(Enum):
    """How many of the state functions that fit a loop are kept."""

    MINIMAL = "minimal"
    """One of each kind, the least complex: the paper's objective."""
    ALL = "all"
    """Every one, as in the paper's published Delivery graph."""


@dataclass(frozen=True)
class Occurrences:
    """Where the last landmark of a chain is accepted if a loop leads from it back to `target`."""

    target: int
    states: tuple[tuple[int, ...], ...]
    """For each trajectory the indices of the accepting states."""

    @property
    def repeating(self) -> tuple[int, ...]:
        """T_loop: the trajectories with two or more occurrences."""
        return tuple(number for number, states in enumerate(self.states) if len(states) > 1)

    @property
    def single(self) -> tuple[int, ...]:
        """The trajectories with exactly one occurrence."""
        return tuple(number for number, states in enumerate(self.states) if len(states) == 1)


def occurrences(graph: LandmarkGraph, functions: StateFunctions, target: int) -> Occurrences:
    """Walk every trajectory with a loop from the graph's last landmark back to `target`.

    The loop under test has no condition; loops the graph already has work as they are.
    """
    source, looping = len(graph) - 1, Progression(graph, endless=target)
    found = [acceptances(looping, trajectory)[0] for trajectory in functions.of_graph(graph)]
    states = [tuple(part.state for part in accepted if part.landmark == source) for accepted in found]
    return Occurrences(target, tuple(states))


def find_loop(
    graph: LandmarkGraph,
    functions: StateFunctions,
    condition: LoopCondition = LoopCondition.MINIMAL,
    *,
    satisfied: bool = False,
) -> tuple[Loop, Occurrences] | None:
    """The loop from the graph's last landmark with the longest body that has all its conditions.

    With `satisfied`, every training trajectory must also satisfy the graph with this loop, and leave it.
    """
    source = len(graph.landmarks) - 1
    for target in range(source):
        found = occurrences(graph, functions, target)
        if len(found.repeating) < LEAST_LOOP_TRAJECTORIES:
            continue
        exits, progressors, counters = fitting_functions(functions, found)
        if not (exits and progressors and counters):
            continue
        kept = 1 if condition is LoopCondition.MINIMAL else None
        loop = Loop(source, target, exits[:kept], progressors[:kept], counters[:kept])
        if not satisfied or fits_everywhere(graph, functions, loop):
            return loop, found
    return None


def fits_everywhere(graph: LandmarkGraph, functions: StateFunctions, loop: Loop) -> bool:
    """Whether every training trajectory satisfies the graph with this loop, and leaves the loop."""
    looped = LandmarkGraph(graph.landmarks, (*graph.loops, loop))
    for answer in answers(looped, functions):
        if not answer:
            return False
        last = answer.acceptances[-1]
        if last.landmark != loop.source or last.looped:
            return False
    return True


def answers(graph: LandmarkGraph, functions: StateFunctions) -> tuple[Satisfaction, ...]:
    """Whether each training trajectory satisfies a graph, and if not why."""
    progression = Progression(graph)
    return tuple(satisfaction(graph, progression, values) for values in functions.of_graph(graph))


def fitting_functions(
    functions: StateFunctions, found: Occurrences
) -> tuple[tuple[StateDescriptor, ...], tuple[StateProgressor, ...], tuple[StateValue, ...]]:
    """Every state function that fits these occurrences, in order of complexity.

    Exits hold at the last occurrence and at none before; progressors hold from each occurrence to
    the next; counters are, in the initial state, the number of occurrences. Of exits and counters
    those are preferred that are also right where nothing repeats: the exit holds at the only
    occurrence, and the counter is 1.
    """
    starts = functions.offsets
    last, earlier, later = [], [], []
    for number in found.repeating:
        columns = [starts[number] + state for state in found.states[number]]
        last.append(columns[-1])
        earlier.extend(columns[:-1])
        later.extend(columns[1:])
    single = [starts[number] + found.states[number][0] for number in found.single]
    progressing = np.flatnonzero(functions.progressing(_columns(earlier), _columns(later)))
    return (
        _exits(functions, _columns(last), _columns(earlier), _columns(single)),
        by_complexity([functions.progressors[number] for number in progressing]),
        _counters(functions, found),
    )


def _exits(
    functions: StateFunctions, last: Columns, earlier: Columns, single: Columns
) -> tuple[StateDescriptor, ...]:
    if not functions.descriptors:
        return ()
    truth = functions.truth
    at_last, at_earlier, at_single = truth[:, last], truth[:, earlier], truth[:, single]
    positive: Truth = np.asarray(at_last.all(axis=1) & ~at_earlier.any(axis=1))
    negative: Truth = np.asarray(~at_last.any(axis=1) & at_earlier.all(axis=1))
    right = np.where(positive, at_single.all(axis=1), ~at_single.any(axis=1))
    fits = _preferred(positive | negative, right)
    chosen = [functions.literal(2 * row + int(negative[row])) for row in np.flatnonzero(fits).tolist()]
    return by_complexity(chosen)


def _counters(functions: StateFunctions, found: Occurrences) -> tuple[StateValue, ...]:
    initial = functions.initial_values()
    counts = np.array([len(states) for states in found.states])
    repeating, single = list(found.repeating), list(found.single)
    fits = (initial[:, repeating] == counts[repeating]).all(axis=1)
    right = (initial[:, single] == 1).all(axis=1)
    chosen = np.flatnonzero(_preferred(fits, right)).tolist()
    return by_complexity([functions.values[number] for number in chosen])


def _preferred(fits: Truth, right: Truth) -> Truth:
    """The fitting ones that are right elsewhere too, or all fitting ones where there is none."""
    both: Truth = fits & right
    return both if both.any() else fits


_Function = TypeVar("_Function", StateDescriptor, StateProgressor, StateValue)


def by_complexity(functions: list[_Function]) -> tuple[_Function, ...]:
    """Least complex first, each once; equal ones stay in the order of the pool."""
    return tuple(sorted(dict.fromkeys(functions), key=lambda function: function.complexity))


def _columns(columns: list[int]) -> Columns:
    return np.array(columns, dtype=np.intp)
