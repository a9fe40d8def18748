"""Work in parallel behind one interface, that of `concurrent.futures.Executor`.

`parallel` gives the executor to use: processes of this machine, the workers of a Dask cluster, or none, which
is this process. What is computed must not depend on which it is. A function that is handed over is one of
a module, and what it takes and gives can be pickled.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context
from typing import Any, TypeVar

from trailmark.errors import InputError, MissingExtraError
from trailmark.processes import end_with

ATTEMPTS = 2
"""How often work is done whose process is killed: once more, and then it is given up."""

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def parallel(jobs: int = 1, cluster: str | None = None) -> Iterator[Executor | None]:
    """An executor for so many pieces of work at once, or for those of a cluster at this address."""
    if cluster is not None:
        with dask_cluster(cluster) as workers:
            yield workers
    elif jobs > 1 and "fork" in get_all_start_methods():
        with Processes(jobs) as processes:
            yield processes
    else:
        yield None


def width(executor: Executor | None) -> int:
    """How many pieces of work it does at once."""
    return int(getattr(executor, "at_once", 1))


def results(
    executor: Executor | None, work: Callable[[T], R], items: Sequence[T], lost: Callable[[T], R]
) -> Iterator[R]:
    """What the work gives for each item, in their order.

    Where a process is killed, its item is worked on again, alone; `lost` says what an item gives whose
    process is always killed.
    """
    if executor is None:
        yield from map(work, items)
        return
    futures = [executor.submit(work, item) for item in items]
    try:
        for item, future in zip(items, futures, strict=True):
            for attempt in range(ATTEMPTS):
                try:
                    yield (executor.submit(work, item) if attempt else future).result()
                    break
                except BrokenExecutor:
                    continue
            else:
                yield lost(item)
    finally:
        for future in futures:
            future.cancel()


class Processes(Executor):
    """A pool of processes that end with this one. Where one of them is killed, all that the pool was doing
    is lost, and the next piece of work gets a new pool.

    The processes are forked: no lock outlives a killed program, and what is loaded is there already.
    """

    def __init__(self, jobs: int) -> None:
        self.at_once = jobs
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        try:
            return self._running().submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self.shutdown()
            return self._running().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes, whatever they are doing."""
        if self._pool is not None:
            # Before Python 3.14 there is no other way than through its table to end a pool's processes.
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(wait, cancel_futures=True)
            self._pool = None

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.at_once, get_context("fork"), initializer=_begin, initargs=(os.getpid(),)
            )
        return self._pool


def _begin(parent: int) -> None:
    """A worker ends with its parent, at once, and leaves an interruption to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if not end_with(parent, signal.SIGKILL):
        os._exit(0)


class Cluster(Executor):
    """The workers of a Dask cluster. What a lost worker had is done by another, a few times; then the error
    of the work is a `BrokenExecutor`, as that of a pool of processes is."""

    def __init__(self, client: Any, given_up: type[Exception]) -> None:
        self._executor: Executor = client.get_executor(pure=False)
        self._given_up = given_up
        """What Dask raises for work that lost its worker time and again."""
        self.at_once = max(1, sum(client.nthreads().values()))

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        told: Future[R] = Future()
        given = self._executor.submit(fn, *args, **kwargs)
        told.add_done_callback(lambda ended: given.cancel() if ended.cancelled() else None)
        given.add_done_callback(lambda ended: self._tell(ended, told))
        return told

    def _tell(self, ended: Future[R], told: Future[R]) -> None:
        if ended.cancelled():
            told.cancel()
        if not told.set_running_or_notify_cancel():
            return
        problem = ended.exception()
        if isinstance(problem, self._given_up):
            told.set_exception(BrokenExecutor("the workers were killed time and again"))
        elif problem is not None:
            told.set_exception(problem)
        else:
            told.set_result(ended.result())


@contextmanager
def dask_cluster(address: str) -> Iterator[Cluster]:
    """The cluster whose scheduler answers at this address (the `cluster` extra)."""
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise MissingExtraError(
            "Dask is not installed", hint="install it with: pip install 'trailmark[cluster]'"
        ) from None
    try:
        client = Client(address)
    except (OSError, TimeoutError) as problem:
        raise InputError(f"no Dask scheduler answers at {address}: {problem}") from None
    with client:
        yield Cluster(client, KilledWorker)
