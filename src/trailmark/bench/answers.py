"""What a part of a suite answers: its question, the paper's answer, and what our records say to it; and
pictures of learned graphs beside LAMA's of an instance (Q5).

A claim of the paper on two planners is judged domain by domain. A difference in kind is a graph or a loop
that one side finds and the other does not.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from trailmark.bench.records import PaperRow, Record, paper_row
from trailmark.bench.runner import made_files
from trailmark.bench.runs import LANDMARKS, LEARN
from trailmark.bench.statistics import geometric_mean, mean
from trailmark.bench.tables import Learned, Results, Table, is_solved, learned, loop_edges
from trailmark.errors import InputError
from trailmark.models.reading import loads
from trailmark.report.outline import outline
from trailmark.report.pictures import dot, graph_svg

FEW_GRAPHS = 6
"""Up to so many graphs are told one by one."""


def answer(results: Results) -> str:
    """The question of a part and both answers, in Markdown, ours where all runs are done; empty where nothing
    is asked."""
    part = results.part
    if not part.question:
        return ""
    lines = [f"**{part.question}**"]
    if part.paper:
        lines.append(f"The paper: {part.paper}")
    if waiting := results.open():
        lines.append(f"Here: not answered yet, {len(waiting)} of {len(results.runs)} runs are open.")
    else:
        here = [*_graphs_said(results), *_sizes_said(results)]
        here += [_judged(results, claim) for claim in part.claims]
        lines.append("Here:\n\n" + "\n".join(f"* {sentence}" for sentence in here))
    return "\n\n".join(lines)


def _graphs_said(results: Results) -> Iterator[str]:
    """How learning went, and where there are few graphs each of them."""
    tried = list(learned(results))
    found = [graph for graph in tried if graph.found]
    if not found:
        return
    seconds = [graph.seconds for graph in found]
    looping = [graph.run.domain for graph in found if graph.record["loops"]]
    violated = sum(graph.record["satisfied"] < graph.record["trajectories"] for graph in found)
    yield (
        f"{len(found)} of {len(tried)} graphs were learned, in {mean(seconds):.2f} s on average and at most "
        f"{max(seconds):.2f} s. {len(looping)} of them have a loop"
        + (f" ({', '.join(dict.fromkeys(looping))})" if looping else "")
        + f"; {violated} are violated by a training plan."
    )
    if len(found) <= FEW_GRAPHS:
        yield from (f"{graph.run.domain} {graph.run.learner}: {_seen(graph.record)}." for graph in found)


def _sizes_said(results: Results) -> Iterator[str]:
    """What more training instances bring, where a part varies their number: all pools together."""
    sizes: dict[tuple[str, int], dict[int, list[Learned]]] = {}
    for graph in learned(results):
        settings = graph.run.settings
        row = sizes.setdefault((graph.run.domain, settings["plans"] or 1), {})
        row.setdefault(settings["training"], []).append(graph)
    for (domain, plans), row in sizes.items():
        if len(row) > 1 and any(graph.plans for graphs in row.values() for graph in graphs):
            told = []
            for size, graphs in row.items():
                solved = [float(record["expanded"]) for graph in graphs for record in graph.solved]
                tried = sum(len(graph.plans) for graph in graphs)
                told.append(
                    f"{size}: {len(solved)} of {tried}" + (f" ({mean(solved):,.0f})" if solved else "")
                )
            yield (
                f"{domain}, {plans} {'plan' if plans == 1 else 'plans'} an instance; solved (states expanded "
                f"on average) by training instances: {'; '.join(told)}."
            )


_VERDICTS = {True: "holds", False: "does not hold", None: "cannot be said"}


def _judged(results: Results, claim: tuple[str, str, str]) -> str:
    """Whether a claim of the paper holds here, domain by domain, with the figures it rests on."""
    found: dict[bool | None, list[str]] = {}
    for domain in results.domains:
        holds, figures = _compared(results, domain, claim)
        found.setdefault(holds, []).append(f"{domain} {figures}".rstrip())
    told = [f"{said}: {'; '.join(found[holds])}" for holds, said in _VERDICTS.items() if holds in found]
    return f"*{' '.join(claim)}* {'. It '.join(told)}."


def _compared(results: Results, domain: str, claim: tuple[str, str, str]) -> tuple[bool | None, str]:
    one, relation, other = claim
    if relation.startswith("solves"):
        ours, theirs = results.cells(domain, one), results.cells(domain, other)
        tests = [test for test in ours if test in theirs]
        first, second = (sum(is_solved(side[test]) for test in tests) for side in (ours, theirs))
        if not tests:
            return None, ""
        holds = first > second if "more" in relation else first >= second
        return holds, f"({first} against {second} of {len(tests)})"
    key, words = ("expanded", "as many") if relation.startswith("expands") else ("plan_length", "as long")
    pairs = results.pairs(domain, one, other, key)
    ratio = geometric_mean([max(1, a) / max(1, b) for a, b in pairs])
    if ratio is None:
        return None, "(no instance is solved by both)"
    return ratio < 1, f"({ratio:.3g} times {words}, {len(pairs)} instances)"


_RESULTS = ("learned", "no graph", "time limit", "memory limit")
"""Endings of learning that are a result; a failure of the program is none."""


def differences(results: Results) -> Table:
    """One row for each difference, with what our own records say about it."""
    rows = []
    for graph in learned(results):
        domain, settings = graph.run.domain, graph.run.settings
        config, training = settings["config"], settings["training"]
        paper = paper_row("discovery", domain=domain, config=config, trajectories=training)
        if paper and graph.record.get("status") in _RESULTS and (kind := _difference(graph, paper)):
            rows.append((domain, str(config), str(training), kind, _seen(graph.record)))
    header = ("domain", "config", "training", "difference", "what we see")
    note = "No row: our result is of the same kind as the paper's."
    return Table("differences", "Differences in kind from the paper", header, tuple(rows), note)


def _difference(graph: Learned, paper: PaperRow) -> str:
    if graph.found and not paper["nodes"]:
        return "we find a graph, the paper reports none"
    if not graph.found:
        return "the paper finds a graph, we none within the limits" if paper["nodes"] else ""
    ours, theirs = graph.record["loops"], int(paper["loops"])
    if ours and not theirs:
        return f"we find {_loops(ours)}, the paper none"
    return f"the paper finds {_loops(theirs)}, we none" if theirs and not ours else ""


def _seen(record: Record) -> str:
    if "nodes" not in record:
        return f"{record['status']}: {record.get('reason', '')}".rstrip(": ")
    return (
        f"{record['nodes']} landmarks from {record['features']['after_rules']} features, "
        + (f"loop {loop_edges(record)}" if record["loops"] else "no loop")
        + f"; {record.get('satisfied', '?')} of {record['trajectories']} plans satisfy the graph"
    )


def _loops(count: int) -> str:
    return "1 loop" if count == 1 else f"{count} loops"


class Picture(NamedTuple):
    name: str
    title: str
    svg: str
    dot: str = ""
    """Of a graph."""


def landmark_pictures(results: Results) -> Iterator[Picture]:
    """Of the part's instance, LAMA's graph; and the graph of each learner of that domain."""
    if results.part.lama_graph is None:
        return
    for run in results.runs:
        made = made_files(results.folder, run)
        if run.kind == LANDMARKS and "lama.dot" in made:
            graph = parse_lama_graph(made["lama.dot"])
            size = f"{len(graph.nodes)} landmarks, {len(graph.edges)} orderings"
            title = f"LAMA's landmark graph of {run.domain} {run.instance}: {size}"
            yield Picture(f"lama-{run.domain}-{run.instance}", title, lama_svg(graph), made["lama.dot"])
        elif run.kind == LEARN and "model.json" in made:
            told = outline(loads(made["model.json"]))
            title = f"The generalized landmark graph of {run.domain} ({run.learner}): {told.title}"
            yield Picture(f"generalized-{run.domain}-{run.learner}", title, graph_svg(told), dot(told))


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
            what = f"line {number} of the landmark graph is neither a node nor an edge: {line.strip()}"
            raise InputError(what)
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
    """Each node in the layer after the last of its predecessors. Reasonable orderings may form cycles and do
    not count; what is in a cycle all the same comes last."""
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
