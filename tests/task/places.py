"""Where the tests' PDDL lies, and the tasks in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from trailmark.task import Task

PDDL = Path(__file__).parents[1] / "pddl"
SMALL = sorted(folder.name for folder in PDDL.iterdir() if folder.is_dir())

BENCHMARKS = Path(__file__).parents[2] / ".." / "shared" / "benchmarks"
needs_benchmarks = pytest.mark.skipif(
    not BENCHMARKS.is_dir(), reason="the public benchmarks (../shared/benchmarks) are not here"
)
DOMAINS = sorted(each.parent.name for each in BENCHMARKS.glob("*/domain.pddl"))
TRAINING = [(name, f"t{number:02}") for name in DOMAINS for number in range(1, 6)]


def small_task(name: str, generation: str = "auto") -> Task:
    """A task of the project's own small files."""
    folder = PDDL / name
    task = Task.load(folder / "domain.pddl", folder / "problem.pddl")
    task.generation = generation
    return task


@cache
def training_task(domain: str, problem: str) -> Task:
    folder = BENCHMARKS / domain
    return Task.load(folder / "domain.pddl", folder / "train" / f"{problem}.pddl")
