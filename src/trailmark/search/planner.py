"""The planner: strategies in turn under one budget, until one gives a plan that validates.

`auto` leaps from landmark to landmark first; where that gets stuck, a complete search takes over, so
that a solvable task is never called unsolvable. Every plan is shortened and validated by the
independent executor before it is returned.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from trailmark.errors import EngineError, InputError
from trailmark.features.incremental import bind
from trailmark.landmarks.graph import LandmarkGraph, h_max
from trailmark.landmarks.progression import Policy, Progression
from trailmark.limits import UNLIMITED, Budget, peak_megabytes
from trailmark.search.best_first import (
    BestFirstOptions,
    Key,
    astar_key,
    best_first,
    greedy_key,
    weighted_astar_key,
)
from trailmark.search.guide import LandmarkGuide
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap import LeapOptions, LeapStatistics, LeapStatus, Level, leap
from trailmark.search.result import SearchResult, Statistics
from trailmark.search.shorten import shorten
from trailmark.task import Plan, Step, Task, trajectory, validate
from trailmark.task.grounding import estimated_ground_actions
from trailmark.task.heuristics import Heuristic, prepare, prepare_admissible, prepare_preferring
from trailmark.task.status import SearchStatus

SEARCHES = ("auto", "astar", "gbfs", "leap")
HEURISTIC_NAMES = ("hadd", "hmax", "ff", "goalcount", "none")

Progress = Callable[[str, Statistics, str], None]
"""Told now and then: the strategy, its counts, and how far along the landmarks it is."""


@dataclass(frozen=True)
class PlannerOptions:
    search: str = "auto"
    heuristic: str | None = None
    """None lets the strategy choose: h_add for A* and greedy search, h_FF with preferred actions for the
    complete search of `auto`."""
    prune: bool = True
    """Clear the open list when a loop is traversed; only searches that follow landmarks do."""
    fallback: bool = True
    """Whether a complete search follows one that prunes or commits; the paper's own stops there."""
    shorten: bool = True
    """Whether needless steps are dropped from a plan."""
    anytime: bool = False
    leap_share: float = 0.6
    """The share of the time limit that `auto` gives to leaping before it falls back."""
    patience_share: float = 0.3
    least_patience_s: float = 1.0
    """`auto` gives up leaping when no leap succeeds in this share of its time, but not before."""
    relaxation_up_to: float = 2_000_000
    """With more ground actions than this the fallback counts goals instead of grounding the task."""
    weights: tuple[float, ...] = (5.0, 3.0, 2.0, 1.0)
    """The weights of A* with which `anytime` goes on."""
    leap: LeapOptions = field(default_factory=lambda: LeapOptions(retreats=8))
    whole_passes: tuple[Level, ...] = (Level.NOVELTY_ONE, Level.FOCUS)
    """With these levels leap search runs a second time, for a shorter plan or where it got stuck; none
    leaves that out."""
    second_effort: float = 2.0
    second_seconds: float = 1.0
    second_states: int = 20_000
    second_share: float = 0.5
    """For a shorter plan, the second run generates at most so many times the states of the first and so
    many more, takes at most as long as the first and so many seconds more, and no larger share of the
    time left."""

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise InputError(f"unknown search '{self.search}'", hint=f"use one of {', '.join(SEARCHES)}")
        if self.heuristic is not None and self.heuristic not in HEURISTIC_NAMES:
            known = ", ".join(HEURISTIC_NAMES)
            raise InputError(f"unknown heuristic '{self.heuristic}'", hint=f"use one of {known}")


@dataclass(frozen=True)
class LandmarkSummary:
    """How a plan goes through the landmark graph."""

    accepted: int
    """Landmarks the plan achieves, repeated ones included."""
    total: int
    """How many the loop counters promised in the initial state."""
    loops: int
    """Loop traversals."""


@dataclass(frozen=True)
class PlanResult:
    status: SearchStatus
    steps: tuple[Step, ...] | None
    cost: float | None
    statistics: Statistics
    strategy: str
    """The strategy that found the plan, or the last one tried."""
    search_time_s: float
    total_time_s: float
    peak_memory_mb: float
    landmarks: LandmarkSummary | None = None


@dataclass(frozen=True)
class _Strategy:
    name: str
    run: Callable[[Budget], SearchResult]
    complete: bool
    """Whether running dry proves that there is no plan."""
    share: float = 1.0
    improved: bool = False
    """Whether the strategy after it looks for a shorter plan."""


def plan(
    task: Task,
    graph: LandmarkGraph | None = None,
    options: PlannerOptions = PlannerOptions(),  # noqa: B008 -- frozen
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    on_plan: Callable[[tuple[Step, ...], float], None] | None = None,
) -> PlanResult:
    """Solves the task; `on_plan` is told every plan found, each better than the one before."""
    started = time.monotonic()
    statistics = Statistics()
    best: tuple[tuple[Step, ...], float, str] | None = None
    status, strategy_name = SearchStatus.NO_PLAN_FOUND, "none"
    for strategy in _strategies(task, graph, options, progress):
        if budget.expired() and best is None:
            status = SearchStatus.TIME_LIMIT
            break
        result = strategy.run(budget.part(budget.remaining() * strategy.share))
        _add(statistics, result.statistics)
        if best is None:
            strategy_name = strategy.name
        if result.steps is not None:
            steps, cost = _checked(task, result.steps, budget, options.shorten)
            if best is None or cost < best[1]:
                best = steps, cost, strategy.name
                if on_plan is not None:
                    on_plan(steps, cost)
            if not (options.anytime or strategy.improved):
                break
            continue
        if best is not None and not options.anytime:
            break
        status = result.status
        if status is SearchStatus.UNSOLVABLE:
            if strategy.complete:
                break
            status = SearchStatus.NO_PLAN_FOUND
        if status is SearchStatus.MEMORY_LIMIT or (status is SearchStatus.TIME_LIMIT and budget.expired()):
            break
    searched = time.monotonic() - started
    if best is not None:
        status, strategy_name = SearchStatus.SOLVED, best[2]
    steps_found = None if best is None else best[0]
    return PlanResult(
        status,
        steps_found,
        None if best is None else best[1],
        statistics,
        strategy_name,
        searched,
        budget.elapsed() if budget is not UNLIMITED else searched,
        peak_megabytes(),
        None if graph is None else summary(task, graph, steps_found),
    )


def summary(task: Task, graph: LandmarkGraph, steps: tuple[Step, ...] | None) -> LandmarkSummary:
    """What of the graph a plan achieves, by the progression that refuses a loop without progress."""
    states = trajectory(task, Plan(steps or ())).states if steps is not None else ()
    evaluator = bind(graph.features, task.structure)
    if not states:
        return LandmarkSummary(0, h_max(graph, evaluator.start(task.initial_interpretation).values), 0)
    evaluation = evaluator.start(states[0])
    progression = Progression(graph, Policy.STAY)
    status = progression.start(evaluation.values)
    total = h_max(graph, evaluation.values)
    for before, after in pairwise(states):
        evaluation = evaluation.after(after.atoms - before.atoms, before.atoms - after.atoms, after.values)
        status = progression.step(status, evaluation.values)
    return LandmarkSummary(status.accepted, total, sum(status.traversals))


def _strategies(
    task: Task, graph: LandmarkGraph | None, options: PlannerOptions, progress: Progress | None
) -> Iterator[_Strategy]:
    """The strategies in the order they are tried. Later ones are made only when reached."""
    if options.search in ("auto", "leap") and graph is not None:
        share = options.leap_share if options.search == "auto" else 1.0
        leaps = _Leaps(task, graph, options, progress)
        again = bool(options.whole_passes) and _has_inner_progress(graph)
        yield _Strategy("leap", leaps.first, False, share, improved=again)
        if again:
            yield _Strategy("leap by whole passes", leaps.second, False, share)
    elif options.search == "leap":
        raise InputError("leap search needs a landmark graph", hint="give a model instead of 'none'")
    if options.search in ("astar", "gbfs"):
        key: Key = astar_key if options.search == "astar" else greedy_key
        prune = options.prune and graph is not None
        name = options.search + (" with pruning" if prune else "")
        heuristic = options.heuristic or "hadd"
        yield _Strategy(name, _best_first(task, graph, heuristic, key, prune, progress, name), not prune)
        if prune and options.fallback:
            yield _Strategy(
                options.search,
                _best_first(task, graph, heuristic, key, False, progress, options.search),
                True,
            )
    elif options.search == "auto" and (options.fallback or graph is None):
        heuristic = options.heuristic or _affordable(task, options)
        if options.heuristic is None and heuristic == "ff":
            yield _Strategy("lazy greedy", _lazy(task, progress), True)
        else:
            search = _best_first(task, graph, heuristic, greedy_key, False, progress, "gbfs")
            yield _Strategy("gbfs", search, True)
    if options.anytime:
        for weight in options.weights:
            name = f"A* with weight {weight:g}"
            heuristic = options.heuristic or _affordable(task, options)
            key = weighted_astar_key(weight)
            yield _Strategy(name, _best_first(task, None, heuristic, key, False, progress, name), True)


def _affordable(task: Task, options: PlannerOptions) -> str:
    return "ff" if estimated_ground_actions(task) <= options.relaxation_up_to else "goalcount"


def _has_inner_progress(graph: LandmarkGraph) -> bool:
    return any(len(tuple(each.chain)) > 1 for node in graph.landmarks for each in node.progressors)


class _Leaps:
    """Leap search, and its second run by whole passes."""

    def __init__(
        self, task: Task, graph: LandmarkGraph, options: PlannerOptions, progress: Progress | None
    ) -> None:
        self.task = task
        self.graph = graph
        self.options = options
        self.progress = progress
        self.seconds = 0.0
        self.generated = 0
        self.solved = False

    def first(self, budget: Budget) -> SearchResult:
        started = time.monotonic()
        result = self._run("leap", self.options.leap, budget)
        self.seconds = time.monotonic() - started
        self.generated = result.statistics.generated
        self.solved = result.steps is not None
        return result

    def second(self, budget: Budget) -> SearchResult:
        options = self.options
        settings = replace(options.leap, whole_passes=options.whole_passes)
        if self.solved:
            most = int(options.second_effort * self.generated) + options.second_states
            settings = replace(settings, max_generated=most)
            budget = budget.part(
                min(self.seconds + options.second_seconds, budget.remaining() * options.second_share)
            )
        return self._run("leap by whole passes", settings, budget)

    def _run(self, name: str, settings: LeapOptions, budget: Budget) -> SearchResult:
        patience = _Patience(budget, self.options)

        def report(counts: LeapStatistics) -> None:
            patience.note(counts.leaps)
            if self.progress is not None:
                where = f"{counts.accepted} landmarks reached, {counts.loops} loops done,"
                self.progress(name, Statistics(expanded=counts.expanded), where)

        result = leap(self.task, self.graph, settings, patience, report=report)
        counts = result.statistics
        statistics = Statistics(
            expanded=counts.expanded,
            generated=counts.generated,
            evaluated=counts.generated,
            landmarks_accepted=counts.accepted,
            loops_traversed=counts.loops,
        )
        if result.status is LeapStatus.SOLVED:
            return SearchResult(SearchStatus.SOLVED, result.steps, None, statistics)
        out_of_time = result.status is LeapStatus.OUT_OF_BUDGET
        status = SearchStatus.TIME_LIMIT if out_of_time else SearchStatus.NO_PLAN_FOUND
        return SearchResult(status, statistics=statistics)


class _Patience:
    """A budget that also ends when no leap succeeds for a while: then another search should have
    the time that is left. Without a time limit patience is endless."""

    def __init__(self, budget: Budget, options: PlannerOptions) -> None:
        self.budget = budget
        self.leaps = -1
        self.since = time.monotonic()
        self.seconds = math.inf
        if budget.seconds is not None and options.search == "auto":
            self.seconds = max(options.least_patience_s, budget.seconds * options.patience_share)

    def note(self, leaps: int) -> None:
        if leaps > self.leaps:
            self.leaps, self.since = leaps, time.monotonic()

    def expired(self) -> bool:
        return self.budget.expired() or time.monotonic() - self.since > self.seconds


def _lazy(task: Task, progress: Progress | None) -> Callable[[Budget], SearchResult]:
    def report(statistics: Statistics) -> None:
        if progress is not None:
            progress("lazy greedy", statistics, "")

    return lambda budget: lazy_greedy(task, prepare_preferring(task), budget, report)


def _best_first(
    task: Task,
    graph: LandmarkGraph | None,
    heuristic: str,
    key: Key,
    prune: bool,
    progress: Progress | None,
    name: str,
) -> Callable[[Budget], SearchResult]:
    def run(budget: Budget) -> SearchResult:
        guide = LandmarkGuide(task, graph) if graph is not None else None
        # A* with h_max is asked for where plans are to be cheapest; other searches want it unscaled.
        prepared = prepare_admissible if key is astar_key else prepare
        estimate: Heuristic = prepared(task, "blind" if heuristic == "none" else heuristic)
        options = BestFirstOptions(key=key, prune=prune, reopen=key is not greedy_key)

        def report(statistics: Statistics, mark: object) -> None:
            if progress is not None:
                progress(name, statistics, "")

        if math.isinf(estimate(task.initial_state)):
            return SearchResult(SearchStatus.UNSOLVABLE, statistics=Statistics(evaluated=1))
        return best_first(task, estimate, guide, options, budget, report)

    return run


def _checked(
    task: Task, steps: tuple[Step, ...], budget: Budget, shorter_wanted: bool
) -> tuple[tuple[Step, ...], float]:
    """The plan, shortened where that is wanted and stays valid, and its cost; a plan of ours that is
    invalid is a bug."""
    shorter = shorten(task, steps, budget) if shorter_wanted else steps
    for candidate in (shorter, steps):
        verdict = validate(task, Plan(candidate))
        if verdict and verdict.cost is not None:
            return candidate, verdict.cost
    raise EngineError(f"a search returned an invalid plan: {verdict.reason}")


def _add(total: Statistics, part: Statistics) -> None:
    for name, value in vars(part).items():
        setattr(total, name, getattr(total, name) + value)
