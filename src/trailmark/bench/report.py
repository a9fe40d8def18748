"""The report of a suite: Markdown, HTML, CSV and LaTeX tables, and figures, from the records alone."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.bench import papertables, tables
from trailmark.bench.answers import Picture, answer, differences, landmark_pictures
from trailmark.bench.records import Record, read_about
from trailmark.bench.render import csv_text, draw, html_table, latex, markdown
from trailmark.bench.runs import Expansion
from trailmark.bench.suite import CPU, WALL, Instances, Limits, Suite, instance_names
from trailmark.bench.tables import Results, Table, results_of
from trailmark.errors import MissingExtraError
from trailmark.files import write_text

NOT_COMPARABLE = """\
The paper's test instances are not public, so ours are others, of the same domains and of similar or larger
sizes. Its times include the start of Julia and were taken on other machines, within 30 minutes and 8 or
32 GB an instance. Its search runs in SymbolicPlanners.jl and ours in this program: expansions can be
compared in kind (more or fewer than the baseline), not in number. Times here are {clock} of whole
processes, from their start to their end, under the limits named; Fast Downward's include translation. Every
plan counted as solved was accepted by this program's own validator."""

MOST_LEARNERS = 5
"""So many learners are named where results come from several states; of more it is told how many."""

_CLOCKS = {
    WALL: "wall-clock times",
    CPU: "processor times (of a run's processes together, so that other work on the machine does not count)",
}

_TABLES: dict[str, Callable[[Results], Table]] = {
    "coverage": tables.coverage,
    "time": tables.time,
    "expansions": tables.expansions,
    "length": tables.length,
    "length-ratio": tables.length_ratio,
    "instances": tables.instances,
    "loops": papertables.loop_words,
    "graphs": papertables.graphs,
    "discovery-time": papertables.discovery_time,
    "t-test": papertables.t_test,
    "training-size": papertables.training_size,
    "plan-quality": papertables.plan_quality,
    "preprocessing": papertables.preprocessing,
    "scale": papertables.scale,
    "differences": differences,
}

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""The page has no script, and none may run in it."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
body { color: #1b1f24; }
h2 { border-top: 1px solid #ccd; padding-top: 1rem; }
.wide { overflow-x: auto; }
pre { white-space: pre-wrap; font: inherit; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid #e3e6ea; max-width: 26rem; vertical-align: top; }
.number, th { white-space: nowrap; }
th { background: #f4f6f8; text-align: left; position: sticky; top: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.note { color: #57606a; font-size: 0.85rem; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class Section:
    """A part with all that shows it."""

    results: Results
    tables: tuple[Table, ...]
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Report:
    suite: Suite
    sections: tuple[Section, ...]
    facts: Mapping[str, str]
    """Date, machine, versions, limits."""
    warnings: tuple[str, ...]
    findings: str = ""
    """What someone found out about these results, in Markdown."""


def make_report(
    suite: Suite,
    expansion: Expansion,
    records: Mapping[str, Record],
    instances: Instances,
    folder: Path,
    findings: str = "",
) -> Report:
    """The report; figures are left out, with a warning, where matplotlib is not installed."""
    sections, warnings = [], {}
    for results in results_of(suite, expansion, records, folder):
        pictures = []
        try:
            if results.plan_runs:
                pictures = [Picture(name, name, draw(name, results)) for name in results.part.figures]
        except MissingExtraError as problem:
            warnings[f"no figures: {problem}"] = True
        pictures += landmark_pictures(results)
        made = tuple(_TABLES[name](results) for name in results.part.tables)
        sections.append(Section(results, made, tuple(pictures)))
    used = [records[run.key] for run in expansion.runs if run.key in records]
    facts = _facts(suite, instances, read_about(folder), used)
    return Report(suite, tuple(sections), facts, tuple(warnings), findings.strip())


def _facts(
    suite: Suite, instances: Instances, about: Mapping[str, Any], records: list[Record]
) -> dict[str, str]:
    where = about["machine"]
    dates = sorted({str(record["date"]) for record in records if "date" in record})
    limits = [
        f"{part.name}: learning {_seconds(part.limits, part.limits.learn_seconds)}, "
        f"planning {_seconds(part.limits, part.limits.plan_seconds)}, {part.limits.megabytes:g} MB"
        for part in suite.parts
    ]
    facts = {
        "suite": f"{suite.name}: {suite.title}",
        "date": " to ".join(dict.fromkeys([*dates[:1], *dates[-1:]])),
        "machine": f"{where['processor']}, {where['cores']} cores, {where['memory']}, {where['system']}",
        "runs at once": str(about["jobs"]),
        "versions": ", ".join(f"{name} {version}" for name, version in about["versions"].items()),
        "source": _code_states(records),
        "limits": "; ".join(limits),
        "instances": instances.description,
    }
    if same := sum("same_as" in record for record in records):
        facts["taken over"] = f"{same} of {len(records)} runs: the same search along an equal graph"
    return facts


def _code_states(records: list[Record]) -> str:
    """Which states of the program's source the results come from; where there are several, of whom."""
    users: dict[str, set[str]] = {}
    for record in records:
        if "code" in record:
            user = str(record.get("planner") or f"learner {record.get('learner', '')}".rstrip())
            users.setdefault(str(record["code"]), set()).add(user)
    if len(users) < 2:
        return ", ".join(users) or "not recorded"
    told = "; ".join(f"{state} ({', '.join(_named(names))})" for state, names in sorted(users.items()))
    if sum(map(len, users.values())) == len(set().union(*users.values())):
        return f"{told}: every planner in one state"
    return f"{told}: some results of one planner come from several states and should not be compared"


def _named(users: set[str]) -> list[str]:
    """Planners and learners by name, and many learners by their number."""
    learners = {user for user in users if user.startswith("learner")}
    if len(learners) <= MOST_LEARNERS:
        return sorted(users)
    return [*sorted(users - learners), f"{len(learners)} learners"]


def write_report(report: Report, folder: Path, also: Path | None = None) -> None:
    """Everything into `folder`; the Markdown also to `also`, with its figures in a folder beside it."""
    for section in report.sections:
        for table in section.tables:
            name = f"{section.results.part.name}-{table.name}"
            _write(folder / "tables" / f"{name}.csv", csv_text(table))
            _write(folder / "tables" / f"{name}.tex", latex(table))
    for place in (folder / "report.md", also):
        if place is not None:
            figures = "figures" if place.parent == folder else f"{place.stem}-figures"
            for name, text in _drawn(report):
                _write(place.parent / figures / name, text)
            _write(place, report_markdown(report, figures))
    _write(folder / "report.html", report_html(report))


def _drawn(report: Report) -> Iterator[tuple[str, str]]:
    """The files of all pictures, by their names."""
    for section in report.sections:
        for picture in section.pictures:
            name = f"{section.results.part.name}-{picture.name}"
            yield f"{name}.svg", picture.svg
            if picture.dot:
                yield f"{name}.dot", picture.dot


def report_markdown(report: Report, figures: str) -> str:
    facts = "\n".join(f"* **{name}**: {value}" for name, value in report.facts.items())
    blocks = [
        f"# Results: {report.suite.title}",
        "Made by `trailmark bench`; edit the suite, not this page.",
        facts,
        report.suite.notes,
        "## What is not comparable to the paper",
        _not_comparable(report.suite),
        report.findings and f"## What was found out\n\n{report.findings}",
    ]
    for section in report.sections:
        part = section.results.part
        blocks += [f"## {part.title}", answer(section.results), part.notes, _instances(section.results)]
        for table in section.tables:
            blocks += [f"### {table.title}", markdown(table).rstrip() if table.rows else "None.", table.note]
        for picture in section.pictures:
            image = f"![{picture.title}]({figures}/{part.name}-{picture.name}.svg)"
            blocks += [picture.dot and f"### {picture.title}", image]
    return "\n\n".join(filter(None, blocks)).rstrip() + "\n"


def report_html(report: Report) -> str:
    heading = html.escape(report.suite.title)
    facts = "".join(f"<li><b>{html.escape(n)}</b>: {html.escape(v)}</li>" for n, v in report.facts.items())
    body = [f"<h1>Results: {heading}</h1><ul>{facts}</ul>"]
    comparable = html.escape(_not_comparable(report.suite))
    body.append(f"<h2>What is not comparable to the paper</h2><p>{comparable}</p>")
    if report.findings:
        body.append(f"<h2>What was found out</h2><pre>{html.escape(report.findings)}</pre>")
    for section in report.sections:
        part = section.results.part
        body.append(f"<h2 id='{part.name}'>{html.escape(part.title)}</h2>")
        told = (answer(section.results), part.notes, _instances(section.results))
        body += [f"<pre>{html.escape(text)}</pre>" for text in told if text]
        body += [html_table(table) for table in section.tables]
        for picture in section.pictures:
            shown = picture.svg[picture.svg.index("<svg") :]  # A page cannot hold the head of an XML file.
            title = html.escape(picture.title)
            if picture.dot:
                body.append(f"<h3>{title}</h3><figure>{shown}</figure>")
            else:
                body.append(f"<figure>{shown}<figcaption>{title}</figcaption></figure>")
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        f"<meta http-equiv='Content-Security-Policy' content=\"{_POLICY}\">"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{heading}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _instances(results: Results) -> str:
    """Which test instances a part has, under which limits."""
    part, limits = results.part, results.part.limits
    if not part.tests or not results.plan_runs:
        return ""
    names, seconds = instance_names(part.tests), _seconds(limits, limits.plan_seconds)
    return f"Test instances {names} of {', '.join(part.domains)}; {seconds} and {limits.megabytes:g} MB each."


def _seconds(limits: Limits, seconds: float) -> str:
    return f"{seconds:g} s" if limits.clock == WALL else f"{seconds:g} s of CPU time"


def _not_comparable(suite: Suite) -> str:
    clocks = dict.fromkeys(part.limits.clock for part in suite.parts)
    return NOT_COMPARABLE.format(clock=" or ".join(_CLOCKS[clock] for clock in clocks))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
