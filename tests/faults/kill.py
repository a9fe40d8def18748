"""Kill learn, plan and bench by SIGKILL at random moments, and look at what is left."""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults import scenarios
from tests.faults.scenarios import Scenario
from tests.faults.tree import Started, commands, kill_all, left_after, marked, semaphores, start

MODES = ("parent", "group", "all")
"""Who is killed: the process the user started; its process group; everything it has started too."""

AIMED = 0.4
"""The share of kills that wait, after their random moment, for a temporary file to be there."""

SHORT_WEIGHT = 4
"""How often learn and plan take their turn for each turn of bench, which takes longer."""

PATIENCE_SECONDS = 2.0
"""How long what was started may take to end after the process that started it was killed."""


@dataclass
class Tally:
    """What happened to one command under one mode."""

    trials: int = 0
    ended_before: int = 0
    writing: int = 0
    """Trials killed while a temporary file was being written."""
    with_planner: int = 0
    """Trials killed while Fast Downward ran."""
    whole: int = 0
    absent_or_old: int = 0
    slowest_end: float = 0.0
    temporary: int = 0
    """Trials that left a temporary file or folder, all of which the next run removed."""
    losses: list[str] = field(default_factory=list)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", type=int, default=200, help="kills (default: 200)")
    parser.add_argument("--row", type=int, default=1, help="kills in a row in one folder (default: 1)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--commands", nargs="+", choices=scenarios.NAMES, default=list(scenarios.NAMES))


def run(options: argparse.Namespace) -> int:
    chance = random.Random(options.seed)
    tallies: dict[tuple[str, str], Tally] = {}
    before = semaphores()
    with tempfile.TemporaryDirectory(prefix="faults-") as root:
        made = [scenarios.make(name, Path(root) / name) for name in options.commands]
        for each in made:
            print(f"{each.name}: {each.seconds:.2f} s undisturbed", flush=True)
        turns = [each for each in made for _ in range(1 if each.name == "bench" else SHORT_WEIGHT)]
        for number in range(math.ceil(options.count / options.row)):
            scenario = turns[number % len(turns)]
            mode = MODES[number // len(turns) % len(MODES)]
            tally = tallies.setdefault((scenario.name, mode), Tally())
            _trial(scenario, mode, Path(root) / f"trial{number}", chance, tally, options.row)
            shutil.rmtree(Path(root) / f"trial{number}")
            if tally.losses:
                print(f"{scenario.name} {mode}: {tally.losses[-1]}", flush=True)
    _print(tallies)
    lost = [f"{' '.join(key)}: {loss}" for key, tally in tallies.items() for loss in tally.losses]
    lost += [f"semaphore {name}" for name in sorted(semaphores() - before)]
    kills = sum(tally.trials for tally in tallies.values())
    print("\n".join(lost) if lost else f"{kills} kills, no loss")
    return 1 if lost else 0


def _trial(
    scenario: Scenario, mode: str, folder: Path, chance: random.Random, tally: Tally, row: int
) -> None:
    """So many kills, the look at what each left, and a whole run after them."""
    scenario.prepare(folder, old=chance.random() < 0.5)
    for number in range(row):
        where = _killed(scenario, mode, folder, chance, tally, again=number > 0)
    again = start(scenario.arguments(folder, again=True), folder / "tmp", folder)
    _, errors = again.process.communicate()
    if again.process.returncode != 0:
        said = errors.decode()[-300:]
        tally.losses.append(f"{where}: the next run gave {again.process.returncode}: {said}")
    elif problem := scenario.look_again(folder):
        tally.losses.append(f"{where}: after the next run {problem}")
    if names := _temporaries(folder):
        tally.losses.append(f"{where}: after the next run there is {', '.join(names)}")
    if marked(again.mark):
        tally.losses.append(f"{where}: the next run left processes")


def _killed(
    scenario: Scenario, mode: str, folder: Path, chance: random.Random, tally: Tally, again: bool
) -> str:
    """One kill, and when it was."""
    moment = chance.uniform(0, scenario.seconds * 1.05)
    started = start(scenario.arguments(folder, again), folder / "tmp", folder)
    time.sleep(moment)
    if chance.random() < AIMED:
        tally.writing += _wait_for_writing(started, folder)
    tally.trials += 1
    tally.ended_before += started.process.poll() is not None
    tally.with_planner += any("fast-downward" in command for command in commands(started.mark))
    killed = time.monotonic()
    _kill(started, mode)
    left = left_after(started.mark, PATIENCE_SECONDS)
    tally.slowest_end = max(tally.slowest_end, time.monotonic() - killed)
    where = f"killed after {moment:.3f} s"
    if left:
        tally.losses.append(f"{where}: {len(left)} stray processes after {PATIENCE_SECONDS:g} s")
        kill_all(left)
    problem, is_whole = scenario.look(folder)
    tally.whole += is_whole
    tally.absent_or_old += not is_whole
    if problem:
        tally.losses.append(f"{where}: {problem}")
    tally.temporary += bool(_temporaries(folder))
    return where


def _wait_for_writing(started: Started, folder: Path) -> bool:
    """Waits for a temporary file of a writer; False where the process ended without one."""
    places = [folder, folder / "out", folder / "out" / "made"]
    while started.process.poll() is None:
        for place in places:
            with suppress(OSError):
                if any(name.startswith(".trailmark-") for name in os.listdir(place)):
                    return True
        time.sleep(0.0002)
    return False


def _kill(started: Started, mode: str) -> None:
    if started.process.poll() is None:
        if mode == "parent":
            started.process.kill()
        elif mode == "group":
            os.killpg(started.process.pid, signal.SIGKILL)
        else:
            while pids := marked(started.mark):
                kill_all(pids)
    started.process.wait()
    assert started.process.stderr is not None
    started.process.stderr.close()


def _temporaries(folder: Path) -> list[str]:
    """Files that are neither input nor output of the command."""
    left = [each.name for each in (folder / "tmp").iterdir()]
    return left + [
        str(each.relative_to(folder))
        for each in folder.rglob("*")
        if each.name.startswith(".trailmark-") or each.suffix == ".tmp"
    ]


def _print(tallies: dict[tuple[str, str], Tally]) -> None:
    columns = (
        "command", "killed", "trials", "ended before", "while writing", "with Fast Downward", "output whole",
        "none or old", "temporary left", "slowest end s", "losses",
    )  # fmt: skip
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    sums: Counter[str] = Counter()
    for (name, mode), each in sorted(tallies.items()):
        cells = (
            name, mode, each.trials, each.ended_before, each.writing, each.with_planner, each.whole,
            each.absent_or_old, each.temporary, f"{each.slowest_end:.2f}", len(each.losses),
        )  # fmt: skip
        print("| " + " | ".join(map(str, cells)) + " |")
        sums[name] += each.trials
    print(", ".join(f"{name} {count}" for name, count in sorted(sums.items())))
