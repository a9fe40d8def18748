"""The search of `trailmark plan`, in a process of its own; what is to be said of it is kept."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from trailmark.api import LearnedModel, solve
from trailmark.cli.common import expectation_text, read_domain, read_model, read_task
from trailmark.cli.plan import failure, with_next_steps
from trailmark.cli.progress import Answer, KeptAnswer, ProgressLine, print_line
from trailmark.errors import SearchStatus
from trailmark.limits import Budget, peak_megabytes, seldom_collected
from trailmark.models.model import Expectation
from trailmark.search.fast_downward import is_installed
from trailmark.search.planner import PlannerOptions, PlanResult
from trailmark.search.result import Statistics
from trailmark.search.standing import Standing, furthest, summary
from trailmark.solution import Solution
from trailmark.task import Step, Task

_log = logging.getLogger(__name__)

EMBEDDED = ("lazy greedy", "gbfs")
"""The strategies of `auto` behind leaping where Fast Downward is not installed."""
SLOW_SECONDS = 3.0
"""A plan that takes them longer is worth a word about the extra."""
ALLOCATIONS = 200_000
"""Objects made between two looks for garbage. The task stays, and a search makes little else that refers to
itself: looking as often as Python does takes a fourth of the time."""
KEEP_SECONDS = 0.5
"""How often it is kept how far the search is, for the case that it is ended from outside."""


class Asked(NamedTuple):
    """The task to solve, and how."""

    model: str
    domain: Path
    problem: Path
    options: PlannerOptions
    budget: Budget
    output: Path | None
    json: bool
    quiet: bool
    line: ProgressLine


def find_plan(asked: Asked, kept: KeptAnswer) -> int:
    """The exit code; what stdout gets is kept."""
    with asked.line:
        asked.line.say("reading the files")
        known = read_domain(asked.domain)
        model = None if asked.model == "none" else read_model(asked.model, known, "")
        task = read_task(known, asked.problem)
        telling = _Telling(asked, task, model, kept)
        with seldom_collected(ALLOCATIONS):
            solution = solve(task, model, asked.options, asked.budget, telling.say, telling.save)
        telling.log_stage()
    result = solution.result
    _log.info("%s: %.2f s, at most %.0f MB", result.status.value, result.total_time_s, result.peak_memory_mb)
    kept.keep(telling.answer(result))
    if solution and not asked.json and not asked.quiet:
        _summarise(solution, telling.expected)
    return int(solution.status.exit_code)


@dataclass(frozen=True)
class _SoFar:
    """What a search said last."""

    strategy: str = "none"
    counts: Statistics = field(default_factory=Statistics)
    standing: Standing | None = None
    times: Mapping[str, float] = field(default_factory=dict)


class _Telling:
    """Keeps what is to be said of a search while it goes on."""

    def __init__(self, asked: Asked, task: Task, model: LearnedModel | None, kept: KeptAnswer) -> None:
        self._asked, self._task, self._model, self._kept = asked, task, model, kept
        self._said = _SoFar()
        self._begun = self._keep_at = 0.0
        self._before = self._generated = 0
        self._has_plan = False
        self._found: int | None = None
        self.expected = model.expect(task) if model else None

    def say(self, strategy: str, counts: Statistics, standing: Standing | None) -> None:
        """The progress of the planner: first the counts of all strategies before, then those of this one."""
        now, before = self._asked.budget.elapsed(), self._said
        own = 0
        if strategy != before.strategy:
            self.log_stage()
            self._begun, self._keep_at, self._before = now, 0.0, counts.generated
        else:
            own = counts.generated
        self._generated = max(self._generated, self._before + own)
        times = {**before.times, strategy: now - self._begun}
        self._said = _SoFar(strategy, counts, furthest(standing, before.standing), times)
        reached = f"{self._said.standing} " if self._said.standing is not None else ""
        self._asked.line.say(f"{strategy}: {reached}{self._generated} states")
        if not self._has_plan and now >= self._keep_at:
            self._keep_at = now + KEEP_SECONDS
            self._kept.keep(self.answer(self._so_far(SearchStatus.TIME_LIMIT), final=False))

    def log_stage(self) -> None:
        """What the strategy that is over found."""
        said, seconds = self._said, self._asked.budget.elapsed() - self._begun
        found = "no plan" if self._found is None else f"a plan of {self._found} steps"
        if self._found is None and said.standing is not None:
            found += f", {said.standing.accepted} of {said.standing.total} landmarks reached"
        if said.times:
            found += f", {self._generated} states, at most {peak_megabytes():.0f} MB so far"
            _log.info("%s: %.2f s, %s", said.strategy, seconds, found)
        self._found = None

    def save(self, steps: tuple[Step, ...], cost: float) -> None:
        """A plan, each better than the one before."""
        found = self._so_far(SearchStatus.SOLVED, steps, cost)
        if self._asked.options.anytime and self._model is not None:
            # It may be what is told in the end, where the limit comes while a better plan is looked for.
            found = replace(found, landmarks=summary(self._task, self._model.guidance, steps))
        if self._asked.output is not None:
            Solution(self._task, found).save(self._asked.output)
        self._kept.keep(self.answer(found))
        self._has_plan, self._found = True, len(steps)

    def answer(self, result: PlanResult, *, final: bool = True) -> Answer:
        document = _document(result, self.expected)
        if result.status not in (SearchStatus.SOLVED, SearchStatus.UNSOLVABLE):
            document["failure"] = failure(self._task, self._model, self._asked.options, result.standing)
        printed = self._asked.output is None and result.steps is not None
        text = str(Solution(self._task, result)) if printed else ""
        return Answer(with_next_steps(document), int(result.status.exit_code), text, final)

    def _so_far(
        self, status: SearchStatus, steps: tuple[Step, ...] | None = None, cost: float | None = None
    ) -> PlanResult:
        said, spent = self._said, self._asked.budget.elapsed()
        standing = said.standing if steps is None else None
        landmarks = standing.summary if standing is not None else None
        seconds = sum(said.times.values()), spent
        measured = said.counts, said.strategy, *seconds, peak_megabytes()
        return PlanResult(status, steps, cost, *measured, landmarks, standing, said.times)


def _summarise(solution: Solution, expected: Expectation | None) -> None:
    counts, result = solution.result.statistics, solution.result
    print_line(
        f"{len(solution)} steps by {result.strategy} in {result.total_time_s:.2f} s, "
        f"{counts.expanded} states expanded, {counts.generated} generated"
    )
    if result.strategy in EMBEDDED and result.total_time_s > SLOW_SECONDS and not is_installed():
        print_line(
            "trailmark: leaping did not solve it; with the extra 'fd' (pip install 'trailmark[fd]') Fast "
            "Downward takes over, which is often quicker"
        )
    if expected is not None and expected.passes:
        print_line(f"expected {expectation_text(expected)}")


def _document(result: PlanResult, expected: Expectation | None) -> dict[str, Any]:
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
        "times": {name: round(seconds, 4) for name, seconds in result.times.items()},
        "failure": None,
    }
