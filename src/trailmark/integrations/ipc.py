"""The contract of the IPC 2023 learning track.

    python -m trailmark.integrations.ipc learn DK DOMAIN TASK...
    python -m trailmark.integrations.ipc plan DK DOMAIN TASK PLAN

`learn` takes the smallest tasks first and writes a first model as soon as a few of them have plans. Then more
tasks and the other method are tried: DK.1, DK.2, … are each better than the one before, and DK is the best.
`plan` writes a validated plan; with --anytime also PLAN.1, PLAN.2, … for each better one. Both may be stopped
by SIGTERM at any time and leave whole files; having written one, they then end with exit code 0.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trailmark.errors import ExitCode, InputError, NoGraphError, TimeLimitError, TrailmarkError
from trailmark.limits import Budget
from trailmark.supervision import Ending, supervise
from trailmark.task.plans import Step

if TYPE_CHECKING:
    from trailmark.api import LearnedModel
    from trailmark.learning.training import TrainingInstance

PLAN_SECONDS = 30.0
"""For the plan of one training task."""
VALIDATION_TASKS = 10
"""Models are compared on so many of the largest solved training tasks."""
VALIDATION_SECONDS = 5.0
"""For planning one of them."""
LENGTH_WEIGHT = 10
"""What a step of a plan counts against a generated state when models are compared."""

GOOD_ENDINGS = (Ending.EXITED, Ending.INTERRUPTED, Ending.TIME_LIMIT, Ending.MEMORY_LIMIT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one of the two commands and returns its exit code."""
    options = _parser().parse_args(arguments)
    target = Path(options.dk if options.command == "learn" else options.plan)
    work = _learn if options.command == "learn" else _plan
    before = _stamp(target)
    try:
        Budget(options.time_limit, options.memory_limit)
        outcome = supervise(lambda: _reported(options, work), options.time_limit, options.memory_limit)
    except TrailmarkError as problem:
        _say(str(problem))
        return int(problem.exit_code)
    if outcome.ending in GOOD_ENDINGS and _stamp(target) not in (before, None):
        return int(ExitCode.DONE)
    codes = {
        Ending.TIME_LIMIT: ExitCode.TIME_LIMIT,
        Ending.MEMORY_LIMIT: ExitCode.MEMORY_LIMIT,
        Ending.CRASHED: ExitCode.INTERNAL,
    }
    if outcome.ending is not Ending.EXITED:
        _say(f"stopped: {outcome.ending.value}; nothing was written")
    return int(codes.get(outcome.ending, outcome.exit_code))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m trailmark.integrations.ipc",
        description="Learn domain knowledge and plan with it, as in the learning track of the IPC 2023.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    learn = commands.add_parser("learn", help="learn knowledge from tasks of a domain")
    learn.add_argument("dk", metavar="DK", help="the knowledge file to write, and DK.1, DK.2, …")
    learn.add_argument("domain", metavar="DOMAIN", help="PDDL domain")
    learn.add_argument("tasks", metavar="TASK", nargs="+", help="PDDL training tasks")
    learn.add_argument("--plans-from", default="embedded", help="as of `trailmark learn`")
    learn.add_argument("--sizes", type=_numbers, default=(5, 10, 20), help="tasks to learn from, by stage")
    learn.add_argument("--methods", type=_names, default=("auto", "chain"), help="methods tried at a stage")
    learn.add_argument("--seed", type=int, default=0)
    plan = commands.add_parser("plan", help="solve a task with the knowledge")
    plan.add_argument("dk", metavar="DK", help="the knowledge file")
    plan.add_argument("domain", metavar="DOMAIN", help="PDDL domain")
    plan.add_argument("task", metavar="TASK", help="PDDL task")
    plan.add_argument("plan", metavar="PLAN", help="the plan file to write")
    plan.add_argument("--anytime", action="store_true", help="go on improving the plan until stopped")
    for command in (learn, plan):
        command.add_argument("--time-limit", type=float, help="seconds")
        command.add_argument("--memory-limit", type=float, help="megabytes")
    return parser


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _learn(options: argparse.Namespace) -> int:
    """Writes better and better knowledge until nothing is left to try."""
    from trailmark.api import fit, learn_options

    target = Path(options.dk)
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {target.parent}", hint="make it first")
    budget = Budget(options.time_limit, options.memory_limit)
    best: tuple[int, int] | None = None
    for instances, method in _stages(options, budget):
        try:
            model = fit(instances, learn_options(method=method, seed=options.seed), budget)
        except NoGraphError as problem:
            _say(f"{len(instances)} tasks, method {method}: {problem}")
            continue
        except TimeLimitError:
            break
        if best is None:
            if not model.guidance.repeated:
                _say("warning: no loop, so larger tasks may gain little; give more varied tasks")
            _say(f"{_add(model, target)}: from {len(instances)} tasks, method {method}")
        effort = _effort(model, instances, budget)
        if best is not None and effort < best:
            _say(f"{_add(model, target)}: from {len(instances)} tasks, method {method}, better than before")
        best = effort if best is None else min(best, effort)
        if budget.expired():
            break
    return int(ExitCode.NO_GRAPH if best is None else ExitCode.DONE)


def _stages(
    options: argparse.Namespace, budget: Budget
) -> Iterator[tuple[tuple[TrainingInstance, ...], str]]:
    """The training sets to learn from, each as soon as its plans are there, with every method."""
    from trailmark.learning.sources import collect_plans, sources_named
    from trailmark.learning.training import TrainingInstance, TrainingSet, advice, problem_classes
    from trailmark.task import Domain, Task

    known = Domain.load(options.domain)
    waiting = sorted(dict.fromkeys(options.tasks), key=lambda name: (_size(name), name))
    instances: list[TrainingInstance] = []
    for size in options.sizes:
        before = len(instances)
        while len(instances) < size and waiting and not budget.expired():
            name = waiting.pop(0)
            task, seconds = Task.load(known, name), min(PLAN_SECONDS, budget.remaining())
            (found,) = collect_plans(sources_named(options.plans_from, 1), [task], seconds=seconds)
            if found.plan is None:
                _say(f"{name} is left out: {found.reason}")
            else:
                instances.append(TrainingInstance(task, found.plan, name))
        if not instances:
            raise InputError("no training task has a plan", hint="give smaller tasks, or --plans-from files")
        if before == 0:
            for note in advice(TrainingSet(tuple(instances), 0.0, ()), PLAN_SECONDS):
                _say(f"warning: {note}")
            classes = problem_classes([instance.task for instance in instances])
            if len(classes) > 1:
                _say(f"warning: the goals are of {len(classes)} kinds; knowledge fits one kind best")
        if len(instances) > before:
            for method in options.methods:
                yield tuple(instances), method


def _add(model: LearnedModel, target: Path) -> Path:
    """Writes a model that is better than those before, also under the next number that is free."""
    number = 1
    while (numbered := target.with_name(f"{target.name}.{number}")).exists():
        number += 1
    model.save(numbered)
    model.save(target)
    return numbered


def _effort(model: LearnedModel, instances: Sequence[TrainingInstance], budget: Budget) -> tuple[int, int]:
    """How many training tasks planning with a model leaves unsolved, and what the others take."""
    from trailmark.api import solve

    unsolved = weighted = 0
    for instance in instances[-VALIDATION_TASKS:]:
        solution = solve(instance.task, model, budget=budget.part(VALIDATION_SECONDS))
        unsolved += not solution
        weighted += solution.result.statistics.generated + LENGTH_WEIGHT * len(solution)
    return unsolved, weighted


def _size(name: str) -> int:
    try:
        return os.path.getsize(name)
    except OSError as problem:
        raise InputError(f"{name}: the task cannot be read: {problem.strerror or problem}") from None


def _plan(options: argparse.Namespace) -> int:
    from trailmark.api import load, solve
    from trailmark.search.planner import PlannerOptions
    from trailmark.task import Domain, Task, write_plan

    budget = Budget(options.time_limit, options.memory_limit)
    domain = Domain.load(options.domain)
    task = Task.load(domain, options.task)
    try:
        model = load(options.dk, domain)
    except InputError as problem:
        # Without its knowledge a planner of the track is still to plan.
        _say(f"warning: {problem}; planning without landmarks")
        model = None
    unit_cost = task.model.minimize is None
    found = 0

    def keep(steps: tuple[Step, ...], cost: float) -> None:
        nonlocal found
        found += 1
        if options.anytime:
            write_plan(f"{options.plan}.{found}", steps, cost, unit_cost=unit_cost)
        write_plan(options.plan, steps, cost, unit_cost=unit_cost)

    solution = solve(task, model, PlannerOptions(anytime=options.anytime), budget, on_plan=keep)
    _say(solution.status.value + (f", {len(solution)} steps" if solution else ""))
    return int(solution.status.exit_code)


def _reported(options: argparse.Namespace, work: object) -> int:
    assert callable(work)
    try:
        return int(work(options))
    except TrailmarkError as problem:
        _say(str(problem))
        return int(problem.exit_code)
    except MemoryError:
        _say("out of memory")
        return int(ExitCode.MEMORY_LIMIT)
    except Exception as problem:
        _say(f"internal error: {type(problem).__name__}: {problem}")
        return int(ExitCode.INTERNAL)


def _stamp(path: Path) -> tuple[int, int] | None:
    """What tells whether a file has been replaced; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _say(text: str) -> None:
    print(f"trailmark: {' '.join(text.split())}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
