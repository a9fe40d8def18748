"""Verdicts and costs against counting out all states with our own executor, over all PDDL we accept."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.task.bruteforce import TooLarge, Unclear, cheapest, far_goal
from tests.task.random_pddl import random_task
from trailmark.errors import PddlError, SearchStatus
from trailmark.limits import Budget
from trailmark.search.planner import PlannerOptions, plan
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.model import TOTAL_COST, Arithmetic, Comparison, FunctionTerm, Number
from trailmark.task.writer import engine_reading, misread_number

SEEDS = 300
UNVALUED_SEEDS = 1_500
BLOCKS = 7
BLOCK = 1_000
"""Of drawn tasks; those of which a search can go wrong are fewer, see `judge_task`."""
FAR_STATES = 40
MOST_STATES = 100
SECONDS = 20.0
SEARCHES = (
    PlannerOptions(search="astar", heuristic="none"),
    PlannerOptions(),
    PlannerOptions(complete="lazy"),
    PlannerOptions(search="gbfs"),
    PlannerOptions(search="astar", heuristic="hmax"),
)


def judge(seed: int, verdicts: Counter[str]) -> None:
    """A random task, in half of the cases with a goal that can be reached."""
    domain, problem = random_task(Random(seed), small=True)
    task = Task.parse(Domain.parse(domain), problem)
    if seed % 4 < 2:
        task = Task(task.domain, replace(task.model, goal=far_goal(task, FAR_STATES)))
    judge_task(seed, task, verdicts)


def judge_task(seed: int, task: Task, verdicts: Counter[str]) -> None:
    """Passes over tasks that the first state decides, that are too large, or whose steps lower the metric."""
    try:
        cost, expanded = cheapest(task, MOST_STATES)
    except (TooLarge, Unclear):
        return
    if expanded <= 1:
        return
    options = SEARCHES[seed % len(SEARCHES)]
    result = plan(task, None, options, Budget(SECONDS))
    verdicts[result.status.value] += 1
    if result.status is SearchStatus.TIME_LIMIT:
        return
    if result.status is SearchStatus.NO_PLAN_FOUND and misread_number(task) is not None:
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


METRIC = """(define (domain d) (:requirements :strips :numeric-fluents) (:predicates (at ?x) (filled))
  (:functions (fuel) (width) (total-cost))
  (:action go :parameters (?a ?b) :precondition (at ?a) :effect (and (not (at ?a)) (at ?b)))
  (:action fill :effect (and (filled) (assign (fuel) 3)))
  (:action sip :effect (and (filled) (assign (fuel) 2))))"""
UNVALUED = """(define (problem p) (:domain d) (:objects a b) (:init (at a) {}) (:goal (at b))
  (:metric minimize {}))"""


@pytest.mark.parametrize(
    ("values", "metric", "length", "cost"),
    [
        ("", "(fuel)", 2, 2),
        ("", "(+ (total-cost) (* 2 (fuel)))", 2, 4),
        ("(= (fuel) 0)", "(/ 6 (fuel))", 2, 2),
        ("(= (fuel) 1)", "(fuel)", 1, 1),
        ("", "(total-cost)", 1, 0),
    ],
)
@pytest.mark.parametrize("options", [*SEARCHES, PlannerOptions(search="gbfs")])
def test_a_plan_ends_where_the_metric_has_a_value(
    values: str, metric: str, length: int, cost: float, options: PlannerOptions
) -> None:
    """It need not have one at first: such tasks were called unsolvable."""
    task = Task.parse(Domain.parse(METRIC), UNVALUED.format(values, metric))
    result = plan(task, None, options)
    assert result.steps is not None
    assert len(result.steps) >= length
    if options.search == "astar":
        assert (len(result.steps), result.cost) == (length, cost)


@pytest.mark.parametrize("metric", ["(width)", "(+ 1 (width))", "(/ (width) (fuel))"])
def test_a_metric_that_never_has_a_value_is_told_in_one_line(metric: str) -> None:
    with pytest.raises(PddlError, match=r"reads \(width\), which has no value and gets none \(give it one"):
        Task.parse(Domain.parse(METRIC), UNVALUED.format("", metric))


def test_verdicts_without_a_value_of_the_metric_are_those_of_brute_force() -> None:
    statuses = Counter[str]()
    metric = Arithmetic("+", (FunctionTerm("pool", ()), FunctionTerm(TOTAL_COST, ())))
    for seed in range(UNVALUED_SEEDS):
        chance = Random(seed)
        domain, problem = random_task(chance, small=True)
        task = Task.parse(Domain.parse(domain), problem)
        if "(assign (pool)" in domain:
            values = tuple(each for each in task.model.initial_values if each[0].function != "pool")
            model = replace(task.model, minimize=metric, initial_values=values)
            goal = far_goal(Task(task.domain, model), chance.randint(2, 20))
            judge_task(seed, Task(task.domain, replace(model, goal=goal)), statuses)
    print(statuses)
    assert statuses["solved"] > 5
    assert statuses["unsolvable"] > 1


HALVING = """(define (domain d) (:requirements :numeric-fluents) (:functions (level))
  (:action halve :effect (scale-up (level) 0.5)))"""
LEVEL = "(define (problem p) (:domain d) (:init (= (level) 3)) (:goal (= (level) {:.60f})))"


def test_it_is_known_which_number_the_engine_reads() -> None:
    """It takes one in six with 16 and more digits for its neighbour."""
    chance = Random(0)
    values = [chance.random() * 10.0 ** chance.randint(-40, 9) for _ in range(200)]
    values += [float(f"{value:.10g}") for value in values]
    task = Task.parse(Domain.parse(HALVING), LEVEL.format(1.0))
    for value in values:
        model = replace(task.model, initial_values=((FunctionTerm("level", ()), value),))
        ((_, read),) = Task(task.domain, model).initial_state.values.items()
        assert read == engine_reading(value)
    assert sum(engine_reading(value) != value for value in values) > 20


@pytest.mark.parametrize("options", SEARCHES)
def test_no_verdict_rests_on_a_number_that_the_engine_misreads(options: PlannerOptions) -> None:
    """One that a step gives and the goal names, and one that no step gives but is taken for such."""
    task = Task.parse(Domain.parse(HALVING), LEVEL.format(1.0))
    reached = [3 * 0.5**times for times in range(1, 60)]
    missed = next(value for value in reached if engine_reading(value) != value)
    beside = [math.nextafter(value, to) for value in reached for to in (0, math.inf)]
    taken = next(value for value in beside if engine_reading(value) in reached)
    for value in (missed, taken):
        goal = Comparison("=", FunctionTerm("level", ()), Number(value))
        searched = Task(task.domain, replace(task.model, goal=goal))
        assert misread_number(searched) == value
        assert plan(searched, None, options).status is SearchStatus.NO_PLAN_FOUND
