"""The numbers the paper reports, to stand beside ours, and where our results differ from them in kind.

A difference in kind is a graph or a loop that one side finds and the other does not, or a graph with a
loop that does worse than the baseline where the paper says that it never does.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from trailmark.bench.records import Record
from trailmark.bench.statistics import geometric_mean
from trailmark.bench.tables import Learned, Results, Table, is_solved, learned
from trailmark.bench.worker import LEARNED

Row = dict[str, str]


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


_NO_GRAPH = ("no graph", "time limit", "memory limit")
"""Endings of learning that are a result; a failure of the program is none."""


def differences(results: Results) -> Table:
    """One row for each difference, with what our own records say about it."""
    rows = []
    for each in learned(results):
        settings = each.run.settings
        paper = paper_row(
            "discovery", domain=each.run.domain, config=settings["config"], trajectories=settings["training"]
        )
        kinds = [*_graph_differences(each, paper), *_worse_than_baseline(each, results)]
        rows += [
            (each.run.domain, str(settings["config"]), str(settings["training"]), kind, seen)
            for kind, seen in kinds
        ]
    header = ("domain", "config", "training", "difference", "what we see")
    note = "No row: our result is of the same kind as the paper's."
    return Table("differences", "Differences in kind from the paper", header, tuple(rows), note)


def _graph_differences(each: Learned, paper: Row | None) -> Iterator[tuple[str, str]]:
    if paper is None or each.record is None or each.record["status"] not in (LEARNED, *_NO_GRAPH):
        return
    theirs = paper["nodes"] != ""
    if each.found != theirs:
        ours = (
            "we find a graph, the paper reports none"
            if each.found
            else "the paper finds a graph, we none within the limits"
        )
        yield ours, _seen(each.record)
    elif each.found and (each.record["loops"] > 0) != (int(paper["loops"]) > 0):
        if each.record["loops"]:
            yield f"we find {_loops(each.record['loops'])}, the paper none", _seen(each.record)
        else:
            yield f"the paper finds {_loops(int(paper['loops']))}, we none", _seen(each.record)


def _worse_than_baseline(each: Learned, results: Results) -> Iterator[tuple[str, str]]:
    if not each.found or each.record is None or not each.record["loops"] or not results.part.baseline:
        return
    base = results.cells(each.run.domain, results.part.baseline)
    ours = {record["instance"]: record for record in each.plans}
    solved, expected = _solved(ours), _solved({key: base[key] for key in ours if key in base})
    if len(solved) < len(expected):
        yield (
            "a graph with a loop solves fewer than the baseline",
            f"{len(solved)} against {len(expected)} instances",
        )
    common = [key for key in solved & expected if ours[key].get("expanded") and base[key].get("expanded")]
    ratio = geometric_mean([ours[key]["expanded"] / base[key]["expanded"] for key in common])
    if ratio is not None and ratio > 1:
        yield (
            "a graph with a loop expands more than the baseline",
            f"{ratio:.2f} times as many over {len(common)} instances",
        )


def _solved(records: dict[str, Record]) -> set[str]:
    return {key for key, record in records.items() if is_solved(record)}


def _seen(record: Record) -> str:
    if "nodes" not in record:
        return f"{record['status']}: {record.get('reason', '')}".rstrip(": ")
    return (
        f"{record['nodes']} landmarks, {_loops(record['loops'])} "
        f"from {record['features']['after_rules']} features; "
        f"{record.get('satisfied', '?')} of {record['trajectories']} trajectories satisfy the graph"
    )


def _loops(count: int) -> str:
    return "1 loop" if count == 1 else f"{count} loops"
