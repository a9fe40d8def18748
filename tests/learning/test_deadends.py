"""Guards learned from instances of the domains: found where there are dead ends, sound where known."""

from __future__ import annotations

from functools import cache

import pytest

from tests.enginesearch import embedded_search
from trailmark.discovery.guards import StateSpace
from trailmark.domains import domain_text, generate, train_preset
from trailmark.features.batch import evaluate
from trailmark.features.states import state_batch
from trailmark.landmarks.functions import StateDescriptor
from trailmark.learning.deadends import expand, learn_guards
from trailmark.limits import Budget
from trailmark.task import Domain, Task, Trajectory, trajectory

INSTANCES = 4


@cache
def training(name: str) -> tuple[tuple[Task, ...], tuple[Trajectory, ...]]:
    domain = Domain.parse(domain_text(name))
    sizes = train_preset(name)[:INSTANCES]
    tasks = tuple(Task.parse(domain, generate(name, 1, **each)) for each in sizes)
    plans = [embedded_search(task, "gbfs").plan for task in tasks]
    return tasks, tuple(trajectory(task, plan) for task, plan in zip(tasks, plans, strict=True) if plan)


def space_of(task: Task, path: Trajectory, most: int = 2_000) -> StateSpace:
    return expand(task, path, most, lambda: False)


def held(guards: tuple[StateDescriptor, ...], space: StateSpace, numbers: list[int]) -> list[bool]:
    """Whether a guard holds in each of these states."""
    batch = state_batch([(space.structure, [space.state(number) for number in numbers])])
    values = evaluate([guard.feature for guard in guards], batch).values.T
    return [any(guard.holds(value) for guard, value in zip(guards, row, strict=True)) for row in values]


@pytest.mark.parametrize("name", ["floortile", "floortile-single"])
def test_floortile_has_guards_that_no_solvable_state_and_most_mistakes_fulfil(name: str) -> None:
    tasks, paths = training(name)
    guards = learn_guards(tasks, paths)
    assert guards
    mistakes: list[bool] = []
    for task, path in zip(tasks, paths, strict=True):
        space = space_of(task, path, 10_000)
        solvable = [number for number, is_so in enumerate(space.solvable) if is_so]
        assert not any(held(guards, space, solvable))
        if space.first_dead:
            mistakes += held(guards, space, list(space.first_dead))
    assert sum(mistakes) > 0.9 * len(mistakes)


@pytest.mark.parametrize("name", ["delivery", "blocksworld", "gripper", "visitall", "miconic", "ferry"])
def test_domains_without_dead_ends_have_no_guards(name: str) -> None:
    assert learn_guards(*training(name), states=2_000) == ()


def test_a_space_is_expanded_around_the_plan_from_its_end() -> None:
    tasks, paths = training("floortile")
    task, path = tasks[-1], paths[-1]
    space = space_of(task, path, 300)
    assert not space.is_complete
    assert space.solvable.any()
    assert len(space.successors) < 300 + 100


def test_a_small_space_is_the_reachable_part_with_its_goals() -> None:
    task, path = (each[0] for each in training("floortile"))
    space = space_of(task, path)
    assert space.is_complete
    queue, seen = [task.initial_state], {task.initial_state}
    for state in queue:
        if not task.is_goal(state):
            for _, reached, _ in task.successors(state):
                if reached not in seen:
                    seen.add(reached)
                    queue.append(reached)
    atoms = {space.state(number).atoms for number in range(len(space.successors))}
    assert atoms == {state.atoms for state in seen}
    assert {space.state(number).atoms for number in space.goals} == {
        state.atoms for state in seen if task.is_goal(state)
    }


@pytest.mark.parametrize("name", ["floortile", "childsnack"])
def test_learning_guards_may_be_stopped_at_any_moment(name: str) -> None:
    tasks, paths = training(name)

    def guards_with(calls: int) -> int:
        """Stops at that call of `stop`; how often it was asked in all."""
        asked = 0

        class Stopping(Budget):
            def expired(self) -> bool:
                nonlocal asked
                asked += 1
                return asked > calls

        learn_guards(tasks, paths, Stopping(), 1_000)
        return asked

    asked = guards_with(10**9)
    for share in range(12):
        guards_with(asked * share // 12)
