"""`trailmark plan`: solve an instance with a learned landmark graph."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from trailmark.cli.common import (
    DomainArgument,
    Json,
    ProblemArgument,
    Quiet,
    Verbose,
    json_text,
    limit_text,
    print_error,
    printable,
    run_supervised,
    set_up_logging,
)
from trailmark.cli.failure import MEMORY_LIMIT, TIME_LIMIT, failure_lines, with_next_steps
from trailmark.cli.progress import Answer, KeptAnswer, ProgressLine
from trailmark.errors import ExitCode, MemoryLimitError, TimeLimitError
from trailmark.files import check_writable
from trailmark.limits import Budget

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
        bool,
        typer.Option(
            help="Leap a second time by whole passes, for a shorter plan or where stuck; improve plans of"
            " up to 120 steps by windows, for half a second at most."
        ),
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
    asked = dict(locals())
    set_up_logging(quiet, verbose)
    started = time.monotonic()
    # What makes no sense is told before any work is done.
    Budget(time_limit, memory_limit)
    if output is not None:
        check_writable(output)

    def work(kept: KeptAnswer) -> int:
        from trailmark.cli.planning import Asked, find_plan
        from trailmark.search.planner import PlannerOptions

        options = PlannerOptions(**{name: asked[name] for name in PlannerOptions.__dataclass_fields__})
        budget = Budget(_search_seconds(time_limit), memory_limit, started)
        try:
            return find_plan(Asked(model, domain, problem, options, budget, output, json, quiet, line), kept)
        except (TimeLimitError, MemoryLimitError) as reached:
            return int(reached.exit_code)
        except MemoryError:
            return int(ExitCode.MEMORY_LIMIT)

    line = ProgressLine(quiet=quiet)
    with tempfile.TemporaryFile() as file:
        kept = KeptAnswer(file)
        try:
            code = run_supervised(lambda: work(kept), time_limit, memory_limit, line)
        except (TimeLimitError, MemoryLimitError) as reached:
            code = int(reached.exit_code)
        answer = _completed(kept.latest(), code, time.monotonic() - started)
    if answer is None:
        return code
    # Said here alone: the other process may be ended when it has just said it.
    typer.echo(json_text(answer.document) if json else answer.text, nl=False)
    if answer.code != ExitCode.DONE and not json:
        print_error(limit_text(answer.document["status"], time_limit, memory_limit))
        for told in failure_lines(answer.document) if not quiet else ():
            print(f"  {printable(told)}", file=sys.stderr)
    return answer.code


_LIMITS = {int(ExitCode.TIME_LIMIT): TIME_LIMIT, int(ExitCode.MEMORY_LIMIT): MEMORY_LIMIT}

_UNKNOWN = (
    "plan_length", "cost", "expanded", "generated", "evaluated", "search_time_s", "total_time_s",
    "peak_memory_mb", "strategy", "leaps", "landmarks", "expected", "times", "failure",
)  # fmt: skip
"""What nobody can tell of a search that was ended from outside before it said anything."""


def _completed(answer: Answer | None, code: int, elapsed: float) -> Answer | None:
    """What to say; where a limit ended the search otherwise, that, and how far it had come."""
    status = _LIMITS.get(code)
    if answer is not None and answer.final:
        if status is None:
            return answer
        # A better plan was looked for until the limit.
        return answer._replace(document={**answer.document, "total_time_s": round(elapsed, 4)})
    if status is None:
        # The other process has said what went wrong.
        return None
    if answer is None:
        return Answer({"status": status, **dict.fromkeys(_UNKNOWN)}, code)
    document = {**answer.document, "status": status, "total_time_s": round(elapsed, 4)}
    *_, (strategy, seconds) = document["times"].items()
    late = elapsed - answer.document["total_time_s"]
    document["times"] = {**document["times"], strategy: round(seconds + late, 4)}
    return Answer(with_next_steps(document), code)


def _search_seconds(time_limit: float | None) -> float | None:
    return time_limit and time_limit - min(TELLING_SECONDS, TELLING_SHARE * time_limit)
