"""Recipes as data: what is refused, and how they are told."""

from __future__ import annotations

import pytest

from trailmark.errors import InputError
from trailmark.features.text import parse
from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, RecipeFilter

EMPTY = parse("c_primitive(empty,0)")


def test_a_recipe_is_told_by_its_actions_conditions_and_filters() -> None:
    recipe = Recipe(
        (RecipeAction("move", (0, 1, 2), repeated=True), RecipeAction("pick", (0, "ball"))),
        (RecipeCondition("at", (0, 1)), RecipeCondition("done", ("ball",), is_open=True)),
        False,
        (RecipeFilter(0, 2, EMPTY, True), RecipeFilter(1, 0, EMPTY, False)),
    )
    assert str(recipe) == (
        "(move* ?0 ?1 ?2) (pick ?0 ball) where (at ?0 ?1), (open done ball),"
        " ?2 in c_primitive(empty,0), ?0 not in c_primitive(empty,0)"
    )
    assert recipe.variables == 3
    assert str(Recipe((RecipeAction("wait", ()),), (), True)) == "(wait)"


@pytest.mark.parametrize(
    ("actions", "conditions", "filters", "message"),
    [
        ((), (), (), "at least one action"),
        ((RecipeAction("a", (1,)),), (), (), "numbered from 0"),
        ((RecipeAction("a", (0, 2)),), (), (), "numbered from 0"),
        ((RecipeAction("a", (0,)),), (RecipeCondition("p", (0, 1)),), (), "about its variable 1"),
        ((RecipeAction("a", (0,)),), (), (RecipeFilter(0, 3, EMPTY, True),), "about its variable 3"),
    ],
)
def test_a_recipe_whose_variables_do_not_fit_is_refused(
    actions: tuple[RecipeAction, ...],
    conditions: tuple[RecipeCondition, ...],
    filters: tuple[RecipeFilter, ...],
    message: str,
) -> None:
    with pytest.raises(InputError, match=message):
        Recipe(actions, conditions, False, filters)


def test_a_filter_asks_for_a_concept() -> None:
    with pytest.raises(InputError, match="not a concept"):
        RecipeFilter(0, 0, parse("n_count(c_top)"), True)
