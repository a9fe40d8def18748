"""Learning recipes: leaps of training plans and of trials, lifted.

Trials are the training tasks, starts on random walks of them and larger tasks put together from them.
Every leap that needs a search there gives a recipe, so that tasks like these need none. Limits count states
and walks, never seconds: the same input and seed give the same recipes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.landmarks.functions import Guidance
from trailmark.limits import UNLIMITED, Budget
from trailmark.programs.recipe import MOST_RECIPES, Recipe
from trailmark.search.leap import LeapOptions, Level
from trailmark.search.leap.base import Base
from trailmark.search.leap.course import Course
from trailmark.search.leap.search import leap
from trailmark.search.recipes.book import RecipeBook
from trailmark.search.recipes.bound import Actions
from trailmark.search.recipes.goals import ways_may_be_blocked
from trailmark.search.recipes.leaps import RecipeLeaps
from trailmark.search.recipes.lift import repeated_moves
from trailmark.task import Step, Task
from trailmark.task.lifted import LiftedGenerator, supports

MOST_WALKS = 100
QUIET_WALKS = 20
"""Walks end when so many in a row needed no search."""
LONGEST_WALK = 80
TRIAL_STATES = 10_000
"""States that all searches of one trial may generate."""
MOST_STATES = 60_000
"""The same for all trials: where so many are needed, recipes do not carry what is left."""
PAIR_STATES = 5_000
"""Of these, how many novelty 2 may generate in one leap."""


@dataclass(frozen=True)
class Example:
    """A task with a plan to learn from."""

    task: Task
    steps: tuple[Step, ...]


def learn_recipes(
    guidance: Guidance,
    examples: Sequence[Example],
    others: Sequence[Task] = (),
    seed: int = 0,
    budget: Budget = UNLIMITED,
) -> tuple[Recipe, ...]:
    """The recipes of a program: those of the examples' plans, then of trials on their tasks and on others.

    Only recipes that made a leap in a trial are kept. Tasks beyond STRIPS give none.
    """
    known = [(example, LiftedGenerator(example.task)) for example in examples if supports(example.task)]
    if not known:
        return ()
    book = RecipeBook((), _moves(known))
    for example, generator in known:
        for whole in (True, False):
            _lift_plan(guidance, example, generator, book, whole)
    trials = _Trials(guidance, book, budget)
    for task in (*(example.task for example in examples), *others):
        for whole in (True, False):
            trials.leap_through(task, whole)
    _walk(known, trials, random.Random(seed))
    recipes = book.recipes(used_only=True)[:MOST_RECIPES]
    tasks = [*(example.task for example in examples), *others]
    return recipes if _lose_nothing(guidance, recipes, tasks, budget) else ()


def solved_goal_by_goal(guidance: Guidance, tasks: Sequence[Task], budget: Budget = UNLIMITED) -> bool:
    """Whether ways may be blocked there, and achieving goal after goal solves all of the tasks."""
    if not all(supports(task) and ways_may_be_blocked(LiftedGenerator(task)) for task in tasks):
        return False
    return all(leap(task, guidance, LeapOptions(levels=(Level.GOAL,)), budget).solved for task in tasks)


def _lose_nothing(
    guidance: Guidance, recipes: Sequence[Recipe], tasks: Sequence[Task], budget: Budget
) -> bool:
    """Whether leaps by recipes solve what leaps by search alone solve. They may use up what others need."""
    options = LeapOptions(max_generated=TRIAL_STATES, novelty_two_limit=PAIR_STATES)
    for task in tasks:
        if budget.expired():
            break
        if leap(task, guidance, options, budget, book=RecipeBook(recipes)).solved:
            continue
        if leap(task, guidance, options, budget).solved:
            return False
    return True


def _moves(known: Sequence[tuple[Example, LiftedGenerator]]) -> set[str]:
    found: set[str] = set()
    for example, generator in known:
        way = [generator.action(step) for step in example.steps]
        found |= repeated_moves(way, Actions(generator))
    return found


def _lift_plan(
    guidance: Guidance, example: Example, generator: LiftedGenerator, book: RecipeBook, whole: bool
) -> None:
    """Lift the leaps of a plan: its passes, or every step nearer to the end of one."""
    base = Base(generator, Course(guidance, LeapOptions()))
    recipes = RecipeLeaps(base, book, whole_first=whole)
    way = []
    for step in example.steps:
        way.append(generator.action(step))
        reached = recipes.world.replayed(way)
        if recipes.world.ends(reached, whole and base.course.has_inner_progress):
            recipes.learn(way)
            base.commit(reached)
            way = []


class _Trials:
    """Leaps through tasks, as long as there are states left for them."""

    def __init__(self, guidance: Guidance, book: RecipeBook, budget: Budget) -> None:
        self._guidance = guidance
        self._book = book
        self._budget = budget
        self._left = MOST_STATES

    @property
    def are_over(self) -> bool:
        return self._left <= 0 or self._budget.expired()

    def leap_through(self, task: Task, whole: bool) -> bool:
        """Whether a search was needed."""
        if self.are_over:
            return False
        options = LeapOptions(
            max_generated=min(TRIAL_STATES, self._left),
            novelty_two_limit=PAIR_STATES,
            whole_passes=(Level.NOVELTY_ONE,) if whole else (),
        )
        counts = leap(task, self._guidance, options, self._budget, book=self._book).statistics
        self._left -= counts.generated
        return any(leaps for level, leaps in counts.by_level.items() if level is not Level.RECIPES)


def _walk(known: Sequence[tuple[Example, LiftedGenerator]], trials: _Trials, rng: random.Random) -> None:
    """Trials from the ends of random walks, until they need no search any more."""
    quiet = 0
    for number in range(MOST_WALKS):
        if quiet == QUIET_WALKS or trials.are_over:
            return
        example, generator = rng.choice(known)
        start = example.task.starting_from(_wandered(example.task, generator, rng), f"walk {number}")
        quiet = 0 if trials.leap_through(start, number % 2 == 0) else quiet + 1


def _wandered(task: Task, generator: LiftedGenerator, rng: random.Random) -> frozenset[int]:
    """The atoms at the end of a random walk."""
    generator.reset(task.initial_atoms)
    for _ in range(rng.randint(1, LONGEST_WALK)):
        actions = generator.applicable()
        if not actions:
            break
        adds, deletes = generator.effects(rng.choice(actions))
        root = generator.state.root
        generator.commit(set(adds) - root, set(deletes) & root)
    return frozenset(generator.state.root)
