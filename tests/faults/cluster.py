"""Kill workers of a Dask cluster while they do a suite, and see that no run is lost or done twice."""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from tests.bench.steps import suite_text, write_benchmarks
from tests.faults.tree import MARK, left_after
from trailmark.bench.records import RESULTS
from trailmark.bench.runner import run_suite
from trailmark.bench.runs import expand
from trailmark.bench.suite import Folder
from trailmark.bench.suitefile import parse_suite
from trailmark.executors import dask_cluster
from trailmark.processes import children

WORKERS = 3
TESTS = 4
PAUSE_SECONDS = 0.3
GIVEN_UP = "the workers were killed time and again"
"""Told of a run that was in the hands of four killed workers."""
BETWEEN_SECONDS = (1.0, 6.0)
"""Between one kill and the next."""
PATIENCE_SECONDS = 2.0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", type=int, default=60, help="kills (default: 60)")
    parser.add_argument("--seed", type=int, default=0)


def run(options: argparse.Namespace) -> int:
    from distributed import LocalCluster

    os.environ[MARK] = mark = f"cluster-{os.getpid()}"
    chance = random.Random(options.seed)
    kills, suites, wrong = 0, 0, list[str]()
    statuses: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="faults-") as root:
        while kills < options.count:
            folder = Path(root) / f"suite{suites}"
            folder.mkdir()
            suites += 1
            # A worker that is killed while it starts is not always replaced, so each suite has a new cluster.
            cluster = LocalCluster(
                n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
            )
            with cluster, _Killer(cluster, chance) as killer:
                found = _suite(cluster.scheduler_address, folder)
            kills += killer.kills
            statuses += Counter(found)
            if not set(found) <= {"solved", "invalid plan", GIVEN_UP}:
                wrong.append(f"suite {suites}: {dict(Counter(found))}")
        # Python's own tracker of resources is a child of this process, and ends with it.
        own = {os.getpid(), *children(os.getpid())}
        left = [pid for pid in left_after(mark, PATIENCE_SECONDS) if pid not in own]
    wrong += [f"{len(left)} stray processes"] if left else []
    print(f"{kills} workers killed in {suites} suites of {2 * TESTS} runs: {dict(statuses)}")
    print("\n".join(wrong) if wrong else "no run lost, none done twice, no process left")
    return 1 if wrong else 0


def _suite(address: str, folder: Path) -> list[str]:
    """How the runs of a suite ended, or why they did not; each has one line in the results."""
    instances = Folder(write_benchmarks(folder / "benchmarks", TESTS))
    suite = parse_suite(suite_text(folder, tests=TESTS, pause=PAUSE_SECONDS, seconds=60))
    expansion = expand(suite, instances)
    with dask_cluster(address) as executor:
        records = run_suite(expansion.runs, folder / "out", executor)
    lines = (folder / "out" / RESULTS).read_text().splitlines()
    assert len(lines) == len(records) == len(expansion.runs), "a run is lost or has two records"
    return [
        str(record["reason"] if record["status"] == "error" else record["status"])
        for record in records.values()
    ]


class _Killer(threading.Thread):
    """While open, kills one worker after the other of those that are up; the cluster replaces them."""

    def __init__(self, cluster: Any, chance: random.Random) -> None:
        super().__init__()
        self._cluster, self._chance = cluster, chance
        self._over = threading.Event()
        self.kills = 0

    def __enter__(self) -> _Killer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(self._chance.uniform(*BETWEEN_SECONDS)):
            # One is left to go on with.
            known = self._cluster.scheduler.workers
            victims = [each.pid for each in self._cluster.workers.values() if each.worker_address in known]
            if len(victims) > 1:
                os.kill(self._chance.choice(victims), signal.SIGKILL)
                self.kills += 1
