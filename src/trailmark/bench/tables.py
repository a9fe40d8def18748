"""Tables as data: planners side by side on the instances of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median

from trailmark.bench.records import STALLED, Record
from trailmark.bench.runs import LEARN, PLAN, Expansion, Run
from trailmark.bench.statistics import geometric_mean, mean
from trailmark.bench.suite import CPU, FAST_DOWNWARD, Part, Suite
from trailmark.bench.worker import LEARNED, SOLVED

NOTHING = "–"
MOST_LISTED = 10
"""Of more training plans only the least and the most acceptances of a loop are told."""

Row = tuple[str, ...]


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    header: Row
    rows: tuple[Row, ...]
    note: str = ""


@dataclass(frozen=True)
class Results:
    """The runs of one part of a suite with their records."""

    suite: Suite
    part: Part
    runs: tuple[Run, ...]
    records: Mapping[str, Record]
    folder: Path
    """Where the files are that runs have made."""

    @cached_property
    def plan_runs(self) -> list[Run]:
        return [run for run in self.runs if run.kind == PLAN]

    @cached_property
    def learn_runs(self) -> list[Run]:
        return [run for run in self.runs if run.kind == LEARN]

    @cached_property
    def columns(self) -> list[str]:
        """The planners, one for each learner where a planner follows several."""
        return list(dict.fromkeys(map(self.column, self.plan_runs)))

    @cached_property
    def domains(self) -> list[str]:
        return list(dict.fromkeys(run.domain for run in self.runs))

    def column(self, run: Run) -> str:
        if len(self._followed[run.planner]) < 2:
            return run.planner
        learner = self.suite.learner(run.learner)
        return f"{run.planner} {learner.variant or learner.name}"

    def record(self, run: Run) -> Record | None:
        return self.records.get(run.key)

    def cells(self, domain: str, column: str) -> dict[str, Record]:
        """The records of a planner in a domain by instance; runs without a record are left out."""
        return self._cells.get((domain, column), {})

    def solved(self, domain: str, column: str) -> dict[str, Record]:
        return {test: record for test, record in self.cells(domain, column).items() if is_solved(record)}

    def pairs(self, domain: str, one: str, other: str, key: str) -> list[tuple[float, float]]:
        """What two planners need, on the instances of a domain that both solve."""
        ours, theirs = self.solved(domain, one), self.solved(domain, other)
        both = [(ours[test].get(key), theirs[test].get(key)) for test in ours if test in theirs]
        return [(float(a), float(b)) for a, b in both if a is not None and b is not None]

    def tests(self, domain: str, setting: str) -> dict[str, str]:
        """The instances of a domain, each with a setting of its runs, as its size."""
        return {run.instance: str(run.settings[setting]) for run in self.plan_runs if run.domain == domain}

    def open(self) -> list[Run]:
        """The runs that have no result yet."""
        return [run for run in self.runs if (self.record(run) or {"status": STALLED})["status"] == STALLED]

    @cached_property
    def _followed(self) -> dict[str, set[str]]:
        """The learners each planner follows."""
        followed: dict[str, set[str]] = {}
        for run in self.plan_runs:
            followed.setdefault(run.planner, set()).add(run.learner)
        return followed

    @cached_property
    def _cells(self) -> dict[tuple[str, str], dict[str, Record]]:
        cells: dict[tuple[str, str], dict[str, Record]] = {}
        for run in self.plan_runs:
            if (record := self.record(run)) is not None:
                cells.setdefault((run.domain, self.column(run)), {})[run.instance] = record
        return cells


def results_of(
    suite: Suite, expansion: Expansion, records: Mapping[str, Record], folder: Path = Path()
) -> list[Results]:
    return [Results(suite, part, expansion.parts[part.name], records, folder) for part in suite.parts]


def is_solved(record: Record) -> bool:
    return record.get("status") == SOLVED


def decimal(value: float | None, form: str = "{:.2f}") -> str:
    return NOTHING if value is None else form.format(value)


@dataclass(frozen=True)
class Learned:
    """One learning run and how the planners that follow its graph do."""

    run: Run
    record: Record
    """Empty where there is none yet."""
    plans: tuple[Record, ...]

    @property
    def found(self) -> bool:
        return self.record.get("status") == LEARNED

    @property
    def seconds(self) -> float:
        """From reading files to the graph; where the limit is of CPU time, that of the whole process."""
        by_process = self.record.get("clock") == CPU
        return float(self.record["seconds"] if by_process else self.record["times"]["total_s"])

    @property
    def solved(self) -> list[Record]:
        return [plan for plan in self.plans if is_solved(plan)]

    def mean_of(self, key: str) -> float | None:
        """Over the instances solved."""
        return mean([float(plan[key]) for plan in self.solved if plan.get(key) is not None])


def learned(results: Results) -> Iterator[Learned]:
    followers: dict[str, list[Record]] = {}
    for run in results.plan_runs:
        if run.needs is not None and (record := results.record(run)) is not None:
            followers.setdefault(run.needs.key, []).append(record)
    for run in results.learn_runs:
        yield Learned(run, results.record(run) or {}, tuple(followers.get(run.key, ())))


def loop_edges(record: Record) -> str:
    """Where the loops of a learned graph lead, and how often each training plan accepts their landmarks."""
    told = []
    for edge in record.get("loop_edges", ()):
        counts = edge["accepted"]
        few = len(counts) <= MOST_LISTED
        times = ", ".join(map(str, counts)) if few else f"{min(counts)} to {max(counts)}"
        told.append(f"{edge['source']} → {edge['target']}: {times}")
    return "; ".join(told)


def coverage(results: Results) -> Table:
    """Solved instances by domain and planner."""

    def row(domains: Sequence[str]) -> Iterator[str]:
        for column in results.columns:
            records = [record for domain in domains for record in results.cells(domain, column).values()]
            yield f"{sum(map(is_solved, records))}/{len(records)}"

    open_runs = len(results.open())
    note = f"{open_runs} runs have no result yet." if open_runs else ""
    return Table("coverage", "Solved instances", ("domain", *results.columns), _rows(results, row), note)


def length_ratio(results: Results) -> Table:
    """Plan lengths against those of Fast Downward's planner: the median of the ratios."""
    kinds = {results.column(run): run.settings["kind"] for run in results.plan_runs}
    reference = next((column for column in results.columns if kinds[column] == FAST_DOWNWARD), "")
    others = [column for column in results.columns if column != reference]

    def row(domains: Sequence[str]) -> Iterator[str]:
        for column in others:
            pairs = [
                pair for domain in domains for pair in results.pairs(domain, column, reference, "plan_length")
            ]
            ratios = [ours / theirs for ours, theirs in pairs if theirs]
            yield from (decimal(median(ratios) if ratios else None), str(len(ratios)))

    header = ("domain", *(name for column in others for name in (column, "instances")))
    title = f"Plan length against {reference or 'Fast Downward'} (median of ratios)"
    note = "Over the instances that both planners solve (how many stands beside it)."
    return Table("length-ratio", title, header, _rows(results, row), note)


def _rows(results: Results, row: Callable[[Sequence[str]], Iterator[str]]) -> tuple[Row, ...]:
    """A row for each domain, and where there are several one for all."""
    rows = [(domain, *row([domain])) for domain in results.domains]
    return (*rows, ("all", *row(results.domains))) if len(rows) > 1 else tuple(rows)


def time(results: Results) -> Table:
    return _common(results, "time", "Mean time in seconds", "seconds", mean, "{:.2f}")


def expansions(results: Results) -> Table:
    title = "Expanded states (geometric mean)"
    return _common(results, "expansions", title, "expanded", _of_counts, "{:,.0f}")


def length(results: Results) -> Table:
    return _common(results, "length", "Mean plan length", "plan_length", mean, "{:.1f}")


def _of_counts(values: Sequence[float]) -> float | None:
    """The geometric mean, where no expansion at all counts as one."""
    return geometric_mean([max(1.0, value) for value in values])


def _common(
    results: Results,
    name: str,
    title: str,
    key: str,
    average: Callable[[Sequence[float]], float | None],
    form: str,
) -> Table:
    """Averages over the instances that all planners solve which solve any in that domain."""

    def row(domains: Sequence[str]) -> Row:
        pooled: list[list[float]] = [[] for _ in results.columns]
        count = 0
        for domain in domains:
            solved = [results.solved(domain, column) for column in results.columns]
            able = [set(found) for found in solved if found]
            common = set.intersection(*able) if able else set()
            count += len(common)
            for values, found in zip(pooled, solved, strict=True):
                known = [found[test].get(key) for test in common if test in found]
                values += [float(value) for value in known if value is not None]
        return *(decimal(average(values), form) for values in pooled), str(count)

    rows = [(domain, *row([domain])) for domain in results.domains]
    full = [
        domain
        for domain in results.domains
        if all(results.solved(domain, column) for column in results.columns)
    ]
    if len(rows) > 1 and (of_all := row(full))[-1] != "0":
        rows.append(("all", *of_all))
    note = (
        "Over the instances solved by every planner that solves any in the domain (last column: how many); "
        "the last row over the domains where each planner solves one."
    )
    return Table(name, title, ("domain", *results.columns, "instances"), tuple(rows), note)


def instances(results: Results) -> Table:
    """Expansions, plan length and time of every instance."""
    header = ["domain", "instance", "size"]
    for column in results.columns:
        header += [f"{column}: expanded", "length", "s"]
    rows = []
    for domain in results.domains:
        for test, size in results.tests(domain, "size").items():
            row = [domain, test if "=" not in test else "", size]
            for column in results.columns:
                row += _instance_cells(results.cells(domain, column).get(test))
            rows.append(tuple(row))
    return Table("instances", "Every instance", tuple(header), tuple(rows))


def _instance_cells(record: Record | None) -> Row:
    if record is None or not is_solved(record):
        return (str(record["status"]) if record else NOTHING), NOTHING, NOTHING
    return decimal(record.get("expanded"), "{:,}"), str(record["plan_length"]), decimal(record["seconds"])
