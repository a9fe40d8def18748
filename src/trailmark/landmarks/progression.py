"""Progression: which landmark is awaited next, state after state (Algorithm 1); and satisfaction: whether a
trajectory satisfies a landmark graph or a program, and if not, exactly why (Problem 2).

A `Progression` is a graph compiled to places in a valuation; a `Status` is all it remembers on one
path. Statuses are immutable and hashable, so that a search keeps one for each state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import (
    OPERATORS,
    Guidance,
    Policy,
    StateDescriptor,
    StateProgressor,
    Status,
    Stepper,
    Valuation,
    accepted_position,
    increased,
)
from trailmark.relational import Interpretation, Structure

if TYPE_CHECKING:
    from trailmark.features.states import Valuations
    from trailmark.landmarks.graph import LandmarkGraph, Loop


_Comparison = tuple[int, Callable[[Any, Any], bool], int, bool]


class _LoopEdge(NamedTuple):
    number: int
    """Its place among the loops, and in the memory."""
    target: int
    exit: _Test | None
    progress: tuple[tuple[int, int, bool], ...]
    """Progressors: where the earlier value is remembered, the place of the later one, whether it falls."""
    remembered: tuple[int, ...]
    """The places of what is remembered of an acceptance."""


class _Test(NamedTuple):
    """Descriptors by the place of their feature; plain ones, the common case, apart from others."""

    positive: tuple[int, ...]
    negative: tuple[int, ...]
    compared: tuple[_Comparison, ...]
    loop: _LoopEdge | None = None
    """Of a landmark."""


class Progression:
    """The status machine of Algorithm 1 for one graph and one policy."""

    __slots__ = ("_nodes", "_slots", "graph", "policy")

    def __init__(self, graph: LandmarkGraph, policy: Policy = Policy.LEAVE) -> None:
        self.graph = graph
        self.policy = policy
        self._slots = tuple(_remembered(graph, loop) for loop in graph.loops)
        nodes = [_test(graph, landmark.descriptors) for landmark in graph.landmarks]
        for number, loop in enumerate(graph.loops):
            edge = _edge(graph, number, loop, self._slots[number])
            nodes[loop.source] = nodes[loop.source]._replace(loop=edge)
        self._nodes: tuple[_Test | None, ...] = (*nodes, None)

    def with_endless_loop(self, target: int) -> Progression:
        """The same with a loop under test: every acceptance of the last landmark leads back to `target`.

        The last landmark must have no loop of its own. Discovery counts occurrences with this.
        """
        *before, last, end = self._nodes
        assert last is not None  # a graph has a landmark
        if last.loop is not None:
            raise InputError("the last landmark has a loop already")
        other = Progression.__new__(Progression)
        other.graph, other.policy, other._slots = self.graph, self.policy, self._slots
        other._nodes = (*before, last._replace(loop=_LoopEdge(-1, target, None, (), ())), end)
        return other

    def start(self, initial: Valuation) -> Status:
        """The status in the initial state, which accepts nothing."""
        memory = tuple(tuple(initial[place] for place in places) for places in self._slots)
        return Status(0, 0, (0,) * len(self.graph.landmarks), (0,) * len(self.graph.loops), memory)

    def step(self, status: Status, values: Valuation) -> Status:
        """The status after a state with these values: the very same object if nothing is accepted."""
        position = status[0]
        node = self._nodes[position]
        if node is None:
            return status
        # Most states accept nothing: the tests come before everything that only an acceptance needs.
        for place in node[0]:
            if values[place] <= 0:
                return status
        for place in node[1]:
            if values[place] > 0:
                return status
        _, _, compared, loop = node
        if compared and not _compare(compared, values):
            return status
        return self._accept(status, position, loop, values)

    def _accept(self, status: Status, position: int, loop: _LoopEdge | None, values: Valuation) -> Status:
        """The status after this landmark, which holds; the very same where its loop refuses it."""
        following, traversals, memory = position + 1, status.traversals, status.memory
        if loop is not None:
            if loop.exit is None or not _holds(loop.exit, values):
                first = status.counts[position] == 0
                if first or _progresses(loop, memory, values):
                    following = loop.target
                    if loop.exit is not None:
                        traversals = increased(traversals, loop.number)
                elif self.policy is Policy.STAY:
                    return status
            if loop.remembered:
                remembered = tuple([values[place] for place in loop.remembered])
                memory = (*memory[: loop.number], remembered, *memory[loop.number + 1 :])
        return Status(following, status[1] + 1, increased(status.counts, position), traversals, memory)


def _edge(graph: LandmarkGraph, number: int, loop: Loop, remembered: tuple[int, ...]) -> _LoopEdge:
    def compared(progressor: StateProgressor) -> tuple[int, int, bool]:
        place = graph.feature_index[progressor.feature]
        return remembered.index(place), place, progressor.decreases

    progress = tuple(compared(progressor) for progressor in loop.progression)
    return _LoopEdge(number, loop.target, _test(graph, loop.exit), progress, remembered)


def _remembered(graph: LandmarkGraph, loop: Loop) -> tuple[int, ...]:
    """The places of the features that the loop compares."""
    return tuple(dict.fromkeys(graph.feature_index[progressor.feature] for progressor in loop.progression))


def _test(graph: LandmarkGraph, descriptors: Iterable[StateDescriptor]) -> _Test:
    positive: list[int] = []
    negative: list[int] = []
    compared: list[_Comparison] = []
    for descriptor in descriptors:
        place = graph.feature_index[descriptor.feature]
        if descriptor.is_plain:
            (positive if descriptor.positive else negative).append(place)
        else:
            comparison = OPERATORS[descriptor.operator]
            compared.append((place, comparison, descriptor.threshold, descriptor.positive))
    return _Test(tuple(positive), tuple(negative), tuple(compared))


def _holds(test: _Test, values: Valuation) -> bool:
    return (
        all(values[place] > 0 for place in test.positive)
        and all(values[place] <= 0 for place in test.negative)
        and _compare(test.compared, values)
    )


def _compare(compared: tuple[_Comparison, ...], values: Valuation) -> bool:
    return all(test(values[place], threshold) == positive for place, test, threshold, positive in compared)


def _progresses(loop: _LoopEdge, memory: tuple[tuple[float, ...], ...], values: Valuation) -> bool:
    return all(
        (memory[loop.number][kept] - values[place]) * (1 if falls else -1) > 0
        for kept, place, falls in loop.progress
    )


@dataclass(frozen=True)
class Acceptance:
    """One subgoal accepted in one state of a trajectory."""

    state: int
    """The index of the state; the initial state is 0."""
    landmark: int
    """The position of the landmark, or of the counter whose pass ends, counted from 0."""
    looped: bool
    """Whether a loop led back from here."""


@dataclass(frozen=True)
class Failure:
    """One landmark that was not accepted as often as it must be."""

    landmark: int
    """Its position in the chain, counted from 0."""
    expected: int
    found: int
    state: int
    """The state of its last acceptance; where it has none, of the last acceptance of any landmark."""
    is_loop: bool
    """Whether the count of a loop is wrong; otherwise the landmark was never accepted."""

    def __str__(self) -> str:
        name = f"landmark {self.landmark + 1}"
        if not self.is_loop:
            return f"{name} is not accepted after state {self.state}"
        times = "once" if self.found == 1 else f"{self.found} times"
        last = f" (last in state {self.state})" if self.found else ""
        return f"loop {name} is accepted {times}{last}, its counter says {self.expected}"


@dataclass(frozen=True)
class Satisfaction:
    """The answer, with what was accepted where."""

    acceptances: tuple[Acceptance, ...]
    failures: tuple[Failure, ...]

    @property
    def satisfied(self) -> bool:
        return not self.failures

    def __bool__(self) -> bool:
        return self.satisfied

    def __str__(self) -> str:
        return "; ".join(map(str, self.failures)) or "satisfied"


def satisfies(
    guidance: Guidance, trajectory: Sequence[Valuation], policy: Policy = Policy.LEAVE
) -> Satisfaction:
    """Problem "Satisfying a graph of generalized landmarks", for one valuation a state.

    Every subgoal must be accepted, and those of loops as often as their counters say in the initial
    state. The policy concerns landmark graphs alone.
    """
    return satisfaction(guidance, guidance.following(policy), trajectory)


def satisfaction(guidance: Guidance, stepper: Stepper, trajectory: Sequence[Valuation]) -> Satisfaction:
    """The same for a guidance that is already compiled, as for many trajectories."""
    accepted, status = acceptances(stepper, trajectory)
    return Satisfaction(accepted, failures(guidance, accepted, status, trajectory[0]))


def acceptances(stepper: Stepper, trajectory: Sequence[Valuation]) -> tuple[tuple[Acceptance, ...], Status]:
    """Everything accepted along a trajectory of valuations, and the last status."""
    found: list[Acceptance] = []
    status = stepper.start(trajectory[0])
    for index, values in enumerate(trajectory[1:], start=1):
        after = stepper.step(status, values)
        if after.accepted > status.accepted:
            position = accepted_position(status, after)
            found.append(Acceptance(index, position, after.next <= position))
        status = after
    return tuple(found), status


def failures(
    guidance: Guidance, accepted: Sequence[Acceptance], status: Status, initial: Valuation
) -> tuple[Failure, ...]:
    """What a trajectory that ends in this status fails to achieve.

    Only the first subgoal that is missing is reported: none after it was awaited. A loop that was over
    when it was entered has been passed over, and is not missing.
    """
    last = {acceptance.landmark: acceptance.state for acceptance in accepted}
    found: list[Failure] = []
    missing = guidance.missing(status)
    if missing is not None:
        found.append(Failure(missing, 1, 0, accepted[-1].state if accepted else 0, False))
    for position, expected in zip(guidance.repeated, guidance.passes(initial), strict=True):
        count = status.counts[position]
        if count and count != expected:
            found.append(Failure(position, expected, count, last[position], True))
    return tuple(found)


def values_along(
    guidance: Guidance, structure: Structure, states: Sequence[Interpretation]
) -> list[list[int]]:
    """One valuation for each of these states of an instance, in the order of the guidance's features."""
    from trailmark.features.batch import evaluate
    from trailmark.features.states import state_batch

    (values,) = graph_values(guidance, evaluate(guidance.features, state_batch([(structure, states)])))
    return values


def graph_values(
    guidance: Guidance, valuations: Valuations, row_of: Mapping[Expression, int] | None = None
) -> list[list[list[int]]]:
    """For each trajectory, one valuation a state in the order of the guidance's features.

    `row_of` is the row of every feature, where that is already known.
    """
    known = row_of or {feature: row for row, feature in enumerate(valuations.features)}
    rows = [known[feature] for feature in guidance.features]
    states = valuations.values[rows].T.tolist()
    return [states[start:stop] for start, stop in pairwise(valuations.offsets)]
