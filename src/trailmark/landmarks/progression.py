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

from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import (
    OPERATORS,
    Guidance,
    Policy,
    StateDescriptor,
    Status,
    Stepper,
    Valuation,
    accepted_position,
    increased,
)
from trailmark.relational import Interpretation, Structure

if TYPE_CHECKING:
    from trailmark.features.states import Valuations
    from trailmark.landmarks.graph import LandmarkGraph


_Comparison = tuple[int, Callable[[Any, Any], bool], int, bool]


class _LoopEdge(NamedTuple):
    number: int
    """Its place among the loops, and in the memory."""
    target: int
    exit: tuple[_Comparison, ...] | None
    """None where it never ends."""
    progress: tuple[tuple[int, bool], ...] = ()
    """The place of each progressor's feature, of which the value is remembered, and whether it falls."""


class Progression:
    """The status machine of Algorithm 1 for one graph and one policy."""

    __slots__ = ("_loops", "_tests", "graph", "policy")

    def __init__(
        self, graph: LandmarkGraph, policy: Policy = Policy.LEAVE, endless: int | None = None
    ) -> None:
        """Where `endless`, every acceptance of the last landmark, which has no loop of its own, leads back to
        that position: discovery counts occurrences so."""
        self.graph = graph
        self.policy = policy
        self._tests = [_tests(graph, landmark.descriptors) for landmark in graph.landmarks]
        self._loops: dict[int, _LoopEdge] = {}
        for number, loop in enumerate(graph.loops):
            progress = [(graph.feature_index[part.feature], part.decreases) for part in loop.progression]
            edge = _LoopEdge(number, loop.target, _tests(graph, loop.exit), tuple(progress))
            self._loops[loop.source] = edge
        if endless is not None:
            self._loops[len(graph) - 1] = _LoopEdge(len(graph.loops), endless, None)

    def start(self, initial: Valuation) -> Status:
        """The status in the initial state, which accepts nothing."""
        memory = tuple(_read(loop, initial) for loop in self._loops.values())
        return Status(0, 0, (0,) * len(self.graph), (0,) * len(self._loops), memory)

    def step(self, status: Status, values: Valuation) -> Status:
        """The status after a state with these values: the very same object if nothing is accepted."""
        position = status[0]
        if position == len(self._tests) or not _hold(self._tests[position], values):
            return status
        following, traversals, memory = position + 1, status.traversals, status.memory
        loop = self._loops.get(position)
        if loop is not None:
            if loop.exit is None or not _hold(loop.exit, values):
                first = status.counts[position] == 0
                if first or _progresses(loop, memory[loop.number], values):
                    following = loop.target
                    traversals = increased(traversals, loop.number)
                elif self.policy is Policy.STAY:
                    return status
            memory = (*memory[: loop.number], _read(loop, values), *memory[loop.number + 1 :])
        return Status(following, status[1] + 1, increased(status.counts, position), traversals, memory)


def _tests(graph: LandmarkGraph, descriptors: Iterable[StateDescriptor]) -> tuple[_Comparison, ...]:
    return tuple(
        (graph.feature_index[part.feature], OPERATORS[part.operator], part.threshold, part.positive)
        for part in descriptors
    )


def _hold(tests: tuple[_Comparison, ...], values: Valuation) -> bool:
    for place, compare, threshold, positive in tests:  # noqa: SIM110 - most states fail the first test
        if compare(values[place], threshold) != positive:
            return False
    return True


def _read(loop: _LoopEdge, values: Valuation) -> tuple[float, ...]:
    """What is remembered of an acceptance."""
    return tuple([values[place] for place, _ in loop.progress])


def _progresses(loop: _LoopEdge, before: tuple[float, ...], values: Valuation) -> bool:
    pairs = zip(before, loop.progress, strict=True)
    return all(values[place] < old if falls else values[place] > old for old, (place, falls) in pairs)


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

    Only the first subgoal that is missing is reported: none after it was awaited. A counter that was run
    down when it was entered has been passed over, and is not missing.
    """
    last = {acceptance.landmark: acceptance.state for acceptance in accepted}
    found: list[Failure] = []
    missing = guidance.missing(status)
    if missing is not None:
        found.append(Failure(missing, 1, 0, accepted[-1].state if accepted else 0, False))
    for position, expected in zip(guidance.repeated, guidance.passes(initial), strict=True):
        if not guidance.fits(status, position, expected):
            found.append(Failure(position, expected, status.counts[position], last[position], True))
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
