"""Graphs are scored alike in one process and in several, also when a worker is killed."""

from __future__ import annotations

import os
import pickle
import signal
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import active_children, get_all_start_methods

import pytest

from tests.search.leap_programs import PROGRAMS
from trailmark import domains
from trailmark.executors import parallel
from trailmark.landmarks.text import parse_graph
from trailmark.learning.validation import Scorer, ScoringJob, SharedTrials, Trial
from trailmark.limits import UNLIMITED
from trailmark.task import Domain, Task

pytestmark = pytest.mark.skipif("fork" not in get_all_start_methods(), reason="the platform cannot fork")


def trials() -> list[Trial]:
    domain = Domain.parse(domains.domain_text("gripper"))
    tasks = [Task.parse(domain, text) for text in domains.train_problems("gripper")]
    return [Trial(task, 1000) for task in tasks]


def jobs() -> list[ScoringJob]:
    useless = parse_graph("landmark\n n_count(c_primitive(free,0))")
    graphs = [PROGRAMS["gripper"], useless, PROGRAMS["gripper"], useless, PROGRAMS["gripper"]]
    sets = [((0, 1, 2), (1000, 600, 1000)), ((3, 4), (1000, 1000))]
    return [ScoringJob(graph, *sets[place % 2], 1, UNLIMITED) for place, graph in enumerate(graphs)]


def test_several_processes_score_as_one_does() -> None:
    expected = Scorer(trials()).scores(jobs())
    assert any(one != other for one, other in pairwise(expected))
    for processes in (1, 2, 3):
        with parallel(processes) as executor:
            scorer = Scorer(trials(), executor)
            assert scorer.scores(jobs()) == expected
            assert scorer.scores(jobs()[:1]) == expected[:1]


def test_killed_workers_are_not_missed() -> None:
    expected = Scorer(trials()).scores(jobs())
    with parallel(2) as executor:
        scorer = Scorer(trials(), executor)
        assert scorer.scores(jobs()) == expected
        for process in active_children():
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
        assert scorer.scores(jobs()) == expected


def test_trials_are_made_ready_once_in_a_thread_that_is_sent_them_again() -> None:
    def received(trials: SharedTrials) -> SharedTrials:
        return pickle.loads(pickle.dumps(trials)).here()

    shared = SharedTrials(trials())
    first, second = received(shared), received(shared)
    assert first is second
    assert [trial.task.name for trial in first] == [trial.task.name for trial in shared]
    assert first[0].generator is second[0].generator
    with ThreadPoolExecutor(1) as other:
        assert other.submit(received, shared).result() is not first
    assert received(SharedTrials(trials()[:2])) is not first
