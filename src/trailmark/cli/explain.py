"""`trailmark explain`: a plan told by the landmarks it achieves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trailmark.cli.common import Json, Quiet, Verbose, json_text, set_up_logging, write_output
from trailmark.errors import InputError

FORMATS = ("text", "json", "html")


def command(
    model: Annotated[
        str, typer.Argument(help="A model file, or a landmark graph in text.", show_default=False)
    ],
    domain: Annotated[Path, typer.Argument(help="PDDL domain.", show_default=False)],
    problem: Annotated[Path, typer.Argument(help="PDDL problem.", show_default=False)],
    plan: Annotated[Path, typer.Argument(help="Plan in Fast Downward's format.", show_default=False)],
    format: Annotated[str, typer.Option("--format", help="text, json or html.")] = "text",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file instead of stdout.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Tell a plan by its landmarks: which steps achieve which, in which pass, and where it leaves the graph.

    --verbose shows every action. Exit code 0: explained; 2: a file cannot be read or the plan is invalid.

    Example: trailmark explain model.json domain.pddl problem.pddl problem.plan
    """
    from trailmark.cli.models import read_model
    from trailmark.report.explain import explain
    from trailmark.report.explaintext import explanation_json, explanation_text
    from trailmark.report.html import page
    from trailmark.report.words import Words
    from trailmark.task import Domain, Task, read_plan

    set_up_logging(quiet, False)
    if format not in FORMATS:
        raise InputError(f"unknown format '{format}'", hint=f"use one of {', '.join(FORMATS)}")
    known = Domain.load(domain)
    loaded = read_model(model, known)
    if loaded is None:
        raise InputError("'none' is no model to explain a plan with", hint="`trailmark learn -o` writes one")
    words = Words.of(loaded, known.vocabulary, known.parameter_types)
    explanation = explain(loaded, Task.load(known, problem), read_plan(plan), words, str(plan))
    if json or format == "json":
        text = json_text(explanation_json(explanation))
    elif format == "html":
        text = page(explanation.outline, explanation)
    else:
        text = explanation_text(explanation, verbose=verbose)
    write_output(text, output)
    return 0
