"""What a part of a suite answers: its question, the paper's answer, and what our records say to it.

A claim of the paper on two planners is judged domain by domain. A difference in kind is a graph or a loop
that one side finds and the other does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.bench.records import Record, Row, paper_row
from trailmark.bench.statistics import geometric_mean, mean
from trailmark.bench.tables import Learned, Results, Table, is_solved, learned, loop_edges
from trailmark.bench.worker import LEARNED


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
        return "\n\n".join(lines)
    here = [*_graphs_said(results), *_sizes_said(results)]
    here += [_judged(results, claim) for claim in part.claims]
    lines.append("Here:\n\n" + "\n".join(f"* {sentence}" for sentence in here))
    return "\n\n".join(lines)


def _graphs_said(results: Results) -> Iterator[str]:
    """How learning went, and where there are few graphs each of them."""
    tried = list(learned(results))
    found = [each for each in tried if each.found and each.record is not None]
    if not found:
        return
    records = [each.record for each in found if each.record is not None]
    seconds = [each.seconds for each in found]
    looping = dict.fromkeys(each.run.domain for each in found if each.record and each.record["loops"])
    violated = sum(record["satisfied"] < record["trajectories"] for record in records)
    yield (
        f"{len(found)} of {len(tried)} graphs were learned, in {mean(seconds):.2f} s on average and at most "
        f"{max(seconds):.2f} s. {sum(record['loops'] > 0 for record in records)} of them have a loop"
        + (f" ({', '.join(looping)})" if looping else "")
        + f"; {violated} are violated by a training plan."
    )
    if len(found) <= FEW_GRAPHS:
        for each in found:
            yield f"{each.run.domain} {each.run.learner}: {_seen(each.record or {})}."


def _sizes_said(results: Results) -> Iterator[str]:
    """What more training instances bring, where a part varies their number: all pools together."""
    sizes: dict[tuple[str, int, int], list[Learned]] = {}
    for each in learned(results):
        settings = each.run.settings
        place = each.run.domain, settings["plans"] or 1, settings["training"]
        sizes.setdefault(place, []).append(each)
    for domain, plans in dict.fromkeys((domain, plans) for domain, plans, _ in sizes):
        row = {size: found for (name, many, size), found in sizes.items() if (name, many) == (domain, plans)}
        if len(row) > 1 and any(each.plans for found in row.values() for each in found):
            told = []
            for size, found in row.items():
                solved = [record for each in found for record in each.solved]
                tried = sum(len(each.plans) for each in found)
                effort = mean([float(record["expanded"]) for record in solved])
                told.append(f"{size}: {len(solved)} of {tried}" + (f" ({effort:,.0f})" if solved else ""))
            yield (
                f"{domain}, {plans} {'plan' if plans == 1 else 'plans'} an instance; solved (states expanded "
                f"on average) by training instances: {'; '.join(told)}."
            )


FEW_GRAPHS = 6
"""Up to so many graphs are told one by one."""


def _judged(results: Results, claim: tuple[str, str, str]) -> str:
    """Whether a claim of the paper holds here, domain by domain, with the figures it rests on."""
    one, relation, other = claim
    verdicts: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for domain in results.domains:
        ours, theirs = results.cells(domain, one), results.cells(domain, other)
        holds, figures = _compared(relation, ours, theirs)
        verdicts[holds].append(f"{domain} {figures}" if figures else domain)
    told = [
        f"{word}: {'; '.join(verdicts[holds])}"
        for holds, word in ((True, "holds"), (False, "does not hold"), (None, "cannot be said"))
        if verdicts[holds]
    ]
    return f"*{one} {relation} {other}* {'. It '.join(told)}."


def _compared(relation: str, ours: dict[str, Record], theirs: dict[str, Record]) -> tuple[bool | None, str]:
    tests = [test for test in ours if test in theirs]
    solved = [sum(is_solved(side[test]) for test in tests) for side in (ours, theirs)]
    if relation.startswith("solves"):
        if not tests:
            return None, ""
        holds = solved[0] > solved[1] if "more" in relation else solved[0] >= solved[1]
        return holds, f"({solved[0]} against {solved[1]} of {len(tests)})"
    key, words = ("expanded", "as many") if relation.startswith("expands") else ("plan_length", "as long")
    pairs = [(ours[test].get(key), theirs[test].get(key)) for test in tests
             if is_solved(ours[test]) and is_solved(theirs[test])]  # fmt: skip
    ratio = geometric_mean([max(1, a) / max(1, b) for a, b in pairs if a is not None and b is not None])
    if ratio is None:
        return None, "(no instance is solved by both)"
    return ratio < 1, f"({ratio:.3g} times {words}, {len(pairs)} instances)"


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
        rows += [
            (each.run.domain, str(settings["config"]), str(settings["training"]), kind, seen)
            for kind, seen in _graph_differences(each, paper)
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
