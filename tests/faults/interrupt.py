"""Send Ctrl-C to learn, plan and bench at random moments: one line, exit code 130, nothing left."""

from __future__ import annotations

import argparse
import random
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults import scenarios
from tests.faults.scenarios import Scenario
from tests.faults.tree import kill_all, left_after, start

INTERRUPTED = 130
PATIENCE_SECONDS = 10.0

EARLY = (-signal.SIGINT, 1)
"""Python itself was ended while it started, before it had loaded the first module of the command line: no
program can answer that. A shell says 130 to the first."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", type=int, default=60, help="interruptions (default: 60)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--commands", nargs="+", choices=scenarios.NAMES, default=list(scenarios.NAMES))


def run(options: argparse.Namespace) -> int:
    chance = random.Random(options.seed)
    codes: Counter[tuple[str, int]] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="faults-") as root:
        made = [scenarios.make(name, Path(root) / name) for name in options.commands]
        for number in range(options.count):
            scenario = made[number % len(made)]
            code, problem = _trial(scenario, Path(root) / f"trial{number}", chance)
            codes[scenario.name, code] += 1
            wrong += [f"{scenario.name}: {problem}"] if problem else []
    for (name, code), count in sorted(codes.items()):
        print(f"{name:6} exit code {code:4}: {count}")
    print("\n".join(wrong) if wrong else f"{options.count} interruptions, all told in one line")
    return 1 if wrong else 0


def _trial(scenario: Scenario, folder: Path, chance: random.Random) -> tuple[int, str]:
    """The exit code, and what is wrong with how the command ended."""
    scenario.prepare(folder, old=False)
    moment = chance.uniform(0, scenario.seconds * 1.05)
    started = start(scenario.arguments(folder, again=False), folder / "tmp", folder)
    time.sleep(moment)
    started.process.send_signal(signal.SIGINT)
    _, errors = started.process.communicate()
    code = started.process.returncode
    left = left_after(started.mark, PATIENCE_SECONDS)
    kill_all(left)
    said = errors.decode()
    problem, _ = scenario.look(folder)
    if left:
        problem = f"{len(left)} stray processes"
    elif list((folder / "tmp").iterdir()):
        problem = "a temporary file is left"
    elif code == INTERRUPTED and said != "trailmark: interrupted\n":
        problem = f"it said {said[-300:]!r}"
    elif code not in (0, INTERRUPTED) and (code not in EARLY or "/trailmark/cli/" in said):
        problem = f"exit code {code}: {said[-300:]!r}"
    return code, f"after {moment:.3f} s: {problem}" if problem else ""
