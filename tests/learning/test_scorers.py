"""Graphs are scored alike in one process and in several, also when a worker is killed."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import active_children, get_all_start_methods
from typing import Any

import pytest

from tests.search.leap_programs import PROGRAMS
from trailmark import domains
from trailmark.executors import parallel
from trailmark.landmarks.text import parse_graph
from trailmark.learning import validation
from trailmark.learning.validation import ScoringJob, Trial, Trials, scores
from trailmark.limits import UNLIMITED
from trailmark.task import Domain, Task
from trailmark.task.lifted import LiftedGenerator

pytestmark = pytest.mark.skipif("fork" not in get_all_start_methods(), reason="the platform cannot fork")


def trials() -> Trials:
    domain = Domain.parse(domains.domain_text("gripper"))
    tasks = [Task.parse(domain, text) for text in domains.train_problems("gripper")]
    return Trials(tuple(Trial(task, 1000) for task in tasks), ())


def jobs() -> list[ScoringJob]:
    useless = parse_graph("landmark\n n_count(c_primitive(free,0))")
    graphs = [PROGRAMS["gripper"], useless, PROGRAMS["gripper"], useless, PROGRAMS["gripper"]]
    sets = [((0, 1, 2), (1000, 600, 1000)), ((3, 4), (1000, 1000))]
    return [ScoringJob(graph, *sets[place % 2], 1, UNLIMITED) for place, graph in enumerate(graphs)]


def test_several_processes_score_as_one_does() -> None:
    expected = scores(trials(), jobs())
    assert any(one != other for one, other in pairwise(expected))
    for processes in (1, 2, 3):
        with parallel(processes) as executor:
            known = trials()
            assert scores(known, jobs(), executor) == expected
            assert scores(known, jobs()[:1], executor) == expected[:1]


def test_killed_workers_are_not_missed() -> None:
    expected = scores(trials(), jobs())
    with parallel(2) as executor:
        known = trials()
        assert scores(known, jobs(), executor) == expected
        for process in active_children():
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
        assert scores(known, jobs(), executor) == expected


def test_trials_are_made_ready_once_in_a_thread_they_are_sent_to_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[str, int]] = []

    def make(task: Task) -> LiftedGenerator:
        made.append((task.name, threading.get_ident()))
        return LiftedGenerator(task)

    class Sending(ThreadPoolExecutor):
        """Sends its work as a cluster does."""

        def submit(self, fn: Any, /, *items: Any, **named: Any) -> Future[Any]:
            return super().submit(lambda sent: fn(*pickle.loads(sent)), pickle.dumps(items))

    monkeypatch.setattr(validation, "LiftedGenerator", make)
    known = trials()
    expected = scores(known, jobs())
    assert len(made) == len(known.every)
    made.clear()
    with Sending(2) as executor:
        assert all(scores(known, jobs(), executor) == expected for _ in range(3))
        assert len(made) == len(set(made)) <= 2 * len(known.every)
        assert threading.get_ident() not in {thread for _, thread in made}
        scores(trials(), jobs(), executor)
        assert len(made) > len(set(made))
