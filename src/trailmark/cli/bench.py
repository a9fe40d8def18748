"""`trailmark bench`: the paper's experiments and comparisons as resumable suites."""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from trailmark.cli.common import Json, Quiet, Verbose, print_json, set_up_logging, staged
from trailmark.errors import InputError
from trailmark.files import check_writable

DEFAULT_FOLDER = "artefacts/bench"


def command(
    suite: Annotated[
        str,
        typer.Argument(
            metavar="SUITE",
            help="quick, standard, paper, scale, further, or a .toml file.",
            show_default=False,
        ),
    ],
    parts: Annotated[
        list[str] | None,
        typer.Option("--parts", help="Only these parts, by name; * for any.", show_default=False),
    ] = None,
    domains: Annotated[
        list[str] | None, typer.Option("--domains", help="Only these domains; * for any.", show_default=False)
    ] = None,
    planners: Annotated[
        list[str] | None,
        typer.Option("--planners", help="Only these planners; * for any.", show_default=False),
    ] = None,
    instances: Annotated[
        list[str] | None, typer.Option("--instances", help="Only these test instances.", show_default=False)
    ] = None,
    benchmarks: Annotated[
        Path | None,
        typer.Option(help="A folder of benchmark files instead of the own instances.", show_default=False),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds for planning, instead of the suite's.", show_default=False)
    ] = None,
    learn_time_limit: Annotated[
        float | None, typer.Option(help="Seconds for learning, instead of the suite's.", show_default=False)
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(help="Megabytes, instead of the suite's.", show_default=False)
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Runs at the same time on this machine.")] = 1,
    cluster: Annotated[
        str | None, typer.Option(help="The address of a Dask scheduler to run on.", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an earlier run was ended.")] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="Go on, and run again what ended in an internal error.")
    ] = False,
    mixed: Annotated[
        bool,
        typer.Option("--mixed", help="Go on also where results come from another state of the program."),
    ] = False,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Run nothing; report on the results there are.")
    ] = False,
    finished: Annotated[
        bool, typer.Option("--finished", help="Report only on parts and domains that have all their results.")
    ] = False,
    kept: Annotated[
        Path | None,
        typer.Option(
            "--records", help="Start from the records in this file, and keep all in it.", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help=f"The folder for results.  [default: {DEFAULT_FOLDER}/SUITE]",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Also write the Markdown report here.", show_default=False)
    ] = None,
    findings: Annotated[
        Path | None,
        typer.Option(help="Markdown with what you found out, for the report.", show_default=False),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Run a suite of experiments and report on it beside the paper's numbers.

    Lists of names may be given with commas or by repeating the option.

    Example: trailmark bench quick --jobs 2
    """
    from trailmark.bench import selection
    from trailmark.bench.instances import Folder, Presets
    from trailmark.bench.records import RESULTS, keep_records, read_records, take_kept_records, write_about
    from trailmark.bench.report import make_report, write_report
    from trailmark.bench.runner import local_executor, run_suite
    from trailmark.bench.runs import expand
    from trailmark.executors import dask_cluster
    from trailmark.files import read_text
    from trailmark.search.fast_downward import is_installed

    set_up_logging(quiet, verbose)
    limits = {"plan_seconds": time_limit, "learn_seconds": learn_time_limit, "megabytes": memory_limit}
    for value, name in zip(limits.values(), ("time", "learning time", "memory"), strict=True):
        if value is not None and not value > 0:
            raise InputError(f"the {name} limit must be above 0, it is {value:g}")
    for file in (report, kept):
        if file is not None:
            check_writable(file)
    found_out = read_text(findings, "file of findings") if findings else ""
    source = Folder(benchmarks) if benchmarks else Presets()
    chosen = selection.select(
        selection.load_suite(suite),
        source,
        parts=_names(parts),
        domains=_names(domains),
        planners=_names(planners),
        tests=_numbers(instances),
        limits={name: value for name, value in limits.items() if value is not None},
    )
    if not is_installed() and not report_only:
        chosen, left_out = selection.without_fast_downward(chosen)
        if left_out:
            names = ", ".join(left_out)
            _say(f"left out: {names}; Fast Downward is not installed (pip install 'trailmark[fd]')")
    folder = output or Path(DEFAULT_FOLDER) / chosen.name
    expansion = staged(
        "expanding the suite", lambda: expand(chosen, source), lambda made: f"{len(made.runs)} runs"
    )
    if kept is not None and kept.is_file():
        take_kept_records(kept, folder)
    if report_only:
        records = read_records(folder / RESULTS)
    else:
        write_about(folder, "on a cluster" if cluster else f"{jobs} on this machine")
        place: AbstractContextManager[Executor] = dask_cluster(cluster) if cluster else local_executor(jobs)
        with place as executor:
            records = run_suite(
                expansion.runs, source, folder, executor, resume=resume or retry, retry=retry, mixed=mixed,
                progress=None if quiet else _progress,
            )  # fmt: skip
    if finished:
        chosen = selection.finished(chosen, expansion, records)
        expansion = expand(chosen, source)
    made = staged(
        "reporting",
        lambda: make_report(chosen, expansion, records, source, folder, found_out),
        lambda made: f"{len(made.sections)} sections",
    )
    write_report(made, folder, report)
    if kept is not None:
        keep_records(folder, kept)
    for warning in made.warnings:
        _say(warning)
    if json:
        print_json(
            {
                "status": "done",
                "suite": chosen.name,
                "runs": len(expansion.runs),
                "recorded": sum(run.key in records for run in expansion.runs),
                "results": str(folder / RESULTS),
                "report": str(folder / "report.html"),
            }
        )
    else:
        _print_tables(made, folder)
    return 0


def _print_tables(made: object, folder: Path) -> None:
    from trailmark.bench.render import markdown
    from trailmark.bench.report import Report

    assert isinstance(made, Report)
    told: set[str] = set()
    for section in made.sections:
        typer.echo(f"\n{section.results.part.title}")
        for table in section.tables:
            typer.echo(f"\n{table.title}\n{markdown(table)}".rstrip())
            if table.note and table.note not in told:
                typer.echo(table.note)
                told.add(table.note)
    typer.echo(f"\nreport: {folder / 'report.html'}")


def _progress(run: object, record: dict[str, object], done: int, total: int) -> None:
    from trailmark.bench.runs import Run

    assert isinstance(run, Run)
    name = " ".join(each for each in (run.kind, run.domain, run.instance, run.column.strip()) if each)
    seconds = record.get("seconds")
    _say(f"[{done}/{total}] {name}: {record['status']}" + ("" if seconds is None else f" in {seconds} s"))


def _say(text: str) -> None:
    print(f"trailmark: {text}", file=sys.stderr)


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name for each in given or () for name in each.split(",") if name)


def _numbers(given: list[str] | None) -> tuple[int, ...]:
    names = [name.removeprefix("p") for name in _names(given)]
    for name in names:
        if not name.isdecimal():
            raise InputError(f"{name!r} is no test instance", hint="give numbers, as in --instances 3,6")
    return tuple(int(name) for name in names)
