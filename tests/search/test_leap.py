"""Leap search: its plans are valid, its prefixes can be executed, and runs repeat."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.strategies import features
from tests.search.corridor import BOTH_WAYS, SWEEPING, corridor
from tests.search.leap_programs import PROGRAMS
from tests.task.lifted_tasks import tasks
from trailmark.domains import domain_text, generate, names, train_preset
from trailmark.features.syntax import Kind, expression
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop
from trailmark.landmarks.text import parse_graph
from trailmark.programs.program import Counter, Program, parse_program
from trailmark.search.leap import LeapOptions, LeapResult, LeapStatus, Level
from trailmark.search.leap.search import LeapRun, leap
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.lifted import LiftedGenerator

SIZES: dict[str, dict[str, int]] = {
    "delivery": {"width": 5, "height": 4, "packages": 6},
    "ferry": {"cars": 12, "locations": 5},
    "miconic": {"passengers": 12, "floors": 9},
    "gripper": {"balls": 12, "rooms": 2},
    "visitall": {"width": 7, "height": 7},
}


@cache
def domain(name: str) -> Domain:
    return Domain.parse(domain_text(name))


def task_of(name: str, seed: int = 1, **sizes: int) -> Task:
    return Task.parse(domain(name), generate(name, seed, **(sizes or SIZES[name])))


def assert_sound(task: Task, result: LeapResult) -> None:
    """A plan solves the task; anything else is a prefix that fails only for open goals."""
    verdict = validate(task, Plan(result.steps))
    if result.solved:
        assert verdict, verdict.reason
    else:
        assert not verdict
        assert verdict.step is None, verdict.reason


@pytest.mark.parametrize("name", sorted(PROGRAMS))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hand_written_graphs_lead_to_valid_plans(name: str, seed: int) -> None:
    task = task_of(name, seed)
    result = leap(task, PROGRAMS[name])
    assert result.status is LeapStatus.SOLVED
    assert_sound(task, result)
    statistics = result.statistics
    assert sum(statistics.by_level.values()) == statistics.leaps
    assert statistics.accepted >= len(task.goal.positive) - 1
    assert statistics.loops == len(task.goal.positive) - 1 - (name == "visitall")
    assert statistics.generated >= len(result.steps)


def test_one_landmark_for_gripper_needs_more_than_novelty_one() -> None:
    task = task_of("gripper")
    assert (
        leap(task, PROGRAMS["gripper"], LeapOptions(levels=(Level.NOVELTY_ONE,))).status is LeapStatus.STUCK
    )
    result = leap(task, PROGRAMS["gripper"], LeapOptions(levels=(Level.NOVELTY_ONE, Level.NOVELTY_TWO)))
    assert result.solved
    assert_sound(task, result)
    assert result.statistics.by_level[Level.NOVELTY_TWO] == result.statistics.leaps


def test_every_level_alone_solves_small_tasks() -> None:
    for level in set(Level) - {Level.RECIPES}:
        task = task_of("delivery", 1, width=3, height=2, packages=2)
        result = leap(task, PROGRAMS["delivery"], LeapOptions(levels=(level,)))
        assert result.solved, level
        assert_sound(task, result)


@pytest.mark.parametrize("chunk", [1, 2, 1000])
def test_the_size_of_chunks_does_not_matter_for_success(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("base", "novelty"):
        monkeypatch.setattr(f"trailmark.search.leap.{module}.CHUNK", chunk)
    for name in ("gripper", "miconic"):
        task = task_of(name)
        result = leap(task, PROGRAMS[name])
        assert result.solved
        assert_sound(task, result)


def test_results_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from tests.search.test_leap import *\n"
        "for name in PROGRAMS:\n"
        "    result = leap(task_of(name), PROGRAMS[name])\n"
        "    print(name, result.statistics, *map(str, result.steps))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


class Countdown:
    """A budget that ends after some questions."""

    def __init__(self, questions: int) -> None:
        self._left = count(questions, -1)

    def expired(self) -> bool:
        return next(self._left) <= 0


@pytest.mark.parametrize("questions", [0, 1, 5])
def test_a_budget_ends_the_search_with_a_prefix(questions: int) -> None:
    task = task_of("delivery", 1, width=9, height=9, packages=30)
    result = leap(task, PROGRAMS["delivery"], budget=Countdown(questions))
    assert result.status is LeapStatus.OUT_OF_BUDGET
    assert_sound(task, result)
    assert result.statistics.generated <= (questions + 2) * 1000


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_the_search_on_the_engine_finds_valid_plans_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_of(name)
    expected = leap(task, PROGRAMS[name])
    monkeypatch.setattr("trailmark.search.leap.search.supports", lambda task: False)
    result = leap(task, PROGRAMS[name])
    assert result.solved
    assert_sound(task, result)
    assert result.statistics.loops == expected.statistics.loops


@pytest.mark.parametrize("lifted", [True, False])
def test_looking_for_whole_passes_leaves_detours_out(lifted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.search.leap.search.supports", lambda task: lifted)
    task = corridor(BOTH_WAYS, "(there t e) (dust b)", "(got t)")
    lengths = {}
    for whole in ((), (Level.NOVELTY_ONE,)):
        result = leap(task, SWEEPING, LeapOptions(whole_passes=whole))
        assert_sound(task, result)
        lengths[whole] = len(result.steps)
    assert lengths == {(): 6, (Level.NOVELTY_ONE,): 3}


LAMPS = """(define (domain lamps) (:requirements :adl) (:types lamp)
  (:predicates (lit ?l - lamp) (wired ?l ?m - lamp) (done))
  (:action switch :parameters (?l - lamp) :precondition (and)
    :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (lit ?l))
      (forall (?m - lamp) (when (and (wired ?l ?m) (not (lit ?m))) (lit ?m)))
      (forall (?m - lamp) (when (and (wired ?l ?m) (lit ?m)) (not (lit ?m))))))
  (:action finish :parameters () :precondition (forall (?l - lamp) (lit ?l)) :effect (done)))"""


def lamps(goal: str) -> Task:
    return Task.parse(
        Domain.parse(LAMPS),
        "(define (problem four) (:domain lamps) (:objects a b c d - lamp) (:init (wired a b) (wired b c)"
        f" (wired c d) (lit b)) (:goal {goal}))",
    )


@pytest.mark.parametrize(
    "goal", ["(done)", "(or (done) (and (lit a) (lit d)))", "(forall (?l - lamp) (lit ?l))"]
)
@pytest.mark.parametrize("level", list(Level))
def test_tasks_beyond_strips_are_searched_on_the_engine(goal: str, level: Level) -> None:
    task = lamps(goal)
    dark = parse_program("counter n_count(c_not(c_primitive(lit,0)))")
    levels = (level, Level.RELAXED)
    result = leap(task, dark, LeapOptions(levels=levels))
    assert result.solved
    assert_sound(task, result)


def test_a_limit_of_generated_states_holds() -> None:
    task = task_of("delivery", 1, width=9, height=9, packages=30)
    result = leap(task, PROGRAMS["delivery"], LeapOptions(max_generated=500))
    assert result.status is LeapStatus.OUT_OF_BUDGET
    assert 500 <= result.statistics.generated < 600
    assert_sound(task, result)


def test_a_generator_can_be_used_again() -> None:
    task = task_of("gripper")
    generator = LiftedGenerator(task)
    first = leap(task, PROGRAMS["gripper"], generator=generator)
    again = leap(task, PROGRAMS["gripper"], generator=generator)
    assert first.solved
    assert first.steps == again.steps


def test_a_run_that_was_interrupted_where_it_stalled_goes_on_to_the_same_plan() -> None:
    """Without recipes the level of recipes, asked first, finds nothing."""
    options = LeapOptions(levels=(Level.RECIPES, *LeapOptions().levels))
    for name, program in PROGRAMS.items():
        task = task_of(name)
        run = LeapRun(task, program, options)
        stalled = run.run(until_stalled=True)
        assert (stalled.status, stalled.steps) == (LeapStatus.STALLED, ())
        assert run.run().steps == leap(task, program, options).steps != ()


def test_progress_is_reported_at_every_commit() -> None:
    accepted: list[int] = []
    task = task_of("delivery")
    leap(task, PROGRAMS["delivery"], report=lambda statistics: accepted.append(statistics.accepted))
    assert set(range(2 * len(task.goal.positive) + 1)) == set(accepted)


@pytest.mark.parametrize("goal", ["(and (p o) (s o))", "(and (p o) (not (t o)))"])
def test_goals_that_no_action_changes_are_not_forgotten(goal: str) -> None:
    text = """(define (domain d) (:requirements :strips) (:predicates (p ?x) (s ?x) (t ?x))
      (:action a :parameters (?x) :precondition (t ?x) :effect (p ?x)))"""
    problem = f"(define (problem q) (:domain d) (:objects o) (:init (t o)) (:goal {goal}))"
    graph = parse_graph("landmark\n n_count(c_primitive(p,0))")
    result = leap(Task.parse(Domain.parse(text), problem), graph)
    assert result.status in (LeapStatus.STUCK, LeapStatus.EXHAUSTED)


def reachable(task: Task, most: int = 400) -> bool | None:
    """Whether a goal is reachable, by the engine; None where there are too many states."""
    queue, seen = [task.initial_state], {task.initial_state}
    for state in queue:
        if task.is_goal(state):
            return True
        for _, reached, _ in task.successors(state):
            if reached not in seen:
                seen.add(reached)
                queue.append(reached)
        if len(seen) > most:
            return None
    return False


@st.composite
def graphs(draw: st.DrawFn, task: Task) -> LandmarkGraph:
    """Any graph that can be written down, right or misleading."""
    feature = features(task.domain.vocabulary, depth=3)
    landmarks = [
        Landmark((StateDescriptor(draw(feature), positive=draw(st.booleans())),))
        for _ in range(draw(st.integers(1, 3)))
    ]
    loops = []
    if len(landmarks) > 1 and draw(st.booleans()):
        source = draw(st.integers(1, len(landmarks) - 1))
        target = draw(st.integers(0, source - 1))
        exit_ = StateDescriptor(draw(feature), positive=draw(st.booleans()))
        progress = StateProgressor(draw(feature), decreases=draw(st.booleans()))
        counter = StateValue(expression("n_count", expression("c_top")))
        loops.append(Loop(source, target, (exit_,), (progress,), (counter,)))
    return LandmarkGraph(tuple(landmarks), tuple(loops))


@st.composite
def programs(draw: st.DrawFn, task: Task) -> Program:
    """Any program that can be written down, right or misleading."""
    numerical = features(task.domain.vocabulary, depth=3).filter(lambda each: each.kind is Kind.NUMERICAL)
    chains = st.lists(numerical, min_size=1, max_size=3, unique=True).map(tuple)
    counters = st.lists(st.builds(Counter, chains, st.integers(0, 1)), min_size=1, max_size=2)
    return Program(tuple(draw(counters)))


def guidances(task: Task) -> st.SearchStrategy[LandmarkGraph | Program]:
    return graphs(task) | programs(task)


def check_random_graph(
    data: st.DataObject, task: Task, levels: tuple[Level, ...] = LeapOptions().levels
) -> None:
    whole = data.draw(st.sampled_from([(), (Level.NOVELTY_ONE,), (Level.NOVELTY_ONE, Level.NOVELTY_TWO)]))
    options = LeapOptions(levels=levels, novelty_two_limit=200, whole_passes=whole)
    result = leap(task, data.draw(guidances(task)), options)
    assert_sound(task, result)
    known = reachable(task)
    if known is not None:
        assert known or not result.solved
        if result.status is LeapStatus.EXHAUSTED:
            assert not known


def check_random_graph_of(data: st.DataObject, name: str) -> None:
    task = task_of(name, 1, **train_preset(name)[1])
    result = leap(task, data.draw(guidances(task)), LeapOptions(novelty_two_limit=300))
    assert_sound(task, result)
    assert result.status is not LeapStatus.EXHAUSTED


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks())
def test_random_graphs_never_turn_a_solvable_task_into_an_unsolvable_one(
    data: st.DataObject, task: Task
) -> None:
    check_random_graph(data, task)


@settings(max_examples=25, deadline=None)
@given(st.data(), st.sampled_from(names()))
def test_random_graphs_of_the_domains_give_valid_plans_or_prefixes(data: st.DataObject, name: str) -> None:
    check_random_graph_of(data, name)


@pytest.mark.slow
@settings(max_examples=800, deadline=None)
@given(st.data(), tasks())
def test_many_random_graphs_never_turn_a_solvable_task_into_an_unsolvable_one(
    data: st.DataObject, task: Task
) -> None:
    check_random_graph(data, task)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.data(), st.sampled_from(names()))
def test_many_random_graphs_of_the_domains_give_valid_plans_or_prefixes(
    data: st.DataObject, name: str
) -> None:
    check_random_graph_of(data, name)
