"""The planner: strategies in turn under one budget, until one gives a plan that validates.

`auto` leaps from landmark to landmark first; where that gets stuck, a complete search takes over, so
that a solvable task is never called unsolvable. Every plan is shortened and validated by the
independent executor before it is returned.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from trailmark.errors import EngineError, InputError, SearchStatus
from trailmark.landmarks.functions import Guidance
from trailmark.limits import UNLIMITED, Budget, peak_megabytes
from trailmark.programs.program import Program
from trailmark.search.best_first import (
    BestFirstOptions,
    Key,
    Pruning,
    astar_key,
    best_first,
    greedy_key,
    weighted_astar_key,
)
from trailmark.search.fast_downward import LAMA, companion, fast_downward
from trailmark.search.guide import LandmarkGuide, goals_and_passes
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leaping import LEAP_SHARE, Leaps, affordable_heuristic
from trailmark.search.result import PlannerOptions as PlannerOptions
from trailmark.search.result import Progress, SearchResult, Statistics, Strategy
from trailmark.search.shorten import shorten
from trailmark.search.standing import LandmarkSummary, Standing, furthest, summary
from trailmark.search.windows import cheaper_plans
from trailmark.task import Plan, Step, Task, validate
from trailmark.task.lifted import supports
from trailmark.task.states import Heuristic, prepare, prepare_admissible, prepare_preferring
from trailmark.task.writer import misread_number


@dataclass(frozen=True)
class PlanResult:
    status: SearchStatus
    steps: tuple[Step, ...] | None
    cost: float | None
    statistics: Statistics
    strategy: str
    """The strategy that found the plan, or the last one tried."""
    search_time_s: float
    """What the searches took, without reading before them and shortening and validating after them."""
    total_time_s: float
    peak_memory_mb: float
    landmarks: LandmarkSummary | None = None
    standing: Standing | None = None
    """Where a search along the landmarks came furthest, of those that found no plan."""
    times: Mapping[str, float] = field(default_factory=dict)
    """Seconds by strategy, in the order they were tried."""


WINDOWS = "windows"
"""What `anytime` ends with."""
LAMA_SHARE = 0.4
"""The share of the time left that LAMA has."""
WEIGHTS = (5.0, 3.0, 2.0, 1.0)
"""The weights of A* with which `anytime` goes on where a task is beyond windows."""

POLISH_EFFORT = 4_000
POLISH_STEPS = range(15, 121)
"""Plans of so many steps are improved by windows in any case, for so much effort: small enough that nobody
waits for it, and large enough to have detours."""

Found = tuple[tuple[Step, ...], float, str]
"""A plan, its cost, and the strategy that found it."""


def plan(
    task: Task,
    guidance: Guidance | None = None,
    options: PlannerOptions = PlannerOptions(),  # noqa: B008 -- frozen
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    on_plan: Callable[[tuple[Step, ...], float], None] | None = None,
) -> PlanResult:
    """Solves the task; `on_plan` is told every plan found, each better than the one before."""
    started = time.monotonic()
    statistics = Statistics()
    times: dict[str, float] = {}
    standing: Standing | None = None
    best: Found | None = None
    status, strategy_name = SearchStatus.NO_PLAN_FOUND, "none"
    strategies = _strategies(task, guidance, options, budget, progress)
    for strategy in strategies:
        if best is not None and strategy.only_first:
            continue
        if budget.expired() and best is None:
            status = SearchStatus.TIME_LIMIT
            break
        if progress is not None:
            progress(strategy.name, statistics, standing)
        begun = time.monotonic()
        result = strategy.run(budget.part(budget.remaining() * strategy.share))
        times[strategy.name] = time.monotonic() - begun
        standing = furthest(standing, result.standing)
        statistics.add(result.statistics)
        if best is None:
            strategy_name = strategy.name
        found = None if result.steps is None else _checked(task, result.steps, budget, options.shorten)
        if found is not None:
            steps, cost = found
            if best is None or cost < best[1]:
                best = steps, cost, strategy.name
                if on_plan is not None:
                    on_plan(steps, cost)
            if not (options.anytime or strategy.improved):
                break
            continue
        if best is not None and not options.anytime:
            break
        status = result.status if result.steps is None else SearchStatus.NO_PLAN_FOUND
        if status is SearchStatus.UNSOLVABLE:
            if strategy.complete and misread_number(task) is None:
                break
            status = SearchStatus.NO_PLAN_FOUND
        if status is SearchStatus.MEMORY_LIMIT or (status is SearchStatus.TIME_LIMIT and budget.expired()):
            break
    strategies.close()
    polished = best is not None and guidance is not None and _is_polished(best, options)
    if best is not None and (options.anytime or polished):
        begun = time.monotonic()
        effort = math.inf if options.anytime else POLISH_EFFORT
        for steps, cost in _by_windows(task, best, budget, progress, effort):
            best = steps, cost, WINDOWS if options.anytime else best[2]
            if on_plan is not None:
                on_plan(steps, cost)
        times[WINDOWS] = time.monotonic() - begun
    if best is not None:
        status, strategy_name = SearchStatus.SOLVED, best[2]
    steps_found = None if best is None else best[0]
    return PlanResult(
        status,
        steps_found,
        None if best is None else best[1],
        statistics,
        strategy_name,
        sum(times.values()),
        budget.elapsed() if budget is not UNLIMITED else time.monotonic() - started,
        peak_megabytes(),
        None if guidance is None else summary(task, guidance, steps_found, standing),
        standing,
        times,
    )


def _strategies(
    task: Task,
    guidance: Guidance | None,
    options: PlannerOptions,
    budget: Budget,
    progress: Progress | None,
) -> Generator[Strategy]:
    """The strategies in the order they are tried. Later ones are made only when reached."""
    if options.search == "leap" and guidance is None:
        raise InputError("leap search needs a landmark graph", hint="give a model instead of 'none'")
    with companion(task, guidance, options, budget) or nullcontext() as behind:
        leaps = None
        if options.search in ("auto", "leap") and guidance is not None:
            leaps = Leaps(task, guidance, options, progress, behind)
            yield from leaps.strategies(budget)
            if leaps.solved and not options.anytime:
                return
        if behind is not None:
            yield Strategy("fast downward", behind.search, True, only_first=True)
            if leaps is not None and behind.leads_back:
                yield Strategy("leap again", leaps.again, False, LEAP_SHARE, only_first=True)
            if options.anytime:
                yield Strategy("lama", lambda share: fast_downward(task, share, LAMA), False, LAMA_SHARE)
    if options.search in ("astar", "gbfs"):
        key: Key = astar_key if options.search == "astar" else greedy_key
        prune = options.prune and guidance is not None
        name = options.search + (" with pruning" if prune else "")
        heuristic = options.heuristic or "hadd"
        way = Pruning.FORGET if options.prune_forgets else Pruning.CLEAR
        pruning = BestFirstOptions(key=key, prune=way if prune else Pruning.NONE)
        yield Strategy(name, _best_first(task, guidance, heuristic, pruning, progress, name), not prune)
        if prune and options.fallback:
            yield Strategy(
                options.search,
                _best_first(task, guidance, heuristic, BestFirstOptions(key=key), progress, options.search),
                True,
            )
    elif options.search == "auto" and (options.fallback or guidance is None):
        heuristic = options.heuristic or affordable_heuristic(task, budget)
        if options.heuristic is None and heuristic == "ff":
            yield Strategy("lazy greedy", _lazy(task, guidance, progress), True, only_first=True)
        else:
            search = _best_first(task, guidance, heuristic, BestFirstOptions(greedy_key), progress, "gbfs")
            yield Strategy("gbfs", search, True, only_first=True)
    if options.anytime and not supports(task):
        for weight in WEIGHTS:
            name = f"A* with weight {weight:g}"
            heuristic = options.heuristic or affordable_heuristic(task, budget)
            weighted = BestFirstOptions(key=weighted_astar_key(weight))
            yield Strategy(name, _best_first(task, None, heuristic, weighted, progress, name), True)


def _lazy(
    task: Task, guidance: Guidance | None, progress: Progress | None
) -> Callable[[Budget], SearchResult]:
    def report(statistics: Statistics) -> None:
        if progress is not None:
            progress("lazy greedy", statistics, None)

    def run(budget: Budget) -> SearchResult:
        counts = [prepare(task, "goalcount")]
        if isinstance(guidance, Program):
            counts.append(goals_and_passes(task, guidance))
        return lazy_greedy(task, prepare_preferring(task), budget, report, counts=counts)

    return run


def _best_first(
    task: Task,
    guidance: Guidance | None,
    heuristic: str,
    options: BestFirstOptions,
    progress: Progress | None,
    name: str,
) -> Callable[[Budget], SearchResult]:
    def run(budget: Budget) -> SearchResult:
        guide = LandmarkGuide(task, guidance) if guidance is not None else None
        # A* with h_max is asked for where plans are to be cheapest; other searches want it unscaled.
        prepared = prepare_admissible if options.key is astar_key else prepare
        estimate: Heuristic = prepared(task, "blind" if heuristic == "none" else heuristic)

        def report(statistics: Statistics, standing: Standing | None) -> None:
            if progress is not None:
                progress(name, statistics, standing)

        if math.isinf(estimate(task.initial_state)):
            return SearchResult(SearchStatus.UNSOLVABLE, statistics=Statistics(evaluated=1))
        return best_first(task, estimate, guide, options, budget, report)

    return run


def _is_polished(best: Found, options: PlannerOptions) -> bool:
    leaped = options.search in ("auto", "leap") and options.improve and options.shorten
    return leaped and len(best[0]) in POLISH_STEPS


def _by_windows(
    task: Task, best: Found, budget: Budget, progress: Progress | None, effort: float
) -> Iterator[tuple[tuple[Step, ...], float]]:
    """Cheaper plans than the one there is, each validated, for so much effort."""
    cost = best[1]

    def report(windows: int) -> None:
        if progress is not None:
            progress(WINDOWS, Statistics(expanded=windows), None)

    for steps in cheaper_plans(task, best[0], budget, report, effort):
        verdict = validate(task, Plan(steps))
        if verdict and verdict.cost is not None and verdict.cost < cost:
            cost = verdict.cost
            yield steps, cost


def _checked(
    task: Task, steps: tuple[Step, ...], budget: Budget, shorter_wanted: bool
) -> tuple[tuple[Step, ...], float] | None:
    """The plan, shortened where that is wanted and stays valid, and its cost; None where the engine misread a
    number and it is invalid. Otherwise a plan of ours that is invalid is a bug."""
    shorter = shorten(task, steps, budget) if shorter_wanted else steps
    for candidate in (shorter, steps):
        verdict = validate(task, Plan(candidate))
        if verdict and verdict.cost is not None:
            return candidate, verdict.cost
    if misread_number(task) is not None:
        return None
    raise EngineError(f"a search returned an invalid plan: {verdict.reason}")
