"""How well a candidate plans: leap search on trial tasks under limits of states; and which plans best.

Limits count generated states and not seconds, so that a choice between candidates does not depend
on how busy the machine is. A trial that no candidate solves tells nothing and is left out. All others weigh
the same, however large they are: effort is compared trial by trial.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, log
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from trailmark.executors import results
from trailmark.landmarks.functions import Guidance
from trailmark.limits import Budget
from trailmark.search.leap import LeapOptions, LeapStatus, Level
from trailmark.search.leap.course import CHECK_EVERY
from trailmark.search.leap.search import leap
from trailmark.task import Task
from trailmark.task.lifted import LiftedGenerator, supports

STEP_WEIGHT = 10.0
"""What a step of the plan weighs against a generated state."""

HARD_LEAP_WEIGHT = 200.0
"""What a leap weighs that novelty 1 could not make."""

PAIR_SHARE = 3
"""Novelty 2 may generate one of so many states of a trial in one leap; it is many times slower a state."""


@dataclass(frozen=True)
class Trial:
    """A task to plan for, and how many states may be generated on it."""

    task: Task
    states: int
    reference: int = 0
    """The length of a plan that is known; 0 where none is."""

    @cached_property
    def generator(self) -> LiftedGenerator | None:
        """Made once for all programs that are tried; None where the task is beyond it."""
        return LiftedGenerator(self.task) if supports(self.task) else None

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made when it is first used: each thread has its own, which planning changes."""
        return {name: value for name, value in vars(self).items() if name != "generator"}


@dataclass(frozen=True)
class Trials:
    easy: tuple[Trial, ...]
    """Every program is tried on these."""
    hard: tuple[Trial, ...]
    """Only the best ones are."""
    key: str = field(default_factory=lambda: uuid4().hex)
    """What a thread knows them by that is sent them again and again."""

    @property
    def every(self) -> tuple[Trial, ...]:
        return (*self.easy, *self.hard)


@dataclass(frozen=True)
class Outcome:
    """How one trial went."""

    solved: bool
    effort: float
    """Generated states, with weights for the plan's steps and for leaps that were hard; more where the plan
    is longer than the one that is known."""
    generated: int = 0
    steps: int = 0


NOT_TRIED = Outcome(False, 0.0)


@dataclass(frozen=True)
class Score:
    """How every trial went."""

    outcomes: tuple[Outcome, ...]

    @property
    def unsolved(self) -> int:
        return sum(not outcome.solved for outcome in self.outcomes)

    @property
    def effort(self) -> float:
        """The sum over the trials that were solved."""
        return sum((outcome.effort for outcome in self.outcomes if outcome.solved), 0.0)

    @property
    def steps(self) -> int:
        return sum(outcome.steps for outcome in self.outcomes if outcome.solved)


class StateLimit:
    """Expires after so many generated states; leap search asks once every `CHECK_EVERY` of them.

    Running out of time ends it as well.
    """

    def __init__(self, states: int, stop: Callable[[], bool] | None = None) -> None:
        self.left = max(1, states // CHECK_EVERY)
        self.stop = stop

    def expired(self) -> bool:
        self.left -= 1
        return self.left < 0 or (self.stop is not None and self.stop())


def score(
    guidance: Guidance,
    trials: Sequence[Trial],
    limits: Sequence[int] | None = None,
    failures: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> Score:
    """What leap search needs with this guidance on each of the trials, under these limits of states.

    After more than so many failures, or out of time, the rest counts as unsolved.
    """
    found: list[Outcome] = []
    unsolved = 0
    for trial, states in zip(trials, limits or [trial.states for trial in trials], strict=True):
        if (failures is not None and unsolved > failures) or (stop is not None and stop()):
            found.append(NOT_TRIED)
            continue
        found.append(try_on(trial, guidance, states, stop))
        unsolved += not found[-1].solved
    return Score(tuple(found))


def try_on(trial: Trial, guidance: Guidance, states: int, stop: Callable[[], bool] | None = None) -> Outcome:
    """How leap search with this guidance does on the trial."""
    options = LeapOptions(novelty_two_limit=trial.states // PAIR_SHARE)
    result = leap(trial.task, guidance, options, StateLimit(states, stop), generator=trial.generator)
    counts, steps = result.statistics, len(result.steps)
    hard = sum(leaps for level, leaps in counts.by_level.items() if level is not Level.NOVELTY_ONE)
    effort = counts.generated + STEP_WEIGHT * steps + HARD_LEAP_WEIGHT * hard
    if trial.reference:
        effort *= max(1.0, steps / trial.reference)
    return Outcome(result.status is LeapStatus.SOLVED, effort, counts.generated, steps)


UNSOLVED_WEIGHT = 4.0
"""What a trial counts that others solve, as a multiple of the most that one of them needed."""

Candidate = TypeVar("Candidate")


class Rank(NamedTuple):
    """Less is better."""

    unsolved: int
    """Trials that others solve and this one does not."""
    effort: float
    """The geometric mean of the efforts, each divided by the least for its trial."""


def ranks(scores: Sequence[Score]) -> list[Rank]:
    """How each of the scores compares with the others; all are over the same trials."""
    columns = [_column(outcomes) for outcomes in zip(*(score.outcomes for score in scores), strict=True)]
    telling = [column for column in columns if column]
    rows = zip(*telling, strict=True) if telling else [()] * len(scores)
    return [
        Rank(
            sum(not solved for solved, _ in row), exp(sum(log(ratio) for _, ratio in row) / max(1, len(row)))
        )
        for row in rows
    ]


def _column(outcomes: Sequence[Outcome]) -> list[tuple[bool, float]]:
    """Whether each one solved a trial, and its effort against the least; nothing where nobody solved it."""
    efforts = [max(1.0, outcome.effort) for outcome in outcomes if outcome.solved]
    if not efforts:
        return []
    least, missed = min(efforts), UNSOLVED_WEIGHT * max(efforts)
    return [(one.solved, (max(1.0, one.effort) if one.solved else missed) / least) for one in outcomes]


def least_complex(
    candidates: Sequence[Candidate],
    rank: Sequence[Rank],
    complexity: Callable[[Candidate], int],
    margin: float,
) -> list[Candidate]:
    """Those within the margin of the best, the least complex first."""
    best = min(rank)
    limit = best.effort * (1 + margin)
    equals = [
        (complexity(candidate), own, place)
        for place, (candidate, own) in enumerate(zip(candidates, rank, strict=True))
        if own.unsolved == best.unsolved and own.effort <= limit
    ]
    return [candidates[place] for _, _, place in sorted(equals)]


@dataclass(frozen=True)
class ScoringJob:
    """A guidance to be scored on some of the trials."""

    guidance: Guidance
    trials: tuple[int, ...]
    limits: tuple[int, ...]
    """How many states each of them may take."""
    failures: int
    """After more failures than these the rest is not tried."""
    budget: Budget


def scores(trials: Trials, jobs: Sequence[ScoringJob], executor: Executor | None = None) -> list[Score]:
    """What each guidance scores on these trials, here or by an executor, in the order of the jobs."""
    work = [(trials, job) for job in jobs]
    return list(results(executor, _scored if executor is None else _scored_there, work, lost=_scored))


def _scored(work: tuple[Trials, ScoringJob]) -> Score:
    known, job = work
    trials = [known.every[number] for number in job.trials]
    return score(job.guidance, trials, job.limits, job.failures, job.budget.expired)


def _scored_there(work: tuple[Trials, ScoringJob]) -> Score:
    """The same where trials are sent: a thread makes them ready once."""
    sent, job = work
    known: Trials | None = getattr(_memory, "trials", None)
    if known is None or known.key != sent.key:
        known = _memory.trials = sent
    return _scored((known, job))


_memory = threading.local()
"""The trials that this thread was sent last."""
