"""Processes of this machine: who descends from whom, and who ends with whom.

A process that is killed by SIGKILL cannot tidy up. A watchdog, a small process of its own, waits for its
end and then ends the child it has started with all its descendants.
"""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

TERMINATION_SECONDS = 1.2
"""How long after an interruption the work may take to tidy up before it is killed."""

_LOOK_SECONDS = 1.0
"""How often a watchdog looks who its parent is, where the pipe between them does not tell."""

_PID_BYTES = 32
"""More than the digits of any process's id."""

_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36
"""Numbers of Linux's `prctl`."""

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if sys.platform != "win32" else ()
"""The signals that ask a supervised process to end."""


def end_with(parent: int, number: int = signal.SIGTERM) -> bool:
    """From now on this process gets the signal when its parent ends, where the kernel can do so.

    False where the parent, given by its id, has ended already.
    """
    _control(_SET_PDEATHSIG, number)
    return os.getppid() == parent


def adopt_orphans(adopt: bool = True) -> None:
    """Descendants whose parent ends become children of this process, where the kernel can do so."""
    _control(_SET_CHILD_SUBREAPER, int(adopt))


def _control(option: int, value: int) -> None:
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value)


def descendants(root: int) -> list[int]:
    """The running descendants of a process, children of all its threads included."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        waiting += children(pid)
        found.append(pid)
    return found[1:]


def children(pid: int) -> list[int]:
    """The children of all threads of a process; empty where the platform does not tell."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def exit_notice(pid: int) -> int | None:
    """A file descriptor that becomes readable when a process ends, where the platform has one."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def kill_tree(leader: int) -> None:
    """Kills a process that leads a group, the group, and descendants that have left it."""
    strays = descendants(leader)
    with suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    for pid in (leader, *strays):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


class Watchdog:
    """While open, a process of its own ends a child and its descendants should this process be killed.

    It is there before the child is: a child that calls `is_watched` waits until the watchdog knows of it.
    The child's folder, where one is given, is then removed too.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.pid = 0
        self._lifeline = self._gate = self._go = -1

    def __enter__(self) -> Watchdog:
        parent = os.getpid()
        held, self._lifeline = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self._lifeline)
                _outlive(parent, held)
                if self.folder is not None:
                    shutil.rmtree(self.folder, ignore_errors=True)
            finally:
                os._exit(0)
        os.close(held)
        self._gate, self._go = os.pipe()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        for handle in (self._lifeline, self._gate, self._go):
            os.close(handle)

    def watch(self, child: int) -> None:
        """Called by the parent when it has forked the child."""
        os.write(self._lifeline, str(child).encode())
        os.write(self._go, b".")

    def is_watched(self) -> bool:
        """Called by the child before it works: waits for `watch`; False where the parent died before."""
        os.close(self._lifeline)
        os.close(self._go)
        return bool(os.read(self._gate, 1))


def _outlive(parent: int, lifeline: int) -> None:
    """Waits until the parent is gone; then asks the child to end, and kills what is left."""
    os.setsid()
    for number in FORWARDED:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    told = os.read(lifeline, _PID_BYTES)
    if not told:
        return
    child = int(told)
    ended = exit_notice(child)
    while os.getppid() == parent and not select.select([lifeline], [], [], _LOOK_SECONDS)[0]:
        pass
    # Known before the child ends: afterwards nothing says whose they were.
    born = {pid: _birth(pid) for pid in descendants(child)}
    with suppress(OSError):
        os.killpg(child, signal.SIGTERM)
    _wait_for_end(child, ended)
    kill_tree(child)
    for pid, birth in born.items():
        if birth is not None and _birth(pid) == birth:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _wait_for_end(child: int, ended: int | None) -> None:
    if ended is not None:
        select.select([ended], [], [], TERMINATION_SECONDS)
        return
    deadline = time.monotonic() + TERMINATION_SECONDS
    with suppress(OSError):
        while time.monotonic() < deadline:
            os.kill(child, 0)
            time.sleep(0.02)


def _birth(pid: int) -> str | None:
    """When a process began, which tells it from a later one of the same number."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return None
