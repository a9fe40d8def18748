"""LAMA's landmark graph of an instance drawn beside the generalized graph of its domain (Q5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trailmark.bench.lamagraph import lama_svg, parse_lama_graph
from trailmark.bench.runner import made_files
from trailmark.bench.runs import LANDMARKS, LEARN
from trailmark.bench.tables import Results
from trailmark.landmarks import loads
from trailmark.report.diagrams import dot
from trailmark.report.outline import outline
from trailmark.report.svg import graph_svg


@dataclass(frozen=True)
class Picture:
    name: str
    title: str
    svg: str
    dot: str


def landmark_pictures(results: Results, folder: Path) -> Iterator[Picture]:
    """Of the part's instance, LAMA's graph; and the graph of each learner of that domain."""
    if results.part.lama_graph is None:
        return
    for run in results.runs:
        made = made_files(folder, run)
        if run.kind == LANDMARKS and "lama.dot" in made:
            graph = parse_lama_graph(made["lama.dot"])
            title = (
                f"LAMA's landmark graph of {run.domain} {run.instance}: {len(graph.nodes)} landmarks, "
                f"{len(graph.edges)} orderings"
            )
            yield Picture(f"lama-{run.domain}-{run.instance}", title, lama_svg(graph), made["lama.dot"])
        elif run.kind == LEARN and "model.json" in made:
            told = outline(loads(made["model.json"]))
            title = f"The generalized landmark graph of {run.domain} ({run.learner}): {told.title}"
            yield Picture(f"generalized-{run.domain}-{run.learner}", title, graph_svg(told), dot(told))
