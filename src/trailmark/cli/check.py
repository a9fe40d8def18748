"""`trailmark check`: does a plan's trajectory satisfy a landmark graph, and if not, why?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from trailmark.cli.common import Json, Quiet, Verbose, print_json, set_up_logging
from trailmark.errors import ExitCode, InputError


def command(
    model: Annotated[
        str, typer.Argument(help="A model file, or a landmark graph in text.", show_default=False)
    ],
    domain: Annotated[Path, typer.Argument(help="PDDL domain.", show_default=False)],
    problem: Annotated[Path, typer.Argument(help="PDDL problem.", show_default=False)],
    plan: Annotated[Path, typer.Argument(help="Plan in Fast Downward's format.", show_default=False)],
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Say whether the states a plan visits satisfy the landmark graph, and if not, which landmark fails.

    Exit code 0: satisfied; 1: not; 2: a file cannot be read or the plan is invalid.

    Example: trailmark check model.json domain.pddl problem.pddl problem.plan
    """
    from trailmark.cli.models import expectation_text, read_model
    from trailmark.features.batch import evaluate
    from trailmark.features.states import state_batch
    from trailmark.landmarks import expect, graph_values, satisfies
    from trailmark.task import Domain, Task, read_plan, trajectory

    set_up_logging(quiet, verbose)
    known = Domain.load(domain)
    loaded = read_model(model, known)
    if loaded is None:
        raise InputError("'none' is no model to check against")
    path = trajectory(Task.load(known, problem), read_plan(plan), str(plan))
    values = evaluate(loaded.graph.features, state_batch([(path.structure, path.states)]))
    (states,) = graph_values(loaded.graph, values)
    answer = satisfies(loaded.graph, states)
    expected = expect(loaded.graph, loaded.estimate, states[0])
    if json:
        document: dict[str, Any] = {
            "status": "satisfied" if answer else "not satisfied",
            "reasons": [str(each) for each in answer.failures],
            "acceptances": [
                {"state": each.state, "landmark": each.landmark + 1, "looped": each.looped}
                for each in answer.acceptances
            ],
            "expected_passes": list(expected.passes),
            "expected_length": expected.length,
            "plan_length": len(path.plan),
        }
        print_json(document)
    elif not quiet:
        typer.echo(str(answer))
        accepted = ", ".join(f"{each.landmark + 1} in state {each.state}" for each in answer.acceptances)
        typer.echo(f"landmarks accepted: {accepted or 'none'}")
        if expected.passes:
            typer.echo(f"expected {expectation_text(expected)}; the plan has {len(path.plan)} steps")
    return int(ExitCode.DONE if answer else ExitCode.NO)
