"""The contract of the IPC 2023 learning track.

    python -m trailmark.integrations.ipc learn DK DOMAIN TASK...
    python -m trailmark.integrations.ipc plan DK DOMAIN TASK PLAN

`learn` writes DK.1, DK.2, … as knowledge gets better, and DK as the best. `plan` writes a validated plan;
with --anytime also PLAN.1, PLAN.2, … for each better one. Both may be stopped by SIGTERM at any time and
leave whole files; having written one, they then end with exit code 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from trailmark.errors import ExitCode, InputError, TrailmarkError
from trailmark.limits import Budget
from trailmark.supervision import Ending, supervise
from trailmark.task.plans import Step

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
    learn.add_argument("--plans-from", default="embedded", help="embedded, fast-downward, files or up:ENGINE")
    learn.add_argument("--sizes", type=_numbers, default=(5, 10, 20), help="tasks to learn from, by stage")
    learn.add_argument("--methods", type=_names, default=("auto", "chain"), help="methods tried at a stage")
    learn.add_argument("--seed", type=int, default=0)
    plan = commands.add_parser("plan", help="solve a task with the knowledge")
    plan.add_argument("dk", metavar="DK", help="the knowledge file")
    plan.add_argument("domain", metavar="DOMAIN", help="PDDL domain")
    plan.add_argument("task", metavar="TASK", help="PDDL task")
    plan.add_argument("plan", metavar="PLAN", help="the plan file to write")
    plan.add_argument("--anytime", action="store_true", help="go on improving the plan until stopped")
    for each in (learn, plan):
        each.add_argument("--time-limit", type=float, help="seconds")
        each.add_argument("--memory-limit", type=float, help="megabytes")
    return parser


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split(","))


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _learn(options: argparse.Namespace) -> int:
    from trailmark.integrations.knowledge import KnowledgeOptions, learn_knowledge

    settings = KnowledgeOptions(
        sizes=options.sizes, methods=options.methods, plans_from=options.plans_from, seed=options.seed
    )
    budget = Budget(options.time_limit, options.memory_limit)
    target, tasks = Path(options.dk), list(dict.fromkeys(options.tasks))
    written = learn_knowledge(target, options.domain, tasks, budget, settings, _say)
    return int(ExitCode.DONE if written else ExitCode.NO_GRAPH)


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
