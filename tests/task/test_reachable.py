"""Counting ground actions by joins, against the engine's own grounding."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.task.lifted_tasks import tasks
from trailmark.domains import domain_text, generate
from trailmark.errors import TimeLimitError
from trailmark.limits import Budget
from trailmark.task import Domain, Task
from trailmark.task.engine import silenced
from trailmark.task.lifted.generator import ground_actions
from trailmark.task.walks import estimated_ground_actions, looseness

DEPOTS = Path(__file__).parents[2] / ".." / "shared" / "benchmarks-wide" / "depots"


def grounded_by_engine(task: Task) -> int:
    task.engine.heuristic("ff")
    with silenced():
        return len(task.engine._grounder.create_ground_actions())


def never() -> None:
    pass


@settings(max_examples=60, deadline=None)
@given(tasks())
def test_no_ground_action_is_overlooked(task: Task) -> None:
    fresh = Task(task.domain, task.model)
    count = grounded_by_engine(fresh)
    if count:
        assert ground_actions(task, count - 1, never) is None
    assert ground_actions(task, count, never) == count


def test_an_action_that_contradicts_itself_is_none() -> None:
    text = """(define (domain d) (:requirements :negative-preconditions) (:predicates (n) (m))
      (:action never :parameters () :precondition (and (n) (not (n))) :effect (m))
      (:action once :parameters () :precondition (not (m)) :effect (n)))"""
    problem = "(define (problem p) (:domain d) (:init (n)) (:goal (n)))"
    task, fresh = (Task.parse(Domain.parse(text), problem) for _ in range(2))
    assert grounded_by_engine(fresh) == 1
    assert ground_actions(task, 1, never) == 1


@pytest.mark.skipif(not DEPOTS.is_dir(), reason="the wide benchmark instances are not here")
def test_a_task_is_groundable_that_the_estimate_takes_for_a_hundred_times_as_large() -> None:
    task = Task.load(DEPOTS / "domain.pddl", DEPOTS / "test" / "p01.pddl")
    count = grounded_by_engine(Task.load(DEPOTS / "domain.pddl", DEPOTS / "test" / "p01.pddl"))
    assert estimated_ground_actions(task) > 20 * count
    assert ground_actions(task, count - 1, never) is None
    assert ground_actions(task, count, never) == count


def test_counting_ends_with_the_clock() -> None:
    task = Task.parse(Domain.parse(domain_text("blocksworld")), generate("blocksworld", blocks=30))
    budget = Budget(1e-9)
    with pytest.raises(TimeLimitError):
        ground_actions(task, 10, lambda: budget.check("counting"))


FUEL = """(define (domain fuel)
  (:types place level)
  (:predicates (at ?x - place) (tank ?x - level) (costs ?l - level ?x ?y - place) (sum ?a ?b ?c - level))
  (:action drive :parameters (?x ?y - place ?after ?cost ?before - level)
    :precondition (and (at ?x) (tank ?before) (costs ?cost ?x ?y) (sum ?after ?cost ?before))
    :effect (and (not (at ?x)) (at ?y) (not (tank ?before)) (tank ?after))))"""


def test_sums_make_the_engine_look_at_many_bindings_for_one_action() -> None:
    """A level that is lower by any cost passes pair by pair, whatever the cost of the way is."""
    costs = (1, 2, 3, 4, 5)
    sums = [f"(sum l{after} l{cost} l{after + cost})" for cost in costs for after in range(100 - cost)]
    problem = f"""(define (problem p) (:domain fuel)
      (:objects a b - place {" ".join(f"l{level}" for level in range(100))} - level)
      (:init (at a) (tank l99) (costs l5 a b) (costs l5 b a) {" ".join(sums)}) (:goal (at b)))"""
    task = Task.parse(Domain.parse(FUEL), problem)
    assert 4 < looseness(task) < 6
    count = ground_actions(task, 1e6, lambda: None)
    assert count is not None
    fresh = Task.parse(Domain.parse(FUEL), problem)
    assert ground_actions(fresh, 3 * count, lambda: None) is None
