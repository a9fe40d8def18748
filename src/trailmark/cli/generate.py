"""`trailmark generate` and `trailmark domains`: the benchmark domains that come with the project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from trailmark.cli.common import Json, OutputOption, Quiet, Verbose, print_json, set_up_logging, staged
from trailmark.errors import InputError
from trailmark.files import write_text

if TYPE_CHECKING:
    from trailmark import domains


def generate(
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
    output: OutputOption = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Write a PDDL instance of a benchmark domain. Equal arguments give equal files.

    Example: trailmark generate delivery --size width=5 --size packages=4 --seed 7 -o p.pddl
    """
    from trailmark import domains

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
        sizes = _sizes_of(size or [])
        text = staged(
            "generating", lambda: domains.generate(name, seed, **sizes), lambda text: f"{len(text)} bytes"
        )
    if output is not None:
        write_text(output, text)
    if json:
        print_json(
            {
                "status": "done",
                "name": name,
                "seed": seed,
                "output": str(output) if output else None,
                "pddl": text,
            }
        )
    elif output is None:
        typer.echo(text, nl=False)
    return 0


def _sizes_of(entries: list[str]) -> dict[str, int]:
    """Sizes as given on the command line, `key=value` each."""
    sizes: dict[str, int] = {}
    for entry in entries:
        key, _, value = entry.partition("=")
        if not key or not value.lstrip("-").isdigit():
            raise InputError(f"'{entry}' is not a size", hint="write --size key=number")
        sizes[key.strip()] = int(value)
    return sizes


def list_domains(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """List the benchmark domains with their size parameters.

    Example: trailmark domains
    """
    from trailmark import domains

    set_up_logging(quiet, verbose)
    paper = staged("reading", lambda: [domains.spec(name) for name in domains.names()], _number)
    further = [domains.spec(name) for name in domains.further_names()]
    if json:
        listed = {
            "domains": [_document(spec) for spec in paper],
            "further": [_document(spec) for spec in further],
        }
        print_json({"status": "done", **listed})
        return 0
    _list(paper, quiet)
    typer.echo("\nFurther domains, which are not the paper's:")
    _list(further, quiet)
    return 0


def _number(specs: Sequence[domains.DomainSpec]) -> str:
    return f"{len(specs)} domains"


def _document(spec: domains.DomainSpec) -> dict[str, object]:
    return {
        "name": spec.name,
        "description": spec.description,
        "parameters": [vars(size) for size in spec.parameters],
        "train": [dict(sizes) for sizes in spec.train],
        "test": [dict(sizes) for sizes in spec.test],
    }


def _list(specs: Sequence[domains.DomainSpec], quiet: bool) -> None:
    for spec in specs:
        typer.echo(f"{spec.name}: {spec.description}")
        if not quiet:
            for size in spec.parameters:
                bounds = f"{size.low} to {size.high}, default {size.default}"
                typer.echo(f"    {size.name:<14} {size.meaning} ({bounds})")
