"""Limits enforced from outside: the work runs in a child process that a parent watches.

A native call may not return, may exhaust the memory or may crash. The parent sees the child's
clock and memory, ends it with all its descendants where a limit is passed, and turns a crash into an
ordinary answer. Where the platform has no `fork`, the work runs in this process and only the time
limit is kept, by the work itself.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from types import FrameType

from trailmark import processes
from trailmark.errors import ExitCode
from trailmark.limits import cpu_seconds, proportional_megabytes, resident_megabytes

GRACE_SECONDS = 0.1
"""How long past its time limit the work may take to end by itself."""

POLL_SECONDS = 0.02
"""How often the memory is looked at."""


class Ending(Enum):
    """How the supervised work ended."""

    EXITED = "exited"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    CRASHED = "crashed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Outcome:
    ending: Ending
    exit_code: int
    """What the work returned, `ExitCode.INTERNAL` where it raised; the signal's number where it crashed."""


class Interrupted(BaseException):
    """SIGTERM, as an exception, so that `finally` blocks run."""


def supervise(
    work: Callable[[], int],
    seconds: float | None = None,
    megabytes: float | None = None,
    *,
    cpu_limit: float | None = None,
    only_under: int | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Outcome:
    """Runs `work` in a child process under these limits, counted from now.

    `seconds` are of the wall clock; `cpu_limit` is in seconds of processor time of the child and its
    descendants together, which other work of the machine does not use up.
    `only_under` is this process's parent, by its id, where the work is to end with that too. `meanwhile` is
    called here again and again while the work goes on.
    """
    if not hasattr(os, "fork"):
        return Outcome(Ending.EXITED, work())
    sys.stdout.flush()
    sys.stderr.flush()
    started = time.monotonic()
    own = set(processes.children(os.getpid()))
    processes.adopt_orphans()
    over = mmap.mmap(-1, 1)
    # An interruption between the fork and the handlers would miss the child, so it waits.
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, processes.FORWARDED)
    with processes.Watchdog() as watchdog:
        child = os.fork()
        if child == 0:
            _be_the_child(work, watchdog, unblocked, over)
        with suppress(OSError):
            os.setpgid(child, child)
        watchdog.watch(child)
        with _Forwarding(child) as forwarding:
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
            watch = _Watch(child, forwarding, own | {watchdog.pid}, only_under, meanwhile, over)
            outcome = watch.until_end(None if seconds is None else started + seconds, megabytes, cpu_limit)
    processes.adopt_orphans(False)
    return outcome


def _be_the_child(
    work: Callable[[], int],
    watchdog: processes.Watchdog,
    unblocked: set[signal.Signals | int],
    over: mmap.mmap,
) -> None:
    code = int(ExitCode.INTERNAL)
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        processes.adopt_orphans(False)
        signal.signal(signal.SIGTERM, _raise_interrupted)
        signal.signal(signal.SIGINT, _raise_interrupted)
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        if watchdog.is_watched():
            code = work()
            over[0] = 1
            sys.stdout.flush()
            sys.stderr.flush()
    except Interrupted:
        code = 128 + signal.SIGTERM
    except BrokenPipeError:
        code = 0
    finally:
        os._exit(code)


def _raise_interrupted(number: int, frame: FrameType | None) -> None:
    raise Interrupted


class _Forwarding:
    """While open, SIGINT and SIGTERM to this process are passed on to the child's group."""

    def __init__(self, child: int) -> None:
        self.child = child
        self.received: int | None = None
        self.since = 0.0
        self._previous: dict[int, object] = {}

    def __enter__(self) -> _Forwarding:
        for number in processes.FORWARDED:
            with suppress(ValueError):
                self._previous[number] = signal.signal(number, self._forward)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _forward(self, number: int, frame: FrameType | None) -> None:
        if self.received is None:
            self.received, self.since = number, time.monotonic()
        with suppress(OSError):
            os.killpg(self.child, signal.SIGTERM)


@dataclass(frozen=True)
class _Watch:
    """A supervised child, as its parent sees it."""

    child: int
    forwarding: _Forwarding
    others: set[int]
    """Children of this process that are no work of the child's."""
    only_under: int | None
    meanwhile: Callable[[], None] | None
    over: mmap.mmap
    """Not 0 once the work is done and what it printed is on its way: no limit cuts that off any more."""

    def until_end(self, deadline: float | None, megabytes: float | None, cpu_limit: float | None) -> Outcome:
        ended = processes.exit_notice(self.child)
        try:
            while True:
                pid, status = os.waitpid(self.child, os.WNOHANG)
                if pid:
                    return self._ended(status)
                now = time.monotonic()
                received = self.forwarding.received
                if received is not None and now > self.forwarding.since + processes.TERMINATION_SECONDS:
                    return self._kill(Ending.INTERRUPTED, 128 + received)
                if self.only_under is not None and os.getppid() != self.only_under:
                    return self._kill(Ending.INTERRUPTED, 128 + signal.SIGTERM)
                grace = processes.TERMINATION_SECONDS if self.over[0] else GRACE_SECONDS
                if deadline is not None and now > deadline + grace:
                    return self._kill(Ending.TIME_LIMIT, 0)
                if cpu_limit is not None and sum(map(cpu_seconds, self._processes())) > cpu_limit:
                    return self._kill(Ending.TIME_LIMIT, 0)
                if megabytes is not None and _exceed(self._processes(), megabytes):
                    return self._kill(Ending.MEMORY_LIMIT, 0)
                if self.meanwhile is not None:
                    self.meanwhile()
                with suppress(InterruptedError):
                    select.select([ended] if ended is not None else [], [], [], POLL_SECONDS)
        finally:
            if ended is not None:
                os.close(ended)

    def _processes(self) -> list[int]:
        """The child and its descendants. Those whose own parents have ended are adopted by this process: they
        may still run, and where they have ended too, their processor time is told until they are waited
        for."""
        roots = {self.child, *processes.children(os.getpid())} - self.others
        return [pid for root in roots for pid in (root, *processes.descendants(root))]

    def _ended(self, status: int) -> Outcome:
        self._kill_strays()
        if self.forwarding.received is not None:
            return Outcome(Ending.INTERRUPTED, 128 + self.forwarding.received)
        if os.WIFSIGNALED(status):
            return Outcome(Ending.CRASHED, os.WTERMSIG(status))
        return Outcome(Ending.EXITED, os.WEXITSTATUS(status))

    def _kill(self, ending: Ending, code: int) -> Outcome:
        processes.kill_tree(self.child)
        os.waitpid(self.child, 0)
        self._kill_strays()
        return Outcome(ending, code)

    def _kill_strays(self) -> None:
        """Kills what is left of the child's group, and its descendants that this process has adopted."""
        with suppress(OSError):
            os.killpg(self.child, signal.SIGKILL)
        while strays := set(processes.children(os.getpid())) - self.others:
            for stray in strays:
                processes.kill_tree(stray)
                with suppress(ChildProcessError):
                    os.waitpid(stray, 0)


def _exceed(pids: list[int], megabytes: float) -> bool:
    """Whether these processes hold more memory than this.

    Pages that a fork shares are counted once, by the kernel's proportional share; that is dear, so it
    is asked for only where the plain sum is above the limit.
    """
    if sum(resident_megabytes(pid) or 0.0 for pid in pids) <= megabytes:
        return False
    if len(pids) == 1:
        return True
    return sum(proportional_megabytes(pid) or 0.0 for pid in pids) > megabytes
