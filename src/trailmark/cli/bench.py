"""`trailmark bench`: the paper's experiments and comparisons as resumable suites. `generate` and `domains`:
the benchmark domains that come with the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option, echo

from trailmark.cli.common import (
    Json,
    OutputOption,
    Quiet,
    Verbose,
    print_error,
    print_json,
    set_up_logging,
    staged,
)
from trailmark.errors import InputError
from trailmark.files import check_writable, write_text

if TYPE_CHECKING:
    from trailmark import domains
    from trailmark.bench.records import Record
    from trailmark.bench.report import Report
    from trailmark.bench.runs import Run

DEFAULT_FOLDER = "artefacts/bench"


def command(
    suite: Annotated[
        str,
        Argument(
            metavar="SUITE",
            help="quick, standard, paper, scale, further, or a .toml file.",
        ),
    ],
    parts: list[str] | None = Option(None, help="Only these parts, by name; * for any."),
    domains: list[str] | None = Option(None, help="Only these domains; * for any."),
    planners: list[str] | None = Option(None, help="Only these planners; * for any."),
    instances: list[str] | None = Option(None, help="Only these test instances."),
    benchmarks: Path | None = Option(None, help="A folder of benchmark files instead of the own instances."),
    time_limit: float | None = Option(None, help="Seconds for planning, instead of the suite's."),
    learn_time_limit: float | None = Option(None, help="Seconds for learning, instead of the suite's."),
    memory_limit: float | None = Option(None, help="Megabytes, instead of the suite's."),
    jobs: int = Option(1, min=1, help="Runs at the same time on this machine."),
    cluster: str | None = Option(None, help="The address of a Dask scheduler to run on."),
    resume: bool = Option(False, "--resume", help="Go on where an earlier run was ended."),
    retry: bool = Option(False, "--retry", help="Go on, and run again what ended in an internal error."),
    mixed: bool = Option(
        False, "--mixed", help="Go on also where results come from another state of the program."
    ),
    report_only: bool = Option(False, "--report-only", help="Run nothing; report on the results there are."),
    finished: bool = Option(
        False, "--finished", help="Report only on parts and domains that have all their results."
    ),
    kept: Path | None = Option(
        None, "--records", help="Start from the records in this file, and keep all in it."
    ),
    output: Path | None = Option(
        None, "-o", "--output", help=f"The folder for results.  [default: {DEFAULT_FOLDER}/SUITE]"
    ),
    report: Path | None = Option(None, help="Also write the Markdown report here."),
    findings: Path | None = Option(None, help="Markdown with what you found out, for the report."),
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Run a suite of experiments and report on it beside the paper's numbers.

    Lists of names may be given with commas or by repeating the option.

    Example: trailmark bench quick --jobs 2
    """
    from trailmark.bench import suitefile
    from trailmark.bench.records import RESULTS, keep_records, read_records, take_kept_records, write_about
    from trailmark.bench.report import make_report, write_report
    from trailmark.bench.runner import Threads, run_suite
    from trailmark.bench.runs import expand
    from trailmark.bench.suite import Folder, Presets
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
    chosen = suitefile.select(
        suitefile.load_suite(suite),
        source,
        parts=_names(parts),
        domains=_names(domains),
        planners=_names(planners),
        tests=_numbers(instances),
        limits={name: value for name, value in limits.items() if value is not None},
    )
    if not is_installed() and not report_only:
        chosen, left_out = suitefile.without_fast_downward(chosen)
        if left_out:
            names = ", ".join(left_out)
            print_error(f"left out: {names}; Fast Downward is not installed (pip install 'trailmark[fd]')")
    folder = output or Path(DEFAULT_FOLDER) / chosen.name
    expansion = staged(
        "expanding the suite", lambda: expand(chosen, source), lambda made: f"{len(made.runs)} runs"
    )
    if kept is not None and kept.is_file():
        take_kept_records(kept, folder)
    if report_only:
        records = read_records(folder / RESULTS)
        if kept is not None:
            keep_records(folder, kept)
    else:
        write_about(folder, "on a cluster" if cluster else f"{jobs} on this machine")
        place: AbstractContextManager[Executor] = dask_cluster(cluster) if cluster else Threads(jobs)
        try:
            with place as executor:
                records = run_suite(
                    expansion.runs, folder, executor, resume=resume or retry, retry=retry, mixed=mixed,
                    progress=None if quiet else _progress,
                )  # fmt: skip
        finally:
            # What ended early is kept too: a suite may take days on many machines.
            if kept is not None:
                keep_records(folder, kept)
    if finished:
        chosen = suitefile.finished(chosen, expansion, records)
        expansion = expand(chosen, source)
    made = staged(
        "reporting",
        lambda: make_report(chosen, expansion, records, source, folder, found_out),
        lambda made: f"{len(made.sections)} sections",
    )
    write_report(made, folder, report)
    for warning in made.warnings:
        print_error(warning)
    if json:
        recorded = sum(run.key in records for run in expansion.runs)
        files = {"results": str(folder / RESULTS), "report": str(folder / "report.html")}
        print_json(status="done", suite=chosen.name, runs=len(expansion.runs), recorded=recorded, **files)
    else:
        _print_tables(made, folder)
    return 0


def _print_tables(made: Report, folder: Path) -> None:
    from trailmark.bench.render import markdown

    told: set[str] = set()
    for section in made.sections:
        echo(f"\n{section.results.part.title}")
        for table in section.tables:
            echo(f"\n{table.title}\n{markdown(table)}".rstrip())
            if table.note and table.note not in told:
                echo(table.note)
                told.add(table.note)
    echo(f"\nreport: {folder / 'report.html'}")


def _progress(run: Run, record: Record, done: int, total: int) -> None:
    learner = run.learner and f"[{run.learner}]"
    name = " ".join(filter(None, (run.kind, run.domain, run.instance, run.planner, learner)))
    seconds = record.get("seconds")
    took = "" if seconds is None else f" in {seconds} s"
    print_error(f"[{done}/{total}] {name}: {record['status']}{took}")


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name for names in given or () for name in names.split(",") if name)


def _numbers(given: list[str] | None) -> tuple[int, ...]:
    names = [name.removeprefix("p") for name in _names(given)]
    for name in names:
        if not name.isdecimal():
            raise InputError(f"{name!r} is no test instance", hint="give numbers, as in --instances 3,6")
    return tuple(int(name) for name in names)


def generate(
    name: Annotated[str, Argument(help="One of `trailmark domains`.")],
    size: list[str] | None = Option(None, help="A size, as in packages=4; may be repeated."),
    seed: int = Option(0, help="The same seed gives the same file."),
    domain: bool = Option(False, "--domain", help="Write the domain instead of an instance."),
    train: int | None = Option(None, help="Write training instance 1 to 5 of the preset."),
    test: int | None = Option(
        None, help="Write test instance 1 to 30 of the preset (1 to 10 of a further domain)."
    ),
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
        print_json(status="done", name=name, seed=seed, output=str(output) if output else None, pddl=text)
    elif output is None:
        echo(text, nl=False)
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
    paper = staged(
        "reading", lambda: list(map(domains.spec, domains.names())), lambda specs: f"{len(specs)} domains"
    )
    further = [domains.spec(name) for name in domains.further_names()]
    if json:
        print_json(status="done", domains=list(map(_document, paper)), further=list(map(_document, further)))
        return 0
    _list(paper, quiet)
    echo("\nFurther domains, which are not the paper's:")
    _list(further, quiet)
    return 0


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
        echo(f"{spec.name}: {spec.description}")
        if not quiet:
            for size in spec.parameters:
                bounds = f"{size.low} to {size.high}, default {size.default}"
                echo(f"    {size.name:<14} {size.meaning} ({bounds})")
