"""What Fast Downward prints: how much was searched, and LAMA's landmark graph as data and picture (Q5)."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from trailmark.errors import InputError

_COUNT = re.compile(
    r"(?:^|\] )(Plan length|Expanded|Evaluated|Generated)[: ]+(\d+) (?:step|state)\(s\)\.", re.M
)
_TIME = re.compile(r"\] Actual search time: ([\d.]+)s")
_DUMP = re.compile(r"^digraph G \{\n.*?^\}", re.M | re.S)


def read_search(output: str) -> dict[str, Any]:
    """The counts of a run. An anytime run has several searches: those up to the best plan are added up."""
    counts = {"expanded": 0, "evaluated": 0, "generated": 0}
    search_time = 0.0
    found: dict[str, Any] = {}
    length: int | None = None
    for line in output.split("Cumulative statistics:", 1)[0].splitlines():
        count, time = _COUNT.search(line), _TIME.search(line)
        if time:
            search_time += float(time[1])
        elif count and count[1] == "Plan length":
            length = int(count[2])
        elif count:
            counts[count[1].lower()] += int(count[2])
        # A search's counts end with the generated states.
        if count and count[1] == "Generated" and (length is not None or "plan_length" not in found):
            found = {**counts, "search_time_s": round(search_time, 4)}
            if length is not None:
                found["plan_length"] = length
            length = None
    return found


def read_landmark_dump(output: str) -> str | None:
    """The last landmark graph in the output, in DOT; None where there is none."""
    found = _DUMP.findall(output)
    return found[-1] + "\n" if found else None


_NODE = re.compile(r'\s*(lm\d+) \[label="([^"]*)"(?:, style=(\w+))?\];')
_EDGE = re.compile(r'\s*(lm\d+) -> (lm\d+) \[label="([^"]*)"(?:, style=\w+)?\];')

ORDERINGS = {"n": "natural", "gn": "greedy-necessary", "r": "reasonable"}
"""What the letters at the edges of Fast Downward's dump mean."""

BOX_HEIGHT, LETTER_WIDTH, ROW_STEP, GAP, MARGIN = 24, 7, 70, 14, 16


@dataclass(frozen=True)
class LamaNode:
    name: str
    atoms: str
    initial: bool
    """True in the initial state."""
    goal: bool


@dataclass(frozen=True)
class LamaEdge:
    source: str
    target: str
    kind: str


@dataclass(frozen=True)
class LamaGraph:
    nodes: tuple[LamaNode, ...]
    edges: tuple[LamaEdge, ...]


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
            raise InputError(
                f"line {number} of the landmark graph is neither a node nor an edge: {line.strip()}"
            )
    return LamaGraph(tuple(nodes), tuple(edges))


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
