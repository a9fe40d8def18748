"""How far a search has come: the awaited subgoal, the statistics, and what is left of the budget."""

from __future__ import annotations

from collections.abc import Callable

from trailmark.landmarks.functions import Guidance, Valuation
from trailmark.limits import UNLIMITED
from trailmark.search.leap.options import LeapOptions, LeapStatistics, Limits

CHECK_EVERY = 256
"""Generated states between two looks at the clock."""

Report = Callable[[LeapStatistics], None]


class OutOfBudget(Exception):
    """Time is up, or enough states were generated, in the middle of a leap."""


class Course:
    """The way along the guidance, and the limits of the whole search."""

    def __init__(self, guidance: Guidance, options: LeapOptions, report: Report | None = None) -> None:
        self.guidance = guidance
        self.options = options
        self.guards = guidance.guards
        """What must not hold in any state of the search."""
        self.statistics = LeapStatistics()
        self.budget: Limits = UNLIMITED
        self._report = report
        self._next_check = 0
        self.whole_pass = False
        """Whether only the end of a pass counts as acceptance, and not progress inside it."""

    def start(self, values: Valuation) -> None:
        """The search begins in a state with these values of the guidance's features."""
        self.status = self.guidance.start(values)
        self.advance(values)

    def begin_leap(self, open_goals: int) -> None:
        """Keep where a leap begins, for whoever is told how far the search is."""
        statistics = self.statistics
        statistics.before_leap, statistics.open_goals = statistics.generated, open_goals
        statistics.status = self.status

    def accepts(self, values: Valuation) -> bool:
        """Whether a state with these values accepts the awaited subgoal."""
        after = self.guidance.step(self.status, values)
        return after.accepted > self.status.accepted if self.whole_pass else after is not self.status

    def advance(self, values: Valuation) -> None:
        """Accept the subgoal that holds here, and those after it that hold here too.

        In Algorithm 1 a state accepts one landmark and the next waits for the next state; committing
        to a step for that alone would lead astray. This ends, because a loop leads back only where
        something progressed since its last acceptance.
        """
        after = self.guidance.step(self.status, values)
        while after is not self.status:
            self.statistics.accepted += 1
            self.statistics.loops += sum(after.traversals) - sum(self.status.traversals)
            self.status = after
            after = self.guidance.step(self.status, values)
        if self._report is not None:
            self._report(self.statistics)

    @property
    def awaited(self) -> int | None:
        """The position of the subgoal to be reached next, not to be skipped; None past the last one."""
        return self.guidance.awaited(self.status)

    @property
    def has_inner_progress(self) -> bool:
        """Whether the end of a pass may come nearer before it is reached."""
        return self.guidance.has_inner_progress(self.status.next)

    def look_at_clock(self, always: bool = False) -> None:
        """Asks for the time now and then, or always; raises `OutOfBudget` where it is up."""
        options, generated = self.options, self.statistics.generated
        if options.max_generated is not None and generated >= options.max_generated:
            raise OutOfBudget
        if options.max_effort is not None and self.statistics.effort >= options.max_effort:
            raise OutOfBudget
        if always or generated >= self._next_check:
            self._next_check = generated + CHECK_EVERY
            if self.budget.expired():
                raise OutOfBudget
            if self._report is not None:
                self._report(self.statistics)
