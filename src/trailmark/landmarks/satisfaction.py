"""Whether a trajectory satisfies a landmark graph, and if not, exactly why (Problem 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trailmark.features.batch import evaluate
from trailmark.features.states import state_batch
from trailmark.features.syntax import Expression
from trailmark.features.valuations import Valuations
from trailmark.landmarks.graph import LandmarkGraph, loop_count
from trailmark.landmarks.progression import Acceptance, Policy, Progression, acceptances
from trailmark.relational import Interpretation, Structure


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
        return "satisfied" if self.satisfied else "; ".join(str(each) for each in self.failures)


def satisfies(
    graph: LandmarkGraph, trajectory: Sequence[Sequence[float]], policy: Policy = Policy.LEAVE
) -> Satisfaction:
    """Problem "Satisfying a graph of generalized landmarks", for one valuation a state."""
    return satisfaction(Progression(graph, policy), trajectory)


def satisfaction(progression: Progression, trajectory: Sequence[Sequence[float]]) -> Satisfaction:
    """The same for a graph that is already compiled, as for many trajectories.

    The progression must accept every landmark, and each loop landmark as often as its counter says
    in the initial state. Only the first landmark that is missing is reported: none after it was
    awaited. A loop that was over when it was entered has been passed over, and is not missing; nor is a
    possible landmark, or an alternative other than the one that was taken.
    """
    graph = progression.graph
    accepted, status = acceptances(progression, trajectory)
    counts = status.counts if status else (0,) * len(graph.landmarks)
    last = {each.landmark: each.state for each in accepted}
    failures: list[Failure] = []
    reached = max([status.next if status else 0, *(graph.routes.following[landmark] for landmark in last)])
    # What lies before and was never accepted was skipped, or its loop was over when it was entered.
    missing = graph.routes.required[reached]
    if missing is not None:
        failures.append(Failure(missing, 1, 0, accepted[-1].state if accepted else 0, False))
    for loop in graph.loops:
        found = counts[loop.source]
        if found:
            expected = loop_count(graph, loop, trajectory[0])
            if found != expected:
                failures.append(Failure(loop.source, expected, found, last[loop.source], True))
    return Satisfaction(accepted, tuple(failures))


def values_along(
    graph: LandmarkGraph, structure: Structure, states: Sequence[Interpretation]
) -> list[list[int]]:
    """One valuation for each of these states of an instance, in the order of the graph's features."""
    (values,) = graph_values(graph, evaluate(graph.features, state_batch([(structure, states)])))
    return values


def graph_values(
    graph: LandmarkGraph, valuations: Valuations, row_of: Mapping[Expression, int] | None = None
) -> list[list[list[int]]]:
    """For each trajectory, one valuation a state in the order of the graph's features.

    `row_of` is the row of every feature, where that is already known.
    """
    if row_of is None:
        row_of = {feature: row for row, feature in enumerate(valuations.features)}
    rows = [row_of[feature] for feature in graph.features]
    states = valuations.values[rows].T.tolist()
    return [states[start:stop] for start, stop in pairwise(valuations.offsets)]
