"""Small runs of learn, plan and bench to be disturbed, and what their results must look like."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.tree import start
from trailmark.api import load
from trailmark.bench.records import RESULTS, read_records
from trailmark.domains import domain_text, generate
from trailmark.errors import TrailmarkError
from trailmark.task import Task, read_plan, validate

NAMES = ("learn", "plan", "fast-downward", "anytime", "bench")

SUITE = """
title = "Small"
[limits]
learn-seconds = 200
plan-seconds = 200
[learners.chain]
method = "chain"
config = "b1"
training = 3
[planners.landmarks]
search = "astar"
heuristic = "hadd"
learners = ["chain"]
[planners.hadd]
kind = "baseline"
heuristic = "hadd"
[[parts]]
name = "main"
domains = ["gripper"]
tests = [1]
planners = ["landmarks", "hadd"]
"""

BALLS = 6
ANYTIME_SECONDS = 60.0
"""Far more than it takes to end by itself, on a busy machine too."""

COMPARED = ("domain", "instance", "learner", "planner", "status", "plan_length", "cost", "expanded", "nodes")
"""What of a record does not depend on the clock."""


@dataclass(frozen=True)
class Scenario:
    """A command in a folder, and how to judge what it leaves there."""

    name: str
    source: Path
    """A folder with the inputs, and with the results of an undisturbed run."""
    words: tuple[str, ...]
    output: str
    judge: Callable[[Path], object]
    """Raises where the output is not whole; what it returns must equal that of the undisturbed run."""
    wanted: object
    seconds: float
    """What an undisturbed run takes."""

    def prepare(self, folder: Path, old: bool) -> None:
        """A fresh folder with the inputs; `old`: with the output of an earlier run where one is replaced."""
        folder.mkdir()
        for each in self.source.iterdir():
            if each.is_file() and each.name != self.output:
                shutil.copy(each, folder)
        if old and self.name != "bench":
            shutil.copy(self.source / self.output, folder)

    def arguments(self, folder: Path, again: bool) -> list[str]:
        return [*self.words, *(["--resume"] if again and self.name == "bench" else [])]

    def look(self, folder: Path) -> tuple[str, bool]:
        """What is wrong with the output, and whether there is one; none is right, half of one is not."""
        path = folder / self.output
        if not path.exists():
            return "", False
        if self.name == "bench":
            return "", _is_complete(path, self.source / self.output)
        try:
            self.judge(folder)
        except (TrailmarkError, ValueError) as problem:
            return f"{self.output} is not whole: {problem}", True
        return "", True

    def look_again(self, folder: Path) -> str:
        """What is wrong after a whole run."""
        try:
            found = self.judge(folder)
        except (TrailmarkError, OSError, ValueError) as problem:
            return f"{self.output} is not whole: {problem}"
        if found == self.wanted:
            return ""
        return f"{self.output} differs from an undisturbed run's: {found} and {self.wanted}"


def make(name: str, folder: Path) -> Scenario:
    """The scenario with its inputs written and run once undisturbed."""
    folder.mkdir()
    (folder / "domain.pddl").write_text(domain_text("gripper"))
    problems = [f"t{balls}.pddl" for balls in (2, 3, 4)]
    quick = ("--method", "chain", "--config", "b1", "--jobs", "2", "-q")
    for balls, problem in zip((2, 3, 4), problems, strict=True):
        (folder / problem).write_text(generate("gripper", balls, balls=balls))
    (folder / "large.pddl").write_text(generate("gripper", 1, balls=BALLS))
    (folder / "suite.toml").write_text(SUITE)
    plan = ("plan", "none", "domain.pddl", "large.pddl", "-o", "plan", "-q")
    words, output, judge = {
        "learn": (
            ("learn", "domain.pddl", *problems, "-o", "model.json", *quick),
            "model.json",
            _judge_model,
        ),
        "plan": ((*plan, "--complete", "lazy"), "plan", _judge_plan),
        "fast-downward": ((*plan, "--complete", "fast-downward"), "plan", _judge_plan),
        "anytime": ((*plan, "--anytime", "--time-limit", f"{ANYTIME_SECONDS:g}"), "plan", _judge_any_plan),
        "bench": (("bench", "suite.toml", "--jobs", "2", "-o", "out", "-q"), "out", _judge_bench),
    }[name]
    began = time.monotonic()
    done = start(list(words), folder / "tmp", folder).process
    _, errors = done.communicate()
    assert done.returncode == 0, errors.decode()
    seconds = time.monotonic() - began
    return Scenario(name, folder, words, output, judge, judge(folder), seconds)


def _judge_model(folder: Path) -> object:
    return load(folder / "model.json").model.guidance


def _judge_plan(folder: Path) -> object:
    plan = read_plan(folder / "plan")
    verdict = validate(Task.load(folder / "domain.pddl", folder / "large.pddl"), plan)
    if not verdict:
        raise ValueError(verdict.reason)
    return plan


def _judge_any_plan(folder: Path) -> object:
    """How good a plan the time allows differs."""
    return bool(_judge_plan(folder))


def _judge_bench(folder: Path) -> object:
    """The table of the runs, and that no run has two lines."""
    path = folder / "out" / RESULTS
    lines = [json.loads(line)["key"] for line in path.read_text().splitlines()]
    if len(lines) != len(set(lines)):
        raise ValueError("a run has two records")
    if not (folder / "out" / "report.html").read_text().rstrip().endswith("</html>"):
        raise ValueError("the report is not whole")
    return sorted(tuple(str(record.get(key)) for key in COMPARED) for record in read_records(path).values())


def _is_complete(out: Path, undisturbed: Path) -> bool:
    return len(read_records(out / RESULTS)) == len(read_records(undisturbed / RESULTS))
