"""Runs on a real Dask cluster of several processes: nothing lost and nothing double, whatever dies."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.steps import suite_text, write_benchmarks
from trailmark.bench.records import RESULTS
from trailmark.bench.runner import run_suite
from trailmark.bench.runs import expand
from trailmark.bench.suite import Folder
from trailmark.bench.suitefile import parse_suite
from trailmark.errors import InputError
from trailmark.executors import dask_cluster

distributed = pytest.importorskip("distributed", reason="needs dask.distributed (extra cluster)")

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made


def test_a_worker_killed_mid_run_loses_nothing_and_doubles_nothing(cluster: Any, tmp_path: Path) -> None:
    folder = Folder(write_benchmarks(tmp_path / "benchmarks"))
    suite = parse_suite(suite_text(tmp_path, tests=4, pause=1.0, seconds=60))
    expansion = expand(suite, folder)
    victims = [worker.pid for worker in cluster.workers.values()]
    out = tmp_path / "out"

    def kill_one() -> None:
        deadline = time.monotonic() + 60
        while not (out / RESULTS).is_file() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.0)
        os.kill(victims[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    with dask_cluster(cluster.scheduler_address) as executor:
        records = run_suite(expansion.runs, out, executor)
    killer.join()
    assert set(records) == {run.key for run in expansion.runs}
    assert len((out / RESULTS).read_text().splitlines()) == len(expansion.runs)
    solved = [record for record in records.values() if record["planner"] == "walker"]
    assert [record["status"] for record in solved] == ["solved"] * 4
    assert {record["status"] for record in records.values()} == {"solved", "invalid plan"}


def test_an_address_where_nothing_listens_is_refused() -> None:
    with pytest.raises(InputError, match="no Dask scheduler"), dask_cluster("tcp://127.0.0.1:9"):
        pass
