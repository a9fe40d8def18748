"""Bindings of recipes equal brute force over all tuples of objects."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.search.recipes.worlds import learned, lifted, training_task, wander, world_of
from tests.task.lifted_tasks import tasks
from trailmark.features.text import parse
from trailmark.programs.program import Counter, Program
from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition
from trailmark.search.recipes.bound import BoundRecipe, bind_recipe
from trailmark.search.recipes.facts import Literal, Restriction
from trailmark.search.recipes.world import World
from trailmark.task import Task

SIMPLE = Program((Counter((parse("n_count(c_top)"),)),))
DOMAINS = ("blocksworld", "delivery", "driverlog", "ferry", "gripper", "logistics", "visitall")
Tests = dict[int, tuple[int, int, set[int]]]
"""By key of a restriction: the predicate, the place and the objects it admits."""


def holds(world: World, literal: Literal, binding: tuple[int, ...], restricted: Tests) -> bool:
    """Whether the state has the literal, by its atoms alone."""
    key, terms = literal
    objects = [~term if term < 0 else binding[term] for term in terms]
    if key in restricted:
        key, place, admitted = restricted[key]
        if objects[place] not in admitted:
            return False
    structure, root = world.base.generator.structure, world.base.state.root
    atom = structure.encode(~key if key < 0 else key, objects)
    if key < 0:
        return atom in world.base.goals.positive and atom not in root
    return atom in root or atom in structure.static_atoms


def brute_force(
    world: World, recipe: BoundRecipe, literals: tuple[Literal, ...], restricted: Tests | None = None
) -> set[tuple[int, ...]]:
    return {
        binding
        for binding in product(*map(sorted, recipe.allowed))
        if recipe.fits(binding) and all(holds(world, each, binding, restricted or {}) for each in literals)
    }


def matched(world: World, recipe: BoundRecipe, literals: tuple[Literal, ...]) -> list[tuple[int, ...]]:
    world.matcher.most_work = world.matcher.work + 10**9
    return [tuple(binding) for binding in world.matcher.bindings(recipe, literals)]


def reachable(world: World, recipe: BoundRecipe, binding: tuple[int, ...]) -> bool:
    """Whether every move has a way from its source to its target in the base."""
    for action in recipe.moves:
        assert action.move is not None
        objects = [~term if term < 0 else binding[term] for term in action.terms]
        paths = world.travel.paths(action.move, objects, world.execution().holds)
        if objects[action.move.target] not in paths:
            return False
    return True


@st.composite
def recipes(draw: st.DrawFn, task: Task, actions_at_most: int = 2) -> Recipe:
    """Actions and conditions of the task's domain about up to three variables, and its constants."""
    names = st.sampled_from([0, 0, 1, 1, 2, "c"])

    def terms(arity: int) -> tuple[int | str, ...]:
        return tuple(draw(names) for _ in range(arity))

    actions = [
        RecipeAction(schema.name, terms(len(schema.parameters)))
        for schema in draw(
            st.lists(st.sampled_from(task.domain.model.actions), min_size=1, max_size=actions_at_most)
        )
    ]
    found = dict.fromkeys(term for action in actions for term in action.terms if isinstance(term, int))
    number = {term: place for place, term in enumerate(found)}

    def numbered(old: tuple[int | str, ...]) -> tuple[int | str, ...]:
        return tuple(number.get(term, "d") if isinstance(term, int) else term for term in old)

    symbols = st.sampled_from(task.domain.vocabulary.symbols)
    conditions = [
        RecipeCondition(symbol.name, numbered(terms(symbol.arity)), draw(st.integers(0, 5)) == 0)
        for symbol in draw(st.lists(symbols, max_size=3))
    ]
    actions = [RecipeAction(action.schema, numbered(action.terms)) for action in actions]
    return Recipe(tuple(actions), tuple(conditions), False)


@settings(max_examples=60)
@given(st.data(), tasks(), st.integers(0, 6), st.integers(0, 1000))
def test_objects_that_do_not_differ_where_they_must_make_no_recipe(
    data: st.DataObject, task: Task, steps: int, seed: int
) -> None:
    world = world_of(task, SIMPLE)
    recipe = bind_recipe(data.draw(recipes(task, 4)), world.actions)
    if recipe is None:
        return
    wander(world, steps, random.Random(seed))
    for binding in product(*map(sorted, recipe.allowed)):
        if not recipe.fits(binding):
            assert world.execution().recipe(recipe, binding) is None


def test_what_one_hand_has_the_other_does_not_need() -> None:
    world = world_of(training_task("barman"))
    made = "(grasp left shot1) (fill-shot shot1 ingredient1 left right dispenser1)"
    recipe = lifted(world, made)
    assert recipe is not None
    bound = bind_recipe(recipe, world.actions)
    assert bound is not None
    grasping, filling = bound.actions
    first, second = filling.terms[2], filling.terms[3]
    assert grasping.terms[0] == first
    assert [place for place, others in enumerate(bound.apart) if others] == sorted([first, second])
    assert bound.apart[first] == {second}


@settings(max_examples=40)
@given(st.data(), tasks(), st.integers(0, 6), st.integers(0, 1000))
def test_bindings_of_random_recipes_equal_brute_force(
    data: st.DataObject, task: Task, steps: int, seed: int
) -> None:
    world = world_of(task, SIMPLE)
    recipe = bind_recipe(data.draw(recipes(task)), world.actions)
    if recipe is None:
        return
    chance = random.Random(seed)
    objects = range(len(task.structure.objects))
    literals, restricted = list(recipe.literals), Tests()
    for number, (key, terms) in enumerate(recipe.literals):
        if terms and chance.random() < 0.5:
            place, admitted = chance.randrange(len(terms)), set(chance.sample(objects, 5))
            new = world.facts.restrict(Restriction(key, place, admitted.__contains__))
            restricted[new] = key, place, admitted
            literals[number] = new, terms
    wander(world, steps, chance)
    for wanted in (recipe.literals, tuple(literals)):
        found = matched(world, recipe, wanted)
        assert len(found) == len(set(found))
        assert set(found) == brute_force(world, recipe, wanted, restricted)


@pytest.mark.parametrize("name", DOMAINS)
def test_bindings_of_learned_recipes_equal_brute_force(name: str) -> None:
    """Targets of repeated moves may be left out where no way leads there."""
    world = world_of(training_task(name, 1))
    chance = random.Random(0)
    found = 0
    for steps in range(5):
        wander(world, steps, chance)
        for recipe in filter(None, (bind_recipe(each, world.actions) for each in learned(name).recipes)):
            if len(world.base.generator.structure.objects) ** len(recipe.allowed) > 200_000:
                continue
            for literals in (recipe.literals, recipe.closed_literals):
                bindings = matched(world, recipe, literals)
                wanted = brute_force(world, recipe, literals)
                assert len(bindings) == len(set(bindings))
                assert set(bindings) <= wanted
                assert {each for each in wanted if reachable(world, recipe, each)} <= set(bindings)
                found += len(bindings)
    assert found > 0


def test_near_targets_of_a_move_come_first() -> None:
    task = training_task("delivery", 4)
    world = world_of(task)
    move = RecipeAction("move", (0, 1, 2), repeated=True)
    recipe = bind_recipe(Recipe((move,), (RecipeCondition("at", (0, 1)),), False), world.actions)
    assert recipe is not None
    assert recipe.moves[0].move is not None
    targets = [binding[2] for binding in matched(world, recipe, recipe.literals)]
    start = matched(world, recipe, recipe.literals)[0]
    paths = world.travel.paths(recipe.moves[0].move, start, world.execution().holds)
    lengths = [len(paths.to(target)) for target in targets]
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 2


def test_the_limit_of_work_ends_matching() -> None:
    world = world_of(training_task("delivery", 4))
    moves = tuple(RecipeAction("move", tuple(range(n, n + 3))) for n in (0, 3, 6))
    conditions = tuple(RecipeCondition("adjacent", (n + 1, n + 2)) for n in (0, 3, 6))
    recipe = bind_recipe(Recipe(moves, conditions, False), world.actions)
    assert recipe is not None
    everything = len(matched(world, recipe, recipe.literals))
    assert world.matcher.work <= world.matcher.most_work
    for most in (1, 10, 100):
        world.matcher.most_work = world.matcher.work + most
        found = list(world.matcher.bindings(recipe, recipe.literals))
        assert len(found) <= most < everything
        assert world.matcher.work > world.matcher.most_work
