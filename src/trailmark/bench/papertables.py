"""The paper's own tables, from our runs, each number beside the paper's."""

from __future__ import annotations

import re

from trailmark.bench.records import PAPER_TRAINING, Record, Row, paper_row, paper_rows
from trailmark.bench.runs import Run
from trailmark.bench.statistics import deviation, geometric_mean, mean, paired_t, power_fit, wilcoxon
from trailmark.bench.suite import BASELINE, BENCHMARK_SET, PAPER_SET
from trailmark.bench.tables import NOTHING, Learned, Results, Table, is_solved, learned, loop_edges

PAPER = "paper"
LEAST_PAIRS = 10
"""With fewer pairs a paired test says nothing."""


def graphs(results: Results) -> Table:
    """Table "Landmark graph characteristics for different domains and feature configuration"."""
    rows = [
        (
            each.run.domain,
            each.run.learner,
            str(each.run.settings["training"]),
            *_graph_cells(each, _paper_discovery(each.run)),
        )
        for each in learned(results)
    ]
    note = (
        "Features are those left after preprocessing. The paper's times include the start of Julia and were "
        "taken on another machine, its solved instances within 30 minutes on its own instances."
    )
    header = ("domain", "learner", "training", *_GRAPH_HEADER)
    return Table("graphs", "Learned landmark graphs", header, tuple(rows), note)


def discovery_time(results: Results) -> Table:
    """Table "Runtime to discover graph of generalized landmarks"."""
    rows = []
    for domain in results.domains:
        seconds = [
            each.seconds
            for each in learned(results)
            if each.run.domain == domain
            and each.run.settings["training"] == PAPER_TRAINING
            and each.found
            and each.record
            and "times" in each.record
        ]
        paper = paper_row("discovery_time", domain=domain)
        rows.append(
            (domain, _decimal(mean(seconds)), _of(paper, "mean_s"), _decimal(deviation(seconds)),
             _of(paper, "std_s"), str(len(seconds)))
        )  # fmt: skip
    header = ("domain", "mean s", PAPER, "deviation s", PAPER, "graphs")
    note = (
        "Over the pool configurations, with five training instances. Ours from reading files to the graph, "
        "plans included where they are searched for; CPU time is that of the whole process, with its start."
    )
    return Table("discovery-time", "Time to learn a graph", header, tuple(rows), note)


def t_test(results: Results) -> Table:
    """Table "Paired t-test results for the number of expanded states", with Wilcoxon's test beside it."""
    baseline = results.part.baseline
    others = [column for column in results.columns if column != baseline]
    rows = []
    for domain in results.domains:
        base = results.cells(domain, baseline)
        for column in others:
            cells = results.cells(domain, column)
            common = [
                test for test in cells if test in base and is_solved(cells[test]) and is_solved(base[test])
            ]
            pairs = [(float(base[each]["expanded"]), float(cells[each]["expanded"])) for each in common]
            first, second = [a for a, _ in pairs], [b for _, b in pairs]
            enough = len(pairs) >= LEAST_PAIRS
            t = paired_t(first, second) if enough else None
            rank = wilcoxon(first, second) if enough else None
            ratio = geometric_mean([max(1.0, a) / max(1.0, b) for a, b in pairs]) if pairs else None
            rows.append(
                (domain, column, str(len(pairs)),
                 NOTHING if t is None else f"{t.statistic:.3f} ({t.p:.3f})",
                 _paper_t(results, domain, column),
                 NOTHING if rank is None else f"{rank.p:.3f}",
                 _decimal(ratio))
            )  # fmt: skip
    note = (
        f"Expansions of {baseline} less those of the planner, over the instances both solve; positive t: the "
        "planner expands fewer. The ratio is the geometric mean of how many times fewer. With less than "
        f"{LEAST_PAIRS} pairs there is no test."
    )
    header = ("domain", "planner", "pairs", "t (p)", f"{PAPER} t (p)", "Wilcoxon p", "ratio")
    return Table("t-test", f"Paired tests against {baseline}", header, tuple(rows), note)


def training_size(results: Results) -> Table:
    """The appendix table on the number of training instances and plans."""
    rows = []
    for each in learned(results):
        settings = each.run.settings
        paper = paper_row(
            "training_size",
            domain=each.run.domain,
            config=settings["config"],
            instances=settings["training"],
            plans_per_instance=settings["plans"] or 1,
        )
        expanded = mean([float(one["expanded"]) for one in each.solved if one.get("expanded") is not None])
        steps = mean([float(one["plan_length"]) for one in each.solved])
        rows.append(
            (each.run.domain, str(settings["config"]), str(settings["training"]), str(settings["plans"] or 1),
             *_graph_cells(each, paper), _decimal(expanded), _of(paper, "expanded"), _decimal(steps),
             _of(paper, "length"))
        )  # fmt: skip
    header = ("domain", "config", "instances", "plans", *_GRAPH_HEADER, "expanded", PAPER, "length", PAPER)
    return Table("training-size", "How many training instances and plans", header, tuple(rows))


def preprocessing(results: Results) -> Table:
    """Table "... for different preprocessing and feature configuration settings"."""
    rows = []
    for each in learned(results):
        settings = each.run.settings
        wanted = {"domain": each.run.domain, "config": settings["config"], "rules": settings["rules"]}
        paper = paper_row("preprocessing", **wanted)
        rows.append((*(str(value) for value in wanted.values()), *_graph_cells(each, paper)))
    header = ("domain", "config", "rules", *_GRAPH_HEADER)
    return Table("preprocessing", "Preprocessing of the feature pool", header, tuple(rows))


def plan_quality(results: Results) -> Table:
    """The appendix table on altered training plans: each instance beside the paper's of the same size."""
    sets = {"paper-plus24": "p24", "paper-plus50": "p50", "paper-fd": "fd"}
    header = ["instance", "size"]
    shown = []
    for run in results.plan_runs:
        set_name = run.needs.settings["set"] if run.needs else ""
        prefix = sets.get(set_name, "hadd" if run.planner == results.part.baseline else "")
        if prefix and (run.planner, run.learner, prefix) not in shown:
            shown.append((run.planner, run.learner, prefix))
            header += [f"{prefix} length", PAPER, f"{prefix} expanded", PAPER]
    rows = []
    for test, size in {run.instance: str(run.settings["size"]) for run in results.plan_runs}.items():
        row = [test, size]
        paper = next(
            (each for each in paper_rows("plan_quality") if _same_size(each["instance"], size)), None
        )
        for planner, learner, prefix in shown:
            run = next(
                each
                for each in results.plan_runs
                if (each.instance, each.planner, each.learner) == (test, planner, learner)
            )
            record = results.record(run)
            row += _quality_cells(record, paper, prefix)
        rows.append(tuple(row))
    theirs = [row["instance"] for row in paper_rows("plan_quality")]
    ours = [row[1] for row in rows]
    note = (
        "The paper's instance of the same size is another instance: its files are not public. "
        f"Sizes of ours that it has not: {_unmatched(ours, theirs)}; of its own that we have not: "
        f"{_unmatched(theirs, ours)}."
    )
    return Table("plan-quality", "Training plans of different quality", tuple(header), tuple(rows), note)


def scale(results: Results) -> Table:
    """Time by size, and the exponent of the power law that fits it."""
    rows = []
    for domain in results.domains:
        cells = {column: results.cells(domain, column) for column in results.columns}
        atoms = {
            run.instance: int(run.settings["atoms"]) for run in results.plan_runs if run.domain == domain
        }
        for test, count in atoms.items():
            row = [domain, test, f"{count:,}"]
            for column in results.columns:
                record = cells[column].get(test)
                row.append(NOTHING if record is None else _seconds_or_status(record))
            rows.append(tuple(row))
        for label, x, y in _EXPONENTS:
            fits = []
            for column in results.columns:
                known = [
                    {**record, "atoms": atoms[each]}
                    for each, record in cells[column].items()
                    if is_solved(record)
                ]
                fits.append(_exponent([(each.get(x) or 0, each.get(y) or 0) for each in known]))
            rows.append((domain, label, "", *fits))
    header = ("domain", "instance", "size", *(f"{column}: s" for column in results.columns))
    note = (
        "Size: brackets opened in the problem file, about its facts. Exponents are those of power laws: of "
        "the whole time of a run against size, and of the search alone against expansions and plan length."
    )
    return Table("scale", "Time against size", header, tuple(rows), note)


_EXPONENTS = (
    ("exponent: time by size", "atoms", "seconds"),
    ("exponent: search by expansions", "expanded", "search_time_s"),
    ("exponent: search by plan length", "plan_length", "search_time_s"),
)


def _exponent(points: list[tuple[float, float]]) -> str:
    """Of the power law through these points; what has no logarithm is left out."""
    positive = [(x, y) for x, y in points if x > 0 and y > 0]
    fit = power_fit([x for x, _ in positive], [y for _, y in positive])
    return NOTHING if fit is None else f"{fit.exponent:.2f} (R² {fit.r_squared:.2f})"


_GRAPH_HEADER = (
    "features", PAPER, "landmarks", PAPER, "loops", PAPER, "s", PAPER, "solved", PAPER, "loop: accepted",
    "satisfied",
)  # fmt: skip


def _graph_cells(each: Learned, paper: Row | None) -> list[str]:
    record = each.record or {}
    solved = f"{len(each.solved)}/{len(each.plans)}" if each.plans else NOTHING
    if not each.found:
        status = str(record.get("status", NOTHING))
        ours = [NOTHING, NOTHING, NOTHING, status, solved]
    else:
        ours = [
            str(record["features"]["after_rules"]),
            str(record["nodes"]),
            str(record["loops"]),
            _decimal(each.seconds),
            solved,
        ]
    theirs = [_of(paper, key) for key in ("features", "nodes", "loops", "discovery_s", "solved")]
    satisfied = f"{record['satisfied']}/{record['trajectories']}" if each.found else NOTHING
    pairs = [cell for pair in zip(ours, theirs, strict=True) for cell in pair]
    return [*pairs, loop_edges(record) or NOTHING, satisfied]


def _quality_cells(record: Record | None, paper: Row | None, prefix: str) -> list[str]:
    ours = [NOTHING, NOTHING]
    if record is not None and is_solved(record):
        ours = [str(record["plan_length"]), f"{record['expanded']:,}"]
    return [ours[0], _of(paper, f"{prefix}_len"), ours[1], _of(paper, f"{prefix}_exp")]


_PLANNED_SETS = (BENCHMARK_SET, PAPER_SET, "paper-fd")
"""Training sets with plans of a planner, as most of the paper's tables have."""


def _paper_discovery(run: Run) -> Row | None:
    if run.settings["set"] not in _PLANNED_SETS:
        return None
    return paper_row(
        "discovery",
        domain=run.domain,
        config=run.settings["config"],
        trajectories=run.settings["training"],
    )


def _paper_t(results: Results, domain: str, column: str) -> str:
    """The paper's t-test of this learner's pool configuration: against h_add, with five instances."""
    against = results.suite.planner(results.part.baseline)
    if against.kind != BASELINE or dict(against.options).get("heuristic") != "hadd":
        return NOTHING
    for run in results.plan_runs:
        settings = run.needs.settings if run.needs else {"training": None}
        alike = settings["training"] == PAPER_TRAINING and settings["set"] in _PLANNED_SETS
        if alike and (run.domain, results.column(run)) == (domain, column):
            return _of(paper_row("t_test", domain=domain), str(settings["config"]))
    return NOTHING


def _unmatched(sizes: list[str], others: list[str]) -> str:
    return ", ".join(size for size in sizes if not any(_same_size(size, other) for other in others)) or "none"


def _same_size(paper: str, ours: str) -> bool:
    """`5x5-02` and `5x5-2`, or our `5-5-2`, are one size."""

    def numbers(text: str) -> list[int]:
        return [int(each) for each in re.findall(r"\d+", text)]

    return numbers(paper) == numbers(ours)


def _seconds_or_status(record: Record) -> str:
    return f"{record['seconds']:.2f}" if is_solved(record) else str(record["status"])


def _of(row: Row | None, key: str) -> str:
    return (row or {}).get(key) or NOTHING


def _decimal(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"
