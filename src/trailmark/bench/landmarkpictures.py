"""LAMA's landmark graph of an instance drawn beside the generalized graph of its domain (Q5)."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.bench.lamagraph import lama_svg, parse_lama_graph
from trailmark.bench.runner import made_files
from trailmark.bench.runs import LANDMARKS, LEARN
from trailmark.bench.tables import Results
from trailmark.landmarks import LandmarkGraph, loads
from trailmark.report.words import Words

BOX_WIDTH, LINE_HEIGHT, GAP, MARGIN, LOOP_HEIGHT = 230, 16, 40, 16, 60
LETTERS_A_LINE = 34
LINES_A_BOX = 8


@dataclass(frozen=True)
class Picture:
    name: str
    title: str
    svg: str
    dot: str
    text: str = ""


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
            model = loads(made["model.json"])
            learned, words = model.graph, Words.of(model)
            title = (
                f"The generalized landmark graph of {run.domain} ({run.learner}): "
                f"{len(learned.landmarks)} landmarks, {len(learned.loops)} loops"
            )
            yield Picture(
                f"generalized-{run.domain}-{run.learner}",
                title,
                graph_svg(learned, words),
                graph_dot(learned, words),
            )


def graph_dot(graph: LandmarkGraph, words: Words) -> str:
    """A generalized landmark graph in DOT."""
    lines = ["digraph G {", "  rankdir=LR; node [shape=box];"]
    for index, label in enumerate(_labels(graph, words)):
        text = "\\n".join(each.replace("\\", "").replace('"', "'") for each in label)
        lines.append(f'  L{index + 1} [label="{text}"];')
    lines += [f"  L{index} -> L{index + 1};" for index in range(1, len(graph.landmarks))]
    lines += [f"  L{loop.source + 1} -> L{loop.target + 1} [style=bold];" for loop in graph.loops]
    return "\n".join([*lines, "}"]) + "\n"


def graph_svg(graph: LandmarkGraph, words: Words) -> str:
    """The landmarks in a row, with their loops as arcs above."""
    labels = [_wrapped(label) for label in _labels(graph, words)]
    tallest = max(len(label) for label in labels) * LINE_HEIGHT + 2 * MARGIN
    width = 2 * MARGIN + len(labels) * (BOX_WIDTH + GAP) - GAP
    top = MARGIN + (LOOP_HEIGHT if graph.loops else 0)
    parts = []
    for index, label in enumerate(labels):
        x = MARGIN + index * (BOX_WIDTH + GAP)
        parts.append(
            f'<rect x="{x}" y="{top}" width="{BOX_WIDTH}" height="{tallest}" rx="5" '
            'fill="#fff" stroke="#333"/>'
        )
        for row, line in enumerate(label):
            y = top + MARGIN + (row + 0.75) * LINE_HEIGHT
            parts.append(f'<text x="{x + 10}" y="{y:.0f}">{html.escape(line)}</text>')
        if index:
            y = top + tallest / 2
            parts.append(f'<path d="M{x - GAP} {y:.0f}H{x - 2}" {_ARROW}/>')
    for loop in graph.loops:
        start, end = (
            MARGIN + each * (BOX_WIDTH + GAP) + BOX_WIDTH / 2 for each in (loop.source, loop.target)
        )
        shift = BOX_WIDTH / 4 if loop.source == loop.target else 0
        parts.append(
            f'<path d="M{start + shift:.0f} {top}C{start + shift:.0f} {MARGIN - 10} {end - shift:.0f} '
            f'{MARGIN - 10} {end - shift:.0f} {top - 2}" {_ARROW}/>'
        )
    height = top + tallest + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="generalized landmark graph" font-family="sans-serif" '
        'font-size="12">\n<defs><marker id="graph-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#333"/></marker></defs>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


_ARROW = 'fill="none" stroke="#333" marker-end="url(#graph-arrow)"'


def _labels(graph: LandmarkGraph, words: Words) -> list[list[str]]:
    return [[part.phrase for part in words.landmark(each) if part.shown] for each in graph.landmarks]


def _wrapped(phrases: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for phrase in phrases:
        line = ""
        for word in phrase.split():
            if line and len(line) + len(word) >= LETTERS_A_LINE:
                lines.append(line)
                line = "  " + word
            else:
                line = f"{line} {word}" if line else f"• {word}"
        lines.append(line)
    return lines if len(lines) <= LINES_A_BOX else [*lines[: LINES_A_BOX - 1], "…"]
