"""What leaps do beyond novelty: relaxed plans, and states that need no test."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.search.corridor import SWEEPING, corridor
from tests.search.leap_programs import PROGRAMS
from tests.search.tasks import small_task
from tests.search.test_leap import assert_sound, check_random_graph, task_of
from tests.task.lifted_tasks import tasks
from trailmark.domains import domain_text, names
from trailmark.programs.program import parse_program
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap import LeapOptions, LeapStatus, Level
from trailmark.search.leap.base import Base
from trailmark.search.leap.course import Course
from trailmark.search.leap.relaxed import STATE_WEIGHT, affordable_states, evaluation_weight, search_to
from trailmark.search.leap.search import leap
from trailmark.search.leap.views import ChangingObjects
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.lifted import LiftedGenerator, supports
from trailmark.task.states import Subgoals, prepare_preferring

NOVELTY_ONE = LeapOptions(levels=(Level.NOVELTY_ONE,))
WITH_RELAXED = (Level.NOVELTY_ONE, Level.RELAXED)

AWAY = "c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top)"
THROUGH = "r_compose(r_transitive_reflexive_closure(r_primitive(in,0,1)),r_primitive(at,0,1))"
MISPLACED = f"n_count(c_and({AWAY},c_not(c_equal({THROUGH},r_primitive(at_g,0,1)))))"
UNDELIVERED = f"n_count({AWAY})"
LEGS = parse_program(f"counter {MISPLACED}\ncounter {UNDELIVERED}")
"""First every package is where it belongs, if only inside a truck; then they are unloaded."""


def one_city(initial: str, goal: str, more: str = "") -> Task:
    return Task.parse(
        Domain.parse(domain_text("logistics")),
        f"(define (problem p) (:domain logistics-strips) (:objects t u c a b d p q{more})"
        " (:init (truck t) (city c) (location a) (location b) (location d)"
        f" (in-city a c) (in-city b c) (in-city d c) (obj p) (obj q) {initial}) (:goal (and {goal})))",
    )


def loaded_truck() -> Task:
    """The truck has p where it belongs; q must go elsewhere, and p must not come along."""
    return one_city("(at t b) (in p t) (at q a)", "(at p b) (at q d)")


@pytest.fixture(params=["lifted", "engine"])
def generators(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches with our own generator, and on the engine's successors."""
    monkeypatch.setattr("trailmark.search.leap.search.supports", lambda task: request.param == "lifted")


# States and actions


@pytest.mark.parametrize("name", names())
def test_states_made_from_atoms_are_the_engines_own(name: str) -> None:
    chance = random.Random(name)
    task = small_task(name, chance)
    states, generator = Subgoals(task), LiftedGenerator(task)
    state = task.initial_state
    for _ in range(12):
        assert states.state(state.atoms) == state
        successors = task.successors(state)
        if not successors:
            break
        action, state, _ = chance.choice(successors)
        assert generator.step(generator.action(action.step)) == action.step


@settings(max_examples=20, deadline=None)
@given(tasks())
def test_states_of_random_tasks_can_be_made_from_atoms(task: Task) -> None:
    if supports(task):
        states = Subgoals(task)
        for _, reached, _ in task.successors(task.initial_state):
            assert states.state(reached.atoms) == reached


# Relaxed plans


def test_lazy_greedy_search_from_another_state_to_another_end() -> None:
    task = task_of("gripper")
    start = task.successors(task.initial_state)[0][1]
    held = task.structure.vocabulary.index["carry"]

    def ends(state: object) -> bool:
        atoms = state.atoms  # type: ignore[attr-defined]
        return sum(task.structure.decode(atom)[0] == held for atom in atoms) == 2

    result = lazy_greedy(task, prepare_preferring(task), start=start, ends=ends)
    assert result.steps is not None
    state = start
    for step in result.steps:
        assert not ends(state)
        state = next(reached for action, reached, _ in task.successors(state) if action.step == step)
    assert ends(state)


@pytest.mark.usefixtures("generators")
def test_a_relaxed_plan_leads_where_novelty_one_does_not() -> None:
    task = task_of("gripper")
    assert leap(task, PROGRAMS["gripper"], NOVELTY_ONE).status is LeapStatus.STUCK
    result = leap(task, PROGRAMS["gripper"], LeapOptions(levels=WITH_RELAXED))
    assert result.solved
    assert_sound(task, result)
    assert result.statistics.by_level[Level.RELAXED] > 0


def test_once_grounded_a_task_is_asked_for_relaxed_plans_before_wider_levels() -> None:
    task = task_of("gripper")
    levels = (Level.NOVELTY_ONE, Level.NOVELTY_TWO, Level.RELAXED)
    result = leap(task, PROGRAMS["gripper"], LeapOptions(levels=levels, novelty_two_limit=3))
    assert result.solved
    assert result.statistics.by_level[Level.NOVELTY_TWO] == 0
    few = leap(task, PROGRAMS["gripper"], LeapOptions(levels=WITH_RELAXED)).statistics.generated
    assert result.statistics.generated <= few + 3 + 64


def test_a_state_that_a_relaxed_plan_looks_at_counts_as_many_as_it_costs() -> None:
    task, course = task_of("delivery"), Course(PROGRAMS["delivery"], LeapOptions())
    result = search_to(task, prepare_preferring(task), task.initial_state, lambda _: False, course, 1_000)
    found = result.statistics
    assert found.evaluated
    assert course.statistics.generated == found.generated + evaluation_weight(task) * found.evaluated
    assert evaluation_weight(task) >= STATE_WEIGHT > 1


def test_relaxed_plans_look_at_fewer_states_of_larger_tasks() -> None:
    task = task_of("delivery")
    assert affordable_states(task, 5, 1_000) == 1_000
    task.engine.ground_actions = 40_000
    assert [affordable_states(task, least, 1_000) for least in (5, 200)] == [100, 200]


def test_a_dead_end_that_a_relaxed_plan_shows_is_left_at_once_and_not_met_again() -> None:
    one_way = "(next c b) (next b a) (next a b) (next c d) (next d e)"
    task = corridor(one_way, "(there s b) (there s d) (there t e)", "(got s) (got t)")
    result = leap(task, SWEEPING, LeapOptions(levels=(*WITH_RELAXED, Level.NOVELTY_TWO)))
    assert result.status is LeapStatus.STUCK
    assert_sound(task, result)
    without = leap(task, SWEEPING, LeapOptions(levels=WITH_RELAXED))
    assert result.statistics.generated == without.statistics.generated


@pytest.mark.usefixtures("generators")
def test_a_task_that_no_relaxed_plan_solves_is_proved_unsolvable() -> None:
    task = corridor("(next c b)", "(there s b) (there t e)", "(got t)")
    result = leap(task, SWEEPING, LeapOptions(levels=(Level.RELAXED,)))
    assert result.status is LeapStatus.EXHAUSTED


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks())
def test_random_graphs_with_relaxed_plans_never_turn_a_solvable_task_into_an_unsolvable_one(
    data: st.DataObject, task: Task
) -> None:
    levels = data.draw(st.permutations([Level.NOVELTY_ONE, Level.RELAXED, Level.NOVELTY_TWO]))
    check_random_graph(data, task, tuple(levels))


# Tests that are left out


@pytest.mark.parametrize("chunk", [2, 64])
def test_a_port_that_can_be_sailed_to_is_not_reached_by_way_of_another(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trailmark.search.leap.novelty.CHUNK", chunk)
    ports = [f"l{number}" for number in range(100)]
    facts = [
        f"(location {port}) (not-eq {port} {other})" for port in ports for other in ports if port != other
    ]
    task = Task.parse(
        Domain.parse(domain_text("ferry")),
        f"(define (problem p) (:domain ferry) (:objects {' '.join(ports)} c - obj f - ferry) (:init"
        f" {' '.join(facts)} (car c) (at-ferry l0) (empty-ferry f) (at c l98)) (:goal (at c l99)))",
    )
    result = leap(task, PROGRAMS["ferry"], NOVELTY_ONE)
    assert [step.action for step in result.steps] == ["sail", "board", "sail", "debark"]


def test_objects_change_and_places_do_not() -> None:
    task = task_of("logistics", 1, cities=1, sites=2, packages=5, planes=1)
    changing, atom = ChangingObjects(task, task.initial_atoms), task.structure.atom
    place = task.structure.object_index
    assert changing.objects([atom("at", "p0", "l0-1")]) == {place["p0"]}
    assert changing.objects([atom("at", "p0", "l0-1"), atom("in", "p1", "t0")]) == {
        place[each] for each in ("p0", "p1", "t0")
    }
    lift = task_of("miconic-capacity", 1, floors=3, passengers=2)
    assert ChangingObjects(lift, lift.initial_atoms).objects([lift.structure.atom("lift-empty")]) is None


def test_the_atoms_about_an_object_are_those_of_the_last_commit() -> None:
    task = loaded_truck()
    changing, atom, place = (
        ChangingObjects(task, task.initial_atoms),
        task.structure.atom,
        task.structure.object_index,
    )
    about = [atom("at", "t", "b"), atom("in", "p", "t")]
    assert changing.atoms_about([place["t"]]) == set(about)
    changing.commit([atom("at", "t", "a")], [atom("at", "t", "b")])
    assert changing.atoms_about([place["t"], place["q"]]) == {
        atom("at", "t", "a"),
        atom("at", "q", "a"),
        about[1],
    }


@pytest.mark.parametrize("wide", [0, 10**9])
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_plans_are_as_long_with_every_test(name: str, wide: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.search.leap.novelty.WIDE", wide)
    few = [leap(task_of(name, seed), PROGRAMS[name], LeapOptions()) for seed in (1, 2, 3)]
    monkeypatch.setattr(Base, "objects_changed", lambda *_: None)
    monkeypatch.setattr("trailmark.search.leap.novelty.MOST_TESTED", 0)
    for seed, result in zip((1, 2, 3), few, strict=True):
        every = leap(task_of(name, seed), PROGRAMS[name], LeapOptions())
        assert len(result.steps) == len(every.steps)
        # From two atoms an action is joined twice.
        assert wide == 0 or result.statistics.generated <= every.statistics.generated


@pytest.mark.parametrize("wide", [0, 10**9])
def test_an_action_on_what_changed_is_tested_with_it(wide: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetching takes the truck away and back again, with nothing new in the end but together."""
    monkeypatch.setattr("trailmark.search.leap.novelty.WIDE", wide)
    task = one_city("(at t a) (at p b) (at q a)", "(at p a) (at q a)")
    result = leap(task, LEGS, NOVELTY_ONE)
    assert result.solved
    assert validate(task, Plan(result.steps))
