"""`trailmark domains`: the benchmark domains that come with the project."""

from __future__ import annotations

import typer

from trailmark import domains
from trailmark.cli.common import Json, Quiet, Verbose, print_json, set_up_logging


def command(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """List the benchmark domains with their size parameters.

    Example: trailmark domains
    """
    set_up_logging(quiet, verbose)
    specs = [domains.spec(name) for name in domains.names()]
    if json:
        print_json(
            {
                "domains": [
                    {
                        "name": spec.name,
                        "description": spec.description,
                        "parameters": [vars(each) for each in spec.parameters],
                        "train": [dict(sizes) for sizes in spec.train],
                        "test": [dict(sizes) for sizes in spec.test],
                    }
                    for spec in specs
                ]
            }
        )
        return 0
    for spec in specs:
        typer.echo(f"{spec.name}: {spec.description}")
        if not quiet:
            for each in spec.parameters:
                bounds = f"{each.low} to {each.high}, default {each.default}"
                typer.echo(f"    {each.name:<14} {each.meaning} ({bounds})")
    return 0
