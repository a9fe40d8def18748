"""One budget of wall-clock time and memory, handed from stage to stage.

A budget starts when it is made. Stages ask `expired()` in their loops or `check()` where giving up
is the only answer; `Stages` tells which of them is at work, and which the clock ended. Inside one process
this is an agreement; `supervision` enforces it from outside.
"""

from __future__ import annotations

import gc
import logging
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from trailmark.errors import InputError, MemoryLimitError, TimeLimitError

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Budget:
    """Wall-clock seconds and resident megabytes; None is no limit."""

    seconds: float | None = None
    megabytes: float | None = None
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        for value, what in ((self.seconds, "time limit"), (self.megabytes, "memory limit")):
            if not isinstance(value, float | int | None):
                raise InputError(f"the {what} is no number: {value!r}")
            if value is not None and not value > 0:
                raise InputError(f"the {what} must be above 0, it is {value:g}")

    def __reduce__(self) -> tuple[object, tuple[float | None, float | None, float, float, str]]:
        """Another process has the same end of the budget; on another machine, whose clock began at another
        time, the way there does not count."""
        return _sent_budget, (self.seconds, self.megabytes, self.started, self.elapsed(), _machine())

    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def remaining(self) -> float:
        """Seconds left; infinite without a time limit."""
        return float("inf") if self.seconds is None else self.seconds - self.elapsed()

    def expired(self) -> bool:
        """Whether the time is used up: one clock read, cheap enough for inner loops."""
        return self.seconds is not None and time.monotonic() - self.started >= self.seconds

    def memory_exceeded(self) -> bool:
        if self.megabytes is None:
            return False
        used = resident_megabytes()
        return used is not None and used > self.megabytes

    def check(self, what: str = "working") -> None:
        """Raises where a limit is reached."""
        if self.expired():
            raise TimeLimitError(f"the time limit of {self.seconds:g} s was reached while {what}")
        if self.memory_exceeded():
            raise MemoryLimitError(f"the memory limit of {self.megabytes:g} MB was reached while {what}")

    def part(self, seconds: float) -> Budget:
        """A budget of at most these seconds from now, and never more than is left of this one."""
        return Budget(max(min(seconds, self.remaining()), 1e-9), self.megabytes)


def _sent_budget(
    seconds: float | None, megabytes: float | None, started: float, spent: float, machine: str
) -> Budget:
    return Budget(seconds, megabytes, started if machine == _machine() else time.monotonic() - spent)


@cache
def _machine() -> str:
    """What tells machines, and the times that one was started, apart."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        return platform.node()


UNLIMITED = Budget()

LEARN_SECONDS = 60.0
"""What learning may take where nobody says otherwise."""


def resident_megabytes(pid: int | str = "self") -> float | None:
    """The resident memory of a process; None where the platform does not tell."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def cpu_seconds(pid: int) -> float:
    """The processor time of a process and of its ended children; 0 where the platform does not tell."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:15]
    except (OSError, IndexError):
        return 0.0
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def proportional_megabytes(pid: int) -> float | None:
    """The memory of a process with shared pages divided among those that share them."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 / MEGABYTE
    except (OSError, IndexError, ValueError):
        pass
    return resident_megabytes(pid)


def peak_megabytes() -> float:
    """The largest resident memory this process ever had."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / MEGABYTE if sys.platform == "darwin" else peak * 1024 / MEGABYTE


@contextmanager
def uncollected() -> Iterator[None]:
    """Nothing is looked through for garbage meanwhile, nor at once afterwards: what is being read stays, and
    there is much of it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():
                # Among the oldest objects, where what is made next does not lead to a look at it.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@contextmanager
def seldom_collected(allocations: int) -> Iterator[None]:
    """What is there is left out where garbage is looked for meanwhile, and that only after so many new
    objects."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(allocations, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


Progress = Callable[[str, str], None]
"""Told the stage at work, and a word on how far it is."""

STARTED = "started"

_log = logging.getLogger(__name__)


class Stages:
    """What learning does at the moment, how long it took, and which of it the clock ended."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self._name = self._word = ""
        self.cut_short: list[str] = []
        """The stages that ended with the time they had, so that more might have been found."""
        self.seconds: dict[str, float] = {}
        """What each stage took."""

    def say(self, word: str) -> None:
        """How far the stage at work is; the last word is what it found."""
        self._word = word
        if self._progress is not None:
            self._progress(self._name, word)

    @contextmanager
    def stage(self, name: str, budget: Budget = UNLIMITED) -> Iterator[Budget]:
        """While open, this is at work, and has the time of the budget."""
        outer, self._name = self._name, name
        started = time.monotonic()
        self.say(STARTED)
        try:
            yield budget
        finally:
            late = budget.expired()
            found = "" if self._word == STARTED else f", {self._word}"
            seconds = time.monotonic() - started
            _log.info("%s: %.1f s%s%s", name, seconds, found, ", cut short" if late else "")
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds
            if late and name not in self.cut_short:
                self.cut_short.append(name)
            self._name = outer
