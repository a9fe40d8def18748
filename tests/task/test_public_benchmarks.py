"""The 21 public domains: every problem loads, every training plan replays and validates."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.task.places import BENCHMARKS, DOMAINS, TRAINING, needs_benchmarks, training_task
from trailmark.limits import peak_megabytes
from trailmark.supervision import Ending, supervise
from trailmark.task import Domain, Plan, Step, Task, Trajectory, read_plan, trajectory, validate
from trailmark.task.executor import Executor

pytestmark = needs_benchmarks


def _plan(domain: str, problem: str) -> Plan:
    return read_plan(BENCHMARKS / domain / "train" / f"{problem}.plan")


def test_there_are_21_domains_735_problems_and_105_plans() -> None:
    assert len(DOMAINS) == 21
    assert len(list(BENCHMARKS.glob("*/t*/*.pddl"))) == 735
    assert len(list(BENCHMARKS.glob("*/train/*.plan"))) == 105


@pytest.mark.parametrize("name", DOMAINS)
def test_small_middle_and_largest_problems_load(name: str) -> None:
    folder = BENCHMARKS / name
    domain = Domain.load(folder / "domain.pddl")
    for problem in ("p01", "p15", "p30"):
        task = Task.load(domain, folder / "test" / f"{problem}.pddl")
        assert task.structure.objects
        assert task.goal.conjunctive
        assert task.goal.positive
        assert task.goal_predicates <= {each.name for each in domain.model.predicates}
        assert not task.goal.positive <= task.initial_atoms | task.structure.static_atoms


@pytest.mark.slow
@pytest.mark.parametrize("name", DOMAINS)
def test_every_problem_loads_and_has_successors_within_its_limits(name: str) -> None:
    """Each in a process of its own: 5 s of CPU time from reading to the initial state, 1.5 GB."""
    folder = BENCHMARKS / name

    def work(problem: Path) -> int:
        started = time.process_time()
        task = Task.load(folder / "domain.pddl", problem)
        state = task.initial_state
        used = time.process_time() - started
        return int(used > 5 or peak_megabytes() > 1500 or state.atoms != task.initial_atoms)

    for problem in sorted(folder.glob("t*/*.pddl")):
        outcome = supervise(lambda problem=problem: work(problem), seconds=60, megabytes=1500)
        assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 0), problem


@pytest.mark.parametrize(("domain", "problem"), TRAINING)
def test_training_plans_validate_and_visit_the_engines_states(domain: str, problem: str) -> None:
    task, plan = training_task(domain, problem), _plan(domain, problem)
    verdict = validate(task, plan)
    assert verdict
    assert verdict.cost == len(plan)
    visited: Trajectory = trajectory(task, plan)
    assert len(visited.states) == len(plan) + 1
    state = task.initial_state
    assert visited.states[0].atoms == state.atoms
    for step, expected in zip(plan.steps, visited.states[1:], strict=True):
        before = state.atoms
        ((action, state, cost),) = [each for each in task.successors(state) if each[0].step == step]
        assert cost == 1.0
        assert state.atoms == expected.atoms
        added, deleted = task.change(before, action, state)
        assert set(added) == state.atoms - before
        assert set(deleted) == before - state.atoms
        assert len(added) == len(set(added))
        assert len(deleted) == len(set(deleted))
    assert task.is_goal(state)


def _mutants(task: Task, plan: Plan, chance: Random) -> list[Plan]:
    """Plans with a step dropped, two swapped, an argument changed, a step doubled, the end cut off."""
    steps = list(plan.steps)
    place = chance.randrange(len(steps))
    other = chance.randrange(len(steps))
    swapped = steps.copy()
    swapped[place], swapped[other] = swapped[other], swapped[place]
    changed = steps.copy()
    if steps[place].arguments:
        arguments = list(steps[place].arguments)
        arguments[chance.randrange(len(arguments))] = chance.choice(task.structure.objects)
        changed[place] = Step(steps[place].action, tuple(arguments))
    return [
        Plan(tuple(steps[:place] + steps[place + 1 :])),
        Plan(tuple(swapped)),
        Plan(tuple(changed)),
        Plan((*steps[:place], steps[other], *steps[place:])),
        Plan(tuple(steps[:place])),
    ]


def _engine_verdict(task: Task, plan: Plan) -> tuple[bool, int | None]:
    """Whether the plan reaches the goal and the first step that cannot be applied, by the engine alone."""
    state = task.initial_state
    for number, step in enumerate(plan.steps, start=1):
        matching = [reached for action, reached, _ in task.successors(state) if action.step == step]
        if not matching:
            return False, number
        (state,) = matching
    return task.is_goal(state), None


def _assert_reason_is_right(task: Task, plan: Plan) -> None:
    verdict = validate(task, plan)
    valid, failing = _engine_verdict(task, plan)
    assert bool(verdict) == valid
    assert verdict.step == failing
    if valid:
        return
    executor = Executor(task)
    world = executor.initial()
    done = plan.steps if failing is None else plan.steps[: failing - 1]
    for step in done:
        schema = executor.schema(step.action, step.arguments)
        names = [each.name for each in schema.parameters]
        executor.apply(schema, dict(zip(names, step.arguments, strict=True)), world)
    if failing is None:
        wanted = {task.structure.atom_text(atom) for atom in task.goal.positive}
    else:
        step = plan.steps[failing - 1]
        assert str(step) in verdict.reason
        assert str(failing) in verdict.reason
        if not verdict.missing:
            assert " is not a " in verdict.reason, "without a missing condition, a type must be wrong"
            return
        wanted = None
    for text in verdict.missing:
        negated = text.startswith("(not ")
        atom = tuple((text[5:-1] if negated else text)[1:-1].split())
        if atom[0] == "=":
            assert (atom[1] == atom[2]) == negated
        else:
            assert ((atom[0], atom[1:]) in world.facts) == negated, "named as missing, but it holds"
        assert wanted is None or text in wanted
        assert text in verdict.reason or len(verdict.missing) > 3


@pytest.mark.parametrize("name", DOMAINS)
def test_verdicts_on_mutated_plans_are_the_engines_and_the_reason_is_right(name: str) -> None:
    for number in (3, 5):
        task, plan = training_task(name, f"t{number:02}"), _plan(name, f"t{number:02}")
        chance = Random(number)
        for _ in range(2):
            for mutant in _mutants(task, plan, chance):
                _assert_reason_is_right(task, mutant)


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "problem"), TRAINING)
def test_verdicts_on_many_mutated_plans_are_the_engines(domain: str, problem: str) -> None:
    task, plan = training_task(domain, problem), _plan(domain, problem)
    chance = Random(sys.maxsize)
    for _ in range(25):
        for mutant in _mutants(task, plan, chance):
            _assert_reason_is_right(task, mutant)


def test_loading_leaves_no_file_open() -> None:
    folder = BENCHMARKS / "delivery"
    before = len(os.listdir("/proc/self/fd"))
    Task.load(folder / "domain.pddl", folder / "train" / "t01.pddl")
    assert len(os.listdir("/proc/self/fd")) == before
