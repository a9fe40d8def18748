"""Training sets: problem classes, and what a user should know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PROBLEMS
from trailmark.domains import domain_text
from trailmark.errors import InputError
from trailmark.executors import parallel
from trailmark.learning.training import load_training, problem_classes
from trailmark.task import Domain, Task

TRUCK_GOAL = """(define (problem drive) (:domain delivery)
  (:objects c1 c2 - cell t1 - truck p1 - package)
  (:init (adjacent c1 c2) (adjacent c2 c1) (at t1 c1) (at p1 c1) (empty t1))
  (:goal (at t1 c2)))"""
UNSOLVABLE = TRUCK_GOAL.replace("(adjacent c1 c2) (adjacent c2 c1)", "(adjacent c2 c1)")


@pytest.fixture
def drive(tmp_path: Path) -> str:
    path = tmp_path / "drive.pddl"
    path.write_text(TRUCK_GOAL)
    return str(path)


def test_goals_of_one_kind_are_one_class(drive: str) -> None:
    domain = Domain.load(DOMAIN)
    (alone,) = problem_classes([Task.load(domain, each) for each in PROBLEMS])
    assert alone.members == (0, 1, 2, 3, 4)
    assert str(alone) == "(at package cell)"


def test_mixed_goals_are_classes_in_the_order_of_their_first_instance(drive: str) -> None:
    domain = Domain.load(DOMAIN)
    names = [PROBLEMS[0], drive, PROBLEMS[1]]
    classes = problem_classes([Task.load(domain, each) for each in names])
    assert [(str(each), each.members) for each in classes] == [
        ("(at package cell)", (0, 2)),
        ("(at truck cell)", (1,)),
    ]


def test_a_mixed_training_set_is_noted_by_class_and_can_be_split(drive: str) -> None:
    training = load_training(DOMAIN, [*PROBLEMS[:2], drive])
    (note,) = training.notes
    assert note.startswith("the goals are of 2 classes: (at package cell) in 2; (at truck cell) in 1")
    assert "--split" in note
    assert [[each.problem_file for each in part] for part in training.by_class()] == [PROBLEMS[:2], [drive]]


def test_a_problem_without_a_plan_is_left_out_with_a_note(tmp_path: Path) -> None:
    hopeless = tmp_path / "hopeless.pddl"
    hopeless.write_text(UNSOLVABLE)
    training = load_training(DOMAIN, [PROBLEMS[0], str(hopeless)], seconds=5.0)
    assert [each.problem_file for each in training.instances] == PROBLEMS[:1]
    (note,) = training.notes
    assert note.startswith(f"{hopeless} is left out: the embedded search found no plan")
    with pytest.raises(InputError, match="no training problem has a plan"):
        load_training(DOMAIN, [str(hopeless)], seconds=5.0)


def test_a_plan_file_must_fit_its_problem(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the plan for .*t02.pddl cannot be used: "):
        load_training(DOMAIN, PROBLEMS[:2], "files", [FD_PLANS[0], FD_PLANS[4]])
    with pytest.raises(InputError, match="there is no such"):
        load_training(DOMAIN, PROBLEMS[:1], "files", [str(tmp_path / "nowhere.plan")])
    other = tmp_path / "ferry.plan"
    other.write_text("(sail l1 l2 f1)\n")
    with pytest.raises(InputError, match="sail"):
        load_training(DOMAIN, PROBLEMS[:1], "files", [str(other)])


def test_a_problem_of_another_domain_is_bad_input(tmp_path: Path) -> None:
    other = tmp_path / "ferry.pddl"
    other.write_text(domain_text("ferry"))
    with pytest.raises(InputError):
        load_training(str(other), PROBLEMS[:1])


def test_the_files_of_the_plans_are_kept_with_the_instances() -> None:
    training = load_training(DOMAIN, [PROBLEMS[0]] * 2, "files", [FD_PLANS[0]] * 2)
    assert [each.plan_file for each in training.instances] == [FD_PLANS[0]] * 2
    assert training.notes == ()


def test_several_processes_give_the_same_training_set() -> None:
    with parallel(2) as executor:
        shared = load_training(DOMAIN, PROBLEMS[:2], executor=executor)
    alone = load_training(DOMAIN, PROBLEMS[:2])
    assert [each.plan for each in shared.instances] == [each.plan for each in alone.instances]
