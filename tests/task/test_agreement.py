"""The engine and our own executor agree: each is the other's oracle."""

from __future__ import annotations

from random import Random

import pytest

from tests.task.places import SMALL, needs_benchmarks, small_task, training_task
from tests.task.random_pddl import random_task
from tests.task.replay import assert_agrees_with_engine
from trailmark.task import Domain, Task
from trailmark.task.states import prepare


@pytest.mark.parametrize("generation", ["lifted", "grounded"])
@pytest.mark.parametrize("name", SMALL)
def test_random_walks_agree_on_small_tasks(name: str, generation: str) -> None:
    assert_agrees_with_engine(small_task(name, generation), steps=12, walks=3)


@pytest.mark.parametrize("seed", range(40))
def test_random_walks_agree_on_random_tasks(seed: int) -> None:
    domain, problem = random_task(Random(seed))
    task = Task.parse(Domain.parse(domain), problem)
    assert_agrees_with_engine(task, steps=4, walks=1, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_random_walks_agree_on_many_random_tasks(block: int) -> None:
    for seed in range(1000 + 60 * block, 1060 + 60 * block):
        domain, problem = random_task(Random(seed))
        for generation in ("lifted", "grounded"):
            task = _task(domain, problem, generation)
            assert_agrees_with_engine(task, steps=5, walks=2, seed=seed)


@needs_benchmarks
@pytest.mark.parametrize("name", ["delivery", "floortile", "footwear", "tpp"])
def test_random_walks_agree_on_public_tasks(name: str) -> None:
    assert_agrees_with_engine(training_task(name, "t01"), steps=6, walks=1)


def _task(domain: str, problem: str, generation: str = "auto") -> Task:
    task = Task.parse(Domain.parse(domain), problem)
    task.generation = generation
    return task


def _steps(task: Task) -> list[str]:
    return sorted(str(action) for action, _, _ in task.successors(task.initial_state))


DISJUNCTIVE = """(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x) (done))
  (:action act :parameters (?x) :precondition {} :effect (done)))"""
TWO_FACTS = "(define (problem x) (:domain d) (:objects a b) (:init (p a) (q a) (p b)) (:goal (done)))"


def test_a_step_appears_once_however_many_disjuncts_hold() -> None:
    task = _task(DISJUNCTIVE.format("(or (p ?x) (q ?x))"), TWO_FACTS)
    assert _steps(task) == ["(act a)", "(act b)"]


def test_a_step_appears_once_however_many_witnesses_there_are() -> None:
    task = _task(DISJUNCTIVE.format("(exists (?y) (p ?y))"), TWO_FACTS)
    assert _steps(task) == ["(act a)", "(act b)"]


def test_an_inner_variable_may_hide_an_outer_one() -> None:
    task = _task(DISJUNCTIVE.format("(and (q ?x) (exists (?x) (not (q ?x))))"), TWO_FACTS)
    assert _steps(task) == ["(act a)"]


def test_grounded_generation_is_not_used_where_it_would_lose_actions() -> None:
    """The engine's grounded generator misses actions whose conditions need axioms."""
    domain = DISJUNCTIVE.format("(exists (?y) (or (not (p ?y)) (q ?x)))")
    assert not _task(domain, TWO_FACTS, "grounded").engine.grounded


NUMERIC = """(define (domain d) (:requirements :numeric-fluents :conditional-effects)
  (:predicates (on ?x)) (:functions (level ?x) (pool) (total-cost))
  (:action act :parameters () :effect (and (increase (total-cost) 3) {})))"""
LEVELS = """(define (problem x) (:domain d) (:objects a b)
  (:init (on a) (= (level a) 2) (= (level b) 5) (= (pool) 1)) (:goal (> (pool) 100)) {})"""


@pytest.mark.parametrize(
    ("effect", "pool"),
    [
        ("(forall (?x) (increase (pool) (level ?x)))", 8.0),
        ("(forall (?x) (when (on ?x) (increase (pool) (level ?x))))", 3.0),
        ("(when (> (pool) 0) (increase (pool) 1))", 2.0),
        ("(when (> (pool) 1) (increase (pool) 1))", 1.0),
        ("(increase (pool) (+ 1 2 3)) (decrease (pool) (- 1))", 8.0),
        ("(increase (pool) 0.0000001)", 1.0000001),
    ],
)
def test_numeric_effects_are_executed(effect: str, pool: float) -> None:
    task = _task(NUMERIC.format(effect), LEVELS.format(""))
    ((_, reached, cost),) = task.successors(task.initial_state)
    assert task.interpretation(reached).values["pool"] == pytest.approx(pool)
    assert cost == 1.0


@pytest.mark.parametrize(
    "effect",
    [
        "(assign (pool) 1) (assign (pool) 2)",
        "(assign (pool) 1) (increase (pool) 2)",
        "(scale-up (pool) 2) (scale-up (pool) 3)",
        "(forall (?x) (assign (pool) (level ?x)))",
    ],
)
def test_a_step_that_changes_one_number_in_two_ways_is_not_applicable(effect: str) -> None:
    for generation in ("lifted", "grounded"):
        task = _task(NUMERIC.format(effect), LEVELS.format(""), generation)
        assert task.successors(task.initial_state) == []


@pytest.mark.parametrize(
    ("metric", "cost"),
    [
        ("", 1.0),
        ("(:metric minimize (total-cost))", 3.0),
        ("(:metric minimize (pool))", 4.0),
        ("(:metric minimize (+ (* 10 (pool)) (total-cost)))", 43.0),
    ],
)
def test_a_step_costs_what_it_adds_to_the_metric(metric: str, cost: float) -> None:
    task = _task(NUMERIC.format("(increase (pool) 4)"), LEVELS.format(metric))
    ((_, _, found),) = task.successors(task.initial_state)
    assert found == cost


def test_costs_are_summed_from_zero_where_the_problem_gives_no_start() -> None:
    domain = """(define (domain d) (:requirements :action-costs)
      (:predicates (done)) (:functions (total-cost))
      (:action act :parameters () :effect (and (done) (increase (total-cost) 7))))"""
    problem = "(define (problem x) (:domain d) (:init) (:goal (done)) (:metric minimize (total-cost)))"
    ((_, _, cost),) = (task := _task(domain, problem)).successors(task.initial_state)
    assert cost == 7.0


def test_rules_with_and_without_negation_conclude_together() -> None:
    """The engine alone loses the first rule's conclusion, because the second reads `seen` positively."""
    domain = """(define (domain d) (:requirements :derived-predicates) (:constants a b)
      (:predicates (mark ?x) (seen ?x) (fine))
      (:derived (seen ?x) (mark ?x))
      (:derived (fine) (not (seen a)))
      (:derived (fine) (seen b))
      (:action act :parameters (?x) :effect (mark ?x)))"""
    problem = "(define (problem x) (:domain d) (:init) (:goal (fine)))"
    task = _task(domain, problem)
    assert task.is_goal(task.initial_state)
    assert_agrees_with_engine(task, steps=4, walks=3)


def test_equal_increases_add_up() -> None:
    task = _task(NUMERIC.format("(increase (pool) 2) (increase (pool) 2)"), LEVELS.format(""))
    ((_, reached, _),) = task.successors(task.initial_state)
    assert task.interpretation(reached).values["pool"] == 5.0


UNIVERSAL = (
    "(define (domain d) (:predicates (p ?x) (q ?x)) (:action act :parameters (?x) :effect (p ?x)))",
    "(define (problem x) (:domain d) (:objects a b) (:init (q a)) (:goal (forall (?x) {})))",
)


def test_a_goal_for_all_objects_is_counted_object_by_object() -> None:
    task = _task(UNIVERSAL[0], UNIVERSAL[1].format("(p ?x)"))
    assert prepare(task, "hadd")(task.initial_state) == 2
    assert_agrees_with_engine(task, steps=4, walks=3)


def test_a_relaxed_estimate_of_zero_is_no_goal() -> None:
    """Some universal goals are negated axioms to the engine, which its relaxation takes as true."""
    task = _task(UNIVERSAL[0], UNIVERSAL[1].format("(or (p ?x) (q ?x))"))
    assert prepare(task, "hadd")(task.initial_state) == 0
    assert not task.is_goal(task.initial_state)
    assert prepare(task, "goalcount")(task.initial_state) == 1
