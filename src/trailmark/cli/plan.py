"""`trailmark plan`: solve an instance with a learned landmark graph."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from trailmark.cli.common import Json, Quiet, Verbose, print_json, run_supervised, set_up_logging


def command(
    model: Annotated[
        str,
        typer.Argument(
            help="A model file, a landmark graph in text, or 'none': no landmarks.", show_default=False
        ),
    ],
    domain: Annotated[Path, typer.Argument(help="PDDL domain.", show_default=False)],
    problem: Annotated[Path, typer.Argument(help="PDDL problem.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the plan to this file.", show_default=False)
    ] = None,
    search: Annotated[str, typer.Option(help="auto, astar, gbfs or leap.")] = "auto",
    heuristic: Annotated[
        str | None,
        typer.Option(
            help="hadd, hmax, ff, goalcount or none; by default the search chooses.", show_default=False
        ),
    ] = None,
    prune: Annotated[bool, typer.Option(help="Clear the open list when a loop is traversed.")] = True,
    anytime: Annotated[
        bool, typer.Option("--anytime", help="Go on improving the plan until the time limit.")
    ] = False,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds, from reading the files on.", show_default=False)
    ] = None,
    memory_limit: Annotated[float | None, typer.Option(help="Megabytes.", show_default=False)] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Solve a planning task, guided by a landmark graph. Every plan is validated before it is given.

    Exit code 0: solved; 2: bad input; 10: proved unsolvable; 11: no plan found; 12: time limit;
    13: memory limit.

    Example: trailmark plan model.json domain.pddl problem.pddl -o problem.plan
    """
    set_up_logging(quiet, verbose)
    request = _Request(
        model,
        domain,
        problem,
        output,
        search,
        heuristic,
        prune,
        anytime,
        time_limit,
        memory_limit,
        json,
        quiet,
        time.monotonic(),
    )
    return run_supervised(lambda: _plan(request), time_limit, memory_limit)


@dataclass(frozen=True)
class _Request:
    """The command's arguments, as the child process takes them."""

    model: str
    domain: Path
    problem: Path
    output: Path | None
    search: str
    heuristic: str | None
    prune: bool
    anytime: bool
    time_limit: float | None
    memory_limit: float | None
    json: bool
    quiet: bool
    started: float
    """When the time limit began, on the clock that all processes share."""


def _plan(request: _Request) -> int:
    from trailmark.cli.models import expectation, expectation_text, read_model
    from trailmark.cli.progress import ProgressLine
    from trailmark.limits import Budget
    from trailmark.search.planner import PlannerOptions, plan
    from trailmark.search.result import Statistics
    from trailmark.task import Domain, Task, plan_text, write_plan
    from trailmark.task.plans import Step

    budget = Budget(request.time_limit, request.memory_limit, request.started)
    options = PlannerOptions(
        search=request.search, heuristic=request.heuristic, prune=request.prune, anytime=request.anytime
    )
    known = Domain.load(request.domain)
    loaded = read_model(request.model, known)
    task = Task.load(known, request.problem)
    unit_cost = task.model.minimize is None

    def save(steps: tuple[Step, ...], cost: float) -> None:
        if request.output is not None:
            write_plan(request.output, steps, cost, unit_cost=unit_cost)

    with ProgressLine(quiet=request.quiet) as line:

        def say(strategy: str, statistics: Statistics, where: str) -> None:
            line.say(f"{strategy}: {where} {statistics.expanded} expanded, {budget.elapsed():.1f} s")

        result = plan(task, loaded.graph if loaded else None, options, budget, say, save)
    expected = expectation(loaded, task) if loaded else None
    if request.json:
        print_json(_document(result, expected))
    elif result.steps is None:
        print(f"trailmark: {result.status.value}", file=sys.stderr)
    else:
        if request.output is None:
            typer.echo(plan_text(result.steps, result.cost, unit_cost=unit_cost), nl=False)
        if not request.quiet:
            counts = result.statistics
            print(
                f"{len(result.steps)} steps by {result.strategy} in {result.total_time_s:.2f} s, "
                f"{counts.expanded} states expanded, {counts.generated} generated",
                file=sys.stderr,
            )
            if expected is not None and expected.passes:
                print(f"expected {expectation_text(expected)}", file=sys.stderr)
    return int(result.status.exit_code)


def _document(result: Any, expected: Any) -> dict[str, Any]:
    counts = result.statistics
    return {
        "status": result.status.value,
        "plan_length": None if result.steps is None else len(result.steps),
        "cost": result.cost,
        "expanded": counts.expanded,
        "generated": counts.generated,
        "evaluated": counts.evaluated,
        "search_time_s": round(result.search_time_s, 4),
        "total_time_s": round(result.total_time_s, 4),
        "peak_memory_mb": round(result.peak_memory_mb, 1),
        "strategy": result.strategy,
        "landmarks": None if result.landmarks is None else asdict(result.landmarks),
        "expected": None if expected is None else asdict(expected),
    }
