"""When leaping should make way for another search, and runs that are given up then."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from trailmark.limits import Budget
from trailmark.search.leap import LeapResult, LeapStatistics
from trailmark.search.leap.course import Report
from trailmark.search.leap.search import LeapRun
from trailmark.search.result import Progress, Statistics
from trailmark.search.standing import Furthest

PATIENCE_SHARE = 0.3
LEAST_PATIENCE_S = 1.0
"""`auto` gives up leaping when no leap succeeds in this share of its time, but not before."""
HOPELESS_AFTER = 0.35
HOPELESS_FACTOR = 2.0
"""`auto` also gives it up after this share of its time, where at the pace so far the landmarks that are left
would take so many times as long as there is."""
HANDOVER_AFTER = 0.2
"""Where Fast Downward waits, leaping that stands still makes way for it from this share of its time on."""

TELL_SECONDS = 0.1
"""How often it is told how far a run is."""


class Patience:
    """A budget that also ends when no leap succeeds for a while, or when what is left to do would take too
    long: then another search should have the time that is left. Patience may be endless, and is without a
    time limit.

    What is done is the share of the promised landmarks reached, or of the open goals closed, where that is
    more. At the pace so far all of it would take `elapsed / done`; leaping ends where that is far too much.
    Before anything is done nothing is said, and nothing early on: the first leaps, which give recipes, take
    longest. Where Fast Downward waits, leaping also ends as soon as neither share has grown for half of the
    time: where counters cover a part of the goal, all landmarks are reached before all goals are closed."""

    def __init__(
        self,
        budget: Budget,
        promised: Callable[[], int],
        overtaken: Callable[[], bool] = lambda: False,
        *,
        waited_for: bool = False,
        endless: bool = False,
    ) -> None:
        self.budget = budget
        self.overtaken = overtaken
        self.promised = promised
        self.waited_for = waited_for
        self.leaps = -1
        self.goals = 0
        """How many goals were open at first."""
        self._closed = self._reached = 0.0
        self.done_after = 0.0
        """The seconds until more was done than ever before, the last time."""
        self._idle = self._paused = 0.0
        """The seconds of the budget that others had, and when the run was interrupted."""
        self.since = time.monotonic()
        self.seconds = math.inf
        self.look_at = math.inf
        """When to begin to look whether there is hope."""
        self.most = math.inf
        """How many seconds all may take at the pace so far."""
        if budget.seconds is not None and not endless:
            self.seconds = max(LEAST_PATIENCE_S, budget.seconds * PATIENCE_SHARE)
            after = HANDOVER_AFTER if waited_for else HOPELESS_AFTER
            self.look_at = max(LEAST_PATIENCE_S, budget.seconds * after)
            self.most = budget.seconds * HOPELESS_FACTOR

    @property
    def done(self) -> float:
        """The share of the task that was done at most."""
        return max(self._closed, self._reached)

    @property
    def elapsed(self) -> float:
        """The seconds that the run took."""
        return self.budget.elapsed() - self._idle

    def resume(self) -> None:
        """The run begins or goes on: what others took meanwhile is not held against it."""
        self._idle += self.budget.elapsed() - self._paused
        self.since = time.monotonic()

    def pause(self) -> None:
        self._paused = self.budget.elapsed()

    def note(self, counts: LeapStatistics) -> None:
        if counts.status is not None:
            self.goals = self.goals or counts.open_goals
            closed = 1 - counts.open_goals / self.goals if self.goals else 0.0
            reached = counts.status.accepted / max(1, self.promised())
            if closed > self._closed or reached > self._reached:
                self.done_after = self.elapsed
            self._closed, self._reached = max(closed, self._closed), max(reached, self._reached)
        if counts.leaps > self.leaps:
            self.leaps, self.since = counts.leaps, time.monotonic()

    def expired(self) -> bool:
        if self.budget.expired() or time.monotonic() - self.since > self.seconds or self.overtaken():
            return True
        return self.elapsed > self.look_at and self._hopeless()

    def _hopeless(self) -> bool:
        elapsed = self.elapsed
        late = elapsed > HOPELESS_AFTER / HOPELESS_FACTOR * self.most
        hopeless = late and self.done > 0 and elapsed / self.done > self.most
        if self.waited_for:
            hopeless = hopeless or elapsed > 2 * self.done_after
        else:
            self.look_at = math.inf
        if hopeless:
            self.seconds = 0.0
        return hopeless


class PatientRun:
    """A run of leap search, told of as it goes, and given up where it should make way."""

    def __init__(
        self,
        name: str,
        run: Callable[[Report], LeapRun],
        patience: Patience,
        furthest: Furthest,
        progress: Progress | None,
    ) -> None:
        self._name = name
        self._patience = patience
        self._furthest = furthest
        self._progress = progress
        self._tell_at = 0.0
        self._run = run(self._report)

    def go_on(self, *, until_stalled: bool = False) -> LeapResult:
        """To its end, or until the first level finds nothing."""
        self._patience.resume()
        result = self._run.run(self._patience, until_stalled=until_stalled)
        self._patience.pause()
        self._report(result.statistics, last=True)
        return result

    @property
    def done(self) -> float:
        """The share of the task that was done."""
        return self._patience.done

    def _report(self, counts: LeapStatistics, last: bool = False) -> None:
        self._patience.note(counts)
        self._furthest.note(counts)
        if self._progress is not None and (last or time.monotonic() > self._tell_at):
            statistics = Statistics(expanded=counts.expanded, generated=counts.generated)
            self._progress(self._name, statistics, self._furthest.standing)
            self._tell_at = time.monotonic() + TELL_SECONDS
