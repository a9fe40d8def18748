"""Learning on a real Dask cluster gives what learning here gives, also where a worker is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import trailmark
from trailmark import domains

distributed = pytest.importorskip("distributed", reason="needs dask.distributed (extra cluster)")

pytestmark = pytest.mark.slow


def test_a_cluster_learns_the_same_model_also_when_a_worker_is_killed(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(domains.domain_text("gripper"))
    problems = []
    for number, text in enumerate(domains.train_problems("gripper"), start=1):
        problems.append(tmp_path / f"t{number}.pddl")
        problems[-1].write_text(text)
    alone = trailmark.learn(tmp_path / "domain.pddl", problems, time_limit=300, complexity=4)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
    ) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        killer = threading.Thread(target=lambda: (time.sleep(1.0), os.kill(victim, signal.SIGKILL)))
        killer.start()
        shared = trailmark.learn(
            tmp_path / "domain.pddl",
            problems,
            time_limit=300,
            complexity=4,
            cluster=cluster.scheduler_address,
        )
        killer.join()
    assert shared.model.guidance == alone.model.guidance
    assert shared.model.candidates == alone.model.candidates
