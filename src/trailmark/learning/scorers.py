"""Scoring many graphs on the same trials, in this process or spread over an executor's.

Which graphs are scored under which limits does not depend on where that is done, and so neither does what
is chosen, as long as no time limit ends a trial.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any
from uuid import uuid4

from trailmark.executors import results
from trailmark.landmarks.guidance import Guidance
from trailmark.learning.validation import Score, Trial, score
from trailmark.limits import Budget


@dataclass(frozen=True)
class ScoringJob:
    """A graph to be scored on some of the trials."""

    guidance: Guidance
    trials: tuple[int, ...]
    limits: tuple[int, ...]
    """How many states each of them may take."""
    failures: int
    """After more failures than these the rest is not tried."""
    budget: Budget


class Scorer:
    """Scores on these trials, here or by an executor."""

    def __init__(self, trials: Sequence[Trial], executor: Executor | None = None) -> None:
        self.trials = SharedTrials(tuple(trials))
        self._executor = executor

    def scores(self, jobs: Sequence[ScoringJob]) -> list[Score]:
        """What each graph scores, in the order of the jobs."""
        work: list[tuple[SharedTrials | SentTrials, ScoringJob]] = [(self.trials, job) for job in jobs]
        return list(results(self._executor, _scored, work, lost=_scored))


class SharedTrials(tuple[Trial, ...]):
    """Trials that a thread which is sent them again and again makes ready once."""

    def __reduce__(self) -> tuple[object, tuple[str, list[list[object]]]]:
        """Without what is made of a trial when it is first used."""
        plain = [[getattr(trial, field.name) for field in fields(trial)] for trial in self]
        return SentTrials, (self._key, plain)

    @cached_property
    def _key(self) -> str:
        return uuid4().hex

    def here(self) -> SharedTrials:
        return self


@dataclass(frozen=True)
class SentTrials:
    """The same on their way. Each thread has trials of its own: planning changes what makes them ready."""

    key: str
    plain: list[list[Any]]

    def here(self) -> SharedTrials:
        known: tuple[str, SharedTrials] | None = getattr(_memory, "trials", None)
        if known is None or known[0] != self.key:
            known = self.key, SharedTrials(Trial(*values) for values in self.plain)
            _memory.trials = known
        return known[1]


_memory = threading.local()
"""The trials that this thread was sent last."""


def _scored(work: tuple[SharedTrials | SentTrials, ScoringJob]) -> Score:
    known, job = work[0].here(), work[1]
    trials = [known[number] for number in job.trials]
    return score(job.guidance, trials, job.limits, job.failures, job.budget.expired)
