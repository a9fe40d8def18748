"""Using a few of the interchangeable objects loses no goal."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings

from tests.task.lifted_tasks import tasks
from trailmark.task import Domain, Task
from trailmark.task.lifted import LiftedGenerator

GRIPPER = """(define (domain g) (:requirements :strips :typing) (:types room ball hand)
  (:predicates (robot ?r - room) (at ?b - ball ?r - room) (free ?h - hand) (carry ?b - ball ?h - hand))
  (:action move :parameters (?r ?s - room) :precondition (robot ?r) :effect (and (robot ?s) (not (robot ?r))))
  (:action pick :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (at ?b ?r) (robot ?r) (free ?h))
    :effect (and (carry ?b ?h) (not (at ?b ?r)) (not (free ?h))))
  (:action drop :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (carry ?b ?h) (robot ?r))
    :effect (and (not (carry ?b ?h)) (at ?b ?r) (free ?h))))"""


def gripper(balls: int) -> Task:
    names = [f"b{number}" for number in range(balls)]
    facts = " ".join(f"(at {each} k)" for each in names)
    goals = " ".join(f"(at {each} l)" for each in names)
    return Task.parse(
        Domain.parse(GRIPPER),
        f"(define (problem p) (:domain g) (:objects k l - room {' '.join(names)} - ball h i - hand)"
        f"(:init (robot k) (free h) (free i) {facts}) (:goal (and {goals})))",
    )


def goal_is_reachable(task: Task, *, reduced: bool) -> bool:
    """By breadth-first search, each state as its difference to the initial one."""
    with patch("trailmark.task.lifted.symmetry.SMALL", 0), patch("trailmark.task.lifted.source.LONG_ROW", 0):
        generator = LiftedGenerator(task)
    if reduced:
        generator.symmetry.on()
    initial = task.initial_atoms
    static = task.structure.static_atoms
    queue, seen = [initial], {initial}
    for state in queue:
        if task.goal.positive <= state | static and not task.goal.negative & (state | static):
            return True
        added, deleted = state - initial, initial - state
        generator.state.visit(added, deleted)
        focus = generator.symmetry.focus(added, deleted)
        actions = generator.applicable()
        generator.symmetry.unfocus(focus)
        for action in actions:
            adds, deletes = generator.effects(action)
            reached = (state - frozenset(deletes)) | frozenset(adds)
            if reached not in seen and len(seen) < 3000:
                seen.add(reached)
                queue.append(reached)
    return False


@settings(max_examples=60, deadline=None)
@given(tasks())
def test_a_goal_is_reachable_with_few_objects_if_it_is_with_all(task: Task) -> None:
    assert goal_is_reachable(task, reduced=True) == goal_is_reachable(task, reduced=False)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(tasks())
def test_many_goals_are_reachable_with_few_objects_if_they_are_with_all(task: Task) -> None:
    assert goal_is_reachable(task, reduced=True) == goal_is_reachable(task, reduced=False)


def test_all_goals_of_a_task_with_many_equal_objects_are_reached() -> None:
    assert goal_is_reachable(gripper(4), reduced=True)


def test_equal_objects_are_one_class_until_a_commit_tells_them_apart() -> None:
    generator = LiftedGenerator(gripper(50))
    assert len(generator.applicable()) == 2 * 50 + 2
    generator.symmetry.on()
    few = generator.applicable()
    assert len(few) == 1 * 1 + 2
    pick = next(each for each in few if generator.step(each).action == "pick")
    adds, deletes = generator.effects(pick)
    generator.commit(set(adds), set(deletes))
    names = {str(generator.step(each)) for each in generator.applicable()}
    assert any(each.startswith("(drop b0 ") for each in names)
    assert len(names) < 10
    generator.symmetry.off()
    assert len(generator.applicable()) == 49 + 1 + 2


def test_a_touched_object_and_a_fresh_one_are_allowed() -> None:
    generator = LiftedGenerator(gripper(50))
    generator.symmetry.on()
    pick = next(each for each in generator.applicable() if generator.step(each).action == "pick")
    adds, deletes = generator.effects(pick)
    generator.state.visit(set(adds), set(deletes))
    focus = generator.symmetry.focus(adds, deletes)
    names = {str(generator.step(each)) for each in generator.applicable()}
    assert any(each.startswith("(drop b0 ") for each in names)
    assert any(each.startswith("(pick b1 ") for each in names)
    generator.symmetry.unfocus(focus)
    assert sum(generator.symmetry.allowed) < 10
