"""The numbers the paper reports, to stand beside ours."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files

Row = dict[str, str]


@lru_cache(maxsize=16)
def paper_rows(table: str) -> tuple[Row, ...]:
    """The rows of a table of the paper; a `#` line in the file says which table it is."""
    text = (files(__package__) / "paper_tables" / f"{table}.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(csv.DictReader(lines))


def paper_domains() -> list[str]:
    """The domains of the paper's main experiment."""
    return sorted({row["domain"] for row in paper_rows("discovery")})


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
