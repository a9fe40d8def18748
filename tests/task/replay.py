"""All successors of a state by our own executor: the slow oracle beside the engine."""

from __future__ import annotations

import random
from contextlib import suppress
from copy import deepcopy
from itertools import product

import pytest

from trailmark.task import Step, Task
from trailmark.task.executor import Executor, Undefined, World


def encoded(task: Task, world: World) -> frozenset[int]:
    """The fluent atoms of a world, numbered as in the task's states."""
    vocabulary = task.domain.vocabulary
    facts = (fact for fact in world.facts if not vocabulary[fact.predicate].static)
    return frozenset(task.structure.atom(fact.predicate, *fact.terms) for fact in facts)


def own_successors(task: Task, executor: Executor, world: World) -> dict[Step, World]:
    """Every step whose precondition holds with the world after it, tried one by one."""
    found: dict[Step, World] = {}
    types = task.object_types
    for schema in task.domain.model.actions:
        names = [each.name for each in schema.parameters]
        domains = [
            [name for name, kinds in types.items() if not kinds.isdisjoint(each.types)]
            for each in schema.parameters
        ]
        for arguments in product(*domains):
            binding = dict(zip(names, arguments, strict=True))
            if executor.holds(schema.precondition, binding, world):
                after = deepcopy(world)
                with suppress(Undefined):
                    executor.apply(schema, binding, after)
                    found[Step(schema.name, arguments)] = after
    return found


def is_solved(task: Task, executor: Executor, world: World) -> bool:
    """Whether a plan may end here: the goal holds, and the metric, if there is one, has a value."""
    if not executor.holds(task.model.goal, {}, world):
        return False
    return task.model.minimize is None or metric_value(task, executor, world) is not None


def metric_value(task: Task, executor: Executor, world: World) -> float | None:
    """None where there is no metric, or no value of it."""
    try:
        return None if task.model.minimize is None else executor.number(task.model.minimize, {}, world)
    except Undefined:
        return None


def assert_agrees_with_engine(task: Task, steps: int, walks: int, seed: int = 0) -> None:
    """Random walks on which the engine and our executor agree on everything there is to ask."""
    chance = random.Random(seed)
    executor = Executor(task)
    for _ in range(walks):
        state, world = task.initial_state, executor.initial()
        for _ in range(steps):
            assert state.atoms == encoded(task, world)
            for term, value in state.values.items():
                assert world.numbers[(term.function, *term.terms)] == pytest.approx(value)
            assert task.is_goal(state) == is_solved(task, executor, world)
            assert executor.world(state).facts == world.facts
            engine = task.successors(state)
            own = own_successors(task, executor, world)
            assert len(engine) == len({action.step for action, _, _ in engine}), "a step is there twice"
            assert {action.step for action, _, _ in engine} == set(own)
            for action, reached, cost in engine:
                after = own[action.step]
                assert reached.atoms == encoded(task, after), action
                added, deleted = task.change(state.atoms, action, reached)
                assert set(added) == reached.atoms - state.atoms
                assert set(deleted) == state.atoms - reached.atoms
                expected = 1.0
                if task.model.minimize is not None:
                    values = (metric_value(task, executor, each) or 0.0 for each in (after, world))
                    expected = next(values) - next(values)
                assert cost == pytest.approx(expected), action
            if not engine:
                break
            action, state, _ = chance.choice(engine)
            world = own[action.step]
