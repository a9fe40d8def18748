"""`trailmark generate`: an instance of a benchmark domain, or the domain itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trailmark import domains
from trailmark.cli.common import Json, Quiet, Verbose, print_json, set_up_logging
from trailmark.errors import InputError
from trailmark.files import write_text


def command(
    name: Annotated[str, typer.Argument(help="One of `trailmark domains`.", show_default=False)],
    size: Annotated[
        list[str] | None, typer.Option("--size", help="A size, as in packages=4; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same file.")] = 0,
    domain: Annotated[
        bool, typer.Option("--domain", help="Write the domain instead of an instance.")
    ] = False,
    train: Annotated[
        int | None, typer.Option(help="Write training instance 1 to 5 of the preset.", show_default=False)
    ] = None,
    test: Annotated[
        int | None,
        typer.Option(
            help="Write test instance 1 to 30 of the preset (1 to 10 of a further domain).",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file instead of stdout.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Write a PDDL instance of a benchmark domain. Equal arguments give equal files.

    Example: trailmark generate delivery --size width=5 --size packages=4 --seed 7 -o p.pddl
    """
    set_up_logging(quiet, verbose)
    chosen = [bool(size), domain, train is not None, test is not None]
    if sum(chosen) > 1:
        raise InputError("use only one of --size, --domain, --train and --test")
    if domain:
        text = domains.domain_text(name)
    elif train is not None:
        problems = domains.train_problems(name)
        if not 1 <= train <= len(problems):
            raise InputError(f"training instance {train} does not exist", hint=f"use 1 to {len(problems)}")
        text = problems[train - 1]
    elif test is not None:
        text = domains.test_problem(name, test)
    else:
        text = domains.generate(name, seed, **sizes_of(size or []))
    if output is not None:
        write_text(output, text)
    if json:
        print_json({"name": name, "seed": seed, "output": str(output) if output else None, "pddl": text})
    elif output is None:
        typer.echo(text, nl=False)
    return 0


def sizes_of(entries: list[str]) -> dict[str, int]:
    """Sizes as given on the command line, `key=value` each."""
    sizes: dict[str, int] = {}
    for entry in entries:
        key, _, value = entry.partition("=")
        if not key or not value.lstrip("-").isdigit():
            raise InputError(f"'{entry}' is not a size", hint="write --size key=number")
        sizes[key.strip()] = int(value)
    return sizes
