"""Learning domain knowledge that gets better with time, as the learning track of the IPC 2023 wants it.

Training tasks are taken smallest first. As soon as a few of them have plans a first model is written;
then more tasks and the other method of discovery are tried, and a model that plans the training
tasks with less effort takes the place of the best. Whenever the learner is stopped, the files that are
there are whole and the best one has the plain name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.api import LearnedModel, fit, learn_options, solve
from trailmark.errors import InputError, NoGraphError, TimeLimitError
from trailmark.learning.sources import collect_plans, sources_named
from trailmark.learning.training import TrainingInstance, problem_classes
from trailmark.limits import Budget
from trailmark.task import Domain, Task

Say = Callable[[str], None]

PLAN_SECONDS = 30.0
"""For the plan of one training task."""
VALIDATION_TASKS = 10
"""Models are compared on so many of the largest solved training tasks."""
VALIDATION_SECONDS = 5.0
"""For planning one of them."""
LENGTH_WEIGHT = 10
"""What a step of a plan counts against a generated state when models are compared."""
FEWEST = 3
"""With fewer solved training tasks than this the training set is called poor."""


@dataclass(frozen=True)
class KnowledgeOptions:
    """What learning goes on with while there is time."""

    sizes: tuple[int, ...] = (5, 10, 20)
    """How many solved training tasks each stage learns from."""
    methods: tuple[str, ...] = ("auto", "chain")
    plans_from: str = "embedded"
    seed: int = 0


@dataclass(frozen=True, order=True)
class Effort:
    """What planning the training tasks with a model took; less is better."""

    unsolved: int
    weighted: int


class KnowledgeFiles:
    """The file `DK` with the best model, and `DK.1`, `DK.2`, … with each that was the best once."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.written: list[Path] = []
        if not target.parent.is_dir():
            raise InputError(f"there is no folder {target.parent}", hint="make it first")

    def add(self, model: LearnedModel) -> Path:
        """Writes a model that is better than those before; no file is ever seen half-written."""
        number = 1
        while (numbered := self.target.with_name(f"{self.target.name}.{number}")).exists():
            number += 1
        model.save(numbered)
        model.save(self.target)
        self.written.append(numbered)
        return numbered


def learn_knowledge(
    target: Path,
    domain: str,
    tasks: Sequence[str],
    budget: Budget,
    options: KnowledgeOptions,
    say: Say,
) -> int:
    """Writes better and better knowledge until nothing is left to try; how many files were written."""
    files = KnowledgeFiles(target)
    known = Domain.load(domain)
    best: Effort | None = None
    for instances, method in _stages(known, tasks, budget, options, say):
        try:
            model = fit(instances, learn_options(method=method, seed=options.seed), budget)
        except NoGraphError as problem:
            say(f"{len(instances)} tasks, method {method}: {problem}")
            continue
        except TimeLimitError:
            break
        if best is None:
            _warn_of_no_loop(model, say)
            say(f"{files.add(model)}: from {len(instances)} tasks, method {method}")
        effort = _effort(model, instances, budget)
        if best is not None and effort < best:
            say(f"{files.add(model)}: from {len(instances)} tasks, method {method}, better than before")
        best = effort if best is None else min(best, effort)
        if budget.expired():
            break
    return len(files.written)


def _stages(
    known: Domain, tasks: Sequence[str], budget: Budget, options: KnowledgeOptions, say: Say
) -> Iterator[tuple[tuple[TrainingInstance, ...], str]]:
    """The training sets to learn from, each as soon as its plans are there, with every method."""
    ordered = sorted(tasks, key=lambda name: (_size(name), name))
    instances: list[TrainingInstance] = []
    waiting = iter(ordered)
    for size in options.sizes:
        before = len(instances)
        while len(instances) < size and not budget.expired():
            name = next(waiting, None)
            if name is None:
                break
            seconds = min(PLAN_SECONDS, budget.remaining())
            instances += _solved(known, name, options.plans_from, seconds, say)
        if not instances:
            raise InputError("no training task has a plan", hint="give smaller tasks, or --plans-from files")
        if before == 0:
            _warn_of_poor_training(instances, say)
        if len(instances) > before:
            for method in options.methods:
                yield tuple(instances), method


def _solved(known: Domain, name: str, plans_from: str, seconds: float, say: Say) -> list[TrainingInstance]:
    """The task with its plan; nothing, and a word why, where it has none."""
    task = Task.load(known, name)
    (found,) = collect_plans(sources_named(plans_from, 1), [task], seconds=seconds)
    if found.plan is None:
        say(f"{name} is left out: {found.reason}")
        return []
    return [TrainingInstance(task, found.plan, name)]


def _effort(model: LearnedModel, instances: Sequence[TrainingInstance], budget: Budget) -> Effort:
    unsolved = weighted = 0
    for instance in instances[-VALIDATION_TASKS:]:
        solution = solve(instance.task, model, budget=budget.part(VALIDATION_SECONDS))
        unsolved += not solution
        weighted += solution.result.statistics.generated + LENGTH_WEIGHT * len(solution)
    return Effort(unsolved, weighted)


def _warn_of_poor_training(instances: Sequence[TrainingInstance], say: Say) -> None:
    if len(instances) < FEWEST:
        say(
            f"warning: only {len(instances)} training tasks have plans; "
            f"give at least {FEWEST} that differ in size"
        )
    elif len({len(each.plan) for each in instances}) == 1:
        say("warning: all training plans have the same length; give tasks that differ in size")
    classes = problem_classes([instance.task for instance in instances])
    if len(classes) > 1:
        say(f"warning: the goals are of {len(classes)} kinds; knowledge fits one kind best")


def _warn_of_no_loop(model: LearnedModel, say: Say) -> None:
    if not model.guidance.repeated:
        say("warning: the landmarks have no loop, so larger tasks may gain little; give more varied tasks")


def _size(name: str) -> int:
    try:
        return os.path.getsize(name)
    except OSError as problem:
        raise InputError(f"{name}: the task cannot be read: {problem.strerror or problem}") from None
