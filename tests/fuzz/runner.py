"""Running one target: the whole corpus, then made and mutated inputs until the time is over."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.checks import Wrong, place_of
from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import Target

SHARE_MADE = 0.15
"""Of the inputs: made anew by the target's grammar; the others are mutations."""
MOST_KEPT = 2_000
"""Inputs with a new outcome that are mutated further."""


@dataclass(frozen=True)
class Crash:
    """One input that the program was wrong about; further ones of the same kind are only counted."""

    kind: str
    """The exception and where it was raised."""
    data: bytes
    trace: str


@dataclass
class Report:
    target: str
    inputs: int = 0
    replayed: int = 0
    """Inputs of the corpus, which are among the inputs."""
    outcomes: Counter[str] = field(default_factory=Counter)
    crashes: dict[str, Crash] = field(default_factory=dict)
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.target}: {self.inputs} inputs ({self.replayed} of the corpus) in {self.seconds:.0f} s, "
            f"{len(self.outcomes)} distinct outcomes, {self.outcomes['ok']} accepted, "
            f"{len(self.crashes)} crashes"
        )


def fuzz(
    target: Target,
    seconds: float,
    seed: int,
    say: Callable[[Crash], None] = lambda crash: None,
    *,
    most: int | None = None,
) -> Report:
    """Replays the corpus whatever it takes, then goes on until the seconds are over.

    With `most` there are at most so many further inputs, made from the corpus and the seed alone: the time
    only says how many of them are run. Without, the project's own files are changed too, and inputs with a
    new outcome are changed further.
    """
    report = Report(target.name)
    started = time.monotonic()
    pool = [data for _, data in target.corpus()]
    for data in pool:
        _try(target, data, report, say)
    report.replayed = len(pool)
    if most is None:
        pool += target.seeds()
    chance = Random(f"{seed} {target.name}")
    mutator = Mutator(chance, target.words, pool)
    last = None if most is None else report.inputs + most
    while time.monotonic() - started < seconds and report.inputs != last:
        if chance.random() < SHARE_MADE:
            data = target.make(chance)
        else:
            data = mutator.mutated(chance.choice(pool))
        if _try(target, data, report, say) and most is None and len(pool) < MOST_KEPT:
            pool.append(data)
    report.seconds = time.monotonic() - started
    return report


def _try(target: Target, data: bytes, report: Report, say: Callable[[Crash], None]) -> bool:
    """Whether the input had an outcome that none before it had."""
    report.inputs += 1
    try:
        name = target.one(data)
    except Exception as problem:
        crash = Crash(_kind(problem), data, "".join(traceback.format_exception(problem)))
        if crash.kind not in report.crashes:
            report.crashes[crash.kind] = crash
            say(crash)
        report.outcomes[f"crash {crash.kind}"] += 1
        return False
    report.outcomes[name] += 1
    return report.outcomes[name] == 1


def _kind(problem: BaseException) -> str:
    """The exception's type with the last places in the program that it passed."""
    note = str(problem).partition(":")[0][:60] if isinstance(problem, Wrong) else place_of(problem)
    return f"{type(problem).__name__} {note}"


def save(crash: Crash, folder: Path, target: str) -> Path:
    """The input as a file that `--replay` takes, with its traceback beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{target}-{hashlib.sha256(crash.data).hexdigest()[:12]}"
    path.write_bytes(crash.data)
    path.with_suffix(".txt").write_text(f"{crash.kind}\n\n{crash.trace}", encoding="utf-8")
    return path
