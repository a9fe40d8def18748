"""Counting ground actions: against brute force on drawn tasks, against the engine on real domains."""

from __future__ import annotations

from itertools import product
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
from trailmark.task.model import ActionSchema, Add, And, Atom, Not
from trailmark.task.walks import estimated_ground_actions, looseness

DEPOTS = Path(__file__).parents[2] / ".." / "shared" / "benchmarks-wide" / "depots"


def grounded_by_engine(task: Task) -> int:
    task.engine.heuristic("ff")
    with silenced():
        return len(task.engine._grounder.create_ground_actions())


def never() -> None:
    pass


def counted_by_brute_force(task: Task) -> int:
    """The bindings whose positive conditions are reached where nothing is ever deleted. Negative ones count
    only for predicates that no action adds or deletes."""
    changed = {effect.atom.predicate for schema in task.domain.model.actions for effect in schema.effects}
    initial = set(task.model.initial_atoms)
    reached, actions = set(initial), set[tuple[str, tuple[str, ...]]]()

    def holds(condition: object, binding: dict[str, str]) -> bool:
        if isinstance(condition, And):
            return all(holds(part, binding) for part in condition.parts)
        if isinstance(condition, Not):
            assert isinstance(condition.part, Atom)
            return condition.part.predicate in changed or not holds(condition.part, binding)
        assert isinstance(condition, Atom)
        atom = bound(condition, binding)
        return len(set(atom.terms)) == 1 if atom.predicate == "=" else atom in reached

    def candidates(schema: ActionSchema) -> list[list[str]]:
        kinds = task.object_types
        return [[name for name in kinds if kinds[name] & set(each.types)] for each in schema.parameters]

    before = -1
    while before != len(actions):
        before = len(actions)
        for schema in task.domain.model.actions:
            for objects in product(*candidates(schema)):
                binding = schema.binding(objects)
                if holds(schema.precondition, binding):
                    actions.add((schema.name, objects))
                    reached |= {bound(each.atom, binding) for each in schema.effects if isinstance(each, Add)}
    return len(actions)


def bound(atom: Atom, binding: dict[str, str]) -> Atom:
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.terms))


@settings(max_examples=60, deadline=None)
@given(tasks())
def test_no_ground_action_is_overlooked(task: Task) -> None:
    count = counted_by_brute_force(task)
    if count:
        assert ground_actions(task, count - 1, never) is None
    assert ground_actions(task, count, never) == count


@pytest.mark.parametrize("name", ["gripper", "blocksworld", "logistics"])
def test_the_engine_makes_as_many(name: str) -> None:
    domain, problem = Domain.parse(domain_text(name)), generate(name, seed=1)
    count = grounded_by_engine(Task.parse(domain, problem))
    assert ground_actions(Task.parse(domain, problem), count, never) == count


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
