"""The graphs that were learned: their loops in words, and pictures beside LAMA's of an instance (Q5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trailmark.bench.fdoutput import lama_svg, parse_lama_graph
from trailmark.bench.runner import made_files
from trailmark.bench.runs import LANDMARKS, LEARN
from trailmark.bench.tables import NOTHING, Results, Table
from trailmark.models.reading import loads
from trailmark.report.outline import outline, short
from trailmark.report.pictures import dot, graph_svg


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


def loop_words(results: Results, folder: Path) -> Table:
    """For every learned graph its loops: what is repeated, what comes inside a pass, and how often."""
    rows = []
    for run in results.learn_runs:
        record = results.record(run)
        seconds = NOTHING if record is None else f"{record['seconds']:.1f}"
        made = made_files(folder, run)
        if "model.json" not in made:
            rows.append((run.domain, run.learner, seconds, NOTHING, NOTHING, NOTHING))
            continue
        told = outline(loads(made["model.json"]))
        repeated = [each for each in told.landmarks if each.loop is not None]
        if not repeated:
            rows.append((run.domain, run.learner, seconds, "no loop", NOTHING, NOTHING))
        for landmark in repeated:
            assert landmark.loop is not None
            inside = list(landmark.inner)
            inside += [each.summary for each in told.landmarks[landmark.loop.target : landmark.number - 1]]
            passes = short(landmark.loop.words.counter)
            rows.append(
                (
                    run.domain,
                    run.learner,
                    seconds,
                    landmark.summary,
                    "; then ".join(inside) or NOTHING,
                    passes,
                )
            )
    header = ("domain", "learner", "s", "repeated", "inside a pass", "passes")
    note = "Seconds are those of the whole learning, from the start of its process."
    return Table("loops", "The loops in words", header, tuple(rows), note)
