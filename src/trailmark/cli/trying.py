"""`trailmark try`: a model beside search without it and beside LAMA-first, under equal limits."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Annotated

from typer import Argument, Option, echo

from trailmark.cli.common import (
    LIMITS,
    DomainArgument,
    Json,
    ModelArgument,
    Quiet,
    Verbose,
    print_json,
    run_kept,
    set_up_logging,
)
from trailmark.cli.progress import Answer, KeptAnswer, ProgressLine
from trailmark.errors import ExitCode, InputError
from trailmark.limits import Budget

_log = logging.getLogger(__name__)

MODEL, NONE, LAMA = "model", "none", "LAMA-first"
DEFAULT_SECONDS = 30.0
EVEN_SECONDS, EVEN_FACTOR = 0.5, 1.2
"""Times that differ by less than this, or by a smaller factor, count as equal."""


@dataclass(frozen=True)
class Run:
    """What one planner made of one problem."""

    status: str
    seconds: float
    """From reading the files on."""
    plan_length: int | None = None
    cost: float | None = None
    strategy: str | None = None

    @property
    def solved(self) -> bool:
        return self.plan_length is not None

    def __str__(self) -> str:
        if self.plan_length is None:
            return self.status
        cost = "" if self.cost in (None, self.plan_length) else f", cost {self.cost:g}"
        return f"{self.seconds:.1f} s, {self.plan_length} steps{cost}"


@dataclass(frozen=True)
class Trial:
    """One problem with all planners, the model's first."""

    problem: str
    objects: int | None
    runs: dict[str, Run]

    def __str__(self) -> str:
        return self.problem if self.objects is None else f"{self.problem} ({self.objects} objects)"

    @property
    def better(self) -> str | None:
        """The planner that solves it where the model does not, or clearly faster; the fastest one."""
        others = {name: run.seconds for name, run in self.runs.items() if self.against(name) < 0}
        return min(others, key=lambda name: others[name], default=None)

    @property
    def model_helps(self) -> bool:
        """Whether the model solves it where nothing else does, or clearly faster than all others."""
        return all(self.against(name) > 0 for name in self.runs if name != MODEL)

    def against(self, name: str) -> int:
        """1 where the model is better than this planner, -1 where it is worse, 0 where they are equal."""
        mine, other = self.runs[MODEL], self.runs[name]
        if not (mine.solved and other.solved):
            return mine.solved - other.solved
        return _clearly_less(mine.seconds, other.seconds) - _clearly_less(other.seconds, mine.seconds)


def _clearly_less(one: float, other: float) -> bool:
    return other - one > EVEN_SECONDS and other > EVEN_FACTOR * one


def command(
    model: ModelArgument,
    domain: DomainArgument,
    problems: Annotated[list[Path], Argument(help="Problems to try it on.")],
    time_limit: float = Option(DEFAULT_SECONDS, help="Seconds for each run."),
    memory_limit: float | None = Option(None, help="Megabytes for each run."),
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Plan problems with a model, without it and with LAMA-first, side by side: does the model help?

    LAMA-first runs where the extra `fd` is installed. The model and the search without it do without
    Fast Downward. Exit code 0: tried; 2: bad input.

    Example: trailmark try model.json domain.pddl small.pddl large.pddl
    """
    set_up_logging(quiet, verbose)
    Budget(time_limit, memory_limit)
    if model == "none":
        raise InputError("'none' is no model to try", hint="`trailmark learn -o` writes one")
    trials: list[Trial] = []
    line = ProgressLine(quiet=quiet)
    for number, problem in enumerate(problems, start=1):
        runs: dict[str, Run] = {}
        objects = None
        for planner in _planners():
            line.say(f"problem {number} of {len(problems)}, {problem}: {planner}")
            task = (model if planner == MODEL else planner, domain, problem)
            code, run, known = _run(task, time_limit, memory_limit, line)
            if run is None:
                return code
            _log.info("%s, %s: %.1f s, %s", problem, planner, run.seconds, run)
            runs[planner], objects = run, known if objects is None else objects
        trials.append(Trial(problem.name, objects, runs))
    summary = verdict(trials)
    if json:
        told = [{**asdict(trial), "helps": trial.model_helps, "better": trial.better} for trial in trials]
        print_json(status="done", time_limit_s=time_limit, problems=told, summary=summary)
    else:
        echo(table(trials))
        echo(summary.replace("; ", "\n"))
    return 0


def _planners() -> tuple[str, ...]:
    from trailmark.search.fast_downward import is_installed

    return (MODEL, NONE, LAMA) if is_installed() else (MODEL, NONE)


def _run(
    task: tuple[str, Path, Path], seconds: float, megabytes: float | None, line: ProgressLine
) -> tuple[int, Run | None, int | None]:
    """The exit code, what came of one run, and the task's objects; no run where an error was told."""
    started = time.monotonic()
    code, answer = run_kept(lambda kept: _work(task, kept, seconds, megabytes), seconds, megabytes, line)
    objects = answer.document.pop("objects") if answer is not None else None
    if answer is not None and answer.final:
        return code, Run(**answer.document), objects
    if code in LIMITS:
        return code, Run(LIMITS[code], round(time.monotonic() - started, 2)), objects
    return code, None, objects


def _work(task: tuple[str, Path, Path], kept: KeptAnswer, seconds: float, megabytes: float | None) -> int:
    """One run, in a process of its own; what came of it is kept."""
    from trailmark.api import load, solve
    from trailmark.search.fast_downward import fast_downward, reads
    from trailmark.search.planner import PlannerOptions
    from trailmark.task import Domain, Plan, Task, validate

    planner, domain, problem = task
    budget = Budget(seconds, megabytes)
    known = Domain.load(domain)
    read = Task.load(known, problem)
    objects = len(read.structure.objects)
    kept.keep(Answer({"objects": objects}, int(ExitCode.DONE), final=False))
    status, steps, cost, strategy = "cannot read it", None, None, planner
    if planner != LAMA:
        model = None if planner == NONE else load(planner, known)
        result = solve(read, model, PlannerOptions(complete="lazy"), budget).result
        status, steps, cost, strategy = result.status.value, result.steps, result.cost, result.strategy
    elif reads(read):
        found = fast_downward(read, budget)
        status, steps = found.status.value, found.steps
        cost = None if steps is None else validate(read, Plan(steps)).cost
    run = Run(status, round(budget.elapsed(), 2), None if steps is None else len(steps), cost, strategy)
    kept.keep(Answer({"objects": objects, **asdict(run)}, int(ExitCode.DONE)))
    return int(ExitCode.DONE)


def table(trials: Sequence[Trial]) -> str:
    """One line for each problem, one column for each planner."""
    names = list(trials[0].runs)
    rows = [["problem", "objects", *names]]
    for trial in trials:
        size = "?" if trial.objects is None else str(trial.objects)
        rows.append([trial.problem, size, *(str(trial.runs[name]) for name in names)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def verdict(trials: Sequence[Trial]) -> str:
    """Whether the model helps, where it is better and worse than which planner, and the largest problem that
    it solves."""
    helped = sum(trial.model_helps for trial in trials)
    solved = [trial for trial in trials if trial.runs[MODEL].solved]
    if helped:
        parts = [f"the model helps on {helped} of {len(trials)}"]
    else:
        worse = any(trial.better for trial in trials)
        parts = ["the model does not help" if worse else "the model is as good as the best of the others"]
    parts += [_against(name, trials) for name in trials[0].runs if name != MODEL]
    if solved:
        parts.append(f"the largest it solves is {max(solved, key=lambda trial: trial.objects or 0)}")
    else:
        parts.append("it solves none")
    return "; ".join(parts)


def _against(name: str, trials: Sequence[Trial]) -> str:
    """On how many problems the model is better and worse than one planner, and how the plans compare."""
    compared = [trial.against(name) for trial in trials]
    worse = [trial for trial, answer in zip(trials, compared, strict=True) if answer < 0]
    text = f"against {name} better on {compared.count(1)}, worse on {len(worse)}"
    text += f", first on {worse[0]}" if worse else ""
    pairs = [(trial.runs[MODEL].cost, trial.runs[name].cost) for trial in trials]
    ratios = [mine / other for mine, other in pairs if mine and other]
    return f"{text}, its plans {median(ratios):.2f} times as dear" if ratios else text
