"""Limits enforced from outside: the work runs in a child process that a parent watches.

A native call may not return, may exhaust the memory or may crash. The parent sees the child's
clock and memory, ends it with all its descendants where a limit is passed, and turns a crash into an
ordinary answer. Where the platform has no `fork`, the work runs in this process and only the time
limit is kept, by the work itself.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import FrameType

from trailmark.errors import ExitCode
from trailmark.limits import proportional_megabytes, resident_megabytes

GRACE_SECONDS = 0.3
"""How long past its time limit the work may take to end by itself."""

TERMINATION_SECONDS = 1.2
"""How long after an interruption the work may take to tidy up before it is killed."""

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


def can_supervise() -> bool:
    return hasattr(os, "fork")


def can_limit_memory() -> bool:
    """Whether the memory limit can be enforced on this platform."""
    return can_supervise() and resident_megabytes() is not None


def supervise(
    work: Callable[[], int], seconds: float | None = None, megabytes: float | None = None
) -> Outcome:
    """Runs `work` in a child process under these limits, counted from now."""
    if not can_supervise():
        return Outcome(Ending.EXITED, work())
    sys.stdout.flush()
    sys.stderr.flush()
    started = time.monotonic()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _be_the_child(work, parent)
    with suppress(OSError):
        os.setpgid(child, child)
    with _Forwarding(child) as forwarding:
        return _watch(child, forwarding, None if seconds is None else started + seconds, megabytes)


def _be_the_child(work: Callable[[], int], parent: int) -> None:
    code = int(ExitCode.INTERNAL)
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        _die_with(parent)
        signal.signal(signal.SIGTERM, _raise_interrupted)
        signal.signal(signal.SIGINT, _raise_interrupted)
        code = work()
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


def _die_with(parent: int) -> None:
    """On Linux the child is killed when its parent is, so that no run is ever left behind."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


class _Forwarding:
    """While open, SIGINT and SIGTERM to this process are passed on to the child's group."""

    def __init__(self, child: int) -> None:
        self.child = child
        self.received: int | None = None
        self.since = 0.0
        self._previous: dict[int, object] = {}

    def __enter__(self) -> _Forwarding:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
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


def _watch(child: int, forwarding: _Forwarding, deadline: float | None, megabytes: float | None) -> Outcome:
    ended = _exit_notice(child)
    try:
        while True:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                return _outcome(child, status, forwarding)
            now = time.monotonic()
            if forwarding.received is not None and now > forwarding.since + TERMINATION_SECONDS:
                return _kill(child, Ending.INTERRUPTED, 128 + forwarding.received)
            if deadline is not None and now > deadline + GRACE_SECONDS:
                return _kill(child, Ending.TIME_LIMIT, 0)
            if megabytes is not None and _exceeds(child, megabytes):
                return _kill(child, Ending.MEMORY_LIMIT, 0)
            with suppress(InterruptedError):
                select.select([ended] if ended is not None else [], [], [], POLL_SECONDS)
    finally:
        if ended is not None:
            os.close(ended)


def _exit_notice(child: int) -> int | None:
    """A file descriptor that becomes readable when the child ends, where the platform has one."""
    try:
        return os.pidfd_open(child)
    except (AttributeError, OSError):
        return None


def _outcome(child: int, status: int, forwarding: _Forwarding) -> Outcome:
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    if forwarding.received is not None:
        return Outcome(Ending.INTERRUPTED, 128 + forwarding.received)
    if os.WIFSIGNALED(status):
        return Outcome(Ending.CRASHED, os.WTERMSIG(status))
    return Outcome(Ending.EXITED, os.WEXITSTATUS(status))


def _kill(child: int, ending: Ending, code: int) -> Outcome:
    """Kills the child, its process group, and descendants that have left the group."""
    strays = _descendants(child)
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    for pid in (child, *strays):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    os.waitpid(child, 0)
    return Outcome(ending, code)


def _exceeds(root: int, megabytes: float) -> bool:
    """Whether a process and its descendants hold more memory than this.

    Pages that a fork shares are counted once, by the kernel's proportional share; that is dear, so it
    is asked for only where the plain sum is above the limit.
    """
    pids = [root, *_descendants(root)]
    if sum(resident_megabytes(pid) or 0.0 for pid in pids) <= megabytes:
        return False
    if len(pids) == 1:
        return True
    return sum(proportional_megabytes(pid) or 0.0 for pid in pids) > megabytes


def _descendants(root: int) -> list[int]:
    """The running descendants of a process, children of all its threads included."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError):
                    text = Path(f"/proc/{pid}/task/{thread}/children").read_text()
                    waiting += map(int, text.split())
        found.append(pid)
    return found[1:]
