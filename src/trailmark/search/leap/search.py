"""Leap search: reach the next landmark, commit to it, and go on until the goal holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from trailmark.landmarks.functions import Guidance
from trailmark.limits import UNLIMITED
from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.breadth_first import Pairs, breadth_first
from trailmark.search.leap.course import Course, OutOfBudget, Report
from trailmark.search.leap.engine_explorer import EngineExplorer
from trailmark.search.leap.novelty import novelty_one
from trailmark.search.leap.options import LeapOptions, LeapResult, LeapStatus, Level, Limits
from trailmark.search.leap.relaxed import SubgoalLevel
from trailmark.search.recipes.achieve import Achiever
from trailmark.search.recipes.book import RecipeBook
from trailmark.search.recipes.execution import Way
from trailmark.search.recipes.goals import GoalByGoal
from trailmark.search.recipes.leaps import RecipeLeaps
from trailmark.search.recipes.world import World
from trailmark.task import Step, Task
from trailmark.task.lifted import LiftedGenerator, supports

WHOLE_SHARE = 1.0
WHOLE_FREE = 5_000
"""Whole passes are looked for while the states generated in vain for them are at most this share of all
others and so many more."""


def leap(
    task: Task,
    guidance: Guidance,
    options: LeapOptions | None = None,
    budget: Limits = UNLIMITED,
    *,
    generator: LiftedGenerator | None = None,
    report: Report | None = None,
    book: RecipeBook | None = None,
) -> LeapResult:
    """A plan by commitments to one landmark after the other, or how far that led; the arguments are those of
    `LeapRun`."""
    return LeapRun(task, guidance, options, generator=generator, report=report, book=book).run(budget)


class LeapRun:
    """A leap search that may be interrupted where it stalls, and gone on with.

    `generator` may be one of the task's from an earlier search, to save making it; this one has it for
    itself. `report` is told the statistics now and then. `book` holds recipes that make leaps without search;
    it grows by what the search finds.
    """

    def __init__(
        self,
        task: Task,
        guidance: Guidance,
        options: LeapOptions | None = None,
        *,
        generator: LiftedGenerator | None = None,
        report: Report | None = None,
        book: RecipeBook | None = None,
    ) -> None:
        self._course = Course(guidance, options or LeapOptions(), report)
        self._explorer: Explorer
        if generator is not None or supports(task):
            self._explorer = LiftedExplorer(generator or LiftedGenerator(task), self._course, book)
        else:
            self._explorer = EngineExplorer(task, self._course)
        self._levels = _Levels(self._explorer, self._course)
        self._steps: list[Step] = []

    def run(self, budget: Limits = UNLIMITED, *, until_stalled: bool = False) -> LeapResult:
        """Leaps until the goal holds or the search ends without it; or, where that is asked for, until the
        first level finds nothing."""
        self._course.budget = budget
        try:
            status, reason = _run(self._explorer, self._levels, self._steps, until_stalled)
        except OutOfBudget:
            status, reason = LeapStatus.OUT_OF_BUDGET, "the budget is used up"
        return LeapResult(status, tuple(self._steps), self._course.statistics, reason)


class Explorer(Protocol):
    """Searches around the state of the last commit."""

    @property
    def solved(self) -> bool:
        """Whether the goal holds in that state."""

    @property
    def open_goals(self) -> int:
        """How many literals of the goal do not hold in it."""

    def explore(self, level: Level) -> tuple[list[Step] | None, bool]:
        """The way to a state that ends the leap, to which it commits; without one, whether there is no
        relaxed plan from here on."""

    def look_for_whole_pass(self, whole: bool) -> None:
        """Whether from now on only the end of a pass ends a leap."""

    def lift_guards(self) -> bool:
        """Let guards forbid nothing until the next commit; whether they did forbid something."""

    def take_back(self) -> int:
        """Go back to where the pass began; how many steps are undone. From now on recipes make passes as a
        whole."""


class LiftedExplorer:
    """Explores with the lifted generator."""

    def __init__(self, generator: LiftedGenerator, course: Course, book: RecipeBook | None = None) -> None:
        if book is None and course.options.levels != (Level.GOAL,):
            _ = generator.joins  # every leap needs them
        self._base = Base(generator, course)
        self._recipes: RecipeLeaps | None = None
        if book is not None:
            self._recipes = RecipeLeaps(self._base, book, whole_first=bool(course.options.whole_passes))
        self._goals: GoalByGoal | None = None
        self._achiever: Achiever | None = None
        self._relaxed = SubgoalLevel(generator.task)

    @property
    def solved(self) -> bool:
        return self._base.open_goals == 0

    @property
    def open_goals(self) -> int:
        return self._base.open_goals

    def explore(self, level: Level) -> tuple[list[Step] | None, bool]:
        base = self._base
        node, exhausted = self._search(level)
        if node is None:
            return None, exhausted
        if isinstance(node, Way):
            base.statistics.achieved += level is not Level.RECIPES
        elif self._recipes is not None:
            base.statistics.recipes += self._recipes.learn(node.actions())
        base.commit(node)
        return [base.generator.step(action) for action in node.actions()], False

    def _search(self, level: Level) -> tuple[Node | None, bool]:
        base, exhausted = self._base, False
        node: Node | None
        if level is Level.RECIPES:
            node = self._recipes.leap() if self._recipes is not None else None
        elif level is Level.NOVELTY_ONE:
            node = novelty_one(base) if self._recipes is None else self._recipes.achieving(novelty_one)
        elif level is Level.NOVELTY_TWO:
            node = breadth_first(base, Pairs(), base.course)
        elif level is Level.ACHIEVING:
            self._achiever = self._achiever or Achiever(World(base))
            node = self._achiever.close_goal()
        elif level is Level.GOAL:
            self._goals = self._goals or GoalByGoal(World(base))
            node = self._goals.next()
        else:
            node, exhausted = self._relaxed.search(base)
        return node, exhausted

    def look_for_whole_pass(self, whole: bool) -> None:
        self._base.look_for_whole_pass(whole)

    def lift_guards(self) -> bool:
        watching = self._base.guards.watching
        self._base.guards.lift()
        return watching

    def take_back(self) -> int:
        self._relaxed.patient = True
        if self._recipes is not None:
            self._recipes.keep_to_whole_passes()
        return self._base.take_back()


def _run(
    explorer: Explorer, levels: _Levels, steps: list[Step], until_stalled: bool
) -> tuple[LeapStatus, str]:
    """Leap until the goal holds; `steps` grows with every commit. A leap that guards left without a way is
    tried once more without them: a guard is learned and may be wrong. Where what was done inside a pass led
    nowhere, it is taken back, and from then on passes are made as a whole."""
    course = levels.course
    while not explorer.solved:
        course.begin_leap(explorer.open_goals)
        way, exhausted = levels.leap(first_alone=until_stalled)
        if way is None and until_stalled:
            return LeapStatus.STALLED, "the first level found nothing"
        if way is None and not exhausted and explorer.lift_guards():
            way, exhausted = levels.leap()
        if way is None and levels.may_take_back:
            undone = explorer.take_back()
            del steps[len(steps) - undone :]
            levels.whole_only = True
            if undone:
                continue
        if way is None:
            if exhausted and not steps:
                return LeapStatus.EXHAUSTED, "no goal state can be reached"
            if course.awaited is None:
                return LeapStatus.STUCK, "past the last landmark no open goal is in reach"
            return LeapStatus.STUCK, f"landmark {course.status.next + 1} is out of reach"
        steps += way
        if course.options.max_steps is not None and len(steps) > course.options.max_steps:
            raise OutOfBudget
        course.statistics.leaps += 1
    return LeapStatus.SOLVED, ""


class _Levels:
    """Tries one level after the other."""

    def __init__(self, explorer: Explorer, course: Course) -> None:
        self._explorer = explorer
        self.course = course
        self._levels = list(course.options.levels)
        self._in_vain = 0
        """States generated for whole passes that were not found."""
        self.whole_only = False
        """Whether no progress inside a pass ends a leap any more."""

    @property
    def may_take_back(self) -> bool:
        """Whether there is a level that makes whole passes, and what was done may have been in its way."""
        return Level.RELAXED in self._levels and not self.whole_only

    def leap(self, *, first_alone: bool = False) -> tuple[list[Step] | None, bool]:
        """The steps to the state committed to, by all levels or the first alone; and else whether there is no
        plan from here on."""
        way, _ = self._explorer.explore(Level.RECIPES)
        if way is not None:
            self.course.statistics.by_level[Level.RECIPES] += 1
            self.course.look_at_clock(True)
            return way, False
        way = self._whole_pass()
        if way is not None:
            return way, False
        return self._level_by_level(self._levels[:1] if first_alone else self._levels)

    def _whole_pass(self) -> list[Step] | None:
        """The steps to the end of a pass, where looking for it has not cost too much so far."""
        options, statistics = self.course.options, self.course.statistics
        before = statistics.generated
        affordable = WHOLE_SHARE * (before - self._in_vain) + WHOLE_FREE
        if (
            self.whole_only
            or not options.whole_passes
            or self._in_vain > affordable
            or not self.course.has_inner_progress
        ):
            return None
        self._explorer.look_for_whole_pass(True)
        for level in options.whole_passes:
            way, _ = self._explorer.explore(level)
            if way is not None:
                statistics.by_level[level] += 1
                break
        else:
            self._in_vain += statistics.generated - before
        self._explorer.look_for_whole_pass(False)
        return way

    def _level_by_level(self, levels: Sequence[Level]) -> tuple[list[Step] | None, bool]:
        statistics = self.course.statistics
        whole = self.whole_only and self.course.has_inner_progress
        for level in (Level.RELAXED,) if whole else tuple(levels):
            statistics.level = level
            way, exhausted = self._explorer.explore(level)
            if exhausted:
                return None, True
            if way is not None:
                statistics.by_level[level] += 1
                if level is Level.RELAXED:
                    self._prefer(level)
                return way, False
        return None, False

    def _prefer(self, level: Level) -> None:
        """Now that the task is grounded, relaxed plans cost less than all but novelty 1."""
        if self._levels.index(level) > 1:
            self._levels.remove(level)
            self._levels.insert(1, level)
