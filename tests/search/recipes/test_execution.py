"""A recipe carried out is its ground actions applied by the engine, one after the other."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.search.recipes.worlds import learned, open_goals, training_task, wander, world_of
from trailmark.features.incremental.evaluation import bind
from trailmark.features.text import parse
from trailmark.landmarks.functions import StateDescriptor
from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition
from trailmark.relational import Interpretation
from trailmark.search.recipes.bound import BoundRecipe, bind_recipe
from trailmark.search.recipes.execution import Execution, Way
from trailmark.search.recipes.world import World
from trailmark.task import Task
from trailmark.task.lifted import Action
from trailmark.task.states import State

DOMAINS = ("blocksworld", "delivery", "ferry", "grid", "gripper", "logistics", "miconic", "visitall")


def after(task: Task, state: State, world: World, action: Action) -> State | None:
    """The engine's successor; None where the action is not applicable."""
    step = world.base.generator.step(action)
    return next((reached for done, reached, _ in task.successors(state) if done.step == step), None)


def replayed(task: Task, state: State, done: list[Action], world: World) -> State:
    for action in done:
        reached = after(task, state, world, action)
        assert reached is not None
        state = reached
    return state


def is_applicable(task: Task, state: State, actions: list[Action], world: World) -> bool:
    now: State | None = state
    for action in actions:
        now = None if now is None else after(task, now, world, action)
    return now is not None


def assert_replayed(task: Task, world: World, state: State, found: Way) -> None:
    """The engine goes the same way to the same state."""
    for action in found.way:
        reached = after(task, state, world, action)
        assert reached is not None, world.base.generator.step(action)
        state = reached
    root = world.base.state.root
    assert found.added.isdisjoint(root)
    assert found.deleted <= root
    assert (root | found.added) - found.deleted == state.atoms


def ground(recipe: BoundRecipe, binding: list[int]) -> list[Action]:
    return [
        (action.schema.index, *(binding[term] if term >= 0 else ~term for term in action.terms))
        for action in recipe.actions
    ]


@pytest.mark.parametrize("name", DOMAINS)
def test_a_recipe_is_carried_out_as_by_the_engine_or_refused(name: str) -> None:
    """Bindings that meet the conditions, and as many that need not."""
    chance = random.Random(2)
    task = training_task(name, 1)
    world = world_of(task)
    state = task.initial_state
    carried_out = 0
    for steps in range(4):
        state = replayed(task, state, wander(world, steps, chance), world)
        for known in learned(name).recipes:
            recipe = bind_recipe(known, world.actions)
            assert recipe is not None
            world.matcher.most_work = world.matcher.work + 1_000
            bindings = list(world.matcher.bindings(recipe, recipe.closed_literals))[:10]
            bindings += [[chance.choice(sorted(each)) for each in recipe.allowed] for _ in range(5)]
            for binding in bindings:
                found = world.execution().recipe(recipe, binding)
                if found is not None:
                    carried_out += 1
                    assert_replayed(task, world, state, found)
                if not recipe.moves:
                    wanted = ground(recipe, binding)
                    assert (found is not None) == is_applicable(task, state, wanted, world)
                    assert found is None or found.way == wanted
    assert carried_out > 0


@pytest.mark.parametrize("name", DOMAINS)
def test_a_state_has_its_tuples_and_its_version_again_when_it_is_gone_back_to(name: str) -> None:
    chance = random.Random(5)
    world = world_of(training_task(name, 1))
    state, generator = world.execution(), world.base.generator
    arities = [symbol.arity for symbol in world.actions.structure.vocabulary.symbols]
    marks = [state.mark()]
    known = dict[int, list[list[tuple[int, ...]]]]()

    def tuples() -> list[list[tuple[int, ...]]]:
        decoded = [world.actions.structure.decode(atom) for atom in world.actions.structure.static_atoms]
        way = state.reached()
        atoms = (world.base.state.root | way.added) - way.deleted
        decoded += map(world.actions.structure.decode, atoms)
        found = [
            sorted(state.tuples(symbol, range(arity), [None] * arity)) for symbol, arity in enumerate(arities)
        ]
        assert found == [
            sorted(arguments for key, arguments in decoded if key == symbol) for symbol in range(len(arities))
        ]
        return found

    for _ in range(40):
        way = state.reached()
        generator.state.visit(way.added.copy(), way.deleted.copy())
        applicable = sorted(generator.applicable())
        if applicable and chance.random() < 0.7:
            action = chance.choice(applicable)
            assert state.do(generator.schemas[action[0]], action[1:])
            marks.append(state.mark())
        else:
            place = chance.randrange(len(marks))
            version, length, added, deleted = marks[place]
            state.back_to((version, length, added.copy(), deleted.copy()))
            marks = marks[: place + 1]
        assert known.setdefault(state.version, tuples()) == tuples()
    assert len(known) > 10


@pytest.mark.parametrize("name", ["delivery", "visitall"])
def test_a_way_at_once_is_the_way_step_by_step(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task = training_task(name, 3)
    world = world_of(task)
    predicate = {"delivery": "at", "visitall": "at-robot"}[name]
    terms = {"delivery": (0, 1, 2), "visitall": (0, 1)}[name]
    move = RecipeAction("move", terms, repeated=True)
    recipe = bind_recipe(Recipe((move,), (RecipeCondition(predicate, terms[:-1]),), False), world.actions)
    assert recipe is not None
    assert recipe.moves[0].move is not None
    assert recipe.moves[0].move.is_plain == (name == "delivery")
    world.matcher.most_work = 10**9
    bindings = list(world.matcher.bindings(recipe, recipe.literals))
    assert len(bindings) > 5
    at_once = [world.execution().recipe(recipe, binding) for binding in bindings]

    def guarded() -> Execution:
        found = Execution(world.base, world.actions, world.facts, world.travel)
        found._guarded = True
        return found

    for binding, found in zip(bindings, at_once, strict=True):
        step_by_step = guarded().recipe(recipe, binding)
        assert found is not None
        assert step_by_step is not None
        assert found.way == step_by_step.way
        assert (found.added, found.deleted) == (step_by_step.added, step_by_step.deleted)
        assert_replayed(task, world, task.initial_state, found)


@pytest.mark.parametrize("predicate", ["clear", "ontable", "holding"])
@pytest.mark.parametrize("more", [0, 1])
def test_no_state_on_the_way_has_a_guard(predicate: str, more: int) -> None:
    task = training_task("blocksworld", 2)
    counted = parse(f"n_count(c_primitive({predicate},0))")
    threshold = more + bind([counted], task.structure).start(task.initial_interpretation).values[0]
    forbidden = StateDescriptor(counted, True, ">", threshold)
    world = world_of(task, replace(open_goals(task), guards=(forbidden,)))
    evaluator = bind([counted], task.structure)
    refused = False
    for known in learned("blocksworld", problems=2).recipes:
        recipe = bind_recipe(known, world.actions)
        assert recipe is not None
        world.matcher.most_work = world.matcher.work + 1_000
        for binding in world.matcher.bindings(recipe, recipe.closed_literals):
            state: State | None = task.initial_state
            allowed = True
            for action in ground(recipe, binding):
                state = None if state is None else after(task, state, world, action)
                if state is not None:
                    values = evaluator.start(Interpretation(state.atoms)).values
                    allowed &= not values[0] > threshold
            found = world.execution().recipe(recipe, binding)
            assert (found is not None) == (state is not None and allowed)
            refused |= state is not None and not allowed
    assert refused or more


def test_actions_that_are_not_applicable_in_turn_are_left_out() -> None:
    task = training_task("blocksworld", 2)
    world = world_of(task)
    done = wander(world_of(task), 5, random.Random(1))
    found = world.replayed([done[0], done[0], done[0]])
    assert found.way[:1] == done[:1]
    assert_replayed(task, world, task.initial_state, found)
