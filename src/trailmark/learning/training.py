"""The training set: problems with their plans, as the learner takes them."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.learning.classes import problem_classes
from trailmark.learning.provenance import TrainingInstance
from trailmark.learning.sources import PlanFile, PlanSource, SourcedPlan, collect_plans, sources_named
from trailmark.task import Domain, Task

_log = logging.getLogger(__name__)

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
        ending = sought.reason if sought.plan is None else f"{len(sought.plan)} steps"
        _log.info("plan for %s: %.1f s, %s", sought.problem, sought.seconds, ending)
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
