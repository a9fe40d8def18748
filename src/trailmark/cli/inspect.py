"""`trailmark show`, `explain`, `check` and `validate`: what a model and a plan say, without searching."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from typer import Option, echo

from trailmark.cli.common import (
    DomainArgument,
    Json,
    ModelArgument,
    OutputOption,
    PlanArgument,
    ProblemArgument,
    Quiet,
    Verbose,
    expectation_text,
    json_text,
    one_of,
    print_json,
    read_domain,
    read_model,
    read_task,
    set_up_logging,
    staged,
    write_output,
)
from trailmark.errors import ExitCode

SHOWN = ("text", "json", "dot", "mermaid", "svg", "html")
EXPLAINED = ("text", "json", "html")


def show(
    model: ModelArgument,
    domain: Path | None = Option(None, help="The PDDL domain, for a graph in text."),
    format: str = Option("text", help="text, json, dot, mermaid, svg or html."),
    output: OutputOption = None,
    formal: bool = Option(False, "--formal", help="Add every part with its formula."),
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Tell what a model has learned: what to do, action by action, or landmarks and loops.

    --formal adds every part with its exact formula, and so does --verbose.

    Example: trailmark show model.json --format html -o report.html
    """
    from trailmark import report

    set_up_logging(quiet, verbose)
    one_of(format, SHOWN)
    loaded = read_model(model, domain, "and has nothing to show")
    told = staged("telling", lambda: report.outline(loaded.model, loaded.words), lambda told: told.title)
    if json or format == "json":
        text = json_text(report.outline_json(told))
    elif format == "text":
        text = report.model_text(loaded.model, loaded.words, verbose=verbose or formal)
    else:
        drawn = {"dot": report.dot, "mermaid": report.mermaid, "svg": report.graph_svg, "html": report.page}
        text = drawn[format](told)
    write_output(text, output)
    return 0


def explain(
    model: ModelArgument,
    domain: DomainArgument,
    problem: ProblemArgument,
    plan: PlanArgument,
    format: str = Option("text", help="text, json or html."),
    output: OutputOption = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Tell a plan by its landmarks: which steps achieve which, in which pass, and where it leaves the graph.

    --verbose shows every action. Exit code 0: explained; 2: a file cannot be read or the plan is invalid.

    Example: trailmark explain model.json domain.pddl problem.pddl problem.plan
    """
    set_up_logging(quiet, verbose)
    one_of(format, EXPLAINED)
    known = read_domain(domain)
    loaded = read_model(model, known, "to explain a plan with")
    task = read_task(known, problem)
    explained = staged(
        "explaining",
        lambda: loaded.explain(plan, task),
        lambda told: f"{len(told.explanation.stretches)} stretches",
    )
    if json or format == "json":
        text = json_text(explained.as_json())
    else:
        text = explained.html() if format == "html" else explained.text(verbose=verbose)
    write_output(text, output)
    return 0


def check(
    model: ModelArgument,
    domain: DomainArgument,
    problem: ProblemArgument,
    plan: PlanArgument,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Say whether the states a plan visits satisfy the landmark graph, and if not, which landmark fails.

    Exit code 0: satisfied; 1: not; 2: a file cannot be read or the plan is invalid.

    Example: trailmark check model.json domain.pddl problem.pddl problem.plan
    """
    from trailmark.task import read_plan

    set_up_logging(quiet, verbose)
    known = read_domain(domain)
    loaded = read_model(model, known, "to check against")
    task = read_task(known, problem)
    length = len(read_plan(plan))
    answer = staged("checking", lambda: loaded.check(plan, task), str)
    expected = loaded.expect(task)
    if json:
        accepted = [{**asdict(found), "landmark": found.landmark + 1} for found in answer.acceptances]
        print_json(
            status="satisfied" if answer else "not satisfied",
            reasons=[str(failure) for failure in answer.failures],
            acceptances=accepted,
            expected_passes=list(expected.passes),
            expected_length=expected.length,
            plan_length=length,
        )
    elif not quiet:
        echo(str(answer) if answer else f"not satisfied: {answer}")
        states = ", ".join(f"{found.landmark + 1} in state {found.state}" for found in answer.acceptances)
        echo(f"landmarks accepted: {states or 'none'}")
        if expected.passes:
            echo(f"expected {expectation_text(expected)}; the plan has {length} steps")
    return int(ExitCode.DONE if answer else ExitCode.NO)


def validate(
    domain: DomainArgument,
    problem: ProblemArgument,
    plan: PlanArgument,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Execute a plan step by step and say whether it reaches the goal, or which step fails and why.

    Exit code 0: the plan is valid; 1: it is not; 2: a file cannot be read, or the plan names an action or
    an object that the task does not have.

    Example: trailmark validate domain.pddl problem.pddl problem.plan
    """
    from trailmark import task as tasks

    set_up_logging(quiet, verbose)
    task = read_task(read_domain(domain), problem)
    steps = tasks.read_plan(plan)
    tasks.check_names(task, steps, str(plan))
    verdict = staged("executing", lambda: tasks.validate(task, steps), lambda _: f"{len(steps)} steps")
    if json:
        print_json(
            status="valid" if verdict else "invalid",
            plan_length=len(steps),
            cost=verdict.cost,
            step=verdict.step,
            missing=list(verdict.missing),
            reason=verdict.reason,
        )
    elif not quiet:
        if verdict:
            echo(f"valid: {len(steps)} steps, cost {verdict.cost:g}")
        else:
            echo(f"invalid: {verdict.reason}")
    return int(ExitCode.DONE if verdict else ExitCode.NO)
