"""Processes of one trial, found by a mark in their environment: it stays when a parent is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MARK = "TRAILMARK_FAULTS_TRIAL"


@dataclass(frozen=True)
class Started:
    process: subprocess.Popen[bytes]
    mark: str


def start(arguments: list[str], temporary: Path, cwd: Path | None = None) -> Started:
    """`trailmark` with these arguments, marked, in a session of its own, with its own temporary folder."""
    mark = uuid.uuid4().hex
    temporary.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "trailmark", *arguments],
        env={**os.environ, MARK: mark, "TMPDIR": str(temporary)},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    return Started(process, mark)


def marked(mark: str) -> list[int]:
    """The running processes with this mark; those that only wait to be collected do not run."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with suppress(OSError):
                running = (each / "stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
                if running and wanted in (each / "environ").read_bytes().split(b"\0"):
                    found.append(int(each.name))
    return found


def commands(mark: str) -> list[str]:
    """The command lines of the running processes with this mark."""
    found = []
    for pid in marked(mark):
        with suppress(OSError):
            found.append(Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace"))
    return found


def left_after(mark: str, seconds: float) -> list[int]:
    """What of a trial still runs after so many seconds."""
    deadline = time.monotonic() + seconds
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def kill_all(pids: list[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def semaphores() -> set[str]:
    """Named semaphores of this machine that no process uses: they have outlived those that made them."""
    folder = Path("/dev/shm")
    found = {each.name for each in folder.glob("sem.*")} if folder.is_dir() else set()
    used = set[str]()
    for each in Path("/proc").glob("[0-9]*/maps") if found else ():
        with suppress(OSError):
            used |= {word.rpartition("/")[2] for word in each.read_text().split() if "/sem." in word}
    return found - used
