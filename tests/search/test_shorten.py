"""Shortening a plan: what remains is valid and never longer, and detours are gone."""

from __future__ import annotations

import random

import pytest

from tests.search.tasks import domain
from tests.task.places import small_task
from trailmark.domains import generate, names, train_preset
from trailmark.search.lazy import lazy_greedy
from trailmark.search.shorten import shorten, without_redundant
from trailmark.task import Domain, Plan, Step, Task, validate
from trailmark.task.lifted.schema import strips_steps
from trailmark.task.states import State, prepare_preferring


def solved(task: Task) -> tuple[Step, ...]:
    steps = lazy_greedy(task, prepare_preferring(task)).steps
    assert steps is not None
    return steps


def wander(task: Task, steps: tuple[Step, ...], chance: random.Random) -> tuple[Step, ...]:
    """The plan with detours: pieces of a walk that come back to the state they left."""
    state, found = task.initial_state, []
    for step in (*steps, None):
        for _ in range(3):
            away = loop(task, state, chance)
            if away is not None:
                found += away
                break
        if step is not None:
            found.append(step)
            state = next(reached for action, reached, _ in task.successors(state) if action.step == step)
    return tuple(found)


def loop(task: Task, start: State, chance: random.Random) -> list[Step] | None:
    """Two steps that lead back to where they began, if chance finds them."""
    action, away, _ = chance.choice(task.successors(start))
    for back, reached, _ in task.successors(away):
        if reached == start:
            return [action.step, back.step]
    return None


@pytest.mark.parametrize("name", names())
def test_detours_are_cut_and_plans_stay_valid(name: str) -> None:
    chance = random.Random(name)
    task = Task.parse(domain(name), generate(name, 1, **train_preset(name)[1]))
    plan = solved(task)
    long = wander(task, plan, chance)
    assert validate(task, Plan(long))
    short = shorten(task, long)
    assert validate(task, Plan(short))
    assert len(short) <= len(plan)
    again = shorten(task, short)
    assert len(again) <= len(short)
    assert validate(task, Plan(again))


def test_tasks_beyond_strips_keep_their_plan() -> None:
    task = small_task("derived")
    steps = solved(task)
    assert shorten(task, steps) == steps


def test_nothing_remains_where_the_goal_holds_at_the_start() -> None:
    task = Task.parse(domain("delivery"), generate("delivery", 1, width=3, height=3, packages=1))
    steps = solved(task)
    final = task.initial_state
    for step in steps:
        final = next(reached for action, reached, _ in task.successors(final) if action.step == step)
    done = task.starting_from(final.atoms, "done")
    there_and_back = loop(done, done.initial_state, random.Random(1))
    assert there_and_back is not None
    assert shorten(done, tuple(there_and_back)) == ()


REDUNDANT = """(define (domain chain) (:requirements :strips) (:predicates (p) (q) (r) (goal))
  (:action useless :parameters () :precondition (and) :effect (p))
  (:action follows :parameters () :precondition (p) :effect (q))
  (:action needed :parameters () :precondition (and) :effect (r))
  (:action ends :parameters () :precondition (r) :effect (goal)))"""


def test_redundant_actions_go_even_where_no_state_repeats() -> None:
    task = Task.parse(Domain.parse(REDUNDANT), "(define (problem x) (:domain chain) (:init) (:goal (goal)))")
    steps = tuple(Step(name, ()) for name in ("useless", "needed", "follows", "ends"))
    assert [each.action for each in shorten(task, steps)] == ["needed", "ends"]


def eliminated(task: Task, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Action elimination as it is defined, by replaying the rest of the plan without each action in turn."""
    actions = strips_steps(task, steps)
    assert actions is not None
    position = 0
    while position < len(actions):
        atoms, rest = set(task.initial_atoms), []
        for action in actions[:position] + actions[position + 1 :]:
            if action.applicable(atoms):
                atoms = (atoms - action.deletes) | action.adds
                rest.append(action)
        if task.goal.positive <= atoms | task.structure.static_atoms and task.goal.negative.isdisjoint(atoms):
            actions = rest
        else:
            position += 1
    return tuple(action.step for action in actions)


@pytest.mark.parametrize("name", names())
def test_elimination_drops_what_replaying_without_each_action_drops(name: str) -> None:
    chance = random.Random(name)
    task = Task.parse(domain(name), generate(name, 1, **train_preset(name)[1]))
    long = wander(task, solved(task), chance)
    actions = strips_steps(task, long)
    assert actions is not None
    assert tuple(action.step for action in without_redundant(task, actions)) == eliminated(task, long)


def test_a_group_that_is_too_large_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task.parse(Domain.parse(REDUNDANT), "(define (problem x) (:domain chain) (:init) (:goal (goal)))")
    steps = tuple(Step(name, ()) for name in ("useless", "needed", "follows", "ends"))
    monkeypatch.setattr("trailmark.search.shorten.MOST_DROPPED", 1)
    assert [step.action for step in shorten(task, steps)] == ["useless", "needed", "ends"]
