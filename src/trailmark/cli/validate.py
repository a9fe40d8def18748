"""`trailmark validate`: does a plan solve a task?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trailmark.cli.common import Json, Quiet, Verbose, print_json, set_up_logging
from trailmark.errors import ExitCode


def command(
    domain: Annotated[Path, typer.Argument(help="PDDL domain.", show_default=False)],
    problem: Annotated[Path, typer.Argument(help="PDDL problem.", show_default=False)],
    plan: Annotated[Path, typer.Argument(help="Plan in Fast Downward's format.", show_default=False)],
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Execute a plan step by step and say whether it reaches the goal, or which step fails and why.

    Exit code 0: the plan is valid; 1: it is not; 2: a file cannot be read, or the plan names an action or
    an object that the task does not have.

    Example: trailmark validate domain.pddl problem.pddl problem.plan
    """
    from trailmark.task import Task, check_names, read_plan, validate

    set_up_logging(quiet, verbose)
    task = Task.load(domain, problem)
    steps = read_plan(plan)
    check_names(task, steps, str(plan))
    verdict = validate(task, steps)
    if json:
        print_json(
            {
                "status": "valid" if verdict else "invalid",
                "plan_length": len(steps),
                "cost": verdict.cost,
                "step": verdict.step,
                "missing": list(verdict.missing),
                "reason": verdict.reason,
            }
        )
    elif not quiet:
        if verdict:
            typer.echo(f"valid: {len(steps)} steps, cost {verdict.cost:g}")
        else:
            typer.echo(f"invalid: {verdict.reason}")
    return int(ExitCode.DONE if verdict else ExitCode.NO)
