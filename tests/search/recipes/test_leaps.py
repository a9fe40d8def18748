"""Leaps by recipes: every plan is valid, every leap makes the program's measure less, runs repeat."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from unittest.mock import patch

import pytest

from tests.search.leap_programs import PROGRAMS
from tests.search.recipes.test_hostile import recipe, sound
from tests.search.recipes.test_lift import SERVED
from tests.search.recipes.worlds import learned, lifted, open_goals, training_task, world_of
from tests.search.tasks import domain
from trailmark.domains import further_names, generate, names, train_problems
from trailmark.domains import test_preset as preset
from trailmark.features.text import parse
from trailmark.landmarks.functions import Status
from trailmark.programs.program import Program
from trailmark.search.leap import LeapOptions, LeapStatus, Level, novelty
from trailmark.search.leap.base import Base, Node
from trailmark.search.leap.course import Course
from trailmark.search.leap.novelty import novelty_one
from trailmark.search.leap.search import leap
from trailmark.search.planner import PlannerOptions, plan
from trailmark.search.recipes.book import RecipeBook
from trailmark.search.recipes.filters import Filter
from trailmark.search.recipes.lacking import RecipeAchiever
from trailmark.search.recipes.leaps import RecipeLeaps
from trailmark.search.recipes.trying import MOST_FILTERED, MOST_TRIED, TRY_WORK, Attempts, Trying
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.lifted import LiftedGenerator, supports

DOMAINS = [
    pytest.param(name, marks=[pytest.mark.slow] if name == "barman" else [])
    for name in names() + further_names()
]
OPTIONS = LeapOptions(max_generated=20_000)
Measure = tuple[int, tuple[float, ...]]
"""How many counters are left, and the values of the awaited one: less is further, in lexicographic order."""


def measure(program: Program, status: Status) -> Measure:
    return len(program) - status.next, status.memory[0] if status.memory else ()


@contextmanager
def watched(program: Program) -> Iterator[list[str]]:
    """What every commit that a recipe led to has done."""
    told: list[str] = []
    by_recipe: list[Node] = []
    leaps, commit = RecipeLeaps.leap, Base.commit

    def leap_by_recipe(self: RecipeLeaps) -> Node | None:
        found = leaps(self)
        if found is not None:
            by_recipe.append(found)
        return found

    def commit_to(self: Base, node: Node) -> None:
        before, goals = measure(program, self.course.status), self.open_goals
        commit(self, node)
        if any(node is each for each in by_recipe):
            after = measure(program, self.course.status)
            if after < before:
                told.append("less")
            elif after == before and self.open_goals < goals:
                told.append("goal closed")
            else:
                told.append(f"{before} became {after}, {goals} open goals {self.open_goals}")

    with patch.object(RecipeLeaps, "leap", leap_by_recipe), patch.object(Base, "commit", commit_to):
        yield told


def assert_measured(task: Task, program: Program, whole: bool) -> None:
    options = LeapOptions(max_generated=20_000, whole_passes=(Level.NOVELTY_ONE,) if whole else ())
    with watched(program) as told:
        result = leap(task, program, options, book=RecipeBook(program.recipes))
    verdict = validate(task, Plan(result.steps))
    assert verdict or (not result.solved and verdict.step is None), verdict.reason
    assert set(told) <= {"less", "goal closed"}, told
    assert len(told) == result.statistics.by_level[Level.RECIPES]


@pytest.mark.parametrize("name", DOMAINS)
def test_every_plan_is_valid_and_every_leap_makes_the_measure_less(name: str) -> None:
    program = learned(name)
    for number in (1, 2):
        assert_measured(training_task(name, number), program, whole=False)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
@pytest.mark.parametrize("whole", [False, True])
def test_passes_with_progress_inside_make_the_measure_less(name: str, whole: bool) -> None:
    assert_measured(training_task(name, 3), learned(name, PROGRAMS[name], 2), whole)


@pytest.mark.parametrize("name", ["delivery", "ferry", "gripper", "visitall"])
def test_leaps_are_bounded_by_what_the_counters_say_at_the_start(name: str) -> None:
    """One feature a counter and no goal closed beside it: as many leaps as passes."""
    task = Task.parse(domain(name), generate(name, 5, **preset(name)[0]))
    program = learned(name, problems=3)
    result = leap(task, program, OPTIONS, book=RecipeBook(program.recipes))
    assert result.solved
    passes = len(task.goal.positive - task.initial_atoms)
    assert result.statistics.by_level[Level.RECIPES] == result.statistics.leaps <= passes
    assert result.statistics.generated == 0


def test_what_a_search_finds_is_lifted_and_used_from_then_on() -> None:
    task = Task.parse(domain("ferry"), generate("ferry", 2, cars=9, locations=4))
    book = RecipeBook()
    result = leap(task, open_goals(task), book=book)
    assert result.solved
    assert validate(task, Plan(result.steps))
    statistics = result.statistics
    assert statistics.recipes == len(book) >= 1
    assert statistics.by_level[Level.RECIPES] > 0
    searched = statistics.leaps - statistics.by_level[Level.RECIPES]
    assert searched == statistics.recipes


def test_a_recipe_that_is_carried_out_in_vain_again_and_again_waits() -> None:
    for balls, waits in ((20, False), (60, True)):
        task = Task.parse(domain("gripper"), generate("gripper", 1, balls=balls))
        world = world_of(task)
        recipe = lifted(world, "(pick ball1 rooma left)")
        assert recipe is not None
        (pick,) = RecipeBook([recipe])
        attempts = Attempts(world)
        assert attempts.attempt(pick, Trying.AS_LEARNED) is None
        bound = attempts.bind(pick)
        assert bound is not None
        assert bool(bound.waits) == waits
        assert world.base.statistics.work == world.matcher.work > min(2 * balls, MOST_TRIED) * TRY_WORK


def test_few_objects_are_tried_that_a_filter_leaves_out() -> None:
    world = world_of(Task.parse(domain("gripper"), generate("gripper", 1, balls=60)))
    recipe = lifted(world, "(pick ball1 rooma left)")
    assert recipe is not None
    (pick,) = RecipeBook([recipe])
    pick.filters[0] = Filter({(0, parse("c_bot")): True})
    attempts = Attempts(world)
    assert attempts.attempt(pick, Trying.AS_LEARNED) is None
    assert world.base.statistics.work < TRY_WORK, "the filter leaves all balls out"
    assert attempts.attempt(pick, Trying.FILTERED_OUT) is None
    assert MOST_FILTERED * TRY_WORK < world.base.statistics.work < MOST_FILTERED * (TRY_WORK + 10)


def test_a_limit_of_effort_holds_where_no_state_is_generated() -> None:
    task = Task.parse(domain("delivery"), generate("delivery", 1, packages=6))
    program = learned("delivery", problems=2)
    whole = leap(task, program, book=RecipeBook(program.recipes))
    assert whole.statistics.generated == 0
    half = LeapOptions(max_effort=whole.statistics.effort // 2)
    cut = leap(task, program, half, book=RecipeBook(program.recipes))
    assert cut.status is LeapStatus.OUT_OF_BUDGET
    assert 0 < len(cut.steps) < len(whole.steps)
    assert cut.steps == whole.steps[: len(cut.steps)]


def test_what_was_achieved_in_vain_is_not_tried_again_on_the_same_task() -> None:
    program = learned("blocksworld", problems=2)
    book, asked = RecipeBook(program.recipes), list[int]()

    def in_vain(self: RecipeAchiever, recipes: object, whole: bool, attempts: int) -> None:
        asked.append(attempts)
        self.left = 0

    first, other = (
        Task.parse(domain("blocksworld"), train_problems("blocksworld")[number]) for number in (3, 4)
    )
    with patch.object(RecipeAchiever, "leap", in_vain), patch.object(RecipeLeaps, "leap", lambda self: None):
        for task, tries in ((first, 1), (first, 1), (other, 2)):
            leap(task, program, replace(OPTIONS, max_generated=2_000), book=book)
            assert len(asked) == tries


def test_a_chain_longer_than_any_example_needs_no_search() -> None:
    blocks = [f"b{number}" for number in range(12)]
    on = "".join(f"(on {above} {below})" for above, below in pairwise(blocks))
    task = Task.parse(
        domain("blocksworld"),
        f"(define (problem p) (:domain blocks) (:objects {' '.join(blocks)} x - block robot - robot)"
        f" (:init {on} (clear b0) (ontable b11) (ontable x) (clear x) (handempty robot)) (:goal (on b10 x)))",
    )
    dig = recipe(
        [("unstack", 0, 1, 2), ("put-down", 0, 2), ("unstack", 1, 3, 2), ("stack", 1, 4, 2)],
        ("on", 0, 1), ("clear", 0), ("handempty", 2), ("on", 1, 3), ("clear", 4), ("open on", 1, 4),
    )  # fmt: skip
    result = sound(task, open_goals(task), dig)
    assert result.solved
    assert result.statistics.achieved == result.statistics.leaps == 1
    assert len(result.steps) == 2 * 10 + 2


def test_trays_that_are_away_come_back_for_every_child() -> None:
    """Bread and sandwiches, which nothing makes anew, are not tried one by one for each child."""
    recipe = lifted(world_of(training_task("childsnack")), SERVED)
    assert recipe is not None
    task = Task.parse(domain("childsnack"), generate("childsnack", 1, children=40, allergic=0, trays=2))
    result = leap(task, open_goals(task), OPTIONS, book=RecipeBook([recipe]))
    assert result.solved
    assert result.statistics.by_level[Level.RECIPES] + result.statistics.achieved == 40
    assert result.statistics.generated < 200


BEYOND = """(define (domain switches) (:requirements :adl) (:predicates (on ?x) (near ?x ?y))
 (:action press :parameters (?x) :precondition (not (on ?x))
  :effect (and (on ?x) (forall (?y) (when (and (near ?x ?y) (on ?y)) (not (on ?y)))))))"""


def test_tasks_beyond_strips_plan_as_without_recipes() -> None:
    task = Task.parse(
        Domain.parse(BEYOND),
        "(define (problem p) (:domain switches) (:objects a b c)"
        " (:init (near a b) (near b c)) (:goal (and (on a) (on b) (on c))))",
    )
    assert not supports(task)
    program = open_goals(task)
    taught = Program(program.counters, (), (recipe([("press", 0)], ("open on", 0)),))
    plain, helped = leap(task, program), leap(task, taught, book=RecipeBook(taught.recipes))
    assert plain.steps == helped.steps
    assert helped.statistics.by_level[Level.RECIPES] == 0
    assert plan(task, taught, PlannerOptions()).steps == plan(task, program, PlannerOptions()).steps
    assert helped.status in (LeapStatus.SOLVED, LeapStatus.STUCK)


SCRIPT = """
from tests.search.recipes.worlds import learned, training_task
from trailmark.models.document import dumps
from trailmark.models.model import Model
from trailmark.search.leap import LeapOptions
from trailmark.search.leap.search import leap
from trailmark.search.recipes.lacking import RecipeAchiever
from trailmark.search.recipes.book import RecipeBook
for name in ("blocksworld", "delivery"):
    program = learned(name)
    print(dumps(Model(program, name, "", "counter")))
    book = RecipeBook(program.recipes)
    print(*leap(training_task(name, 3), program, LeapOptions(max_generated=5_000), book=book).steps)
    print(*book.recipes(), sep="\\n")
"""


def test_recipes_and_their_plans_do_not_depend_on_the_hash_seed() -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    first, second = (process.communicate(timeout=120)[0] for process in processes)
    assert "(stack ?" in first
    assert first == second


def test_what_is_achieved_in_vain_is_bounded_by_what_it_was_good_for() -> None:
    """Nothing can be achieved: after the first attempts there are no more."""
    task = Task.parse(domain("ferry"), generate("ferry", 2, cars=9, locations=4))
    program = learned("ferry")
    base = Base(LiftedGenerator(task), Course(program, OPTIONS))
    leaps = RecipeLeaps(base, RecipeBook(program.recipes), whole_first=False)
    asked: list[int] = []

    def vain(recipes: object, whole: bool, attempts: int) -> None:
        asked.append(attempts)
        leaps._achiever.left = attempts // 2

    with patch.object(leaps._achiever, "leap", vain):
        for _ in range(50):
            assert leaps._achieved() is None
    assert asked[0] == leaps._achiever.affordable
    assert sum(each - each // 2 for each in asked) <= asked[0] + 1
    assert len(asked) < 50


@pytest.mark.parametrize("name", ["blocksworld", "driverlog", "grid"])
def test_a_search_goes_on_after_a_shortcut_in_vain_as_without_one(name: str) -> None:
    """The states before the shortcut are not lost, and none is looked at twice."""
    task = Task.parse(domain(name), generate(name, 5, **preset(name)[2]))

    def searched(shortcut: Callable[[], None] | None) -> tuple[object, int]:
        base = Base(LiftedGenerator(task), Course(open_goals(task), OPTIONS))
        node = novelty_one(base, shortcut)
        return node and node.actions(), base.statistics.generated

    with patch.object(novelty, "NEAR", 10):
        assert searched(lambda: None) == searched(None)
