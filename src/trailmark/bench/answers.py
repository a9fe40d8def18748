"""What a part of a suite answers: its question, the paper's answer, and what our records say to it.

A claim of the paper on two planners is judged domain by domain. A difference in kind is a graph or a loop
that one side finds and the other does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.bench.records import PaperRow, Record, paper_row
from trailmark.bench.statistics import geometric_mean, mean
from trailmark.bench.tables import Learned, Results, Table, is_solved, learned, loop_edges

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
                solved = [record for graph in graphs for record in graph.solved]
                tried = sum(len(graph.plans) for graph in graphs)
                effort = mean([float(record["expanded"]) for record in solved])
                told.append(f"{size}: {len(solved)} of {tried}" + (f" ({effort:,.0f})" if solved else ""))
            yield (
                f"{domain}, {plans} {'plan' if plans == 1 else 'plans'} an instance; solved (states expanded "
                f"on average) by training instances: {'; '.join(told)}."
            )


def _judged(results: Results, claim: tuple[str, str, str]) -> str:
    """Whether a claim of the paper holds here, domain by domain, with the figures it rests on."""
    verdicts: dict[str, list[str]] = {"holds": [], "does not hold": [], "cannot be said": []}
    for domain in results.domains:
        verdict, figures = _compared(results, domain, claim)
        verdicts[verdict].append(f"{domain} {figures}".rstrip())
    told = [f"{verdict}: {'; '.join(where)}" for verdict, where in verdicts.items() if where]
    return f"*{' '.join(claim)}* {'. It '.join(told)}."


def _compared(results: Results, domain: str, claim: tuple[str, str, str]) -> tuple[str, str]:
    one, relation, other = claim
    if relation.startswith("solves"):
        ours, theirs = results.cells(domain, one), results.cells(domain, other)
        tests = [test for test in ours if test in theirs]
        first, second = (sum(is_solved(side[test]) for test in tests) for side in (ours, theirs))
        holds = first > second if "more" in relation else first >= second
        figures = f"({first} against {second} of {len(tests)})" if tests else ""
        return _verdict(holds if tests else None), figures
    key, words = ("expanded", "as many") if relation.startswith("expands") else ("plan_length", "as long")
    pairs = results.pairs(domain, one, other, key)
    ratio = geometric_mean([max(1, a) / max(1, b) for a, b in pairs])
    if ratio is None:
        return _verdict(None), "(no instance is solved by both)"
    return _verdict(ratio < 1), f"({ratio:.3g} times {words}, {len(pairs)} instances)"


def _verdict(holds: bool | None) -> str:
    return "cannot be said" if holds is None else "holds" if holds else "does not hold"


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
