"""How far a search has come: the awaited landmark, the statistics, and what is left of the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from trailmark.landmarks.graph import Landmark, LandmarkGraph
from trailmark.landmarks.progression import Policy, Progression, Status
from trailmark.search.leap.options import LeapOptions, LeapStatistics, Limits

CHECK_EVERY = 256
"""Generated states between two looks at the clock."""

Report = Callable[[LeapStatistics], None]
Successor = TypeVar("Successor")


class OutOfBudget(Exception):
    """Time is up, or enough states were generated, in the middle of a leap."""


class Course:
    """The progression along the graph, with the policy `stay`, and the limits of the whole search."""

    def __init__(
        self, graph: LandmarkGraph, options: LeapOptions, budget: Limits, report: Report | None = None
    ) -> None:
        self.graph = graph
        self.options = options
        self.guards = graph.guards if options.guards else ()
        """What must not hold in any state of the search."""
        self.statistics = LeapStatistics()
        self._budget = budget
        self._report = report
        self._random = Random(options.seed) if options.seed is not None else None
        self._progression = Progression(graph, Policy.STAY)
        self._next_check = 0
        self.whole_pass = False
        """Whether only the end of a pass counts as acceptance, and not progress inside it."""

    def start(self, values: Sequence[float]) -> None:
        """The search begins in a state with these values of the graph's features."""
        self.status = self._progression.start(values)
        self.advance(values)

    @property
    def looks_aside(self) -> bool:
        """Whether a goal may be closed instead of reaching the landmark."""
        return self.options.asides and self.awaited is not None and not self.whole_pass

    def accepts(self, values: Sequence[float]) -> bool:
        """Whether a state with these values accepts the awaited landmark."""
        after = self._after(values, self.whole_pass)
        return after.accepted > self.status.accepted if self.whole_pass else after is not self.status

    def _after(self, values: Sequence[float], whole_pass: bool = False) -> Status:
        """The status after a state with these values: the very same if nothing is accepted.

        Where a pass ends, what its body still awaits is skipped: what is done is done.
        """
        status = self.status
        end = self.graph.pass_ends[status.next]
        if end is not None:
            after = self._progression.step(status._replace(next=end), values)
            if after.accepted > status.accepted:
                return after
            if whole_pass:
                return status
        return self._progression.step(status, values)

    def advance(self, values: Sequence[float]) -> None:
        """Accept the landmark that holds here, and those after it that hold here too.

        In Algorithm 1 a state accepts one landmark and the next waits for the next state; committing
        to a step for that alone would lead astray. This ends, because a loop leads back only where
        something progressed since its last acceptance.
        """
        after = self._after(values)
        while after is not self.status:
            self.statistics.accepted += 1
            self.statistics.loops += sum(after.traversals) - sum(self.status.traversals)
            self.status = after
            after = self._after(values)
        if self._report is not None:
            self._report(self.statistics)

    @property
    def awaited(self) -> Landmark | None:
        """The landmark to be reached next, not to be skipped; None past the last one."""
        required = self.graph.routes.required[self.status.next]
        return None if required is None else self.graph.landmarks[required]

    @property
    def has_inner_progress(self) -> bool:
        """Whether the end of a pass may come nearer before it is reached."""
        in_body = self.graph.pass_ends[self.status.next] is not None
        return in_body or (self.awaited is not None and self.awaited.has_inner_progress)

    def generated(self, successors: list[Successor]) -> None:
        """Count successors, and shuffle them where that is asked for."""
        self.statistics.generated += len(successors)
        if self._random is not None:
            self._random.shuffle(successors)

    def look_at_clock(self, always: bool = False) -> None:
        """Asks for the time now and then, or always; raises `OutOfBudget` where it is up."""
        generated, most = self.statistics.generated, self.options.max_generated
        if most is not None and generated >= most:
            raise OutOfBudget
        if always or generated >= self._next_check:
            self._next_check = generated + CHECK_EVERY
            if self._budget.expired():
                raise OutOfBudget
            if self._report is not None:
                self._report(self.statistics)
