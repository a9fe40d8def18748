"""Learning recipes: from plans and trials, the same again, and none where there is nothing to lift."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from tests.search.recipes.test_leaps import BEYOND
from tests.search.recipes.worlds import learned, open_goals, training_task
from tests.search.tasks import domain
from trailmark.domains import generate
from trailmark.learning import recipes as learning
from trailmark.learning.recipes import Example, learn_recipes
from trailmark.limits import Budget
from trailmark.programs.recipe import Recipe
from trailmark.search.leap import Level
from trailmark.search.leap.search import leap
from trailmark.search.recipes.book import RecipeBook
from trailmark.task import Domain, Task


def example(name: str, number: int = 0) -> Example:
    task = training_task(name, number)
    return Example(task, leap(task, open_goals(task)).steps)


def recipes(name: str, walks: int, seed: int = 0) -> tuple[Recipe, ...]:
    with patch.object(learning, "MOST_WALKS", walks):
        return learn_recipes(open_goals(training_task(name)), [example(name), example(name, 1)], seed=seed)


def test_a_delivery_is_learned_as_one_would_say_it() -> None:
    assert [str(recipe) for recipe in recipes("delivery", 4)] == [
        "(pick-package ?0 ?1 ?2) (move* ?0 ?2 ?3) (drop-package ?0 ?1 ?3)"
        " where (at ?0 ?2), (at ?1 ?2), (empty ?0), (open at ?1 ?3)",
        "(move* ?0 ?1 ?2) (pick-package ?0 ?3 ?2) (move* ?0 ?2 ?4) (drop-package ?0 ?3 ?4)"
        " where (at ?0 ?1), (at ?3 ?2), (empty ?0), (open at ?3 ?4)",
    ]


@pytest.mark.parametrize("name", ["blocksworld", "ferry", "miconic"])
def test_equal_input_and_seed_give_equal_recipes(name: str) -> None:
    assert recipes(name, 4) == recipes(name, 4)


def test_every_kept_recipe_made_a_leap_and_walks_add_some() -> None:
    few, many = recipes("gripper", 0), recipes("gripper", 8)
    assert all(recipe.used > 0 for recipe in many)
    assert {recipe.actions for recipe in few} < {recipe.actions for recipe in many}


@pytest.mark.parametrize("name", ["delivery", "ferry", "gripper", "visitall"])
def test_a_larger_task_needs_no_search(name: str) -> None:
    sizes = {
        "delivery": {"width": 6, "height": 6, "packages": 12},
        "ferry": {"cars": 30, "locations": 9},
        "gripper": {"balls": 30, "rooms": 2},
        "visitall": {"width": 9, "height": 9},
    }
    task = Task.parse(domain(name), generate(name, 3, **sizes[name]))
    program = learned(name, problems=3)
    result = leap(task, program, book=RecipeBook(program.recipes))
    assert result.solved
    assert result.statistics.generated == 0
    assert result.statistics.by_level[Level.RECIPES] == result.statistics.leaps


def test_tasks_beyond_strips_give_none() -> None:
    task = Task.parse(
        Domain.parse(BEYOND),
        "(define (problem p) (:domain switches) (:objects a) (:init) (:goal (on a)))",
    )
    assert learn_recipes(open_goals(task), [Example(task, leap(task, open_goals(task)).steps)]) == ()
    assert learn_recipes(open_goals(task), []) == ()


def test_a_budget_that_is_used_up_ends_learning() -> None:
    spent = Budget(1e-9)
    task = training_task("ferry")
    assert learn_recipes(open_goals(task), [example("ferry")], budget=spent) == ()
