"""LM-G through the guide of best-first search: the paper's example, and the plain progression as oracle."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tests.landmarks import running_example as example
from tests.search.leap_programs import PROGRAMS
from tests.search.tasks import domain, random_guidance, small_task
from trailmark.domains import names
from trailmark.features.incremental.evaluation import bind
from trailmark.features.syntax import INFINITE
from trailmark.landmarks.functions import Guidance, Policy, lm_g
from trailmark.landmarks.text import parse_graph
from trailmark.programs.program import Program, parse_program
from trailmark.search import guide as guide_module
from trailmark.search.guide import LandmarkGuide, goals_and_passes
from trailmark.task import Domain, Step, Task
from trailmark.task.parser import parse_problem
from trailmark.task.states import prepare

NUMBERS = """(define (domain taps) (:requirements :numeric-fluents) (:predicates (open) (shut))
  (:functions (level))
  (:action fill :parameters () :precondition (and) :effect (increase (level) 1))
  (:action close :parameters () :precondition (and) :effect (and (shut) (not (open)))))"""


def delivery_of(world: example.World, size: int = 3) -> Task:
    """The running example's world as a PDDL task."""

    def cell(place: tuple[int, int]) -> str:
        return f"c_{place[0]}_{place[1]}"

    places = [(x, y) for x in range(size) for y in range(size)]
    facts = [f"(at t1 {cell(world.truck)})", "(empty t1)"]
    facts += [f"(at p{number} {cell(place)})" for number, place in enumerate(world.packages) if place]
    for x, y in places:
        for dx, dy in example.MOVES.values():
            if (x + dx, y + dy) in places:
                facts.append(f"(adjacent {cell((x, y))} {cell((x + dx, y + dy))})")
    goals = " ".join(f"(at p{number} {cell(world.goal)})" for number in range(len(world.packages)))
    packages = " ".join(f"p{number}" for number in range(len(world.packages)))
    text = (
        f"(define (problem three) (:domain delivery) (:objects {' '.join(map(cell, places))} - cell"
        f" {packages} - package t1 - truck) (:init {' '.join(facts)}) (:goal (and {goals})))"
    )
    known = domain("delivery")
    return Task(known, parse_problem(text, "<text>", known.model))


def steps_between(worlds: list[example.World]) -> list[Step]:
    """The PDDL actions that lead from world to world."""

    def cell(place: tuple[int, int]) -> str:
        return f"c_{place[0]}_{place[1]}"

    found = []
    for before, after in pairwise(worlds):
        here = cell(before.truck)
        if before.truck != after.truck:
            found.append(Step("move", ("t1", here, cell(after.truck))))
            continue
        (number,) = (k for k, place in enumerate(before.packages) if place != after.packages[k])
        name = "pick-package" if after.packages[number] is None else "drop-package"
        found.append(Step(name, ("t1", f"p{number}", here)))
    return found


def marked_values(task: Task, guide: LandmarkGuide, steps: list[Step]) -> list[int]:
    """LM-G along a plan, each state as a successor of the one before."""
    state, mark = task.initial_state, guide.start(task.initial_state)
    values = [mark.value]
    for step in steps:
        ((action, reached),) = (
            (action, reached) for action, reached, _ in task.successors(state) if action.step == step
        )
        mark = guide.step(guide.expand(mark, state), action, reached)
        state = reached
        values.append(mark.value)
    assert task.is_goal(state)
    return values


def test_lm_g_along_the_example_heur_counts_from_twelve_to_zero() -> None:
    task = delivery_of(example.THREE_PACKAGES)
    guide = LandmarkGuide(task, example.PAPER_GRAPH)
    values = marked_values(task, guide, steps_between(example.HEURISTIC_EXAMPLE))
    assert values == [12, 12, 11, 10, 10, 10, 9, 8, 8, 7, 6, 6, 5, 4, 4, 4, 3, 2, 2, 2, 1, 0]


def test_lm_g_along_the_full_example_ends_at_zero() -> None:
    task = delivery_of(example.THREE_PACKAGES)
    guide = LandmarkGuide(task, example.PAPER_GRAPH)
    values = marked_values(task, guide, steps_between(example.FULL_EXAMPLE))
    assert (values[0], values[7], values[15], values[21]) == (12, 8, 4, 0)


def check_walk(task: Task, guidance: Guidance, chance: random.Random, length: int = 25) -> int:
    """Marks along a random walk are those of the progression over features evaluated from scratch."""
    guide = LandmarkGuide(task, guidance)
    plain = guidance.without_guards
    evaluator = bind(plain.features, task.structure)
    progression = plain.following(Policy.LEAVE)

    state, mark = task.initial_state, guide.start(task.initial_state)
    values = evaluator.start(task.interpretation(state)).values
    status, maximum = progression.start(values), plain.h_max(values)
    accepted = 0
    for _ in range(length):
        successors = task.successors(state)
        if not successors:
            break
        action, reached, _ = chance.choice(successors)
        mark = guide.step(guide.expand(mark, state), action, reached)
        after = progression.step(status, evaluator.start(task.interpretation(reached)).values)
        assert mark.status == after
        assert mark.value == lm_g(maximum, after)
        assert mark.looped == (after.traversals != status.traversals)
        state, status = reached, after
        accepted = after.accepted
    return accepted


@pytest.mark.parametrize("name", names())
def test_marks_are_those_of_the_progression_on_random_walks(name: str) -> None:
    chance = random.Random(name)
    for _ in range(6):
        task = small_task(name, chance)
        check_walk(task, random_guidance(task, chance), chance)


def test_marks_do_not_depend_on_how_many_tables_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide_module, "FARTHEST", 0)
    monkeypatch.setattr(guide_module, "MOST_ENTRIES", 40)
    chance = random.Random(3)
    accepted = 0
    for name in ("delivery", "miconic", "logistics", "blocksworld"):
        for _ in range(10):
            task = small_task(name, chance)
            accepted += check_walk(task, random_guidance(task, chance), chance)
    assert accepted > 10


def test_a_landmark_may_read_a_number_that_actions_change() -> None:
    text = "(define (problem p) (:domain taps) (:init (open) (= (level) 0)) (:goal (shut)))"
    task = Task.parse(Domain.parse(NUMBERS), text)
    guide = LandmarkGuide(task, parse_graph("landmark\n n_function(level) > 1"))
    state, mark, values = task.initial_state, guide.start(task.initial_state), []
    for _ in range(3):
        action, reached, _ = next(each for each in task.successors(state) if each[0].step.action == "fill")
        mark = guide.step(guide.expand(mark, state), action, reached)
        state = reached
        values.append(mark.value)
    assert values == [1, 0, 0]


def check_counts(task: Task, program: Program, chance: random.Random, length: int = 25) -> None:
    """Goals and passes along a random walk are those of counters evaluated from scratch."""
    left, goals = goals_and_passes(task, program), prepare(task, "goalcount")
    evaluator = bind(program.features, task.structure)
    state = task.initial_state
    for _ in range(length):
        values = evaluator.start(task.interpretation(state)).values
        read = [
            (values[program.feature_index[counter.features[0]]], counter.least)
            for counter in program.counters
        ]
        passes = sum(max(0, value - least) for value, least in read if value < INFINITE)
        assert left(state) == goals(state) + passes
        successors = task.successors(state)
        if not successors:
            break
        state = chance.choice(successors)[1]


@pytest.mark.parametrize("name", names())
def test_goals_and_passes_are_those_of_the_state_alone(name: str) -> None:
    chance = random.Random(name)
    for _ in range(6):
        task = small_task(name, chance)
        guidance = random_guidance(task, chance)
        if isinstance(guidance, Program):
            check_counts(task, guidance, chance)
    if name in PROGRAMS:
        check_counts(task, PROGRAMS[name], chance)


def test_passes_may_count_a_number_that_actions_change() -> None:
    text = "(define (problem p) (:domain taps) (:init (open) (= (level) 0)) (:goal (shut)))"
    task = Task.parse(Domain.parse(NUMBERS), text)
    left = goals_and_passes(task, parse_program("counter n_function(level) - 1"))
    state, counted = task.initial_state, []
    for _ in range(3):
        state = next(each[1] for each in task.successors(state) if each[0].step.action == "fill")
        counted.append(left(state))
    assert counted == [1, 2, 3]
