"""Fast Downward from the `fd` extra: where its driver is, and one run of it."""

from __future__ import annotations

import importlib.resources
import importlib.util
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trailmark.errors import MissingExtraError
from trailmark.files import scratch_folder

_PLAN_FOUND = (0, 1, 2, 3)
"""Exit codes with which the driver reports a plan, also where a limit stopped an anytime search."""


@dataclass(frozen=True)
class FastDownwardRun:
    plan_text: str | None
    """The last, best plan."""
    exit_code: int | None
    """None where the time limit ended the run."""
    output: str


def is_installed() -> bool:
    return importlib.util.find_spec("up_fast_downward") is not None


def driver() -> str:
    """The path of Fast Downward's driver script."""
    if not is_installed():
        raise MissingExtraError(
            "Fast Downward is not installed", hint="install it with: pip install 'trailmark[fd]'"
        )
    return str(importlib.resources.files("up_fast_downward").joinpath("downward/fast-downward.py"))


def run_fast_downward(
    domain: str | os.PathLike[str],
    problem: str | os.PathLike[str],
    *,
    alias: str = "lama-first",
    seconds: float | None = None,
    megabytes: float | None = None,
) -> FastDownwardRun:
    """One run in a folder of its own; the whole process group ends with the time limit."""
    script = driver()
    with scratch_folder("trailmark-fd-") as folder:
        command = [sys.executable, script, "--plan-file", "plan", "--alias", alias]
        if megabytes is not None:
            command += ["--overall-memory-limit", f"{int(megabytes)}M"]
        command += [os.path.abspath(domain), os.path.abspath(problem)]
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        code: int | None
        try:
            output, _ = process.communicate(timeout=seconds)
            code = process.returncode
        except subprocess.TimeoutExpired:
            _end(process)
            output, _ = process.communicate()
            code = None
        except BaseException:
            _end(process)
            raise
        plans = written_plans(folder)
        text = plans[-1].read_text() if plans and (code is None or code in _PLAN_FOUND) else None
    return FastDownwardRun(text, code, output)


def written_plans(folder: Path) -> list[Path]:
    """The plan files of a run, the last and best at the end; files of one moment by their numbers."""

    def order(path: Path) -> tuple[int, int, str]:
        return path.stat().st_mtime_ns, len(path.name), path.name

    return sorted(folder.glob("plan*"), key=order)


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
