"""The training set: problems with their plans, as the learner takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from multiprocessing import get_context

from trailmark.errors import InputError
from trailmark.learning.classes import problem_classes
from trailmark.learning.learner import TrainingInstance
from trailmark.learning.sources import PlanFiles, SourcedPlan, collect_plans, plan_file_beside, source_named
from trailmark.task import Domain, Task


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
    domain: str,
    problems: Sequence[str],
    source: str = "embedded",
    plans: Sequence[str] = (),
    *,
    seconds: float = 30.0,
    jobs: int = 1,
    progress: Callable[[SourcedPlan], None] | None = None,
) -> TrainingSet:
    """Reads the problems and gets a plan for each; those without a plan are left out with a note."""
    known = Domain.load(domain)
    tasks = {name: Task.load(known, name) for name in problems}
    from_files = source_named(source, plans, problems)
    executor = ProcessPoolExecutor(jobs, get_context("spawn")) if jobs > 1 else None
    with executor or nullcontext():
        found = collect_plans(
            from_files, domain, problems, seconds=seconds, executor=executor, progress=progress
        )
    notes: list[str] = []
    instances: list[TrainingInstance] = []
    for each in found:
        if each.plan is None:
            notes.append(f"{each.problem} is left out: {each.reason}")
            continue
        plan_file = None
        if isinstance(from_files, PlanFiles):
            plan_file = from_files.given.get(each.problem) or plan_file_beside(each.problem)
        instances.append(TrainingInstance(tasks[each.problem], each.plan, each.problem, plan_file))
    if not instances:
        raise InputError(
            f"no training problem has a plan: {found[0].reason}" if found else "no problems given"
        )
    classes = problem_classes([each.task for each in instances])
    if len(classes) > 1:
        described = "; ".join(f"{each} in {len(each.members)}" for each in classes)
        notes.append(f"the goals are of {len(classes)} classes: {described} (--split learns each apart)")
    return TrainingSet(tuple(instances), sum(each.seconds for each in found), tuple(notes))
