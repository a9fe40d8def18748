"""Whether a trajectory satisfies a landmark graph or a program, and if not, exactly why (Problem 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from trailmark.features.syntax import Expression
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.guidance import Guidance, Status, Stepper, Valuation, accepted_position
from trailmark.landmarks.progression import Policy, Progression
from trailmark.relational import Interpretation, Structure

if TYPE_CHECKING:
    from trailmark.features.states import Valuations


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
        return "satisfied" if self.satisfied else "; ".join(str(failure) for failure in self.failures)


def satisfies(
    guidance: Guidance, trajectory: Sequence[Valuation], policy: Policy = Policy.LEAVE
) -> Satisfaction:
    """Problem "Satisfying a graph of generalized landmarks", for one valuation a state.

    Every subgoal must be accepted, and those of loops as often as their counters say in the initial
    state. The policy concerns landmark graphs alone.
    """
    return satisfaction(guidance, following(guidance, policy), trajectory)


def satisfaction(guidance: Guidance, stepper: Stepper, trajectory: Sequence[Valuation]) -> Satisfaction:
    """The same for a guidance that is already compiled, as for many trajectories."""
    accepted, status = acceptances(stepper, trajectory)
    return Satisfaction(accepted, failures(guidance, accepted, status, trajectory[0]))


def following(guidance: Guidance, policy: Policy) -> Stepper:
    """What tells how far a path has come; a landmark graph does so with this policy."""
    return Progression(guidance, policy) if isinstance(guidance, LandmarkGraph) else guidance


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
    if row_of is None:
        row_of = {feature: row for row, feature in enumerate(valuations.features)}
    rows = [row_of[feature] for feature in guidance.features]
    states = valuations.values[rows].T.tolist()
    return [states[start:stop] for start, stop in pairwise(valuations.offsets)]
