"""Tables as Markdown, CSV, LaTeX and HTML."""

from __future__ import annotations

import csv
import html
import io
import re

from trailmark.bench.tables import Table

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
        padded = [
            cell.rjust(width) if ends else cell.ljust(width)
            for cell, width, ends in zip(cells, widths, right, strict=True)
        ]
        return "| " + " | ".join(padded) + " |"

    rule = [
        "-" * (width - 1) + ":" if ends else "-" * width for width, ends in zip(widths, right, strict=True)
    ]
    lines = [line(header), line(rule), *(line(row) for row in rows)]
    return "\n".join(lines) + "\n"


def csv_text(table: Table) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(table.rows)
    return stream.getvalue()


def latex(table: Table) -> str:
    """A booktabs table; the caption is the title."""
    columns = "".join("r" if _is_numeric(table, index) else "l" for index in range(len(table.header)))
    body = [" & ".join(map(_escaped, row)) + r" \\" for row in table.rows]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_escaped(table.title)}.}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(map(_escaped, table.header)) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


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
