"""Scoring many graphs on the same trials, in this process or spread over several.

Which graphs are scored under which limits does not depend on how many processes there are, and so
neither does what is chosen, as long as no time limit ends a trial.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from trailmark.landmarks.guidance import Guidance
from trailmark.learning.validation import Score, Trial, score
from trailmark.limits import Budget
from trailmark.processes import end_with


@dataclass(frozen=True)
class Job:
    """A graph to be scored on some of the trials."""

    guidance: Guidance
    trials: tuple[int, ...]
    limits: tuple[int, ...]
    """How many states each of them may take."""
    failures: int
    """After more failures than these the rest is not tried."""
    budget: Budget


class Scorer:
    """Scores in this process."""

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.trials = trials

    def scores(self, jobs: Sequence[Job]) -> list[Score]:
        """What each graph scores, in the order of the jobs."""
        return [self.score(job) for job in jobs]

    def score(self, job: Job) -> Score:
        trials = [self.trials[each] for each in job.trials]
        return score(job.guidance, trials, job.limits, job.failures, job.budget.expired)


class _Worker:
    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        self.process = process
        self.connection = connection


class ForkedScorer(Scorer):
    """Scores in several processes, forked so that the trials' tasks are there already.

    A worker that dies is not missed: its graph is scored here.
    """

    def __init__(self, trials: Sequence[Trial], processes: int) -> None:
        super().__init__(trials)
        context = get_context("fork")
        self._workers: list[_Worker] = []
        for _ in range(processes):
            ours, theirs = context.Pipe()
            inherited = [each.connection for each in self._workers] + [ours]
            process = context.Process(
                target=_serve, args=(theirs, self.trials, os.getpid(), inherited), daemon=True
            )
            process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))

    def scores(self, jobs: Sequence[Job]) -> list[Score]:
        found: dict[int, Score] = {}
        waiting = list(enumerate(jobs))
        waiting.reverse()
        busy: dict[Connection, tuple[_Worker, int]] = {}
        idle = list(self._workers)
        while len(found) < len(jobs):
            while waiting and idle:
                worker, (number, job) = idle.pop(), waiting.pop()
                try:
                    worker.connection.send(job)
                    busy[worker.connection] = worker, number
                except OSError:
                    self._workers.remove(worker)
                    waiting.append((number, job))
            if not busy:
                number, job = waiting.pop()
                found[number] = self.score(job)
                continue
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                worker, number = busy.pop(connection)
                try:
                    found[number] = connection.recv()
                    idle.append(worker)
                except (EOFError, OSError):
                    self._workers.remove(worker)
                    found[number] = self.score(jobs[number])
        return [found[number] for number in range(len(jobs))]

    def close(self) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
            worker.process.join()
        self._workers.clear()


@contextmanager
def scorer(trials: Sequence[Trial], processes: int) -> Iterator[Scorer]:
    """Scores on these trials, with so many processes where the platform can fork."""
    if processes <= 1 or "fork" not in get_all_start_methods():
        yield Scorer(trials)
        return
    forked = ForkedScorer(trials, processes)
    try:
        yield forked
    finally:
        forked.close()


def _serve(
    connection: Connection, trials: Sequence[Trial], parent: int, inherited: Sequence[Connection]
) -> None:
    """Answers jobs until the other end is closed."""
    for each in inherited:
        each.close()
    if not end_with(parent):
        return
    here = Scorer(trials)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            connection.send(here.score(connection.recv()))
