"""Guidance: what search, learning, reports and the model file know of what was learned.

A `LandmarkGraph` (the paper's) and a `Program` (counters that are run down) both are a guidance. The
protocol lies in this package because it speaks of state descriptors and of the status of Algorithm 1,
and this is the lowest package that knows both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import StateDescriptor

Valuation = Sequence[float]
"""The values of a guidance's features in one state, in the order of `Guidance.features`."""


class Status(NamedTuple):
    """How far a path has come. Subgoals are the landmarks of a graph, or the counters of a program."""

    next: int
    """The position of the awaited subgoal; past the last one nothing more is accepted."""
    accepted: int
    """Acceptances so far, repeated ones included."""
    counts: tuple[int, ...]
    """Acceptances of each subgoal."""
    traversals: tuple[int, ...]
    """How often each loop led back."""
    memory: tuple[tuple[float, ...], ...]
    """The values that later states are compared with."""


class Stepper(Protocol):
    """Tells from state to state how far a path has come."""

    def start(self, initial: Valuation) -> Status:
        """The status in the initial state, which accepts nothing."""

    def step(self, status: Status, values: Valuation) -> Status:
        """The status after a state with these values: the very same object where nothing is accepted."""


class Guidance(Stepper, Protocol):
    """Subgoals in the order they are to be achieved, some of them repeatedly."""

    def __len__(self) -> int:
        """The number of subgoals."""

    @property
    def features(self) -> tuple[Expression, ...]:
        """The distinct features: the order of every valuation."""

    @property
    def feature_index(self) -> Mapping[Expression, int]:
        """The place of every feature in a valuation."""

    @property
    def guards(self) -> tuple[StateDescriptor, ...]:
        """Conditions that never hold on the way to a goal."""

    @property
    def without_guards(self) -> Guidance:
        """The same for a search that must not prune what only training says is lost."""

    @property
    def deciding(self) -> tuple[tuple[int, ...], ...]:
        """For each position the places of the features that decide what is accepted there."""

    @property
    def repeated(self) -> tuple[int, ...]:
        """The positions that are achieved in several passes, one for each loop."""

    @property
    def accepts_changes_alone(self) -> bool:
        """Whether two changes that have nothing to do with each other are never accepted together where
        neither of them is alone."""

    def has_inner_progress(self, position: int) -> bool:
        """Whether a status may change at this position before anything more is accepted: progress inside
        a pass."""

    def awaited(self, status: Status) -> int | None:
        """The position of the subgoal to be achieved next; None past the last one."""

    def missing(self, status: Status) -> int | None:
        """The first position that a path has neither achieved nor skipped; None where there is none."""

    def passes(self, initial: Valuation) -> tuple[int, ...]:
        """How often each of `repeated` is to be achieved from this initial state on; at least once."""

    def h_max(self, initial: Valuation) -> int:
        """How many acceptances there are to be in all: the largest value of LM-G."""


def accepted_position(before: Status, after: Status) -> int:
    """The position that was accepted from one status to the next, and else the one that stays awaited."""
    pairs = zip(before.counts, after.counts, strict=True)
    return next((place for place, (old, new) in enumerate(pairs) if old != new), before.next)


def lm_g(maximum: int, status: Status) -> int:
    """The paper's heuristic LM-G: the landmarks still to be achieved, never less than 0."""
    return max(0, maximum - status.accepted)
