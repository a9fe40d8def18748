"""What a step costs at least, what tables say of it, and which actions the engine may overlook."""

from __future__ import annotations

import math

import pytest

from trailmark.task import Domain, Task
from trailmark.task.costs import least_step_cost, table_costs
from trailmark.task.walks import may_be_overlooked

TOLLS = "(= (toll k) 0.25) (= (toll l) 4)"


def task_with(effects: str) -> Task:
    """One action with these effects beside its own; objects are k, l and m, and m has no toll."""
    domain = f"""(define (domain d) (:requirements :conditional-effects :numeric-fluents)
      (:predicates (p ?x) (q)) (:functions (total-cost) (toll ?x) (fuel))
      (:action a :parameters (?x) :precondition (and) :effect (and (p ?x) {effects})))"""
    problem = f"""(define (problem r) (:domain d) (:objects k l m)
      (:init (= (fuel) 1) {TOLLS}) (:goal (p k)) (:metric minimize (total-cost)))"""
    return Task.parse(Domain.parse(domain), problem)


@pytest.mark.parametrize(
    ("effects", "least"),
    [
        ("", 0.0),
        ("(increase (total-cost) 3)", 3.0),
        ("(increase (total-cost) (toll ?x))", 0.25),
        ("(increase (total-cost) (toll ?x)) (increase (total-cost) 1)", 1.25),
        ("(increase (total-cost) 3) (decrease (total-cost) 1)", 0.0),
        ("(when (q) (increase (total-cost) 3))", 0.0),
    ],
)
def test_no_step_costs_less_than_the_least(effects: str, least: float) -> None:
    task = task_with(effects)
    assert least_step_cost(task) == least
    assert all(cost >= least for _, _, cost in task.successors(task.initial_state))


def test_a_step_for_which_the_table_has_no_cost_is_not_possible() -> None:
    task = task_with("(increase (total-cost) (toll ?x))")
    (cost,) = table_costs(task)
    assert cost is not None
    index = task.structure.object_index
    assert [cost((index[name],)) for name in "klm"] == [0.25, 4, math.inf]
    assert sorted(cost for _, _, cost in task.successors(task.initial_state)) == [0.25, 4]


def test_a_step_costs_what_numbers_say_that_earlier_steps_have_changed() -> None:
    task = task_with("(increase (total-cost) (fuel)) (increase (fuel) 1)")
    state, costs = task.initial_state, list[float]()
    for _ in range(3):
        _, state, cost = task.successors(state)[0]
        costs.append(cost)
    assert costs == [1, 2, 3]


@pytest.mark.parametrize(
    ("effects", "overlooked"),
    [
        ("(assign (fuel) 2)", False),
        ("(assign (fuel) 2) (when (q) (increase (fuel) 1))", True),
        ("(increase (fuel) 2) (when (q) (increase (fuel) 1))", False),
        ("(assign (fuel) 2) (when (q) (increase (toll ?x) 1))", False),
        ("(forall (?y) (when (p ?y) (assign (fuel) 2)))", True),
    ],
)
def test_an_action_may_be_overlooked_where_a_number_has_a_conditional_change_beside_another(
    effects: str, overlooked: bool
) -> None:
    (schema,) = task_with(effects).domain.model.actions
    assert may_be_overlooked(schema) is overlooked
