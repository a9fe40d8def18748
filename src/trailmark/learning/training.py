"""The training set: problems with their plans, as the learner takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.learning.classes import problem_classes
from trailmark.learning.learner import TrainingInstance
from trailmark.learning.sources import PlanFile, SourcedPlan, collect_plans, sources_named
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
    """Reads the problems and gets a plan for each.

    Where a planner finds no plan the problem is left out with a note; a plan file must fit its problem.
    """
    known = Domain.load(domain)
    tasks = {name: Task.load(known, name) for name in problems}
    sources = sources_named(source, problems, plans)
    found = collect_plans(sources, domain, problems, seconds=seconds, jobs=jobs, progress=progress)
    notes: list[str] = []
    instances: list[TrainingInstance] = []
    for origin, each in zip(sources, found, strict=True):
        if each.plan is None:
            if isinstance(origin, PlanFile):
                raise InputError(f"the plan for {each.problem} cannot be used: {each.reason}")
            notes.append(f"{each.problem} is left out: {each.reason}")
            continue
        plan_file = origin.of(each.problem) if isinstance(origin, PlanFile) else None
        instances.append(TrainingInstance(tasks[each.problem], each.plan, each.problem, plan_file))
    if not instances:
        raise InputError(_without_plans(found))
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
