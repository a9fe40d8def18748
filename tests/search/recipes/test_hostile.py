"""Recipes that are wrong may cost time, never a crash or a wrong plan."""

from __future__ import annotations

import pytest

from tests.search.recipes.worlds import learned, open_goals, training_task, world_of
from tests.search.tasks import domain
from trailmark.domains import generate
from trailmark.features.text import parse
from trailmark.programs.program import Counter, Program
from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, RecipeFilter, Term
from trailmark.search.leap import LeapOptions, LeapResult, Level
from trailmark.search.leap.search import leap
from trailmark.search.recipes.book import Entry, RecipeBook
from trailmark.search.recipes.bound import MOST_LITERALS, bind_recipe
from trailmark.search.recipes.trying import MOST_WORK, Attempts, Trying
from trailmark.task import Domain, Plan, Task, validate


def recipe(actions: list[tuple[Term, ...]], *conditions: tuple[Term, ...], **more: object) -> Recipe:
    """Tuples of a name and terms; a star after the name repeats an action, `open ` before it opens a goal."""
    return Recipe(
        tuple(
            RecipeAction(str(name).rstrip("*"), tuple(terms), str(name)[-1] == "*")
            for name, *terms in actions
        ),
        tuple(
            RecipeCondition(str(name).removeprefix("open "), tuple(terms), str(name).startswith("open "))
            for name, *terms in conditions
        ),
        **{"whole": False, **more},  # type: ignore[arg-type]
    )


def sound(task: Task, program: Program, *recipes: Recipe) -> LeapResult:
    """Leaps with these recipes, and checks the plan or the prefix."""
    result = leap(task, program, LeapOptions(max_generated=5_000), book=RecipeBook(recipes))
    verdict = validate(task, Plan(result.steps))
    assert verdict or (not result.solved and verdict.step is None), verdict.reason
    return result


UNKNOWN_CONCEPT = parse("c_primitive(at,1)")
NEVER = parse("c_bot")
HOSTILE = {
    "an unknown action": recipe([("fly", 0)]),
    "an unknown predicate": recipe([("move", 0, 1, 2)], ("in", 0)),
    "an unknown object": recipe([("move", 0, 1, "c_9_9")]),
    "too few arguments": recipe([("move", 0)]),
    "too many arguments": recipe([("move", 0, 1, 2, 3)]),
    "a predicate with too many": recipe([("move", 0, 1, 2)], ("at", 0, 1, 2)),
    "a move of what is no move": recipe([("pick-package*", 0, 1, 2)], ("at", 0, 2)),
    "an open goal of a static predicate": recipe([("move", 0, 1, 2)], ("open adjacent", 0, 1)),
    "a package that moves by itself": recipe([("move*", "p1", 0, 1)], ("at", "p1", 0), ("open at", "p1", 1)),
    "a truck that drives itself away": recipe([("move*", 0, 1, 1), ("move", 0, 1, 1)]),
    "a filter that no feature knows": recipe(
        [("move*", 0, 1, 2), ("pick-package", 0, 3, 2)],
        ("at", 0, 1),
        ("at", 3, 2),
        filters=(RecipeFilter(0, 3, UNKNOWN_CONCEPT, False), RecipeFilter(7, 3, NEVER, True)),
    ),
    "hundreds of conditions": recipe(
        [("move", 0, 1, 2), ("move", 3, 4, 5), ("move", *range(6, 9))],
        *[("at", a, b) for a in range(9) for b in range(9)],
        *[("carrying", a, b) for a in range(9) for b in range(9)],
        *[("adjacent", a, b) for a in range(9) for b in range(9)],
        *[("adjacent", "c_0_0", b) for b in range(9)],
    ),
    "a huge join": recipe([("move", *range(n, n + 3)) for n in range(0, 60, 3)]),
    "a huge join of facts": recipe(
        [("move", *range(n, n + 3)) for n in range(0, 60, 3)],
        *[("adjacent", n + 1, n + 2) for n in range(0, 60, 3)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_recipe_leaves_the_plan_as_it_is(name: str) -> None:
    task = training_task("delivery", 1)
    alone = sound(task, open_goals(task))
    result = sound(task, open_goals(task), HOSTILE[name])
    assert result.solved
    assert len(result.steps) <= 3 * len(alone.steps)


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_good_recipes_work_beside_a_hostile_one(name: str) -> None:
    program = learned("delivery")
    result = sound(training_task("delivery", 1), program, HOSTILE[name], *program.recipes)
    assert result.solved
    assert result.statistics.by_level[Level.RECIPES] > 0


def test_a_recipe_with_more_conditions_than_python_has_calls_is_not_tried() -> None:
    task = Task.parse(domain("delivery"), generate("delivery", 1, width=17, height=17, packages=1))
    roads = [task.structure.named(atom) for atom in sorted(task.structure.static_atoms)]
    roads = [atom for atom in roads if atom[0] == "adjacent"]
    deep = recipe([("move", 0, 1, 2)], ("at", 0, 1), *roads)
    assert len(roads) > 2 * MOST_LITERALS
    sound(task, open_goals(task), deep)
    assert bind_recipe(deep, world_of(task).actions) is None


def test_a_condition_said_many_times_counts_once() -> None:
    many = recipe([("move", 0, 1, 2)], *[("at", 0, 1)] * (MOST_LITERALS + 1))
    bound = bind_recipe(many, world_of(training_task("delivery")).actions)
    assert bound is not None
    assert len(bound.literals) == 1


@pytest.mark.parametrize("filtered", [False, True])
def test_free_variables_are_tried_up_to_a_limit_of_work(filtered: bool) -> None:
    """Every tuple of objects fits, and a filter that no object passes sees them all."""
    world = world_of(training_task("delivery", 4))
    filters = (RecipeFilter(0, 0, NEVER, True),) if filtered else ()
    entry = Entry(recipe([("move", 0, 1, 2), ("move", 3, 4, 5), ("move", 6, 7, 8)], filters=filters))
    attempts = Attempts(world)
    before = world.matcher.work
    assert attempts.attempt(entry, Trying.AS_LEARNED) is None
    assert world.matcher.work - before <= MOST_WORK + 500


SWITCH = Domain.parse(
    "(define (domain switch) (:requirements :strips) (:predicates (on) (ready) (done))"
    " (:action wait :parameters () :precondition () :effect (ready))"
    " (:action flip :parameters () :precondition (ready) :effect (done)))"
)


def test_a_recipe_without_variables_is_tried_again_when_its_condition_is_met() -> None:
    task = Task.parse(SWITCH, "(define (problem p) (:domain switch) (:init) (:goal (done)))")
    world = world_of(task, Program((Counter((parse("n_count(c_top)"),)),)))
    flip = Entry(recipe([("flip",)], ("ready",)))
    attempts = Attempts(world)
    assert attempts.attempt(flip, Trying.AS_LEARNED) is None
    world.base.commit(world.replayed([(0,)]))
    assert attempts.attempt(flip, Trying.AS_LEARNED) is not None
