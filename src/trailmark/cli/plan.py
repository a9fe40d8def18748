"""`trailmark plan`: solve an instance with a learned landmark graph. Where there is no plan: why, and what to
do next, for a person and the same for `--json`. What needs the planner is in `planning`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option, echo

from trailmark.cli.common import (
    LIMITS,
    DomainArgument,
    Json,
    ProblemArgument,
    Quiet,
    Verbose,
    json_text,
    limit_text,
    print_error,
    printable,
    run_kept,
    set_up_logging,
)
from trailmark.cli.progress import Answer, KeptAnswer, ProgressLine
from trailmark.errors import ExitCode, MemoryLimitError, SearchStatus, TimeLimitError
from trailmark.files import check_writable
from trailmark.limits import Budget

if TYPE_CHECKING:
    from trailmark.api import LearnedModel
    from trailmark.search.result import PlannerOptions
    from trailmark.search.standing import Standing
    from trailmark.task import Task

TELLING_SECONDS = 0.15
TELLING_SHARE = 0.1
"""The search ends so long before the time limit, but at most this share of it: the rest is for
telling what came of it."""


def command(
    model: Annotated[
        str,
        Argument(help="A model file, a landmark graph in text, or 'none': no landmarks."),
    ],
    domain: DomainArgument,
    problem: ProblemArgument,
    output: Path | None = Option(None, "-o", "--output", help="Write the plan to this file."),
    search: str = Option("auto", help="auto, astar, gbfs or leap."),
    heuristic: str | None = Option(
        None, help="hadd, hmax, ff, goalcount or none; by default the search chooses."
    ),
    prune: bool = Option(True, help="Clear the open list when a loop is traversed."),
    prune_forgets: bool = Option(
        False, "--prune-forgets", help="Pruning also forgets the states that it drops."
    ),
    fallback: bool = Option(
        True, help="Go on with a complete search where one that prunes or commits fails."
    ),
    complete: str = Option("auto", help="The complete search behind leaping: auto, fast-downward or lazy."),
    jobs: int = Option(1, min=1, help="With 2, Fast Downward runs beside leaping instead of after it."),
    improve: bool = Option(
        True,
        help="Leap a second time by whole passes, for a shorter plan or where stuck; improve plans of"
        " up to 120 steps by windows, for a few tenths of a second at most.",
    ),
    shorten: bool = Option(True, help="Drop needless steps from the plan."),
    anytime: bool = Option(False, "--anytime", help="Go on improving the plan until the time limit."),
    time_limit: float | None = Option(None, help="Seconds, from reading the files on."),
    memory_limit: float | None = Option(None, help="Megabytes."),
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
    code, latest = run_kept(work, time_limit, memory_limit, line)
    answer = _completed(latest, code, time.monotonic() - started)
    if answer is None:
        return code
    # Said here alone: the other process may be ended when it has just said it.
    echo(json_text(answer.document) if json else answer.text, nl=False)
    if answer.code != ExitCode.DONE and not json:
        print_error(limit_text(answer.document["status"], time_limit, memory_limit))
        for told in failure_lines(answer.document) if not quiet else ():
            print(f"  {printable(told)}", file=sys.stderr)
    return answer.code


_UNKNOWN = (
    "plan_length", "cost", "expanded", "generated", "evaluated", "search_time_s", "total_time_s",
    "peak_memory_mb", "strategy", "leaps", "landmarks", "expected", "times", "failure",
)  # fmt: skip
"""What nobody can tell of a search that was ended from outside before it said anything."""


def _completed(answer: Answer | None, code: int, elapsed: float) -> Answer | None:
    """What to say; where a limit ended the search otherwise, that, and how far it had come."""
    status = LIMITS.get(code)
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


STALLED_STATES = 2_000
"""A leap that generates more states than this has stalled; with fewer it may just have begun."""
COMMITTED = ("leap", "leap again", "leap by whole passes", "leap without recipes")
"""The strategies that go from landmark to landmark."""


def failure(
    task: Task, model: LearnedModel | None, options: PlannerOptions, standing: Standing | None
) -> dict[str, Any]:
    """What can be told of a search without a plan, but for its status and times."""
    from trailmark.search.fast_downward import is_installed, reads
    from trailmark.task.writer import misread_number

    return {
        "goals": len(task.goal.positive) + len(task.goal.negative),
        "open_goals": None if standing is None else standing.open_goals,
        "landmark": None if standing is None or standing.awaited is None else standing.awaited + 1,
        "looked_for": looked_for(model, standing),
        "states": None if standing is None else standing.states,
        "level": standing.level or None if standing is not None else None,
        "with_model": model is not None,
        "complete_search": options.search == "auto" and options.fallback,
        "fast_downward": "installed" if is_installed() else "missing" if reads(task) else "cannot read it",
        "misread": misread_number(task),
        "next_steps": [],
    }


def looked_for(model: LearnedModel | None, standing: Standing | None) -> str | None:
    """The landmark or counter that a search came to a halt at, in words."""
    from trailmark.programs.program import Program

    if model is None or standing is None or standing.awaited is None:
        return None
    guidance, words = model.guidance, model.words
    if isinstance(guidance, Program):
        parts = words.counter(guidance.counters[standing.awaited])
    else:
        parts = words.landmark(guidance.landmarks[standing.awaited])
    return ", and ".join(part.phrase for part in parts if part.shown)


def with_next_steps(document: dict[str, Any]) -> dict[str, Any]:
    """The document of a search that has ended, with what to do next."""
    told = document["failure"]
    if told is None:
        return document
    return {**document, "failure": {**told, "next_steps": list(_next_steps(document))}}


def _next_steps(document: Mapping[str, Any]) -> Iterator[str]:
    told = document["failure"]
    if document["status"] == SearchStatus.MEMORY_LIMIT:
        yield "raise --memory-limit, or try --search leap, which keeps few states"
    if told.get("misread") is not None:
        number = f"{told['misread']!r}: the engine reads it inexactly, so that a plan may be overlooked"
        yield f"write numbers with at most 15 digits, not {number}"
    if not told["complete_search"]:
        yield "--search auto goes on with a complete search where this one ends"
    if not told["with_model"]:
        yield "learn a model from small problems of the domain (trailmark learn) and plan with it"
    elif document["landmarks"] is not None:
        yield from _about_model(document)
    if told["complete_search"] and told["fast_downward"] == "missing":
        yield "pip install 'trailmark[fd]': Fast Downward then takes over where leaping does not get on"


def _about_model(document: Mapping[str, Any]) -> Iterator[str]:
    told, landmarks = document["failure"], document["landmarks"]
    spent = sum(document["times"].get(strategy, 0.0) for strategy in COMMITTED)
    if told["landmark"] is None and told["open_goals"]:
        yield (
            "the model ends before the goal: learn from problems whose goals are as varied as this one's, "
            "and name this problem with --validation"
        )
        return
    # Leaping that others were tried after got stuck, or was too slow to be waited for.
    gave_up = next(reversed(document["times"]), None) not in COMMITTED
    stalled = told["states"] and (
        told["states"] > STALLED_STATES or document["status"] == SearchStatus.NO_PLAN_FOUND
    )
    if stalled or gave_up:
        yield (
            "learn from more varied problems (two and more of everything that this problem has), and name "
            "this problem, or a smaller one like it, with --validation"
        )
    if not stalled and landmarks["accepted"] and document["status"] == SearchStatus.TIME_LIMIT and spent:
        needed = spent / landmarks["accepted"] * landmarks["total"]
        yield f"raise --time-limit: at this pace all landmarks take about {needed:.0f} s of leaping"


def failure_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Why there is no plan, line by line."""
    told, landmarks = document["failure"], document["landmarks"]
    if told is None:
        return
    if landmarks is not None and told["open_goals"] is not None:
        yield (
            f"reached {landmarks['accepted']} of {landmarks['total']} landmarks; "
            f"{told['open_goals']} of {told['goals']} goals are open there"
        )
        sought = f"landmark {told['landmark']}: {told['looked_for']}" if told["landmark"] else "an open goal"
        level = f", last by {told['level']}" if told["level"] else ""
        yield f"then looked for {sought} ({told['states']} states{level})"
    if document["times"]:
        total = document["total_time_s"]
        other = max(0.0, total - sum(document["times"].values()))
        stages = {**document["times"], "other": other}
        parts = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in stages.items())
        yield f"time: {total:.2f} s, of which {parts}; memory: at most {document['peak_memory_mb']:.0f} MB"
    for step in told["next_steps"]:
        yield f"next: {step}"
