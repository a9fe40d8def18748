"""Advice on the training set: each weakness is named, and a good set is left alone."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.domains import domain_text, train_problems
from trailmark.learning.advice import advice
from trailmark.learning.training import TrainingInstance, TrainingSet
from trailmark.task import Domain, Plan, Step, Task

DOMAIN = Domain.parse(domain_text("delivery"))
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
