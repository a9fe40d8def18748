"""Leap search as strategies of the planner: a first run, a second by whole passes, and their patience."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from trailmark.errors import SearchStatus, TimeLimitError
from trailmark.features.incremental.evaluation import bind
from trailmark.landmarks.functions import Guidance, Status
from trailmark.limits import Budget
from trailmark.programs.program import Program
from trailmark.search.fast_downward import Companion
from trailmark.search.leap import LeapOptions, LeapStatistics, LeapStatus, Level
from trailmark.search.leap.search import leap
from trailmark.search.patience import Patience
from trailmark.search.recipes.book import RecipeBook
from trailmark.search.result import PlannerOptions, Progress, SearchResult, Statistics, Strategy
from trailmark.search.standing import Standing
from trailmark.task import Task
from trailmark.task.lifted import LiftedGenerator, supports
from trailmark.task.lifted.generator import GROUNDING_SECONDS, ground_actions

LEAP_SHARE = 0.8
SHARED_LEAP_SHARE = 0.5
"""The share of the time limit that `auto` gives to leaping before it tries something else; the second one
where Fast Downward waits for its turn, so that it has half of the time."""
SECOND_SHARE = 0.5
"""The share of the time left that the second run of leaping has at most. Where the first found no plan and
Fast Downward waits, that has its turn instead."""
GROUND_ACTIONS = 1_000_000
GROUNDING_SHARE = 0.3
"""With more ground actions than this, or than the engine can make in this share of the time left, leaps do
without relaxed plans, and the fallback counts goals instead of grounding the task."""
WORTH_ANOTHER = 0.5
"""The share of the task that must be done where leaping gets stuck, for another order to be tried before Fast
Downward has its turn."""
LEAP = LeapOptions((*LeapOptions().levels, Level.RELAXED, Level.ACHIEVING), novelty_two_limit=10_000)
GOAL_BY_GOAL = LeapOptions(levels=(Level.GOAL,))
WHOLE_PASSES = (Level.NOVELTY_ONE,)
"""The levels of the second run."""
SECOND_EFFORT = 30_000
SECOND_STEPS = 2_000
"""For a shorter plan, the second run may cost as much as the first and so much more: no clock decides which
plan is found. Plans with more steps are left as they are: all that makes them is dear."""

TELL_SECONDS = 0.1
"""How often it is told how far a run is."""


def affordable_actions(budget: Budget) -> float:
    """How many ground actions the engine may make for relaxed plans, in the time left."""
    return min(GROUND_ACTIONS, GROUNDING_SHARE * budget.remaining() / GROUNDING_SECONDS)


def affordable_heuristic(task: Task, budget: Budget) -> str:
    """The heuristic for the complete search: h_FF where the task can be grounded in time."""
    try:
        count = ground_actions(task, affordable_actions(budget), lambda: budget.check("counting actions"))
    except TimeLimitError:
        count = None
    return "ff" if count is not None else "goalcount"


class Leaps:
    """Leap search, and its second run: by whole passes, for a shorter plan; or, where recipes got stuck,
    without them."""

    def __init__(
        self,
        task: Task,
        guidance: Guidance,
        options: PlannerOptions,
        progress: Progress | None,
        behind: Companion | None = None,
    ) -> None:
        self.behind = behind
        """The search that leaping makes way for once it has ended."""
        self.task = task
        self.guidance = guidance
        self.options = options
        self.progress = progress
        self._effort = 0
        """What the last run has cost."""
        self.solved = False
        self._cut_short = False
        self.came_far = False
        """Whether the last run did so much that another order of passes may do all."""
        self._last_hope = False
        """Whether no search is left that should have the time instead."""
        self._length = 0
        """That of the first plan."""
        self._levels = LEAP.levels
        """Those that gave leaps in the last run, and the first. Relaxed plans are left out: a second run with
        them takes as long as the first, and its plan is hardly ever cheaper."""
        self._furthest: tuple[Status, int, int, Level | None] | None = None
        """Where this run came furthest: the status, the open goals, the states tried since, and the level."""
        recipes = guidance.recipes if isinstance(guidance, Program) else ()
        self.has_recipes = bool(recipes)
        self._book = RecipeBook(recipes) if recipes else None
        """Without any, none are lifted either: learning has found that they lose something, or an older model
        knows of none."""
        self._generator = LiftedGenerator(task) if supports(task) else None

    def strategies(self, budget: Budget) -> Iterator[Strategy]:
        """Goal by goal where that solved the training tasks. Else a first run, and a second one for a shorter
        plan, or where the first got stuck: by whole passes, with what is left of leaping's time where the
        first came far; and, where Fast Downward does not wait for its turn, without recipes."""
        waiting = self.behind is not None and not self.behind.beside
        share, second = 1.0, 1.0
        if self.options.search == "auto":
            share, second = SHARED_LEAP_SHARE if waiting else LEAP_SHARE, SECOND_SHARE
        again = self.options.improve and self.has_inner_progress
        if self.has_goal_by_goal:
            yield Strategy("leap goal by goal", self.goal_by_goal, False, share)
            if self.solved:
                return
        yield Strategy("leap", self.first, False, share, improved=again)
        if again and self.may_be_shorter:
            yield Strategy("leap by whole passes", self.second, False, SECOND_SHARE)
        elif not self.solved and again and self.came_far and (waiting or self.has_recipes):
            left = second if budget.seconds is None else 1 - (1 - share) * budget.seconds / budget.remaining()
            if left > 0:
                yield Strategy("leap by whole passes", self.by_whole_passes, False, left)
        if not self.solved and not waiting and (again or self.has_recipes):
            name = "leap without recipes" if self.has_recipes else "leap by whole passes"
            yield Strategy(name, self.second, False, second)

    def first(self, budget: Budget) -> SearchResult:
        result = self._run("leap", LEAP, budget)
        self._cut_short = result.status is SearchStatus.TIME_LIMIT
        if result.steps is not None:
            self.solved, self._length = True, len(result.steps)
        return result

    @property
    def has_goal_by_goal(self) -> bool:
        """Whether goals that are achieved one after the other have solved tasks of this domain."""
        guidance = self.guidance
        return isinstance(guidance, Program) and guidance.goal_by_goal and self._generator is not None

    def goal_by_goal(self, budget: Budget) -> SearchResult:
        """Each open goal achieved with what is in its way."""
        book, self._book = self._book, None
        result = self._run("leap goal by goal", GOAL_BY_GOAL, budget)
        self._book = book
        self.solved = result.steps is not None
        return result

    def second(self, budget: Budget) -> SearchResult:
        if self.has_recipes and not self.solved:
            self._book = None
            return self._run("leap without recipes", LEAP, budget)
        settings = replace(LEAP, whole_passes=WHOLE_PASSES)
        if self.solved:
            most = self._effort + SECOND_EFFORT
            # Where steps cost something, a longer plan may be a cheaper one.
            steps = self._length - 1 if self.task.model.minimize is None else None
            settings = replace(settings, levels=self._levels, max_effort=most, max_steps=steps)
        return self._run("leap by whole passes", settings, budget)

    def by_whole_passes(self, budget: Budget) -> SearchResult:
        """The other order of recipes, where the first got stuck."""
        result = self._run("leap by whole passes", replace(LEAP, whole_passes=WHOLE_PASSES), budget)
        self.solved = result.steps is not None
        return result

    def again(self, budget: Budget) -> SearchResult:
        """What made way for another search, from the start with the recipes learned so far; or, where it had
        ended by itself, the second run."""
        self.behind = None
        if not self._cut_short:
            return self.second(budget)
        self._last_hope = True
        return self._run("leap again", LEAP, budget)

    @property
    def may_be_shorter(self) -> bool:
        """Whether there is a plan, of which a second run may find a shorter one in good time."""
        return self.solved and self._length <= SECOND_STEPS

    @property
    def has_inner_progress(self) -> bool:
        """Whether a pass may come nearer to its end before it is over."""
        return any(map(self.guidance.has_inner_progress, range(len(self.guidance))))

    def _overtaken(self) -> bool:
        return self.behind is not None and not self.solved and self.behind.ready()

    @cached_property
    def _promised(self) -> int:
        """How many landmarks the loop counters promise in the initial state."""
        evaluator = bind(self.guidance.features, self.task.structure)
        return self.guidance.h_max(evaluator.start(self.task.initial_interpretation).values)

    def _run(self, name: str, settings: LeapOptions, budget: Budget) -> SearchResult:
        waited_for = self.behind is not None and not self.behind.beside and not self.solved
        # Few goals with long ways are closed seldom, and then all at once.
        waited_for = waited_for and settings is not GOAL_BY_GOAL
        endless = self.options.search != "auto" or self._last_hope
        patience = Patience(
            budget, lambda: self._promised, self._overtaken, waited_for=waited_for, endless=endless
        )
        self._furthest = None

        tell_at = 0.0

        def report(counts: LeapStatistics, last: bool = False) -> None:
            nonlocal tell_at
            patience.note(counts)
            self._note(counts)
            if self.progress is not None and (last or time.monotonic() > tell_at):
                statistics = Statistics(expanded=counts.expanded, generated=counts.generated)
                self.progress(name, statistics, self._standing)
                tell_at = time.monotonic() + TELL_SECONDS

        result = leap(
            self.task,
            self.guidance,
            replace(settings, ground_actions=affordable_actions(budget)),
            patience,
            generator=self._generator,
            report=report,
            book=self._book,
        )
        counts = result.statistics
        self._effort = counts.effort
        report(counts, last=True)
        self.came_far = patience.done >= WORTH_ANOTHER
        self._levels = tuple(
            level
            for level in LEAP.levels
            if level is LEAP.levels[0] or (counts.by_level[level] and level is not Level.RELAXED)
        )
        statistics = Statistics(
            expanded=counts.expanded,
            generated=counts.generated,
            evaluated=counts.generated,
            landmarks_accepted=counts.accepted,
            loops_traversed=counts.loops,
            recipe_leaps=counts.by_level[Level.RECIPES] + counts.achieved,
            search_leaps=sum(counts.by_level.values()) - counts.by_level[Level.RECIPES] - counts.achieved,
            learned_recipes=counts.recipes,
        )
        if result.status is LeapStatus.SOLVED:
            return SearchResult(SearchStatus.SOLVED, result.steps, None, statistics)
        out_of_time = result.status is LeapStatus.OUT_OF_BUDGET
        status = SearchStatus.TIME_LIMIT if out_of_time else SearchStatus.NO_PLAN_FOUND
        return SearchResult(status, statistics=statistics, standing=self._standing)

    def _note(self, counts: LeapStatistics) -> None:
        """Keeps where this run came furthest, and what it has tried there since."""
        status, known = counts.status, self._furthest
        if status is not None and (known is None or status.accepted >= known[0].accepted):
            since = counts.generated - counts.before_leap
            self._furthest = status, counts.open_goals, since, counts.level

    @property
    def _standing(self) -> Standing | None:
        if self._furthest is None:
            return None
        status, open_goals, since, level = self._furthest
        return Standing(
            status.accepted,
            self._promised,
            sum(status.traversals),
            self.guidance.awaited(status),
            open_goals,
            since,
            level.value if level else "",
        )
