"""The level that aims relaxed plans at one atom, and how leaps get out of dead ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.search.corridor import SWEEPING, corridor
from tests.search.leap_programs import PROGRAMS
from tests.search.tasks import domain
from tests.search.test_leap import assert_sound, check_random_graph, task_of
from tests.task.lifted_tasks import tasks
from trailmark.domains import generate, names
from trailmark.search.leap import LeapOptions, LeapStatus, Level
from trailmark.search.leap.search import leap
from trailmark.task import Task
from trailmark.task.model import And, Atom
from trailmark.task.states import Subgoals, prepare_preferring

SUBGOAL = LeapOptions(levels=(Level.RELAXED,))


def with_goal(task: Task, atom: int) -> Task:
    symbol, objects = task.structure.decode(atom)
    name = task.structure.vocabulary.symbols[symbol].name
    goal = Atom(name, tuple(task.structure.objects[each] for each in objects))
    return Task(task.domain, replace(task.model, goal=And((goal,))))


@pytest.mark.parametrize("name", ["delivery", "barman", "grid"])
def test_an_estimate_towards_an_atom_is_that_of_the_task_with_this_goal(name: str) -> None:
    task = Task.parse(domain(name), generate(name, 0))
    subgoals = Subgoals(task)
    for atom in subgoals.atoms[::17]:
        other = with_goal(task, atom)
        expected, actions = prepare_preferring(other)(other.initial_state)
        value, preferred = subgoals.towards([atom])(task.initial_state)
        assert value == expected
        assert {action.step for action in preferred} == {action.step for action in actions}


def test_an_estimate_to_the_goal_does_not_read_another_goal() -> None:
    task = Task.parse(domain("delivery"), generate("delivery", 0))
    to_goal = prepare_preferring(task)
    before = to_goal(task.initial_state)[0]
    subgoals = Subgoals(task)
    assert subgoals.towards([next(iter(task.initial_atoms))])(task.initial_state)[0] == 0
    assert to_goal(task.initial_state)[0] == before > 0


@pytest.mark.parametrize("name", sorted(set(names()) & set(PROGRAMS)))
def test_the_level_alone_solves_what_its_program_leads_through(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trailmark.search.leap.relaxed.LEAST_STATES", 400)
    task = task_of(name)
    result = leap(task, PROGRAMS[name], SUBGOAL)
    assert result.solved
    assert_sound(task, result)
    assert result.statistics.by_level[Level.RELAXED] == result.statistics.leaps > 0


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks())
def test_random_graphs_never_turn_a_solvable_task_into_an_unsolvable_one(
    data: st.DataObject, task: Task
) -> None:
    levels = data.draw(st.permutations([Level.NOVELTY_ONE, Level.RELAXED, Level.NOVELTY_TWO]))
    check_random_graph(data, task, tuple(levels))


def test_a_task_too_large_to_be_grounded_is_left_to_other_levels() -> None:
    task = task_of("gripper")
    result = leap(task, PROGRAMS["gripper"], replace(SUBGOAL, ground_actions=1))
    assert result.status is LeapStatus.STUCK
    assert not task.engine.is_grounded


def test_a_task_without_a_relaxed_plan_is_proved_unsolvable() -> None:
    task = corridor("(next c b)", "(there s b) (there t e)", "(got t)")
    assert leap(task, SWEEPING, SUBGOAL).status is LeapStatus.EXHAUSTED


def test_a_pass_that_led_into_a_dead_end_is_taken_back_and_made_as_a_whole() -> None:
    task = corridor("(next c b) (next c d) (next d e)", "(there t e) (dust b)", "(got t)")
    levels = (Level.NOVELTY_ONE, Level.RELAXED)
    result = leap(task, SWEEPING, LeapOptions(levels=levels))
    assert result.solved
    assert_sound(task, result)
    assert list(map(str, result.steps)) == ["(walk c d)", "(walk d e)", "(take e t)"]
    assert leap(task, SWEEPING, LeapOptions(levels=levels[:1])).status is LeapStatus.STUCK


def test_what_ended_passes_before_is_not_taken_back() -> None:
    ways = "(next c b) (next b c) (next b a) (next c d) (next d e)"
    task = corridor(ways, "(there s b) (there t e) (dust a)", "(got s) (got t)")
    result = leap(task, SWEEPING, LeapOptions(levels=(Level.NOVELTY_ONE, Level.RELAXED)))
    assert result.solved
    assert_sound(task, result)
    assert result.statistics.by_level[Level.RELAXED] == 1


def test_a_task_without_a_plan_is_not_solved_by_taking_back() -> None:
    task = corridor("(next c b) (next c d)", "(there t e) (dust b)", "(got t)")
    result = leap(task, SWEEPING, LeapOptions(levels=(Level.NOVELTY_ONE, Level.RELAXED)))
    assert result.status is LeapStatus.EXHAUSTED
    assert_sound(task, result)
