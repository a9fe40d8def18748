"""Where training plans come from: files, the embedded search, Fast Downward, Unified Planning.

A plan source is a frozen description that can be sent to another process; it gives a plan for a task, or
the reason there is none.
"""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from trailmark.errors import InputError, MissingExtraError, SearchStatus, TrailmarkError
from trailmark.executors import ATTEMPTS, results, width
from trailmark.limits import Budget
from trailmark.search.best_first import BestFirstOptions, astar_key, best_first, weighted_astar_key
from trailmark.search.fast_downward import LAMA_FIRST, fast_downward, is_installed, reads
from trailmark.search.lazy import lazy_greedy
from trailmark.search.shorten import shorten
from trailmark.task import Plan, Step, Task, read_plan, validate
from trailmark.task.states import Heuristic, in_costs, prepare, prepare_preferring

_log = logging.getLogger(__name__)

DEFAULT_SECONDS = 30.0
"""The time limit for the plans of all training instances."""

LEAST_SECONDS = 0.1
"""Every plan is sought for so long, also where the time is up."""

PLAN_SUFFIXES = (".plan", ".soln", ".pddl.plan", ".pddl.soln")
"""What may follow a problem's name, less `.pddl`, in the name of its plan file."""


@dataclass(frozen=True)
class SourcedPlan:
    """A training plan, or why there is none."""

    problem: str
    plan: Plan | None
    seconds: float
    reason: str = ""


class PlanSource(Protocol):
    """Gives a plan for a task within some seconds. `task.source` and `task.domain.source` are its files."""

    def solve(self, task: Task, seconds: float) -> Plan:
        """A plan; raises a `TrailmarkError` where there is none."""


@dataclass(frozen=True)
class PlanFile:
    """A plan that lies in a file: the one given, or that beside the problem."""

    path: str | None = None

    def solve(self, task: Task, seconds: float) -> Plan:
        return read_plan(self.of(task.source))

    def of(self, problem: str) -> str:
        """The file of a problem's plan: beside it, the one that belongs to it by its name."""
        if self.path:
            return self.path
        stem = problem.removesuffix(".pddl")
        for suffix in PLAN_SUFFIXES:
            if Path(stem + suffix).is_file():
                return stem + suffix
        raise InputError(f"there is no plan file beside {problem}", hint=f"expected {stem}.plan")


@dataclass(frozen=True)
class EmbeddedSearch:
    """Our own searches, in an order that gives every run the same plan.

    First A* and, where that takes too many states or more than its share of the time, a greedy
    search, whose plan is shortened. A seed gives plans that differ, by noise in the estimates of a
    weighted A* alone.
    """

    heuristic: str = "hadd"
    seed: int | None = None
    noise: float = 4.0
    """The largest amount by which a seeded search disturbs an estimate."""
    lama: bool = False
    """Whether the greedy search after A* is LAMA-first of Fast Downward, and not our own lazy one."""
    astar_states: int = 30_000
    astar_share: float = 1 / 3
    """How many states A* may reach without a seed, and which share of the time it has. The states end it long
    before the time does, unless a state takes longer than a millisecond: a plan should not depend on
    how busy the machine is."""

    def solve(self, task: Task, seconds: float) -> Plan:
        budget = Budget(seconds)
        estimate = in_costs(task, prepare(task, self.heuristic))
        if self.seed is not None:
            estimate = disturbed(estimate, self.noise, self.seed)
            options = BestFirstOptions(key=weighted_astar_key(SEEDED_WEIGHT), ordered=True)
            result = best_first(task, estimate, None, options, budget)
        else:
            options = BestFirstOptions(key=astar_key, ordered=True, max_states=self.astar_states)
            result = best_first(task, estimate, None, options, budget.part(seconds * self.astar_share))
        if self.seed is None and result.steps is None and result.status is not SearchStatus.UNSOLVABLE:
            if self.lama and reads(task):
                result = fast_downward(task, budget)
            else:
                result = lazy_greedy(task, prepare_preferring(task), budget)
            if result.steps is not None:
                return Plan(shorten(task, result.steps, budget))
        if result.steps is None:
            late = f" of {seconds:.1f} s" if result.status is SearchStatus.TIME_LIMIT else ""
            raise InputError(f"the embedded search found no plan: {result.status.value}{late}")
        return Plan(result.steps)


SEEDED_WEIGHT = 2.0
"""The weight of the estimate in a seeded search: what is found may differ, and is found quickly."""


def disturbed(estimate: Heuristic, most: float, seed: int) -> Heuristic:
    """An estimate with a random number up to the largest amount added each time."""
    draw = Random(seed).random
    return lambda state: estimate(state) + draw() * most


@dataclass(frozen=True)
class FastDownward:
    """Fast Downward from the `fd` extra, by an alias of its driver or a search like `astar(lmcut())`."""

    search: str = LAMA_FIRST

    def solve(self, task: Task, seconds: float) -> Plan:
        result = fast_downward(task, Budget(seconds), self.search)
        if result.steps is None:
            named = "" if self.search == LAMA_FIRST else f" by '{self.search}'"
            raise InputError(f"Fast Downward found no plan{named}: {result.status.value}")
        return Plan(result.steps)


@dataclass(frozen=True)
class UnifiedPlanning:
    """Any one-shot planner that Unified Planning (the `up` extra) knows by name."""

    engine: str = "fast-downward"

    def solve(self, task: Task, seconds: float) -> Plan:
        if importlib.util.find_spec("unified_planning") is None:
            raise MissingExtraError(
                "Unified Planning is not installed", hint="install it with: pip install 'trailmark[up]'"
            )
        import unified_planning.shortcuts as up
        from unified_planning.io import PDDLReader

        up.get_environment().credits_stream = None
        parsed = PDDLReader().parse_problem(task.domain.source, task.source)
        with up.OneshotPlanner(name=self.engine) as planner:
            result = planner.solve(parsed, timeout=seconds)
        if result.plan is None:
            raise InputError(f"{self.engine} found no plan: {result.status.name.lower()}")
        steps = [
            Step(step.action.name.lower(), tuple(str(value).lower() for value in step.actual_parameters))
            for step in result.plan.actions
        ]
        return Plan(tuple(steps))


def sources_named(name: str, count: int, plans: Sequence[str] = ()) -> list[PlanSource]:
    """The plan sources of so many problems, for the command line's `--plans-from`.

    A problem may be named several times, with a plan file each time.
    """
    if name == "files":
        if plans and len(plans) != count:
            raise InputError(
                f"{count} problems but {len(plans)} plans", hint="give one --plan for each problem"
            )
        return [PlanFile(path) for path in plans] or [PlanFile()] * count
    if plans:
        raise InputError(
            f"plan files are given, but plans are to come from '{name}'", hint="drop one of both"
        )
    source: PlanSource
    if name in ("auto", "embedded"):
        source = EmbeddedSearch(lama=name == "auto" and is_installed())
    elif name == "fast-downward":
        source = FastDownward()
    elif name.startswith("fast-downward:"):
        source = FastDownward(name.removeprefix("fast-downward:"))
    elif name.startswith("up:"):
        source = UnifiedPlanning(name.removeprefix("up:"))
    else:
        raise InputError(
            f"unknown plan source '{name}'",
            hint="use auto, embedded, fast-downward, fast-downward:SEARCH, files or up:ENGINE",
        )
    return [source] * count


def collect_plans(
    source: PlanSource | Sequence[PlanSource],
    tasks: Sequence[Task],
    *,
    seconds: float = DEFAULT_SECONDS,
    executor: Executor | None = None,
    progress: Callable[[SourcedPlan], None] | None = None,
) -> list[SourcedPlan]:
    """A plan for every task, in their order, sought by an executor or here.

    The source is one for all tasks, or one for each. The tasks share the seconds: what one leaves, those
    after it have. A process that is killed costs at most its own plan.
    """
    sources = source if isinstance(source, Sequence) else [source] * len(tasks)
    # Plan files lie on this machine and take no time.
    place = None if all(isinstance(origin, PlanFile) for origin in sources) else executor
    budget, found = Budget(seconds), list[SourcedPlan]()
    requests = [
        PlanRequest(origin, task, budget, min(1.0, width(place) / (len(tasks) - turn)))
        for turn, (origin, task) in enumerate(zip(sources, tasks, strict=True))
    ]
    for outcome in results(place, _solve, requests, _lost):
        found.append(outcome)
        ending = outcome.reason if outcome.plan is None else f"{len(outcome.plan)} steps"
        _log.info("plan for %s: %.1f s, %s", outcome.problem, outcome.seconds, ending)
        if progress is not None:
            progress(outcome)
    return found


class PlanRequest(NamedTuple):
    source: PlanSource
    task: Task
    budget: Budget
    """For the plans of all tasks."""
    share: float
    """Of what is left of it when this plan's turn comes."""


def _lost(request: PlanRequest) -> SourcedPlan:
    reason = f"the process that sought its plan was killed {ATTEMPTS} times"
    return SourcedPlan(request.task.source, None, 0.0, reason)


def _solve(request: PlanRequest) -> SourcedPlan:
    task, started = request.task, time.monotonic()
    seconds = max(request.budget.remaining() * request.share, LEAST_SECONDS)
    try:
        plan = request.source.solve(task, seconds)
        verdict = validate(task, plan)
        if verdict:
            return SourcedPlan(task.source, plan, time.monotonic() - started)
        reason = verdict.reason
    except MissingExtraError:
        raise
    except TrailmarkError as problem:
        reason = str(problem)
    return SourcedPlan(task.source, None, time.monotonic() - started, reason)
