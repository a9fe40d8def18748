"""Tables as Markdown, CSV, LaTeX and HTML; figures in the paper's form, by matplotlib (extra `plots`)."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from trailmark.bench.records import Record
from trailmark.bench.statistics import power_fit
from trailmark.bench.tables import Results, Table, is_solved, learned
from trailmark.errors import MissingExtraError

_NUMBER = re.compile(r"[-–\d.,/()\s%]*")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "²": r"$^2$",
}  # fmt: skip


def markdown(table: Table) -> str:
    """A table in pipes; a cell cannot break it."""
    rows = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in table.rows]
    header = [cell.replace("|", "\\|") for cell in table.header]
    widths = [max(3, *(len(row[index]) for row in [header, *rows])) for index in range(len(header))]
    right = [_is_numeric(table, index) for index in range(len(header))]

    def line(cells: list[str]) -> str:
        columns = zip(cells, right, widths, strict=True)
        padded = (cell.rjust(width) if ends else cell.ljust(width) for cell, ends, width in columns)
        return f"| {' | '.join(padded)} |\n"

    rule = ["-" * (width - 1) + ("-", ":")[ends] for width, ends in zip(widths, right, strict=True)]
    return "".join(map(line, [header, rule, *rows]))


def csv_text(table: Table) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(table.rows)
    return stream.getvalue()


def latex(table: Table) -> str:
    """A booktabs table; the caption is the title."""
    columns = "".join("r" if _is_numeric(table, index) else "l" for index in range(len(table.header)))
    header, *rows = (" & ".join(map(_escaped, row)) + " \\\\\n" for row in (table.header, *table.rows))
    return rf"""\begin{{table}}
\centering
\caption{{{_escaped(table.title)}.}}
\label{{tab:{table.name}}}
\begin{{tabular}}{{{columns}}}
\toprule
{header}\midrule
{"".join(rows)}\bottomrule
\end{{tabular}}
\end{{table}}
"""


def html_table(table: Table) -> str:
    kinds = ["number" if _is_numeric(table, index) else "text" for index in range(len(table.header))]

    def cells(tag: str, row: tuple[str, ...]) -> str:
        return "".join(
            f'<{tag} class="{kind}">{html.escape(cell)}</{tag}>'
            for kind, cell in zip(kinds, row, strict=True)
        )

    rows = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in table.rows)
    note = f"<p class='note'>{html.escape(table.note)}</p>" if table.note else ""
    return (
        f"<h3>{html.escape(table.title)}</h3>\n<div class='wide'><table>\n"
        f"<thead><tr>{cells('th', table.header)}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody></table></div>\n{note}\n"
    )


def _is_numeric(table: Table, index: int) -> bool:
    return bool(table.rows) and all(_NUMBER.fullmatch(row[index]) for row in table.rows)


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)


PENALTY = 1.1
"""Where an unsolved instance is drawn: so much above the largest value found, as in the paper."""


def draw(name: str, results: Results) -> str:
    """A figure as SVG text."""
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError(
            "matplotlib is not installed", hint="install it with: pip install 'trailmark[plots]'"
        ) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    # Without these two the same data would give another file each time.
    with matplotlib.rc_context({"svg.hashsalt": "trailmark", "svg.fonttype": "none"}):
        figure = pyplot.figure(figsize=(8, 4.5), layout="constrained")
        try:
            _DRAWINGS[name](figure, results)
            stream = io.StringIO()
            figure.savefig(stream, format="svg", metadata={"Date": None})
        finally:
            pyplot.close(figure)
    return stream.getvalue()


def _coverage(figure: Any, results: Results) -> None:
    """Bars of the percentage solved, by domain; loops stand in the label, as in the paper's Figure."""
    axes = figure.subplots()
    columns, domains = results.columns, results.domains
    width = 0.8 / max(1, len(columns))
    for place, column in enumerate(columns):
        tried = [max(1, len(results.cells(domain, column))) for domain in domains]
        solved = [len(results.solved(domain, column)) for domain in domains]
        shares = [100 * part / whole for part, whole in zip(solved, tried, strict=True)]
        axes.bar([index + place * width for index in range(len(domains))], shares, width, label=column)
    ticks = [index + 0.4 - width / 2 for index in range(len(domains))]
    axes.set_xticks(ticks, domains, rotation=60, ha="right")
    axes.set_ylabel("solved (%)")
    axes.legend(fontsize="small")


def _cactus(figure: Any, results: Results) -> None:
    axes = figure.subplots()
    for column in results.columns:
        solved = [record for domain in results.domains for record in results.solved(domain, column).values()]
        seconds = sorted(float(record["seconds"]) for record in solved)
        axes.step(seconds, range(1, len(seconds) + 1), where="post", label=column)
    _finish(axes, "x", "time (s)", "instances solved")


def _scatter(figure: Any, results: Results) -> None:
    """Expansions of each planner against the baseline's; unsolved ones on the margin."""
    axes = figure.subplots()
    baseline = results.part.baseline or results.columns[0]
    pairs: dict[str, list[tuple[float | None, float | None]]] = {}
    for column in (column for column in results.columns if column != baseline):
        for domain in results.domains:
            base, cells = results.cells(domain, baseline), results.cells(domain, column)
            both = [(base[test], cells[test]) for test in cells if test in base]
            found = [(_value(one, "expanded"), _value(other, "expanded")) for one, other in both]
            pairs.setdefault(column, []).extend(found)
    known = [value for found in pairs.values() for pair in found for value in pair if value is not None]
    margin = PENALTY * max(known, default=10.0)
    for column, found in pairs.items():
        shown = [[margin if value is None else max(value, 1.0) for value in pair] for pair in found]
        axes.scatter([x for x, _ in shown], [y for _, y in shown], s=14, label=column, alpha=0.7)
    axes.plot([1, margin], [1, margin], color="grey", linewidth=0.8)
    _finish(axes, "xy", f"expanded by {baseline}", "expanded")


def _per_instance(figure: Any, results: Results, key: str, label: str) -> None:
    """One panel a domain; an instance without a plan is a cross above all others."""
    domains = results.domains
    rows = (len(domains) + 1) // 2
    figure.set_size_inches(8, 3 * rows)
    panels = figure.subplots(rows, 2 if len(domains) > 1 else 1, squeeze=False).flatten()
    for panel, domain in zip(panels, domains, strict=False):
        cells = {column: results.cells(domain, column) for column in results.columns}
        tests = list(dict.fromkeys(test for found in cells.values() for test in found))
        values = {
            column: [_value(found.get(test, {}), key) for test in tests] for column, found in cells.items()
        }
        top = PENALTY * max((value for row in values.values() for value in row if value), default=10.0)
        for column, row in values.items():
            shown = [None if value is None else max(value, 1.0) for value in row]
            line = panel.plot(shown, marker=".", linewidth=0.8, label=column)[0]
            lost = [index for index, value in enumerate(row) if value is None]
            panel.plot(lost, [top] * len(lost), "x", color=line.get_color())
        _logarithmic(panel, "y")
        panel.set_title(domain, fontsize="medium")
        panel.set_xticks(range(len(tests)), tests, rotation=90, fontsize="x-small")
        panel.set_ylabel(label)
    for panel in panels[len(domains) :]:
        panel.set_visible(False)
    panels[0].legend(fontsize="x-small")


def _scale(figure: Any, results: Results) -> None:
    axes = figure.subplots()
    for domain in results.domains:
        atoms = results.tests(domain, "atoms")
        for column in results.columns:
            solved = results.solved(domain, column).items()
            points = sorted((float(atoms[test]), float(record["seconds"])) for test, record in solved)
            fit = power_fit(points)
            exponent = "" if fit is None else f", exponent {fit.exponent:.2f}"
            label = f"{domain}: {column}{exponent}"
            axes.plot([x for x, _ in points], [y for _, y in points], marker="o", label=label)
    _finish(axes, "xy", "atoms of the problem", "time (s)")


def _training_size(figure: Any, results: Results) -> None:
    """The paper's Figure on training: expansions by the number of training plans, one line a pool."""
    domains = results.domains
    for panel, domain in zip(figure.subplots(1, len(domains), squeeze=False)[0], domains, strict=True):
        lines: dict[str, list[tuple[int, float | None]]] = {}
        for graph in (graph for graph in learned(results) if graph.run.domain == domain and graph.solved):
            settings = graph.run.settings
            plans = settings["plans"] or 1
            label = f"{settings['config']}, {plans} {'plan' if plans == 1 else 'plans'} each"
            lines.setdefault(label, []).append((settings["training"] * plans, graph.mean_of("expanded")))
        for label, points in lines.items():
            panel.plot(*zip(*sorted(points), strict=True), marker="o", label=label)
        panel.set_title(domain, fontsize="medium")
        _finish(panel, "xy", "training plans", "expanded states (mean of solved)", "x-small")


def _finish(axes: Any, logarithmic: str, x: str, y: str, legend: str = "small") -> None:
    _logarithmic(axes, logarithmic)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(fontsize=legend)


def _logarithmic(axes: Any, which: str) -> None:
    """Logarithmic axes, where there is a positive value to scale by."""
    if "x" in which and math.isfinite(axes.dataLim.minposx):
        axes.set_xscale("log")
    if "y" in which and math.isfinite(axes.dataLim.minposy):
        axes.set_yscale("log")


def _value(record: Record, key: str) -> float | None:
    value = record.get(key)
    return float(value) if is_solved(record) and value is not None else None


_DRAWINGS: dict[str, Callable[[Any, Results], None]] = {
    "coverage": _coverage,
    "cactus": _cactus,
    "scatter": _scatter,
    "expansions": partial(_per_instance, key="expanded", label="expanded states"),
    "length": partial(_per_instance, key="plan_length", label="plan length"),
    "scale": _scale,
    "training-size": _training_size,
}
