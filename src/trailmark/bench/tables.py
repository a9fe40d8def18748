"""Tables as data: planners side by side on the instances of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from trailmark.bench.records import STALLED, Record
from trailmark.bench.runs import LEARN, PLAN, Expansion, Run
from trailmark.bench.statistics import geometric_mean, mean
from trailmark.bench.suite import CPU, FAST_DOWNWARD, Part, Suite
from trailmark.bench.worker import LEARNED, SOLVED

NOTHING = "–"
MOST_LISTED = 10
"""Of more training plans only the least and the most acceptances of a loop are told."""


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Results:
    """The runs of one part of a suite with their records."""

    suite: Suite
    part: Part
    runs: tuple[Run, ...]
    records: Mapping[str, Record]

    @cached_property
    def plan_runs(self) -> list[Run]:
        return [run for run in self.runs if run.kind == PLAN]

    @cached_property
    def learn_runs(self) -> list[Run]:
        return [run for run in self.runs if run.kind == LEARN]

    @cached_property
    def columns(self) -> list[str]:
        """The planners, one for each learner where a planner follows several."""
        return list(dict.fromkeys(self.column(run) for run in self.plan_runs))

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
            record = self.record(run)
            if record is not None:
                cells.setdefault((run.domain, self.column(run)), {})[run.instance] = record
        return cells

    def open(self) -> list[Run]:
        """The runs that have no result yet."""
        stalled: Record = {"status": STALLED}
        return [run for run in self.runs if self.records.get(run.key, stalled)["status"] == STALLED]


def results_of(suite: Suite, expansion: Expansion, records: Mapping[str, Record]) -> list[Results]:
    return [Results(suite, part, expansion.parts[part.name], records) for part in suite.parts]


def is_solved(record: Record) -> bool:
    return record.get("status") == SOLVED


@dataclass(frozen=True)
class Learned:
    """One learning run and how the planners that follow its graph do."""

    run: Run
    record: Record | None
    plans: tuple[Record, ...]

    @property
    def found(self) -> bool:
        return self.record is not None and self.record["status"] == LEARNED

    @property
    def seconds(self) -> float:
        """From reading files to the graph; where the limit is of CPU time, that of the whole process."""
        assert self.record is not None
        by_process = self.record.get("clock") == CPU
        return float(self.record["seconds"] if by_process else self.record["times"]["total_s"])

    @property
    def solved(self) -> list[Record]:
        return [plan for plan in self.plans if is_solved(plan)]


def learned(results: Results) -> Iterator[Learned]:
    followers: dict[str, list[Record]] = {}
    for each in results.plan_runs:
        record = results.record(each)
        if each.needs is not None and record is not None:
            followers.setdefault(each.needs.key, []).append(record)
    for run in results.learn_runs:
        yield Learned(run, results.record(run), tuple(followers.get(run.key, ())))


def loop_edges(record: Record) -> str:
    """Where the loops of a learned graph lead, and how often each training plan accepts their landmarks."""
    told = []
    for edge in record.get("loop_edges", ()):
        counts = edge["accepted"]
        times = (
            ", ".join(map(str, counts)) if len(counts) <= MOST_LISTED else f"{min(counts)} to {max(counts)}"
        )
        told.append(f"{edge['source']} → {edge['target']}: {times}")
    return "; ".join(told)


def coverage(results: Results) -> Table:
    """Solved instances by domain and planner."""
    rows = []
    totals = {column: [0, 0] for column in results.columns}
    for domain in results.domains:
        row = [domain]
        for column in results.columns:
            cells = results.cells(domain, column).values()
            solved = sum(map(is_solved, cells))
            totals[column][0] += solved
            totals[column][1] += len(cells)
            row.append(f"{solved}/{len(cells)}")
        rows.append(tuple(row))
    if len(rows) > 1:
        rows.append(("all", *(f"{solved}/{total}" for solved, total in totals.values())))
    open_runs = len(results.open())
    note = f"{open_runs} runs have no result yet." if open_runs else ""
    return Table("coverage", "Solved instances", ("domain", *results.columns), tuple(rows), note)


def time(results: Results) -> Table:
    return _common(results, "time", "Mean time in seconds", "seconds", mean, "{:.2f}")


def expansions(results: Results) -> Table:
    return _common(
        results, "expansions", "Expanded states (geometric mean)", "expanded", _of_counts, "{:,.0f}"
    )


def length(results: Results) -> Table:
    return _common(results, "length", "Mean plan length", "plan_length", mean, "{:.1f}")


def length_ratio(results: Results) -> Table:
    """Plan lengths against those of Fast Downward's planner: the median of the ratios."""
    kinds = {results.column(run): run.settings["kind"] for run in results.plan_runs}
    reference = next((column for column in results.columns if kinds[column] == FAST_DOWNWARD), None)
    others = [column for column in results.columns if column != reference]
    rows = []
    pooled: dict[str, list[float]] = {column: [] for column in others}
    for domain in results.domains:
        known = results.cells(domain, reference) if reference is not None else {}
        row = [domain]
        for column in others:
            ratios = [
                record["plan_length"] / known[test]["plan_length"]
                for test, record in results.cells(domain, column).items()
                if is_solved(record)
                and test in known
                and is_solved(known[test])
                and known[test]["plan_length"]
            ]
            pooled[column] += ratios
            row += [_median(ratios), str(len(ratios))]
        rows.append(tuple(row))
    if len(rows) > 1:
        last = [cell for ratios in pooled.values() for cell in (_median(ratios), str(len(ratios)))]
        rows.append(("all", *last))
    header = ["domain"]
    for column in others:
        header += [column, "instances"]
    title = f"Plan length against {reference or 'Fast Downward'} (median of ratios)"
    note = "Over the instances that both planners solve (how many stands beside it)."
    return Table("length-ratio", title, tuple(header), tuple(rows), note)


def _median(values: Sequence[float]) -> str:
    return f"{median(values):.2f}" if values else NOTHING


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
    rows = []
    pooled: dict[str, list[float]] = {column: [] for column in results.columns}
    for domain in results.domains:
        cells = {column: results.cells(domain, column) for column in results.columns}
        solved = {
            column: {each for each, record in found.items() if is_solved(record)}
            for column, found in cells.items()
        }
        able = [each for each in solved.values() if each]
        common = set.intersection(*able) if able else set()
        row = [domain]
        for column in results.columns:
            values = [
                float(cells[column][each][key])
                for each in common & solved[column]
                if cells[column][each].get(key) is not None
            ]
            if len(able) == len(results.columns):
                pooled[column] += values
            value = average(values)
            row.append(NOTHING if value is None else form.format(value))
        rows.append((*row, str(len(common))))
    if len(rows) > 1 and any(pooled.values()):
        last = [average(values) for values in pooled.values()]
        cells_of_all = [NOTHING if value is None else form.format(value) for value in last]
        rows.append(("all", *cells_of_all, str(max(map(len, pooled.values())))))
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
        found = {column: results.cells(domain, column) for column in results.columns}
        tests = {run.instance: str(run.settings["size"]) for run in results.plan_runs if run.domain == domain}
        for test, size in tests.items():
            row = [domain, test if "=" not in test else "", size]
            for column in results.columns:
                row += _instance_cells(found[column].get(test))
            rows.append(tuple(row))
    return Table("instances", "Every instance", tuple(header), tuple(rows))


def _instance_cells(record: Record | None) -> list[str]:
    if record is None:
        return [NOTHING] * 3
    if not is_solved(record):
        return [str(record["status"]), NOTHING, NOTHING]
    expanded = record.get("expanded")
    shown = NOTHING if expanded is None else f"{expanded:,}"
    return [shown, str(record["plan_length"]), f"{record['seconds']:.2f}"]
