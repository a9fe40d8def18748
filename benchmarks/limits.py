"""Do limits hold on the largest test instance of every domain?

    python benchmarks/limits.py BENCHMARKS [--domains ...] [--learn-seconds S]

BENCHMARKS holds a folder a domain (domain.pddl, train/t01.pddl and t01.plan, test/p30.pddl, ...). `trailmark
plan` runs on p30 of every domain, with a model learned from the training plans and with `none`, under a time
limit, under a memory limit, and until Ctrl-C. Wanted: with a time limit of 5 s the end within 6 s and exit
code 0 or 12, where the start of a process, measured each time by `trailmark --version`, comes on top; with a
memory limit of 500 MB exit code 0 or 13 (12 where the cap of seconds came first); after Ctrl-C the end within
2 s; never a process left behind.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT, TIME_BAR = 5.0, 6.0
MEMORY_LIMIT = 500
INTERRUPT_AFTER, INTERRUPT_BAR = 3.0, 2.0
CAP = 20.0
"""The time given to runs under the memory limit alone, by a time limit of their own."""


@dataclass(frozen=True)
class Ended:
    code: int
    seconds: float
    strays: int

    def __str__(self) -> str:
        return f"{self.code:4}{self.seconds:7.2f}{'' if not self.strays else f' {self.strays} stray'}"


def run(arguments: list[str], interrupt_after: float | None = None) -> Ended:
    """One command in a process group of its own; with Ctrl-C, the seconds are those after it."""
    command = [sys.executable, "-m", "trailmark", *arguments]
    started = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    if interrupt_after is not None:
        try:
            process.wait(interrupt_after)
        except subprocess.TimeoutExpired:
            started = time.monotonic()
            process.send_signal(signal.SIGINT)
    code = process.wait()
    return Ended(code, time.monotonic() - started, strays(process.pid))


def strays(session: int) -> int:
    """Processes of a session that are still there."""
    found = 0
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                found += os.getsid(int(each.name)) == session
            except OSError:
                continue
    return found


def learn(folder: Path, model: Path, seconds: float) -> bool:
    problems = [str(each) for each in sorted((folder / "train").glob("t*.pddl"))]
    limit = ["--time-limit", f"{seconds:g}"]
    done = run(
        ["learn", str(folder / "domain.pddl"), *problems, "-o", str(model), "--plans-from", "files", *limit]
    )
    return done.code == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("--domains", nargs="+")
    parser.add_argument("--learn-seconds", type=float, default=15)
    parser.add_argument("--skip-memory", action="store_true")
    arguments = parser.parse_args()
    names = arguments.domains or sorted(
        each.parent.name for each in arguments.benchmarks.glob("*/domain.pddl")
    )
    print(f"{'instance':28}{'5 s: code, s':>13}{'500 MB: code, s':>17}{'Ctrl-C: code, s':>17}")
    worst = {"time": 0.0, "interrupt": 0.0}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            folder = arguments.benchmarks / name
            model = Path(scratch) / f"{name}.json"
            models = ["none"]
            if learn(folder, model, arguments.learn_seconds):
                models.append(str(model))
            for each in models:
                title = f"{name} {'none' if each == 'none' else 'learned'}"
                row = one(title, each, folder, arguments.skip_memory, worst, wrong)
                print(f"{title:28}{row}", flush=True)
            if len(models) == 1:
                print(f"{name} learned: no model within the learning time", flush=True)
    print(
        f"\nworst: {worst['time']:.2f} s under a time limit of {TIME_LIMIT:g} s (bar {TIME_BAR:g}), "
        f"{worst['interrupt']:.2f} s after Ctrl-C (bar {INTERRUPT_BAR:g})"
    )
    print("all hold" if not wrong else "wrong: " + "; ".join(wrong))


def one(
    title: str,
    model: str,
    folder: Path,
    skip_memory: bool,
    worst: dict[str, float],
    wrong: list[str],
) -> str:
    """The three runs on one instance; what does not hold goes to `wrong`."""
    base = ["plan", model, str(folder / "domain.pddl"), str(folder / "test" / "p30.pddl"), "--quiet"]
    start = run(["--version"]).seconds
    timed = run([*base, "--time-limit", f"{TIME_LIMIT:g}"])
    taken = timed.seconds - start
    worst["time"] = max(worst["time"], taken)
    if timed.code not in (0, 12) or taken > TIME_BAR or timed.strays:
        wrong.append(f"{title} time: code {timed.code}, {taken:.2f} s, {timed.strays} strays")
    memory = "-"
    if not skip_memory:
        limited = run([*base, "--memory-limit", str(MEMORY_LIMIT), "--time-limit", f"{CAP:g}"])
        memory = str(limited)
        if limited.code not in (0, 12, 13) or limited.strays:
            wrong.append(f"{title} memory: code {limited.code}, {limited.strays} strays")
    interrupted = run(base, interrupt_after=INTERRUPT_AFTER)
    if interrupted.code != 0:
        worst["interrupt"] = max(worst["interrupt"], interrupted.seconds)
        if interrupted.code != 128 + signal.SIGINT or interrupted.seconds > INTERRUPT_BAR:
            wrong.append(f"{title} Ctrl-C: code {interrupted.code}, {interrupted.seconds:.2f} s")
    if interrupted.strays:
        wrong.append(f"{title} Ctrl-C: {interrupted.strays} strays")
    return f"{timed.code:6}{taken:7.2f}{memory:>17}{interrupted!s:>17}"


if __name__ == "__main__":
    main()
