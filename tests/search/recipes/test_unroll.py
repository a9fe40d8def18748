"""Unrolling: chains longer than those of the examples."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.search.recipes.worlds import lifted, world_of
from tests.search.tasks import domain
from trailmark.programs.recipe import Recipe
from trailmark.search.recipes.bound import bind_recipe
from trailmark.search.recipes.unroll import MOST_ACTIONS, Unrolled, folded, groups, once_more
from trailmark.search.recipes.world import World
from trailmark.task import Task


def tower(height: int) -> World:
    """Blocks b0 (on top), b1, ... on one another, and x beside them, on which the lowest belongs."""
    blocks = [f"b{number}" for number in range(height)]
    on = "".join(f"(on {a} {b})" for a, b in pairwise(blocks))
    text = (
        f"(define (problem p) (:domain blocks) (:objects {' '.join(blocks)} x - block robot - robot)"
        f" (:init {on} (clear b0) (ontable {blocks[-1]}) (ontable x) (clear x) (handempty robot))"
        f" (:goal (on {blocks[-1]} x)))"
    )
    return world_of(Task.parse(domain("blocksworld"), text))


def dug(world: World) -> Recipe:
    recipe = lifted(world, "(unstack b0 b1 robot) (put-down b0 robot) (pick-up b1 robot) (stack b1 x robot)")
    assert recipe is not None
    return recipe


def digging(world: World) -> Unrolled:
    """The group of taking a block from the tower and putting it down."""
    recipe = dug(world)
    return next(each for each in groups(recipe, world.actions) if (each.start, each.end) == (0, 2))


def test_a_chain_grows_by_one_group_each_time() -> None:
    world = tower(2)
    once = once_more(digging(world), world.actions)
    assert once is not None
    assert str(once.recipe) == (
        "(unstack ?0 ?1 ?2) (put-down ?0 ?2) (unstack ?1 ?3 ?2) (put-down ?1 ?2)"
        " (pick-up ?3 ?2) (stack ?3 ?4 ?2)"
        " where (on ?0 ?1), (clear ?0), (handempty ?2), (on ?1 ?3), (ontable ?3), (clear ?4), (open on ?3 ?4)"
    )
    assert (once.start, once.end) == (2, 4)
    twice = once_more(once, world.actions)
    assert twice is not None
    assert len(twice.recipe.actions) == 8
    assert (twice.start, twice.end) == (4, 6)
    assert "(on ?0 ?1), (clear ?0), (handempty ?2), (on ?1 ?3), (on ?3 ?4), (ontable ?4)" in str(twice.recipe)


@pytest.mark.parametrize("height", [3, 5, 9])
def test_an_unrolled_recipe_clears_a_tower_of_its_height_and_no_other(height: int) -> None:
    """The regression is right: the only binding that meets the conditions can be carried out."""
    world = tower(height)
    grown: Unrolled | None = digging(tower(2))
    for groups_done in range(2, 10):
        assert grown is not None
        grown = once_more(grown, world.actions)
        assert grown is not None
        recipe = bind_recipe(grown.recipe, world.actions)
        assert recipe is not None
        world.matcher.most_work = world.matcher.work + 10_000
        bindings = list(world.matcher.bindings(recipe, recipe.literals))
        if groups_done == height - 1:
            (binding,) = bindings
            found = world.execution().recipe(recipe, binding)
            assert found is not None
            assert world.ends(found, False)
        else:
            assert bindings == []


def test_unrolling_ends() -> None:
    world = tower(2)
    grown: Unrolled | None = digging(world)
    lengths = []
    while grown is not None:
        lengths.append(len(grown.recipe.actions))
        grown = once_more(grown, world.actions)
    assert lengths == list(range(4, MOST_ACTIONS + 1, 2))


def test_groups_without_a_relation_are_not_unrolled() -> None:
    """Picking up a package gives none of what picking up another needs."""
    task = Task.parse(
        domain("delivery"),
        "(define (problem p) (:domain delivery) (:objects a b - cell t - truck p - package)"
        " (:init (adjacent a b) (adjacent b a) (at t a) (at p b) (empty t)) (:goal (at p a)))",
    )
    world = world_of(task)
    way = "(move t a b) (pick-package t p b) (move t b a) (drop-package t p a)"
    for repeated in (set(), {"move"}):
        recipe = lifted(world, way, repeated)
        assert recipe is not None
        assert not [
            [str(action) for action in recipe.actions[each.start : each.end]]
            for each in groups(recipe, world.actions)
            if each.end - each.start == 1 or any(a.repeated for a in recipe.actions[each.start : each.end])
        ]
    blocks = tower(2)
    stacked = lifted(blocks, "(pick-up x robot) (stack x b0 robot)")
    assert stacked is not None
    found = [(each.start, each.end) for each in groups(stacked, blocks.actions)]
    assert (0, 1) not in found
    assert (1, 2) not in found


@pytest.mark.parametrize("more", [0, 1, 2, 7])
def test_an_example_of_a_long_chain_is_folded_to_a_short_one(more: int) -> None:
    """Folding undoes unrolling, however often it was done."""
    world = tower(2)
    recipe, grown = dug(world), digging(world)
    for _ in range(more):
        longer = once_more(grown, world.actions)
        assert longer is not None
        grown = longer
    assert len(grown.recipe.actions) == 4 + 2 * more
    assert folded(grown.recipe, world.actions) == recipe


def test_what_is_no_chain_is_not_folded() -> None:
    """Two blocks from two towers: the second group is not one step further than the first."""
    task = Task.parse(
        domain("blocksworld"),
        "(define (problem p) (:domain blocks) (:objects a b c d - block robot - robot)"
        " (:init (on a b) (on c d) (clear a) (clear c) (ontable b) (ontable d) (handempty robot))"
        " (:goal (and (clear b) (clear d))))",
    )
    world = world_of(task)
    way = "(unstack a b robot) (put-down a robot) (unstack c d robot) (put-down c robot)"
    recipe = lifted(world, way)
    assert recipe is not None
    assert folded(recipe, world.actions) == recipe
