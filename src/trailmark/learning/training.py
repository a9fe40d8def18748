"""The training set: solved instances as the learner takes them, the classes of their goals, and what a model
keeps of them.

A landmark graph is learned for one class of problems (the paper's Section 3.1): those whose goals use the
same predicates over the same types. A mixed training set is reported by class, and can be split.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from trailmark import __version__
from trailmark.errors import InputError, PlanError
from trailmark.learning.sources import PlanFile, PlanSource, SourcedPlan, collect_plans, sources_named
from trailmark.models.model import TrainingRecord
from trailmark.search.shorten import shorten
from trailmark.task import Domain, Plan, Task, Trajectory, trajectory


@dataclass(frozen=True)
class TrainingInstance:
    """A solved instance, with the files it came from where there are any."""

    task: Task
    plan: Plan
    problem_file: str | None = None
    plan_file: str | None = None

    @property
    def name(self) -> str:
        return self.problem_file or self.task.name


class SeenLoop(NamedTuple):
    """A loop of what was learned, with its landmarks counted from 1."""

    source: int
    target: int
    accepted: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.source} → {self.target}: {', '.join(map(str, self.accepted))}"


def record(
    instance: TrainingInstance, counts: tuple[int, ...], *, satisfied: bool, reason: str
) -> TrainingRecord:
    """What a model keeps of an instance, and how its plan fits the graph."""
    problem, plan = instance.problem_file, instance.plan_file
    return TrainingRecord(
        problem=Path(problem).name if problem else instance.task.name,
        problem_sha256=_sha256(problem),
        plan=Path(plan).name if plan else None,
        plan_sha256=_sha256(plan) if plan else None,
        length=len(instance.plan),
        passes=counts,
        satisfied=satisfied,
        reason=reason,
    )


def _sha256(path: str | None) -> str:
    data = Path(path).read_bytes() if path else b""
    return hashlib.sha256(data).hexdigest()


def versions() -> dict[str, str]:
    """Of this program and of what it uses."""
    found = {"trailmark": __version__, "python": platform.python_version()}
    for name in ("pymimir", "numpy", "clingo"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


GoalShape = tuple[tuple[str, tuple[str, ...]], ...]
"""The predicates of a goal, each with the types of its objects, sorted."""


@dataclass(frozen=True)
class ProblemClass:
    shape: GoalShape
    members: tuple[int, ...]
    """The positions of its instances in the training set."""

    def __str__(self) -> str:
        return ", ".join(f"({' '.join((predicate, *types))})" for predicate, types in self.shape) or "no goal"


def goal_shape(task: Task) -> GoalShape:
    """What the goal of an instance is about, without its objects."""
    declared = {
        each.name: "/".join(each.types) for each in (*task.domain.model.constants, *task.model.objects)
    }
    shapes: set[tuple[str, tuple[str, ...]]] = set()
    for atom in task.goal.positive:
        symbol, arguments = task.structure.decode(atom)
        types = tuple(declared[task.structure.objects[each]] for each in arguments)
        shapes.add((task.domain.vocabulary.symbols[symbol].name, types))
    return tuple(sorted(shapes))


def problem_classes(tasks: Sequence[Task]) -> list[ProblemClass]:
    """The classes in the order of their first instance."""
    members: dict[GoalShape, list[int]] = {}
    for position, task in enumerate(tasks):
        members.setdefault(goal_shape(task), []).append(position)
    return [ProblemClass(shape, tuple(positions)) for shape, positions in members.items()]


WITHOUT_PLANS = "give smaller problems, a longer --time-limit, plan files, or another --plans-from"


@dataclass(frozen=True)
class TrainingSet:
    instances: tuple[TrainingInstance, ...]
    seconds: float
    """What the plans took."""
    notes: tuple[str, ...]
    """What a user should know: problems left out, goals of different classes."""

    def by_class(self) -> list[tuple[TrainingInstance, ...]]:
        """The instances of each problem class."""
        classes = problem_classes([each.task for each in self.instances])
        return [tuple(self.instances[place] for place in each.members) for each in classes]


def load_training(
    domain: str | os.PathLike[str],
    problems: Sequence[str],
    source: str | PlanSource = "auto",
    plans: Sequence[str] = (),
    *,
    seconds: float = 30.0,
    executor: Executor | None = None,
    progress: Callable[[SourcedPlan], None] | None = None,
) -> TrainingSet:
    """Reads the problems and gets a plan for each, all within the seconds.

    Where a planner finds no plan the problem is left out with a note; a plan file must fit its problem.
    """
    known = Domain.load(domain)
    read = {name: Task.load(known, name) for name in dict.fromkeys(problems)}
    tasks = [read[name] for name in problems]
    if isinstance(source, str):
        sources = sources_named(source, len(tasks), plans)
    else:
        sources = [source] * len(tasks)
    found = collect_plans(sources, tasks, seconds=seconds, executor=executor, progress=progress)
    notes: list[str] = []
    instances: list[TrainingInstance] = []
    for origin, task, sought in zip(sources, tasks, found, strict=True):
        if sought.plan is None:
            if isinstance(origin, PlanFile):
                raise InputError(f"the plan for {sought.problem} cannot be used: {sought.reason}")
            notes.append(f"{sought.problem} is left out: {sought.reason}")
            continue
        plan_file = origin.of(sought.problem) if isinstance(origin, PlanFile) else None
        instances.append(TrainingInstance(task, sought.plan, sought.problem, plan_file))
    if not instances:
        raise InputError(_without_plans(found), hint=WITHOUT_PLANS)
    classes = problem_classes([each.task for each in instances])
    if len(classes) > 1:
        described = "; ".join(f"{each} in {len(each.members)}" for each in classes)
        notes.append(f"the goals are of {len(classes)} classes: {described} (--split learns each apart)")
    return TrainingSet(tuple(instances), sum(each.seconds for each in found), tuple(notes))


def _without_plans(found: Sequence[SourcedPlan]) -> str:
    """Why there is nothing to learn from: the reason of the first problem stands for all."""
    if not found:
        return "there are no problems to learn from"
    return f"no training problem has a plan; {found[0].problem}: {found[0].reason}"


def shortened(instance: TrainingInstance, name: str) -> Trajectory:
    """The states of its plan without needless actions."""
    try:
        return trajectory(instance.task, Plan(shorten(instance.task, instance.plan.steps)), name)
    except PlanError:
        return trajectory(instance.task, instance.plan, name)
