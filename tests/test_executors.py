"""Work in parallel gives what it gives alone, also where a process is killed, and leaves no process."""

from __future__ import annotations

import os
import pickle
import signal
import time
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from multiprocessing import active_children, get_all_start_methods
from pathlib import Path
from threading import Event

import pytest

from trailmark.errors import InputError
from trailmark.executors import Cluster, Processes, parallel, results, width
from trailmark.limits import Budget

pytestmark = pytest.mark.skipif("fork" not in get_all_start_methods(), reason="the platform cannot fork")


def squared(number: int) -> int:
    return number * number


def killed(work: tuple[str, int, int]) -> int:
    """Kills its process so many times, as a machine short of memory does."""
    mark, times, number = work
    if times:
        with open(mark, "a") as log:
            log.write(".")
        if os.path.getsize(mark) <= times:
            os.kill(os.getpid(), signal.SIGKILL)
    return number


def refused(number: int) -> int:
    raise InputError(f"{number} is refused", hint="take another")


def never(number: int) -> int:
    raise AssertionError(number)


def test_every_executor_gives_results_in_the_order_of_the_items() -> None:
    expected = [squared(number) for number in range(7)]
    with ThreadPoolExecutor(2) as threads:
        assert list(results(threads, squared, range(7), never)) == expected
    for jobs in (1, 2, 3):
        with parallel(jobs) as executor:
            assert width(executor) == jobs
            assert list(results(executor, squared, range(7), never)) == expected


def test_one_job_is_done_here_item_by_item() -> None:
    with parallel(1) as executor:
        assert executor is None
        told = results(executor, squared, [3, 4], never)
        assert next(told) == 9


@pytest.mark.parametrize(("times", "lost"), [(1, False), (2, True)])
def test_an_item_that_kills_its_process_costs_no_other(tmp_path: Path, times: int, lost: bool) -> None:
    work = [(str(tmp_path / "mark"), times if number == 2 else 0, number) for number in range(5)]
    with parallel(2) as executor:
        found = list(results(executor, killed, work, lambda item: -item[2]))
        assert found == [0, 1, -2 if lost else 2, 3, 4]
        assert list(results(executor, squared, [5], never)) == [25]


def test_an_error_of_the_work_comes_back_whole() -> None:
    with parallel(2) as executor, pytest.raises(InputError) as caught:
        list(results(executor, refused, [4, 5], never))
    assert str(caught.value) == "4 is refused (take another)"


def test_no_process_outlives_its_executor_whatever_it_does() -> None:
    before = set(active_children())
    with Processes(2) as executor:
        executor.submit(time.sleep, 600)
        assert executor.submit(squared, 2).result() == 4
        assert set(active_children()) - before
    deadline = time.monotonic() + 20
    while set(active_children()) - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not set(active_children()) - before


def test_a_budget_that_is_sent_elsewhere_has_the_same_end() -> None:
    budget = Budget(100.0, 500.0, time.monotonic() - 40.0)
    sent = pickle.loads(pickle.dumps(budget))
    assert (sent.seconds, sent.megabytes) == (100.0, 500.0)
    assert sent.remaining() == pytest.approx(60.0, abs=1.0)
    assert sent.started == budget.started
    assert pickle.loads(pickle.dumps(Budget())).remaining() == float("inf")


def test_on_another_machine_a_budget_goes_on_with_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(Budget(100.0, None, time.monotonic() - 40.0))
    monkeypatch.setattr("trailmark.limits._machine", lambda: "another")
    clock = time.monotonic
    monkeypatch.setattr("trailmark.limits.time.monotonic", lambda: clock() + 1_000_000)
    assert pickle.loads(data).remaining() == pytest.approx(60.0, abs=1.0)


class Dask:
    """A client of a cluster whose workers are killed when they get the number 3."""

    class GivenUp(Exception):
        """Not one that `concurrent.futures` knows."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads

    def get_executor(self, pure: bool) -> ThreadPoolExecutor:
        return self._threads

    def nthreads(self) -> dict[str, int]:
        return {"one": 1, "other": 1}


def given_up(number: int) -> int:
    if number == 3:
        raise Dask.GivenUp
    return refused(number) if number == 9 else squared(number)


def test_work_that_a_cluster_gives_up_is_told_as_lost_and_the_other_work_goes_on() -> None:
    with ThreadPoolExecutor(2) as threads:
        cluster = Cluster(Dask(threads), Dask.GivenUp)
        assert width(cluster) == 2
        assert list(results(cluster, given_up, [2, 3, 4], lambda number: -number)) == [4, -3, 16]
        with pytest.raises(BrokenExecutor, match="killed time and again"):
            cluster.submit(given_up, 3).result()
        with pytest.raises(InputError, match="9 is refused"):
            cluster.submit(given_up, 9).result()


def test_work_of_a_cluster_that_has_not_begun_can_be_cancelled() -> None:
    with ThreadPoolExecutor(1) as threads:
        cluster = Cluster(Dask(threads), Dask.GivenUp)
        gate = Event()
        threads.submit(gate.wait)
        waiting = cluster.submit(squared, 2)
        assert waiting.cancel()
        gate.set()
        assert cluster.submit(squared, 3).result() == 9
