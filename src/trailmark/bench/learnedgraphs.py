"""The graphs that were learned: their loops in words, and pictures beside LAMA's of an instance (Q5)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from trailmark.bench.runner import made_files
from trailmark.bench.runs import LANDMARKS, LEARN
from trailmark.bench.tables import NOTHING, Results, Table, decimal
from trailmark.errors import InputError
from trailmark.models.reading import loads
from trailmark.report.outline import outline, short
from trailmark.report.pictures import dot, graph_svg


class Picture(NamedTuple):
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
        names = (run.domain, run.learner, decimal(record["seconds"] if record else None, "{:.1f}"))
        made = made_files(folder, run)
        told = outline(loads(made["model.json"])) if "model.json" in made else None
        repeated = [landmark for landmark in told.landmarks if landmark.loop] if told else []
        if told is None or not repeated:
            rows.append((*names, NOTHING if told is None else "no loop", NOTHING, NOTHING))
            continue
        for landmark in repeated:
            assert landmark.loop is not None
            between = told.landmarks[landmark.loop.target : landmark.number - 1]
            inside = [*landmark.inner, *(inner.summary for inner in between)]
            passes = short(landmark.loop.words.counter)
            rows.append((*names, landmark.summary, "; then ".join(inside) or NOTHING, passes))
    header = ("domain", "learner", "s", "repeated", "inside a pass", "passes")
    note = "Seconds are those of the whole learning, from the start of its process."
    return Table("loops", "The loops in words", header, tuple(rows), note)


_NODE = re.compile(r'\s*(lm\d+) \[label="([^"]*)"(?:, style=(\w+))?\];')
_EDGE = re.compile(r'\s*(lm\d+) -> (lm\d+) \[label="([^"]*)"(?:, style=\w+)?\];')

ORDERINGS = {"n": "natural", "gn": "greedy-necessary", "r": "reasonable"}
"""What the letters at the edges of Fast Downward's dump mean."""

BOX_HEIGHT, LETTER_WIDTH, ROW_STEP, GAP, MARGIN = 24, 7, 70, 14, 16


class LamaNode(NamedTuple):
    name: str
    atoms: str
    initial: bool
    """True in the initial state."""
    goal: bool


class LamaEdge(NamedTuple):
    source: str
    target: str
    kind: str


class LamaGraph(NamedTuple):
    nodes: list[LamaNode]
    edges: list[LamaEdge]


def parse_lama_graph(dot: str) -> LamaGraph:
    """Reads the DOT text that Fast Downward prints."""
    nodes, edges = [], []
    for number, line in enumerate(dot.splitlines(), start=1):
        node, edge = _NODE.fullmatch(line), _EDGE.fullmatch(line)
        if node:
            atoms = node[2].replace("Atom ", "")
            nodes.append(LamaNode(node[1], atoms, node[3] == "bold", node[3] == "filled"))
        elif edge:
            edges.append(LamaEdge(edge[1], edge[2], ORDERINGS.get(edge[3], edge[3])))
        elif line.strip() not in ("digraph G {", "}", ""):
            what = "is neither a node nor an edge"
            raise InputError(f"line {number} of the landmark graph {what}: {line.strip()}")
    return LamaGraph(nodes, edges)


def lama_svg(graph: LamaGraph) -> str:
    """The graph in layers from the initial state down: a node stands below all that must come before it."""
    layers = _layers(graph)
    widths = {node.name: LETTER_WIDTH * len(node.atoms) + 16 for node in graph.nodes}
    places: dict[str, tuple[float, float]] = {}
    total = max(sum(widths[name] + GAP for name in layer) for layer in layers) + 2 * MARGIN
    for row, layer in enumerate(layers):
        x = (total - sum(widths[name] + GAP for name in layer) + GAP) / 2
        for name in layer:
            places[name] = (x + widths[name] / 2, MARGIN + row * ROW_STEP + BOX_HEIGHT / 2)
            x += widths[name] + GAP
    height = 2 * MARGIN + (len(layers) - 1) * ROW_STEP + BOX_HEIGHT
    parts = [_edge_svg(edge, places) for edge in graph.edges]
    parts += [_node_svg(node, places[node.name], widths[node.name]) for node in graph.nodes]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:.0f} {height:.0f}" '
        f'width="{total:.0f}" height="{height:.0f}" role="img" aria-label="LAMA\'s landmark graph" '
        'font-family="sans-serif" font-size="12">\n'
        '<defs><marker id="lama-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _layers(graph: LamaGraph) -> list[list[str]]:
    """Each node in the layer after the last of its predecessors.

    Reasonable orderings may form cycles and do not count; what is in a cycle all the same comes last.
    """
    before: dict[str, set[str]] = {node.name: set() for node in graph.nodes}
    for edge in graph.edges:
        if edge.kind != "reasonable":
            before[edge.target].add(edge.source)
    layers: list[list[str]] = []
    while before:
        ready = [name for name, needed in before.items() if not needed & before.keys()] or list(before)
        layers.append(ready)
        for name in ready:
            del before[name]
    return layers


def _edge_svg(edge: LamaEdge, places: dict[str, tuple[float, float]]) -> str:
    (x1, y1), (x2, y2) = places[edge.source], places[edge.target]
    half = BOX_HEIGHT / 2
    y1, y2 = (y1 + half, y2 - half) if y2 > y1 else (y1 - half, y2 + half)
    dash = ' stroke-dasharray="4 3"' if edge.kind == "reasonable" else ""
    return (
        f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="#555"{dash} '
        f'marker-end="url(#lama-arrow)"><title>{edge.kind}</title></line>'
    )


def _node_svg(node: LamaNode, place: tuple[float, float], width: float) -> str:
    x, y = place
    fill = "#dcefdc" if node.goal else "#ffffff"
    stroke = 2.5 if node.initial else 1
    return (
        f'<g><rect x="{x - width / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}" width="{width:.0f}" '
        f'height="{BOX_HEIGHT}" rx="4" fill="{fill}" stroke="#333" stroke-width="{stroke}"/>'
        f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle">{html.escape(node.atoms)}</text></g>'
    )
