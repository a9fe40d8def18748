"""Graphs are scored alike in one process and in several, also when a worker is killed."""

from __future__ import annotations

import os
import signal
from itertools import pairwise
from multiprocessing import get_all_start_methods

import pytest

from tests.search.leap_programs import PROGRAMS
from trailmark import domains
from trailmark.landmarks import parse_graph
from trailmark.learning.scorers import ForkedScorer, Job, Scorer, scorer
from trailmark.learning.validation import Trial
from trailmark.limits import UNLIMITED
from trailmark.task import Domain, Task

pytestmark = pytest.mark.skipif("fork" not in get_all_start_methods(), reason="the platform cannot fork")


def trials() -> list[Trial]:
    domain = Domain.parse(domains.domain_text("gripper"))
    tasks = [Task.parse(domain, text) for text in domains.train_problems("gripper")]
    return [Trial(task, 1000) for task in tasks]


def jobs() -> list[Job]:
    useless = parse_graph("landmark\n n_count(c_primitive(free,0))")
    graphs = [PROGRAMS["gripper"], useless, PROGRAMS["gripper"], useless, PROGRAMS["gripper"]]
    sets = [((0, 1, 2), (1000, 600, 1000)), ((3, 4), (1000, 1000))]
    return [Job(graph, *sets[place % 2], 1, UNLIMITED) for place, graph in enumerate(graphs)]


def test_several_processes_score_as_one_does() -> None:
    sets = trials()
    expected = Scorer(sets).scores(jobs())
    assert any(one != other for one, other in pairwise(expected))
    for processes in (1, 2, 3):
        with scorer(sets, processes) as scores:
            assert isinstance(scores, ForkedScorer) == (processes > 1)
            assert scores.scores(jobs()) == expected
            assert scores.scores(jobs()[:1]) == expected[:1]


def test_killed_workers_are_not_missed() -> None:
    sets = trials()
    expected = Scorer(sets).scores(jobs())
    with scorer(sets, 2) as scores:
        assert isinstance(scores, ForkedScorer)
        for worker in scores._workers[:1]:
            assert worker.process.pid is not None
            os.kill(worker.process.pid, signal.SIGKILL)
        assert scores.scores(jobs()) == expected
        for worker in scores._workers:
            assert worker.process.pid is not None
            os.kill(worker.process.pid, signal.SIGKILL)
        assert scores.scores(jobs()) == expected


def test_no_worker_outlives_its_scorer() -> None:
    with scorer(trials(), 2) as scores:
        assert isinstance(scores, ForkedScorer)
        processes = [worker.process for worker in scores._workers]
    assert not any(process.is_alive() for process in processes)
