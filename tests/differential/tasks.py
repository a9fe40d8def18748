"""The tasks that are compared: the 21 domains, files with more than STRIPS, and random tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random

from tests.task.random_pddl import random_task
from trailmark.domains import domain_text, generate, names, train_preset, train_problems
from trailmark.errors import TrailmarkError
from trailmark.task import Domain, Task
from trailmark.task.model import TOTAL_COST, Assign, Comparison
from trailmark.task.walks import parts_of

OWN = Path(__file__).parent / "pddl"
SMALL = Path(__file__).parents[1] / "pddl"


@dataclass(frozen=True)
class TaskText:
    """A task as other programs read it."""

    name: str
    domain: str
    problem: str

    @cached_property
    def task(self) -> Task:
        return Task.parse(Domain.parse(self.domain, self.name), self.problem, self.name)

    @property
    def files(self) -> dict[str, str]:
        return {"domain.pddl": self.domain, "problem.pddl": self.problem}

    def write(self, folder: Path) -> tuple[Path, Path]:
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return folder / "domain.pddl", folder / "problem.pddl"


def training_tasks() -> list[TaskText]:
    """The five training instances of each of the 21 domains."""
    return [
        TaskText(f"{name} {number}", domain_text(name), text)
        for name in names()
        for number, text in enumerate(train_problems(name), start=1)
    ]


def tiny_task(chance: Random) -> TaskText:
    """One of the two smallest sizes of a domain, from a random seed."""
    name = chance.choice(names())
    seed = chance.randrange(10**6)
    sizes = train_preset(name)[chance.randrange(2)]
    return TaskText(f"{name} seed {seed}", domain_text(name), generate(name, seed, **sizes))


def rich_tasks() -> list[TaskText]:
    """Files with conditional effects, quantifiers, costs, numbers and axioms."""
    found = []
    for folder in sorted((*OWN.iterdir(), *SMALL.iterdir())):
        for problem in sorted(folder.glob("problem*.pddl")):
            domain = (folder / "domain.pddl").read_text(encoding="utf-8")
            found.append(TaskText(f"{folder.name} {problem.stem}", domain, problem.read_text("utf-8")))
    return found


def random_rich_tasks(chance: Random, *, numeric: bool = True) -> Iterator[TaskText]:
    """Random tasks over the PDDL that we and most other programs read, without end.

    Types are named one by one and no variable hides another: few programs read that. Without `numeric`
    no condition reads a number and no effect changes one but the total cost.
    """
    while True:
        seed = chance.randrange(10**9)
        domain, problem = random_task(Random(seed))
        if re.search(r"\((forall|exists) \(\?p0", domain + problem):
            continue
        domain, problem = (re.sub(r"\(either [^)]*\)", "object", each) for each in (domain, problem))
        if "(:derived" not in domain:
            domain = domain.replace(" :derived-predicates", "")
        made = TaskText(f"random ADL {seed}", domain, problem)
        try:
            fits = numeric or not _is_numeric(made.task)
        except TrailmarkError:
            continue
        if fits:
            yield replace(made, domain=made.domain if numeric else domain.replace(" :numeric-fluents", ""))


def _is_numeric(task: Task) -> bool:
    return any(
        isinstance(part, Comparison) or (isinstance(part, Assign) and part.target.function != TOTAL_COST)
        for part in parts_of(task.domain.model, task.model)
    )
