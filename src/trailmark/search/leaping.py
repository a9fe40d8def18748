"""Leap search as strategies of the planner: a first run, a second by whole passes, and their patience."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trailmark.errors import SearchStatus, TimeLimitError
from trailmark.landmarks.functions import Guidance
from trailmark.limits import Budget
from trailmark.programs.program import Program
from trailmark.search.fast_downward import Companion
from trailmark.search.leap import LeapOptions, LeapResult, LeapStatistics, LeapStatus, Level
from trailmark.search.leap.course import Report
from trailmark.search.leap.search import LeapRun
from trailmark.search.patience import Patience, PatientRun
from trailmark.search.recipes.book import RecipeBook
from trailmark.search.result import PlannerOptions, Progress, SearchResult, Statistics, Strategy
from trailmark.search.standing import Furthest
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
OTHER_SHARE = 1.5
"""Where the first run stalls, whole passes may cost so many times as much, and `SECOND_EFFORT` more, before
it goes on. Mostly they stall too, or are done, for less."""


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
        self._by_whole_passes = False
        """Whether whole passes found the first plan."""
        self._furthest = Furthest(task, guidance)
        self._recipes = guidance.recipes if isinstance(guidance, Program) else ()
        self.has_recipes = bool(self._recipes)
        self._book = RecipeBook(self._recipes) if self._recipes else None
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
        """The nearest progress first. Where that stalls, whole passes have a turn before it goes on, as far
        as they come without a long search either."""
        self._furthest.begin()
        nearest = self._begun("leap", LEAP, budget)
        found = nearest.go_on(until_stalled=self.has_other_order)
        others = []
        if found.status is LeapStatus.STALLED:
            most = int(OTHER_SHARE * found.statistics.effort) + SECOND_EFFORT
            settings = replace(LEAP, whole_passes=WHOLE_PASSES, max_effort=most)
            whole = self._begun("leap by whole passes", settings, budget, apart=True)
            others.append(whole.go_on(until_stalled=True))
            self._by_whole_passes = others[0].solved
            if not self._by_whole_passes:
                found = nearest.go_on()
        self.came_far = nearest.done >= WORTH_ANOTHER
        result = self._result(found, *others)
        self._cut_short = result.status is SearchStatus.TIME_LIMIT
        if result.steps is not None:
            self.solved, self._length = True, len(result.steps)
        return result

    @property
    def has_other_order(self) -> bool:
        """Whether passes can be made as a whole, by the same successors."""
        return self.options.improve and self.has_inner_progress and self._generator is not None

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
        return self.solved and not self._by_whole_passes and self._length <= SECOND_STEPS

    @property
    def has_inner_progress(self) -> bool:
        """Whether a pass may come nearer to its end before it is over."""
        return any(map(self.guidance.has_inner_progress, range(len(self.guidance))))

    def _overtaken(self) -> bool:
        return self.behind is not None and not self.solved and self.behind.ready()

    def _run(self, name: str, settings: LeapOptions, budget: Budget) -> SearchResult:
        """One order of leaps from the start to its end."""
        self._furthest.begin()
        run = self._begun(name, settings, budget)
        result = self._result(run.go_on())
        self.came_far = run.done >= WORTH_ANOTHER
        return result

    def _begun(self, name: str, settings: LeapOptions, budget: Budget, *, apart: bool = False) -> PatientRun:
        """A run that has not begun yet; where it is apart, it leaves one that was interrupted as it is."""
        waited_for = self.behind is not None and not self.behind.beside and not self.solved
        # Few goals with long ways are closed seldom, and then all at once.
        waited_for = waited_for and settings is not GOAL_BY_GOAL
        endless = self.options.search != "auto" or self._last_hope
        settings = replace(settings, ground_actions=affordable_actions(budget))
        generator, book = self._generator, self._book
        if apart:
            generator = LiftedGenerator(self.task)
            book = RecipeBook(self._recipes) if self._recipes else None

        def run(report: Report) -> LeapRun:
            return LeapRun(self.task, self.guidance, settings, generator=generator, report=report, book=book)

        patience = Patience(
            budget, lambda: self._furthest.promised, self._overtaken, waited_for=waited_for, endless=endless
        )
        return PatientRun(name, run, patience, self._furthest, self.progress)

    def _result(self, *results: LeapResult) -> SearchResult:
        """What came of runs; the first one tells what a second run may do."""
        counts = results[0].statistics
        self._effort = counts.effort
        self._levels = tuple(
            level
            for level in LEAP.levels
            if level is LEAP.levels[0] or (counts.by_level[level] and level is not Level.RELAXED)
        )
        statistics = Statistics()
        for result in results:
            statistics.add(_counted(result.statistics))
        for result in results:
            if result.solved:
                return SearchResult(SearchStatus.SOLVED, result.steps, None, statistics)
        out_of_time = results[0].status is LeapStatus.OUT_OF_BUDGET
        status = SearchStatus.TIME_LIMIT if out_of_time else SearchStatus.NO_PLAN_FOUND
        return SearchResult(status, statistics=statistics, standing=self._furthest.standing)


def _counted(counts: LeapStatistics) -> Statistics:
    by_recipes = counts.by_level[Level.RECIPES] + counts.achieved
    return Statistics(
        expanded=counts.expanded,
        generated=counts.generated,
        evaluated=counts.generated,
        landmarks_accepted=counts.accepted,
        loops_traversed=counts.loops,
        recipe_leaps=by_recipes,
        search_leaps=sum(counts.by_level.values()) - by_recipes,
        learned_recipes=counts.recipes,
    )
