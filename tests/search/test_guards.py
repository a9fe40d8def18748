"""Leap search with guards: no state where one holds is passed, and a wrong one does not stop it."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.strategies import features
from tests.search.leap_programs import PROGRAMS
from tests.search.test_leap import assert_sound, programs, reachable
from tests.task.lifted_tasks import tasks
from trailmark.domains import domain_text, generate
from trailmark.features.batch import evaluate
from trailmark.features.states import state_batch
from trailmark.features.text import parse
from trailmark.landmarks.functions import StateDescriptor
from trailmark.programs.program import Program, parse_program
from trailmark.search.leap import LeapOptions, LeapResult, LeapStatus, Level
from trailmark.search.leap.engine_explorer import EngineExplorer
from trailmark.search.leap.search import LiftedExplorer, leap
from trailmark.task import Domain, Plan, Task, trajectory

LEFT = "n_count(r_diff(r_primitive(painted_g,0,1),r_primitive(painted,0,1)))"
UNGUARDED = parse_program(f"counter {LEFT}")
GUARDED = parse_program(
    f"""
    counter {LEFT}
    guard n_count(r_diff(r_primitive(painted,0,1),r_primitive(painted_g,0,1)))
    guard n_count(c_and(c_primitive(painted,0),c_some(r_primitive(down,0,1),c_not(c_primitive(painted,0)))))
    """
)
SMALL = LeapOptions(novelty_two_limit=300)


def strictly(task: Task, program: Program, options: LeapOptions = SMALL) -> LeapResult:
    """Leaps with guards that are never lifted."""
    with (
        patch.object(LiftedExplorer, "lift_guards", lambda _: False),
        patch.object(EngineExplorer, "lift_guards", lambda _: False),
    ):
        return leap(task, program, options)


def floor(rows: int, columns: int, seed: int = 1) -> Task:
    domain = Domain.parse(domain_text("floortile"))
    return Task.parse(domain, generate("floortile", seed, rows=rows, columns=columns, robots=2))


def ever_holds(task: Task, plan: Plan, guard: StateDescriptor) -> bool:
    path = trajectory(task, plan)
    values = evaluate([guard.feature], state_batch([(path.structure, path.states)])).values[0]
    return any(guard.holds(int(value)) for value in values)


@pytest.mark.parametrize("levels", [tuple(Level), (Level.NOVELTY_TWO,)])
def test_robots_do_not_wall_themselves_in_where_a_guard_forbids_it(levels: tuple[Level, ...]) -> None:
    options = LeapOptions(levels=levels)
    task = floor(2, 2) if len(levels) == 1 else floor(4, 3)
    result = strictly(task, GUARDED, options)
    assert result.solved
    assert result.statistics.guarded > 0
    assert not any(ever_holds(task, Plan(result.steps), guard) for guard in GUARDED.guards)
    assert leap(task, UNGUARDED, options).statistics.guarded == 0


def test_on_the_engine_s_successors_guards_forbid_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.search.leap.search.supports", lambda _: False)
    task = floor(2, 2)
    result = strictly(task, GUARDED, LeapOptions())
    assert result.solved
    assert result.statistics.guarded > 0
    assert not any(ever_holds(task, Plan(result.steps), guard) for guard in GUARDED.guards)


def test_a_program_without_its_guards_gets_stuck() -> None:
    assert leap(floor(4, 3), UNGUARDED).status is LeapStatus.STUCK


def test_a_wrong_guard_only_costs_a_second_try() -> None:
    wrong = replace(PROGRAMS["gripper"], guards=(StateDescriptor(parse("n_count(c_primitive(carry,0))")),))
    task = Task.parse(Domain.parse(domain_text("gripper")), generate("gripper", 1, balls=4, rooms=2))
    assert strictly(task, wrong, LeapOptions()).status is LeapStatus.STUCK
    result = leap(task, wrong)
    assert result.solved
    assert_sound(task, result)


def test_a_guard_that_holds_at_the_start_forbids_nothing() -> None:
    always = StateDescriptor(parse("n_count(c_top)"))
    task = floor(2, 2)
    assert leap(task, replace(GUARDED, guards=(*GUARDED.guards, always))).steps == leap(task, GUARDED).steps


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks())
def test_with_random_guards_nothing_is_called_unsolvable_that_is_not(data: st.DataObject, task: Task) -> None:
    feature = features(task.domain.vocabulary, depth=3)
    guards = data.draw(st.lists(feature.map(StateDescriptor), max_size=2, unique=True))
    guarded = replace(data.draw(programs(task)), guards=tuple(guards))
    result = data.draw(st.sampled_from([strictly, leap]))(task, guarded, SMALL)
    assert_sound(task, result)
    if result.status is LeapStatus.EXHAUSTED:
        assert reachable(task) is not True


@settings(max_examples=30, deadline=None)
@given(st.data(), tasks())
def test_a_strict_search_passes_no_state_where_a_guard_holds_but_the_goal(
    data: st.DataObject, task: Task
) -> None:
    guard = StateDescriptor(data.draw(features(task.domain.vocabulary, depth=3)))
    result = strictly(task, replace(data.draw(programs(task)), guards=(guard,)))
    states = [task.initial_state]
    for step in result.steps:
        following = task.successors(states[-1])
        states.append(next(reached for action, reached, _ in following if action.step == step))
    visited = [task.interpretation(state) for state in states]
    values = evaluate([guard.feature], state_batch([(task.structure, visited)])).values[0]
    held = [guard.holds(int(value)) for value in values]
    assert held[0] or not any(held[1:-1])
    assert held[0] or not held[-1] or task.is_goal(states[-1])


@pytest.mark.parametrize("seed", range(6))
def test_goal_by_goal_leaves_goals_that_a_guard_forbids_for_later(seed: int) -> None:
    domain = Domain.parse(domain_text("floortile-single"))
    task = Task.parse(domain, generate("floortile-single", seed, rows=3 + seed % 2, columns=3 + seed % 3))
    result = strictly(task, GUARDED, LeapOptions(levels=(Level.GOAL,)))
    assert result.solved
    assert_sound(task, result)
    assert not any(ever_holds(task, Plan(result.steps), guard) for guard in GUARDED.guards)
