"""`trailmark domains`: the benchmark domains that come with the project."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from trailmark import domains
from trailmark.cli.common import Json, Quiet, Verbose, print_json, set_up_logging


def command(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """List the benchmark domains with their size parameters.

    Example: trailmark domains
    """
    set_up_logging(quiet, verbose)
    paper = [domains.spec(name) for name in domains.names()]
    further = [domains.spec(name) for name in domains.further_names()]
    if json:
        print_json(
            {"domains": [_document(spec) for spec in paper], "further": [_document(spec) for spec in further]}
        )
        return 0
    _list(paper, quiet)
    typer.echo("\nFurther domains, which are not the paper's:")
    _list(further, quiet)
    return 0


def _document(spec: domains.DomainSpec) -> dict[str, object]:
    return {
        "name": spec.name,
        "description": spec.description,
        "parameters": [vars(each) for each in spec.parameters],
        "train": [dict(sizes) for sizes in spec.train],
        "test": [dict(sizes) for sizes in spec.test],
    }


def _list(specs: Sequence[domains.DomainSpec], quiet: bool) -> None:
    for spec in specs:
        typer.echo(f"{spec.name}: {spec.description}")
        if not quiet:
            for each in spec.parameters:
                bounds = f"{each.low} to {each.high}, default {each.default}"
                typer.echo(f"    {each.name:<14} {each.meaning} ({bounds})")
