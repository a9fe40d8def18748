"""The paper's own tables, from our runs, each number beside the paper's; scale, and loops in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trailmark.bench.records import PAPER_TRAINING, PaperRow, Record, paper_row, paper_rows
from trailmark.bench.runner import made_files
from trailmark.bench.runs import Run
from trailmark.bench.statistics import deviation, geometric_mean, mean, paired_t, power_fit, wilcoxon
from trailmark.bench.suite import BASELINE, BENCHMARK_SET, PAPER_SET
from trailmark.bench.tables import NOTHING, Learned, Results, Table, decimal, is_solved, learned, loop_edges
from trailmark.models.reading import loads
from trailmark.report.outline import outline, short

PAPER = "paper"
LEAST_PAIRS = 10
"""With fewer pairs a paired test says nothing."""


def graphs(results: Results) -> Table:
    """Table "Landmark graph characteristics for different domains and feature configuration"."""
    rows = [
        (graph.run.domain, graph.run.learner, str(graph.run.settings["training"]),
         *_graph_cells(graph, _paper_discovery(graph.run)))
        for graph in learned(results)
    ]  # fmt: skip
    note = (
        "Features are those left after preprocessing. The paper's times include the start of Julia and were "
        "taken on another machine, its solved instances within 30 minutes on its own instances."
    )
    header = ("domain", "learner", "training", *_GRAPH_HEADER)
    return Table("graphs", "Learned landmark graphs", header, tuple(rows), note)


def discovery_time(results: Results) -> Table:
    """Table "Runtime to discover graph of generalized landmarks"."""
    rows = []
    graphs = [graph for graph in learned(results) if graph.run.settings["training"] == PAPER_TRAINING]
    for domain in results.domains:
        seconds = [graph.seconds for graph in graphs if graph.run.domain == domain and graph.found]
        paper = paper_row("discovery_time", domain=domain)
        ours = (mean(seconds), deviation(seconds))
        theirs = (_of(paper, "mean_s"), _of(paper, "std_s"))
        rows.append((domain, *_beside(map(decimal, ours), theirs), str(len(seconds))))
    header = ("domain", "mean s", PAPER, "deviation s", PAPER, "graphs")
    note = (
        "Over the pool configurations, with five training instances. Ours from reading files to the graph, "
        "plans included where they are searched for; CPU time is that of the whole process, with its start."
    )
    return Table("discovery-time", "Time to learn a graph", header, tuple(rows), note)


def t_test(results: Results) -> Table:
    """Table "Paired t-test results for the number of expanded states", with Wilcoxon's test beside it."""
    baseline = results.part.baseline
    rows = []
    for domain in results.domains:
        for column in (column for column in results.columns if column != baseline):
            pairs = results.pairs(domain, baseline, column, "expanded")
            first, second = [a for a, _ in pairs], [b for _, b in pairs]
            enough = len(pairs) >= LEAST_PAIRS
            t = paired_t(first, second) if enough else None
            rank = wilcoxon(first, second) if enough else None
            ratio = geometric_mean([max(1.0, a) / max(1.0, b) for a, b in pairs])
            rows.append(
                (domain, column, str(len(pairs)), NOTHING if t is None else f"{t.statistic:.3f} ({t.p:.3f})",
                 _paper_t(results, domain, column), decimal(rank and rank.p, "{:.3f}"), decimal(ratio))
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
    for graph in learned(results):
        settings = graph.run.settings
        place = (graph.run.domain, settings["config"], settings["training"], settings["plans"] or 1)
        names = ("domain", "config", "instances", "plans_per_instance")
        paper = paper_row("training_size", **dict(zip(names, place, strict=True)))
        ours = [decimal(graph.mean_of(key)) for key in ("expanded", "plan_length")]
        theirs = [_of(paper, key) for key in ("expanded", "length")]
        rows.append((*map(str, place), *_graph_cells(graph, paper), *_beside(ours, theirs)))
    header = ("domain", "config", "instances", "plans", *_GRAPH_HEADER, "expanded", PAPER, "length", PAPER)
    return Table("training-size", "How many training instances and plans", header, tuple(rows))


def preprocessing(results: Results) -> Table:
    """Table "... for different preprocessing and feature configuration settings"."""
    rows = []
    for graph in learned(results):
        settings = graph.run.settings
        wanted = {"domain": graph.run.domain, "config": settings["config"], "rules": settings["rules"]}
        rows.append((*map(str, wanted.values()), *_graph_cells(graph, paper_row("preprocessing", **wanted))))
    header = ("domain", "config", "rules", *_GRAPH_HEADER)
    return Table("preprocessing", "Preprocessing of the feature pool", header, tuple(rows))


def plan_quality(results: Results) -> Table:
    """The appendix table on altered training plans: each instance beside the paper's of the same size."""
    sets = {"paper-plus24": "p24", "paper-plus50": "p50", "paper-fd": "fd"}
    shown: dict[str, str] = {}
    """The columns of the paper's table by our planners."""
    for run in results.plan_runs:
        name = sets.get(run.needs.settings["set"]) if run.needs else None
        if name or run.planner == results.part.baseline:
            shown[results.column(run)] = name or "hadd"
    header = ["instance", "size"]
    for name in shown.values():
        header += [f"{name} length", PAPER, f"{name} expanded", PAPER]
    rows = []
    theirs = {row["instance"]: row for row in paper_rows("plan_quality")}
    for domain in results.domains:
        for test, size in results.tests(domain, "size").items():
            row = [test, size]
            paper = next((theirs[other] for other in theirs if _same_size(other, size)), None)
            for column, name in shown.items():
                record = results.solved(domain, column).get(test, {})
                ours = (decimal(record.get("plan_length"), "{}"), decimal(record.get("expanded"), "{:,}"))
                row += _beside(ours, (_of(paper, f"{name}_len"), _of(paper, f"{name}_exp")))
            rows.append(tuple(row))
    sizes = [row[1] for row in rows]
    note = (
        "The paper's instance of the same size is another instance: its files are not public. "
        f"Sizes of ours that it has not: {_unmatched(sizes, theirs)}; of its own that we have not: "
        f"{_unmatched(theirs, sizes)}."
    )
    return Table("plan-quality", "Training plans of different quality", tuple(header), tuple(rows), note)


def scale(results: Results) -> Table:
    """Time by size, and the exponent of the power law that fits it."""
    rows = []
    for domain in results.domains:
        atoms = {test: int(count) for test, count in results.tests(domain, "atoms").items()}
        for test, count in atoms.items():
            records = [results.cells(domain, column).get(test) for column in results.columns]
            rows.append((domain, test, f"{count:,}", *map(_seconds_or_status, records)))
        for label, x, y in _EXPONENTS:
            fits = []
            for column in results.columns:
                solved = results.solved(domain, column)
                known = [{**record, "atoms": atoms[test]} for test, record in solved.items()]
                fit = power_fit([(record.get(x) or 0, record.get(y) or 0) for record in known])
                fits.append(NOTHING if fit is None else f"{fit.exponent:.2f} (R² {fit.r_squared:.2f})")
            rows.append((domain, label, "", *fits))
    header = ("domain", "instance", "size", *(f"{column}: s" for column in results.columns))
    note = (
        "Size: brackets opened in the problem file, about its facts. Exponents are those of power laws: of "
        "the whole time of a run against size, and of the search alone against expansions and plan length."
    )
    return Table("scale", "Time against size", header, tuple(rows), note)


def loop_words(results: Results) -> Table:
    """For every learned graph its loops: what is repeated, what comes inside a pass, and how often."""
    rows = []
    for run in results.learn_runs:
        record = results.record(run)
        names = (run.domain, run.learner, decimal(record["seconds"] if record else None, "{:.1f}"))
        made = made_files(results.folder, run)
        landmarks = outline(loads(made["model.json"])).landmarks if "model.json" in made else ()
        repeated = [(landmark, landmark.loop) for landmark in landmarks if landmark.loop is not None]
        if not repeated:
            rows.append((*names, "no loop" if landmarks else NOTHING, NOTHING, NOTHING))
        for landmark, loop in repeated:
            inside = [*landmark.inner, *(one.summary for one in landmarks[loop.target : landmark.number - 1])]
            passes = short(loop.words.counter)
            rows.append((*names, landmark.summary, "; then ".join(inside) or NOTHING, passes))
    header = ("domain", "learner", "s", "repeated", "inside a pass", "passes")
    note = "Seconds are those of the whole learning, from the start of its process."
    return Table("loops", "The loops in words", header, tuple(rows), note)


_EXPONENTS = (
    ("exponent: time by size", "atoms", "seconds"),
    ("exponent: search by expansions", "expanded", "search_time_s"),
    ("exponent: search by plan length", "plan_length", "search_time_s"),
)
_GRAPH_HEADER = (
    "features", PAPER, "landmarks", PAPER, "loops", PAPER, "s", PAPER, "solved", PAPER, "loop: accepted",
    "satisfied",
)  # fmt: skip
_PLANNED_SETS = (BENCHMARK_SET, PAPER_SET, "paper-fd")
"""Training sets with plans of a planner, as most of the paper's tables have."""


def _graph_cells(graph: Learned, paper: PaperRow | None) -> list[str]:
    record = graph.record
    solved = f"{len(graph.solved)}/{len(graph.plans)}" if graph.plans else NOTHING
    ours, satisfied = [NOTHING, NOTHING, NOTHING, str(record.get("status", NOTHING)), solved], NOTHING
    if graph.found:
        features = str(record["features"]["after_rules"])
        ours = [features, str(record["nodes"]), str(record["loops"]), decimal(graph.seconds), solved]
        satisfied = f"{record['satisfied']}/{record['trajectories']}"
    theirs = [_of(paper, key) for key in ("features", "nodes", "loops", "discovery_s", "solved")]
    return [*_beside(ours, theirs), loop_edges(record) or NOTHING, satisfied]


def _paper_discovery(run: Run) -> PaperRow | None:
    if run.settings["set"] not in _PLANNED_SETS:
        return None
    config, training = run.settings["config"], run.settings["training"]
    return paper_row("discovery", domain=run.domain, config=config, trajectories=training)


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


def _unmatched(sizes: Iterable[str], others: Iterable[str]) -> str:
    return ", ".join(size for size in sizes if not any(_same_size(size, other) for other in others)) or "none"


def _same_size(paper: str, ours: str) -> bool:
    """`5x5-02` and `5x5-2`, or our `5-5-2`, are one size."""
    one, other = ([int(digits) for digits in re.findall(r"\d+", text)] for text in (paper, ours))
    return one == other


def _seconds_or_status(record: Record | None) -> str:
    if record is None:
        return NOTHING
    return decimal(record["seconds"]) if is_solved(record) else str(record["status"])


def _beside(ours: Iterable[str], theirs: Iterable[str]) -> list[str]:
    """Each of our cells before the paper's."""
    return [cell for pair in zip(ours, theirs, strict=True) for cell in pair]


def _of(row: PaperRow | None, key: str) -> str:
    return (row or {}).get(key) or NOTHING
