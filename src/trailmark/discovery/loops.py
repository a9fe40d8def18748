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
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.functions import Columns, StateFunctions, Truth
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import LandmarkGraph, Loop
from trailmark.landmarks.progression import Progression, Satisfaction, acceptances, satisfaction

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


@dataclass(frozen=True)
class LoopFunctions:
    """The state functions that fit a loop, least complex first."""

    exits: tuple[StateDescriptor, ...]
    progressors: tuple[StateProgressor, ...]
    counters: tuple[StateValue, ...]


def occurrences(graph: LandmarkGraph, functions: StateFunctions, target: int) -> Occurrences:
    """Walk every trajectory with a loop from the graph's last landmark back to `target`.

    The loop under test has no condition; loops the graph already has work as they are.
    """
    return _walk(Progression(graph), functions.of_graph(graph), target)


def _walk(progression: Progression, trajectories: list[list[list[int]]], target: int) -> Occurrences:
    source = len(progression.graph.landmarks) - 1
    looping = progression.with_endless_loop(target)
    states = []
    for trajectory in trajectories:
        accepted, _ = acceptances(looping, trajectory)
        states.append(tuple(acceptance.state for acceptance in accepted if acceptance.landmark == source))
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
    progression, trajectories = Progression(graph), functions.of_graph(graph)
    for target in range(source):
        found = _walk(progression, trajectories, target)
        if len(found.repeating) < LEAST_LOOP_TRAJECTORIES:
            continue
        fitting = fitting_functions(functions, found)
        if not (fitting.exits and fitting.progressors and fitting.counters):
            continue
        kept = 1 if condition is LoopCondition.MINIMAL else None
        loop = Loop(source, target, fitting.exits[:kept], fitting.progressors[:kept], fitting.counters[:kept])
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


def fitting_functions(functions: StateFunctions, found: Occurrences) -> LoopFunctions:
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
    return LoopFunctions(
        _exits(functions, _columns(last), _columns(earlier), _columns(single)),
        _progressors(functions, _columns(earlier), _columns(later)),
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
    return _by_complexity(chosen)


def _progressors(functions: StateFunctions, before: Columns, after: Columns) -> tuple[StateProgressor, ...]:
    holds = functions.progressing(before, after)
    return _by_complexity([functions.progressor(number) for number in np.flatnonzero(holds).tolist()])


def _counters(functions: StateFunctions, found: Occurrences) -> tuple[StateValue, ...]:
    initial = functions.initial_values()
    counts = np.array([len(states) for states in found.states])
    repeating, single = list(found.repeating), list(found.single)
    fits = (initial[:, repeating] == counts[repeating]).all(axis=1)
    right = (initial[:, single] == 1).all(axis=1)
    chosen = np.flatnonzero(_preferred(fits, right)).tolist()
    return _by_complexity([functions.value(number) for number in chosen])


def _preferred(fits: Truth, right: Truth) -> Truth:
    """The fitting ones that are right elsewhere too, or all fitting ones where there is none."""
    both: Truth = fits & right
    return both if both.any() else fits


_Function = TypeVar("_Function", StateDescriptor, StateProgressor, StateValue)


def _by_complexity(functions: list[_Function]) -> tuple[_Function, ...]:
    """Least complex first, each once; equal ones stay in the order of the pool."""
    return tuple(sorted(dict.fromkeys(functions), key=lambda function: function.complexity))


def _columns(columns: list[int]) -> Columns:
    return np.array(columns, dtype=np.intp)
