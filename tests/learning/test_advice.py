"""Advice on the training set: each weakness is named, and a good set is left alone."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.domains import domain_text, train_problems
from trailmark.errors import NoGraphError
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.text import parse_graph
from trailmark.learning.training import TrainingInstance, TrainingSet, advice, leave_one_out, model_advice
from trailmark.learning.trials import plain_plan
from trailmark.limits import UNLIMITED
from trailmark.models.model import Model, TrainingRecord
from trailmark.programs.program import Program, parse_program
from trailmark.task import Domain, Plan, Step, Task

DOMAIN = Domain.parse(domain_text("delivery"))
OPEN = "n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))"
NEVER = "n_count(c_primitive(truck,0))"
"""A count that no action lowers."""
STEP = Plan((Step("move", ("t1", "a", "b")),))


def advised(numbers: Sequence[int], seconds: float = 1.0, plan: Plan = STEP) -> list[str]:
    problems = train_problems("delivery")
    instances = [
        TrainingInstance(Task.parse(DOMAIN, problems[number]), plan, f"t{place}.pddl")
        for place, number in enumerate(numbers)
    ]
    return list(advice(TrainingSet(tuple(instances), seconds, ()), 10.0))


def test_a_varied_set_is_left_alone() -> None:
    assert advised(range(5)) == []


def test_too_few() -> None:
    (line,) = advised([0, 1])
    assert line.startswith("only 2 training problems")


def test_one_size_and_duplicates() -> None:
    first, *repeated = advised([2, 2, 2])
    assert first.startswith("all training problems have as many objects and goals")
    assert repeated == [
        f"{name} is the same problem as t0.pddl, with the same plan" for name in ("t1.pddl", "t2.pddl")
    ]


def test_solved_already() -> None:
    assert "nothing is to be done in t0.pddl, t1.pddl, t2.pddl: the goal holds at the beginning" in advised(
        [0, 1, 2], plan=Plan(())
    )


def test_plans_that_took_most_of_the_time() -> None:
    (line,) = advised(range(5), seconds=9.5)
    assert line.startswith("plans took 9.5 of 10.0 s")


def of_model(guidance: LandmarkGraph | Program, *satisfied: bool) -> list[str]:
    records = [
        TrainingRecord(f"t{place}.pddl", "", None, None, 1, (1,), answer, "")
        for place, answer in enumerate(satisfied)
    ]
    return list(model_advice(Model(guidance, "d", "", "chain", tuple(records)), str))


def test_a_model_that_all_plans_follow_is_left_alone() -> None:
    assert of_model(parse_program(f"counter {OPEN}"), True, True) == []
    assert of_model(parse_program(f"counter {OPEN} - 1"), True, True) == []


def test_numbers_that_are_bound_to_the_training_problems() -> None:
    for guidance in (
        parse_program(f"counter {OPEN} - 9"),
        parse_graph(f"landmark\n {OPEN} <= 9\nlandmark\n {OPEN} <= 9"),
    ):
        (line,) = of_model(guidance, True)
        assert line.startswith("the model has a number that may be bound to the training problems (")
        assert "<= 9" in line


def test_plans_that_do_not_follow_the_model() -> None:
    (line,) = of_model(parse_program(f"counter {OPEN}"), True, False, False)
    assert line.startswith("2 of 3 training plans do not follow the model (t1.pddl, t2.pddl): ")


def test_each_problem_is_left_out_once() -> None:
    seen: list[list[str | None]] = []

    def fit(others: Sequence[TrainingInstance]) -> Program:
        seen.append([instance.problem_file for instance in others])
        if "t0" not in seen[-1]:
            raise NoGraphError("nothing in common")
        return parse_program(f"counter {OPEN if 't1' in seen[-1] else NEVER}")

    tasks = [Task.parse(DOMAIN, problem) for problem in train_problems("delivery")[:3]]
    plans = [plain_plan(task, UNLIMITED) for task in tasks]
    instances = [
        TrainingInstance(task, plan or STEP, f"t{place}")
        for place, (task, plan) in enumerate(zip(tasks, plans, strict=True))
    ]
    found = leave_one_out(instances, fit)
    assert seen == [["t1", "t2"], ["t0", "t2"], ["t0", "t1"]]
    assert (found.solved, found.unsolved) == (("t2",), ("t0", "t1"))
    expected = "leave-one-out: learned from 2, solved the one left out in 1 of 3; not t0, t1: give more"
    assert str(found).startswith(expected)
