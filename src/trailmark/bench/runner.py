"""Running a suite: every run once, in its own process, on this machine or on many.

Any `concurrent.futures.Executor` does the work. This process alone writes the results, so that a run
whose worker was lost and that was run again is still one line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from trailmark.bench.records import RESULTS, Record, RecordWriter, code_state, is_final
from trailmark.bench.runs import Run
from trailmark.bench.worker import LEARNED, MADE, UNAVAILABLE, Answer, wall_limit
from trailmark.errors import ExitCode, InputError
from trailmark.executors import width
from trailmark.files import write_text

ATTEMPTS = 2
"""How often a run is started whose worker is killed: once more, and then the record says so."""

PATIENCE_SECONDS = 300.0
"""How long past its time limit a worker may take to read and validate what its run made."""

WAITING_AHEAD = 4
"""Runs handed to the executor for each that can be worked on at once."""

WorkOrder = dict[str, Any]
"""What a worker process gets: the command, the texts of its files, the limits."""

Progress = Callable[[Run, Record, int, int], None]
"""Told after each run: the run, its record, how many are done, and of how many."""


def run_suite(
    runs: tuple[Run, ...],
    folder: Path,
    executor: Executor,
    *,
    resume: bool = False,
    mixed: bool = False,
    retry: bool = False,
    progress: Progress | None = None,
) -> dict[str, Record]:
    """Runs what has no record yet and returns all records; the folder holds results and made files.

    `retry` also runs again what failed for no fault of the planner's.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / RESULTS
    if not resume and path.is_file() and path.stat().st_size:
        raise InputError(
            f"{path} holds results", hint="continue with --resume or choose another folder with -o"
        )
    with RecordWriter(path) as writer:
        writer.forget({run.key for run in runs if _is_lost(run, writer.records.get(run.key), folder)})
        if retry:
            writer.forget([key for key, record in writer.records.items() if not is_final(record)])
        states = {record["code"] for record in writer.records.values() if "code" in record}
        if states - {code_state()} and not mixed:
            raise InputError(
                f"the results in {path} come from another state of this program's source",
                hint="choose another folder with -o, or mix them with --mixed; the report will say so",
            )
        _Schedule(runs, folder, executor, writer, progress).work()
        return writer.records


def _is_lost(run: Run, record: Record | None, folder: Path) -> bool:
    """What a run has made for others, and for pictures, is not in the folder: records alone were kept."""
    made = record is not None and record["status"] in (LEARNED, MADE)
    return made and not made_file(folder, run).is_file()


_RECORDED = ("key", "kind", "domain", "instance", "learner", "planner")
"""What a record says of its run."""


class _Schedule:
    """Which runs wait, which can start, which are under way."""

    def __init__(
        self, runs: tuple[Run, ...], folder: Path, executor: Executor, writer: RecordWriter,
        progress: Progress | None,
    ) -> None:  # fmt: skip
        self.folder, self.executor, self.writer = folder, executor, writer
        self.runs, self.progress = runs, progress
        self.most = width(executor) * WAITING_AHEAD
        self.waiting = [run for run in runs if run.key not in writer.records]
        self.running: dict[Future[Answer], Run] = {}
        self.searched: dict[tuple[str, str], str] = {}
        """Of each search along a graph, the key of a run that has its record."""
        for run in runs:
            self._remember(run)

    def work(self) -> None:
        try:
            while self.waiting or self.running:
                self._start()
                if self.running:
                    finished, _ = wait(self.running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        self._finish(self.running.pop(future), future)
        except BaseException:
            for future in self.running:
                future.cancel()
            raise

    def _start(self) -> None:
        """Hands over the runs that can start, in the order of the suite."""
        held = []
        for index, run in enumerate(self.waiting):
            if len(self.running) >= self.most:
                held += self.waiting[index:]
                break
            needed = self.writer.records.get(run.needs.key) if run.needs else None
            if run.needs and needed is None:
                held.append(run)
            elif needed and needed["status"] not in (LEARNED, MADE):
                self._store(run, {"status": "no model", "reason": needed["status"]})
            elif (search := self._search(run)) in self.searched:
                other = self.writer.records[self.searched[search]]
                self._store(run, {**other, "same_as": other.get("same_as", other["key"])})
            elif search and search in map(self._search, self.running.values()):
                held.append(run)
            else:
                work = job(run, made_files(self.folder, run.needs) if run.needs else {})
                self.running[self.executor.submit(run_job, work)] = run
        self.waiting = held

    def _finish(self, run: Run, future: Future[Answer]) -> None:
        """Made files are on disk before the record that says so."""
        try:
            answer = future.result()
        except BrokenExecutor as lost:
            answer = _failed(str(lost))
        if answer["files"]:
            path = made_file(self.folder, run)
            path.parent.mkdir(exist_ok=True)
            write_text(path, json.dumps(answer["files"]))
        self._store(run, answer["record"])

    def _store(self, run: Run, record: Record) -> None:
        names = {name: getattr(run, name) for name in _RECORDED}
        if record["status"] != UNAVAILABLE:
            self.writer.add({**record, **names, "date": datetime.now(timezone.utc).date().isoformat()})
            self._remember(run)
        if self.progress is not None:
            done = sum(other.key in self.writer.records for other in self.runs)
            self.progress(run, record, done, len(self.runs))

    def _remember(self, run: Run) -> None:
        search, record = self._search(run), self.writer.records.get(run.key, {})
        if search and record.get("code") == code_state() and is_final(record):
            self.searched.setdefault(search, run.key)

    def _search(self, run: Run) -> tuple[str, str] | None:
        """What is searched: equal for runs along equal graphs; None for a run that may do more than that."""
        needed = self.writer.records.get(run.needs.key, {}) if run.needs else {}
        if "graph" not in needed or "search" not in run.settings:
            return None
        return run.settings["search"], needed["graph"]


def made_file(folder: Path, run: Run) -> Path:
    return folder / "made" / f"{run.key}.json"


def made_files(folder: Path, run: Run) -> dict[str, str]:
    """The files a run has made, by their names; empty where there are none."""
    path = made_file(folder, run)
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


_ORDERED = ("key", "kind", "reader", "command", "seconds", "clock", "megabytes")
"""What a worker is told of a run besides its files."""


def job(run: Run, produced: Mapping[str, str]) -> WorkOrder:
    """The worker's job; `produced` are the files that the run it needs has made."""
    return {name: getattr(run, name) for name in _ORDERED} | {"files": {**run.files, **produced}}


def run_job(work: WorkOrder) -> Answer:
    """Runs a job in a worker process, which ends with this one; a worker that is killed is replaced."""
    command = [sys.executable, "-m", "trailmark.bench.worker", str(os.getpid())]
    patience = wall_limit(work) + PATIENCE_SECONDS
    for _ in range(ATTEMPTS):
        try:
            done = subprocess.run(
                command, input=json.dumps(work), capture_output=True, text=True, timeout=patience, check=False
            )
        except subprocess.TimeoutExpired:
            return _failed("the worker did not end")
        if done.returncode in (ExitCode.INTERRUPTED, -signal.SIGINT, -signal.SIGTERM):
            raise KeyboardInterrupt
        if done.returncode >= 0:
            break
    else:
        return _failed(f"the worker was killed {ATTEMPTS} times (signal {-done.returncode})")
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        return _failed(f"the worker failed: {done.stderr[-300:]}")


def _failed(reason: str) -> Answer:
    return {"record": {"status": "error", "reason": reason}, "files": {}}


class Threads(ThreadPoolExecutor):
    """Threads of this process, each waiting for one worker process at a time."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, thread_name_prefix="bench")
        self.at_once = jobs
