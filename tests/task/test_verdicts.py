"""Verdicts and costs against counting out all states with our own executor, over all PDDL we accept."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.task.bruteforce import TooLarge, Unclear, cheapest, far_goal
from tests.task.random_pddl import random_task
from trailmark.errors import SearchStatus
from trailmark.limits import Budget
from trailmark.search.planner import PlannerOptions, plan
from trailmark.task import Domain, Plan, Task, validate

SEEDS = 300
BLOCKS = 7
BLOCK = 1_000
"""Of drawn tasks; those of which a search can go wrong are fewer, see `interesting`."""
FAR_STATES = 40
MOST_STATES = 100
SECONDS = 20.0
SEARCHES = (PlannerOptions(search="astar", heuristic="none"), PlannerOptions())


def interesting(seed: int) -> tuple[Task, float] | None:
    """A random task, in half of the cases with a goal that can be reached, and what its cheapest plan costs;
    None where the first state decides it, where it is too large, or where steps lower the metric."""
    domain, problem = random_task(Random(seed), small=True)
    task = Task.parse(Domain.parse(domain), problem)
    if seed % 4 < 2:
        task = Task(task.domain, replace(task.model, goal=far_goal(task, FAR_STATES)))
    try:
        cost, expanded = cheapest(task, MOST_STATES)
    except (TooLarge, Unclear):
        return None
    return (task, cost) if expanded > 1 else None


def judge(seed: int, verdicts: Counter[str]) -> None:
    found = interesting(seed)
    if found is None:
        return
    task, cost = found
    options = SEARCHES[seed % len(SEARCHES)]
    result = plan(task, None, options, Budget(SECONDS))
    verdicts[result.status.value] += 1
    if result.status is SearchStatus.TIME_LIMIT:
        return
    assert result.status is (SearchStatus.UNSOLVABLE if math.isinf(cost) else SearchStatus.SOLVED), seed
    if result.steps is not None:
        assert validate(task, Plan(result.steps)), seed
        assert result.cost is not None
        assert result.cost >= cost - 1e-9, seed
        assert options.search != "astar" or result.cost == pytest.approx(cost), seed


def test_verdicts_and_costs_are_those_of_brute_force() -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(SEEDS):
        judge(seed, verdicts)
    assert verdicts["solved"] > 30
    assert verdicts["unsolvable"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_verdicts_and_costs_of_many_tasks_are_those_of_brute_force(block: int) -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(10_000 + block * BLOCK, 10_000 + (block + 1) * BLOCK):
        judge(seed, verdicts)
    print(dict(verdicts))
    assert verdicts["solved"] > 20


CHOICE = """(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (lit) (dot))
  (:functions (pool) (level ?x))
  (:action light :effect (lit))
  (:action other :effect (dot))
  (:action set :parameters (?x) :effect (and {} (dot))))"""
PROBLEM = """(define (problem p) (:domain d) (:objects a b)
  (:init {} (= (pool) 2) (= (level a) 4) (= (level b) 5)) (:goal (= (pool) {})))"""


EITHER = "(when (lit) (assign (pool) 1)) (when (not (lit)) (assign (pool) 7))"
SWAPPED = "(when (not (lit)) (assign (pool) 7)) (when (lit) (assign (pool) 1))"


@pytest.mark.parametrize(
    ("facts", "effects", "value"),
    [
        ("", "(assign (pool) 1) (when (lit) (assign (pool) 7))", 1),
        ("", EITHER, 1),
        ("(lit)", EITHER, 1),
        ("", EITHER, 7),
        ("", SWAPPED, 1),
        ("(lit)", SWAPPED, 1),
        ("", SWAPPED, 7),
        ("", "(when (lit) (scale-up (pool) 5)) (when (not (lit)) (decrease (pool) 1))", 5),
        ("", "(forall (?y) (when (= ?x ?y) (assign (pool) (level ?y))))", 4),
        ("", "(forall (?y) (when (= ?x ?y) (assign (pool) (level ?y))))", 5),
    ],
)
def test_a_change_of_a_number_beside_one_that_does_not_happen_is_not_overlooked(
    facts: str, effects: str, value: int
) -> None:
    """The engine takes the two for a conflict."""
    task = Task.parse(Domain.parse(CHOICE.format(effects)), PROBLEM.format(facts, value))
    for options in SEARCHES:
        assert plan(task, None, options).status is SearchStatus.SOLVED


def test_two_changes_that_both_happen_are_a_conflict_still() -> None:
    effects = "(assign (pool) 1) (when (lit) (assign (pool) 7))"
    task = Task.parse(Domain.parse(CHOICE.format(effects)), PROBLEM.format("(lit)", 1))
    for options in SEARCHES:
        assert plan(task, None, options).status is SearchStatus.UNSOLVABLE


UNSET = """(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (on ?x))
  (:functions (pool) (other) (level ?x) (size ?x))
  (:action fill :effect (assign (pool) 3))
  (:action add :precondition (>= (pool) 1) :effect (increase (other) (pool)))
  (:action set :parameters (?x) :effect (assign (level ?x) 2))
  (:action use :parameters (?x) :effect (increase (other) (level ?x)))
  (:action put :parameters (?x) :precondition (< (size ?x) 9) :effect (on ?x)))"""


@pytest.mark.parametrize(
    ("goal", "length"),
    [("(= (other) 4)", 2), ("(= (other) 3)", 2), ("(= (other) 6)", 1), ("(= (pool) 3)", 1), ("(on b)", 1)],
)
def test_numbers_without_a_value_get_one_by_an_action(goal: str, length: int) -> None:
    """The state did not have such numbers, so that no step could read them."""
    problem = f"""(define (problem p) (:domain d) (:objects a b)
      (:init (= (other) 1) (= (level b) 5) (= (size b) 1)) (:goal {goal}))"""
    result = plan(Task.parse(Domain.parse(UNSET), problem), None, SEARCHES[0])
    assert result.cost == length


CONSTANTS = """(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (on ?x) (off))
  (:functions (pool) (size ?x))
  (:action put :parameters (?x) :precondition (< (- (pool)) (size ?x)) :effect (on ?x))
  (:action fit :parameters (?x) :precondition (<= (* 2 (size ?x)) 2) :effect (on ?x))
  (:action end :precondition (not (= (pool) 1)) :effect (off)))"""


def test_what_reads_a_constant_without_a_value_does_not_hold() -> None:
    """The engine reads beyond its table of constants, and crashed."""
    problem = "(define (problem p) (:domain d) (:objects a b) (:init (= (size a) 1)) (:goal (on b)))"
    task = Task.parse(Domain.parse(CONSTANTS), problem)
    assert {str(action) for action in task.actions(task.initial_state)} == {"(fit a)", "(end)"}
    assert plan(task).status is SearchStatus.UNSOLVABLE
