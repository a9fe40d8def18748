"""`trailmark plan`: solve an instance with a learned landmark graph."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple

import typer

from trailmark.cli.common import (
    DomainArgument,
    Json,
    ProblemArgument,
    ProgressLine,
    Quiet,
    Verbose,
    expectation_text,
    json_text,
    print_json,
    run_supervised,
    set_up_logging,
)
from trailmark.errors import ExitCode, MemoryLimitError, TimeLimitError
from trailmark.files import check_writable
from trailmark.limits import Budget, peak_megabytes

if TYPE_CHECKING:
    from trailmark.search.planner import PlannerOptions

EMBEDDED = ("lazy greedy", "gbfs")
"""The strategies of `auto` behind leaping where Fast Downward is not installed."""
SLOW_SECONDS = 3.0
"""A plan that takes them longer is worth a word about the extra."""
TELLING_SECONDS = 0.15
TELLING_SHARE = 0.1
"""The search ends so long before the time limit, but at most this share of it: the rest is for
telling what came of it."""


def command(
    model: Annotated[
        str,
        typer.Argument(
            help="A model file, a landmark graph in text, or 'none': no landmarks.", show_default=False
        ),
    ],
    domain: DomainArgument,
    problem: ProblemArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the plan to this file.", show_default=False)
    ] = None,
    search: Annotated[str, typer.Option(help="auto, astar, gbfs or leap.")] = "auto",
    heuristic: Annotated[
        str | None,
        typer.Option(
            help="hadd, hmax, ff, goalcount or none; by default the search chooses.", show_default=False
        ),
    ] = None,
    prune: Annotated[bool, typer.Option(help="Clear the open list when a loop is traversed.")] = True,
    prune_forgets: Annotated[
        bool, typer.Option("--prune-forgets", help="Pruning also forgets the states that it drops.")
    ] = False,
    fallback: Annotated[
        bool, typer.Option(help="Go on with a complete search where one that prunes or commits fails.")
    ] = True,
    complete: Annotated[
        str, typer.Option(help="The complete search behind leaping: auto, fast-downward or lazy.")
    ] = "auto",
    jobs: Annotated[
        int, typer.Option(min=1, help="With 2, Fast Downward runs beside leaping instead of after it.")
    ] = 1,
    improve: Annotated[
        bool, typer.Option(help="Leap a second time by whole passes, for a shorter plan or where stuck.")
    ] = True,
    shorten: Annotated[bool, typer.Option(help="Drop needless steps from the plan.")] = True,
    anytime: Annotated[
        bool, typer.Option("--anytime", help="Go on improving the plan until the time limit.")
    ] = False,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds, from reading the files on.", show_default=False)
    ] = None,
    memory_limit: Annotated[float | None, typer.Option(help="Megabytes.", show_default=False)] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Solve a planning task, guided by a landmark graph. Every plan is validated before it is given.

    Exit code 0: solved; 2: bad input; 10: proved unsolvable; 11: no plan found; 12: time limit;
    13: memory limit.

    Example: trailmark plan model.json domain.pddl problem.pddl -o problem.plan
    """
    set_up_logging(quiet, verbose)
    started = time.monotonic()
    # What makes no sense is told before any work is done.
    Budget(time_limit, memory_limit)
    if output is not None:
        check_writable(output)

    def work(kept: _KeptAnswer) -> int:
        from trailmark.search.planner import PlannerOptions

        options = PlannerOptions(
            search=search,
            heuristic=heuristic,
            prune=prune,
            prune_forgets=prune_forgets,
            fallback=fallback,
            complete=complete,
            jobs=jobs,
            shorten=shorten,
            anytime=anytime,
        )
        if not improve:
            options = replace(options, whole_passes=())
        budget = Budget(_search_seconds(time_limit), memory_limit, started)
        return _plan(_Asked(model, domain, problem, options, budget), kept, output, json, quiet)

    with tempfile.TemporaryFile() as file:
        kept = _KeptAnswer(file)
        try:
            code = run_supervised(lambda: work(kept), time_limit, memory_limit)
        except (TimeLimitError, MemoryLimitError) as reached:
            text, code = kept.latest()
            if code != ExitCode.DONE:
                if json and not text:
                    which = "time limit" if isinstance(reached, TimeLimitError) else "memory limit"
                    print_json({"status": which, **dict.fromkeys(_UNKNOWN)})
                typer.echo(text, nl=False)
                raise
        # Said here alone: the other process may be ended when it has just said it.
        typer.echo(kept.latest()[0], nl=False)
        return code


_UNKNOWN = (
    "plan_length", "cost", "expanded", "generated", "evaluated", "search_time_s", "total_time_s",
    "peak_memory_mb", "strategy", "leaps", "landmarks", "expected",
)  # fmt: skip
"""What nobody can tell of a search that was ended from outside."""


class _KeptAnswer:
    """What to print for the result, or for the best plan so far where the process that found it is ended
    while it looks for a better one, and the exit code. It lies in a file that both processes have open,
    record after record, each with its length before it."""

    _LENGTH_BYTES = 8

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def keep(self, text: str, code: int = ExitCode.DONE) -> None:
        record = bytes([code]) + text.encode()
        os.write(self._file.fileno(), len(record).to_bytes(self._LENGTH_BYTES, "big") + record)

    def latest(self) -> tuple[str, int]:
        """The last whole record, one that was being written when the process ended does not count; without
        any, nothing and the code of a time limit."""
        self._file.seek(0)
        found = "", int(ExitCode.TIME_LIMIT)
        while len(head := self._file.read(self._LENGTH_BYTES)) == self._LENGTH_BYTES:
            size = int.from_bytes(head, "big")
            record = self._file.read(size)
            if len(record) == size:
                found = record[1:].decode(), record[0]
        return found


class _Asked(NamedTuple):
    """The task to solve, and how."""

    model: str
    domain: Path
    problem: Path
    options: PlannerOptions
    budget: Budget


def _search_seconds(time_limit: float | None) -> float | None:
    return time_limit and time_limit - min(TELLING_SECONDS, TELLING_SHARE * time_limit)


def _plan(asked: _Asked, kept: _KeptAnswer, output: Path | None, json: bool, quiet: bool) -> int:
    from trailmark.api import load, solve
    from trailmark.search.fast_downward import is_installed
    from trailmark.search.planner import PlanResult
    from trailmark.search.result import Statistics
    from trailmark.solution import Solution
    from trailmark.task import Domain, Step, Task
    from trailmark.task.status import SearchStatus

    known = Domain.load(asked.domain)
    model = None if asked.model == "none" else load(asked.model, known)
    task = Task.load(known, asked.problem)
    expected = model.expect(task) if model else None
    said = "", Statistics()

    def answer(solution: Solution) -> str:
        """What stdout gets for a plan, or for any result as JSON."""
        if json:
            return json_text(_document(solution.result, expected))
        return str(solution) if output is None and solution else ""

    def save(steps: tuple[Step, ...], cost: float) -> None:
        strategy, counts = said
        spent = asked.budget.elapsed()
        found = PlanResult(SearchStatus.SOLVED, steps, cost, counts, strategy, spent, spent, peak_megabytes())
        solution = Solution(task, found)
        if output is not None:
            solution.save(output)
        kept.keep(answer(solution))

    with ProgressLine(quiet=quiet) as line:

        def say(strategy: str, statistics: Statistics, where: str) -> None:
            nonlocal said
            said = strategy, statistics
            line.say(f"{strategy}: {where} {statistics.expanded} expanded, {asked.budget.elapsed():.1f} s")

        solution = solve(task, model, asked.options, asked.budget, say, save)
    kept.keep(answer(solution), int(solution.status.exit_code))
    if not solution and not json:
        print(f"trailmark: {solution.status.value}", file=sys.stderr)
    elif solution and not json and not quiet:
        counts, result = solution.result.statistics, solution.result
        print(
            f"{len(solution)} steps by {result.strategy} in {result.total_time_s:.2f} s, "
            f"{counts.expanded} states expanded, {counts.generated} generated",
            file=sys.stderr,
        )
        if result.strategy in EMBEDDED and result.total_time_s > SLOW_SECONDS and not is_installed():
            print(
                "trailmark: leaping did not solve it; with the extra 'fd' (pip install 'trailmark[fd]') Fast "
                "Downward takes over, which is often quicker",
                file=sys.stderr,
            )
        if expected is not None and expected.passes:
            print(f"expected {expectation_text(expected)}", file=sys.stderr)
    return int(solution.status.exit_code)


def _document(result: Any, expected: Any) -> dict[str, Any]:
    counts = result.statistics
    return {
        "status": result.status.value,
        "plan_length": None if result.steps is None else len(result.steps),
        "cost": result.cost,
        "expanded": counts.expanded,
        "generated": counts.generated,
        "evaluated": counts.evaluated,
        "search_time_s": round(result.search_time_s, 4),
        "total_time_s": round(result.total_time_s, 4),
        "peak_memory_mb": round(result.peak_memory_mb, 1),
        "strategy": result.strategy,
        "leaps": {
            "recipes": counts.recipe_leaps,
            "search": counts.search_leaps,
            "learned": counts.learned_recipes,
        },
        "landmarks": None if result.landmarks is None else asdict(result.landmarks),
        "expected": None if expected is None else asdict(expected),
    }
