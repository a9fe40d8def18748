"""`trailmark show`: a landmark graph in words, as a picture or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trailmark.cli.common import Json, Quiet, Verbose, json_text, set_up_logging, write_output
from trailmark.errors import InputError

FORMATS = ("text", "json", "dot", "mermaid", "svg", "html")


def command(
    model: Annotated[
        str, typer.Argument(help="A model file, or a landmark graph in text.", show_default=False)
    ],
    domain: Annotated[
        Path | None, typer.Option(help="The PDDL domain, for a graph in text.", show_default=False)
    ] = None,
    format: Annotated[str, typer.Option("--format", help="text, json, dot, mermaid, svg or html.")] = "text",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file instead of stdout.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Show the landmarks and loops of a model in words; --verbose adds every part and its formula.

    Example: trailmark show model.json --format html -o report.html
    """
    from trailmark.cli.models import read_model
    from trailmark.report.diagrams import dot, mermaid
    from trailmark.report.html import page
    from trailmark.report.outline import outline
    from trailmark.report.showjson import outline_json
    from trailmark.report.svg import graph_svg
    from trailmark.report.text import model_text
    from trailmark.report.words import Words
    from trailmark.task import Domain

    set_up_logging(quiet, False)
    if format not in FORMATS:
        raise InputError(f"unknown format '{format}'", hint=f"use one of {', '.join(FORMATS)}")
    known = Domain.load(domain) if domain else None
    loaded = read_model(model, known)
    if loaded is None:
        raise InputError("'none' is no model and has nothing to show", hint="`trailmark learn -o` writes one")
    words = Words.of(loaded, known.vocabulary, known.parameter_types) if known else Words.of(loaded)
    told = outline(loaded, words)
    if json or format == "json":
        text = json_text(outline_json(told))
    elif format == "text":
        text = model_text(loaded, words, verbose=verbose)
    else:
        text = {"dot": dot, "mermaid": mermaid, "svg": graph_svg, "html": page}[format](told)
    write_output(text, output)
    return 0
