"""`trailmark show`: a landmark graph in words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trailmark.cli.common import Json, Quiet, Verbose, set_up_logging
from trailmark.errors import InputError
from trailmark.files import write_text

FORMATS = ("text", "json")


def command(
    model: Annotated[
        str, typer.Argument(help="A model file, or a landmark graph in text.", show_default=False)
    ],
    domain: Annotated[
        Path | None, typer.Option(help="The PDDL domain, for a graph in text.", show_default=False)
    ] = None,
    format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file instead of stdout.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Show the landmarks and loops of a model in words; --verbose adds every part and its formula.

    Example: trailmark show model.json
    """
    from trailmark.cli.models import read_model
    from trailmark.landmarks import dumps
    from trailmark.report.text import model_text
    from trailmark.report.words import Words
    from trailmark.task import Domain

    set_up_logging(quiet, False)
    if format not in FORMATS:
        raise InputError(f"unknown format '{format}'", hint=f"use one of {', '.join(FORMATS)}")
    known = Domain.load(domain) if domain else None
    loaded = read_model(model, known)
    if loaded is None:
        raise InputError("'none' is no model and has nothing to show")
    if json or format == "json":
        text = dumps(loaded)
    else:
        words = Words(known.vocabulary, known.parameter_types) if known else Words()
        text = model_text(loaded, words, verbose=verbose)
    if output is not None:
        write_text(output, text)
    else:
        typer.echo(text, nl=False)
    return 0
