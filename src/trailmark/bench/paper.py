"""The numbers the paper reports, to stand beside ours."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files

Row = dict[str, str]
PAPER_TRAINING = 5
"""Training instances of the paper's paired tests and of its discovery times."""


@lru_cache(maxsize=16)
def paper_rows(table: str) -> tuple[Row, ...]:
    """The rows of a table of the paper; a `#` line in the file says which table it is."""
    text = (files(__package__) / "paper_tables" / f"{table}.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(csv.DictReader(lines))


def paper_row(table: str, **wanted: object) -> Row | None:
    """The row with these values; numbers are compared as numbers."""
    for row in paper_rows(table):
        if all(_same(row.get(key, ""), value) for key, value in wanted.items()):
            return row
    return None


def _same(text: str, value: object) -> bool:
    if isinstance(value, int):
        try:
            return float(text) == value
        except ValueError:
            return False
    return text == str(value)


def best_config(domain: str) -> str:
    """The pool configuration with which the paper solves most in a domain, and of several the fastest."""
    rows = [row for row in paper_rows("discovery") if row["domain"] == domain]
    known = [row for row in rows if _same(row["trajectories"], PAPER_TRAINING)]

    def standing(row: Row) -> tuple[int, float]:
        return int(row["solved"].split("/")[0]), -float(row["avg_time_s"] or 0)

    return max(known, key=standing)["config"] if known else "b3"
