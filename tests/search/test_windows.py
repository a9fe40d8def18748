"""Windows: what is moved leaves a plan valid, what is replaced makes it cheaper, and it ends by itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf
from typing import Any

import pytest

from tests.search.tasks import domain
from tests.search.test_shorten import solved, wander
from trailmark.domains import generate, names, train_preset
from trailmark.limits import Budget
from trailmark.search import windows
from trailmark.search.best_first import best_first
from trailmark.search.gathering import gathered
from trailmark.search.result import SearchResult
from trailmark.search.windows import cheaper_plans, needed
from trailmark.task import Domain, Plan, Step, Task, validate
from trailmark.task.lifted.schema import StripsStep, strips_steps


def task_of(name: str, preset: int = 2) -> Task:
    return Task.parse(domain(name), generate(name, 1, **train_preset(name)[preset]))


@pytest.mark.parametrize("name", names())
def test_steps_are_brought_together_in_a_plan_that_stays_valid(name: str) -> None:
    task, chance = task_of(name), random.Random(name)
    actions = strips_steps(task, solved(task))
    assert actions is not None
    for _ in range(8):
        members = sorted(chance.sample(range(len(actions)), min(3, len(actions))))
        window = gathered(actions, members, len(actions))
        assert window is not None
        assert [actions[place] for place in members if actions[place] in window.inside]
        together = [*window.before, *window.inside, *window.behind]
        assert sorted(str(each.step) for each in together) == sorted(str(each.step) for each in actions)
        assert validate(task, Plan(tuple(each.step for each in together)))


def test_steps_that_depend_on_one_another_stay_in_their_order() -> None:
    task = task_of("delivery")
    actions = strips_steps(task, solved(task))
    assert actions is not None
    # One truck does all: nothing lies between two of its steps that could move away.
    window = gathered(actions, [0, len(actions) - 1], len(actions))
    assert window is not None
    assert window.inside == actions
    assert gathered(actions, [0, len(actions) - 1], len(actions) - 1) is None


@pytest.mark.parametrize("name", ["delivery", "logistics", "blocksworld", "floortile"])
def test_what_a_plan_needs_at_each_state_holds_there(name: str) -> None:
    task = task_of(name)
    actions = strips_steps(task, solved(task))
    assert actions is not None
    state = set(task.initial_atoms)
    for place, action in enumerate(actions):
        wanted, unwanted = needed(task, actions[place:])
        assert wanted <= state
        assert unwanted.isdisjoint(state)
        # Without any one of them the rest is no plan any more.
        assert all(
            not _leads_to_goal(task, state - {atom}, actions[place:])
            for atom in random.Random(place).sample(sorted(wanted), min(2, len(wanted)))
        )
        state = (state - action.deletes) | action.adds


def _leads_to_goal(task: Task, state: set[int], actions: Sequence[StripsStep]) -> bool:
    for action in actions:
        if not action.applicable(state):
            return False
        state = (state - action.deletes) | action.adds
    return task.goal.positive - task.structure.static_atoms <= state


@pytest.mark.parametrize("name", ["delivery", "logistics", "miconic", "barman"])
def test_plans_get_cheaper_and_stay_valid(name: str) -> None:
    task = task_of(name)
    start = wander(task, solved(task), random.Random(name))
    costs = [float(len(start))]
    for steps in cheaper_plans(task, start, Budget(4)):
        verdict = validate(task, Plan(steps))
        assert verdict
        assert verdict.cost is not None
        costs.append(verdict.cost)
    assert costs[-1] < costs[0]
    assert costs == sorted(costs, reverse=True)


WAYS = """(define (domain ways) (:requirements :strips :action-costs)
  (:predicates (at ?x) (road ?x ?y)) (:functions (total-cost) - number (toll ?x ?y) - number)
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (toll ?x ?y)))))"""

CHEAP_DETOUR = """(define (problem p) (:domain ways) (:objects s a g)
  (:init (at s) (road s m) (road m g) (road s g) (road s a) (road a g) (= (toll s g) 9) (= (toll s m) 5)
    (= (toll m g) 5) (= (toll s a) 1) (= (toll a g) 1) (= (total-cost) 0))
  (:goal (at g)) (:metric minimize (total-cost)))"""


def test_a_cheaper_way_may_have_objects_that_the_plan_does_not_mention() -> None:
    task = Task.parse(Domain.parse(WAYS), CHEAP_DETOUR.replace("s a g)", "s a m g)"))
    dear = (Step("go", ("s", "m")), Step("go", ("m", "g")))
    *_, cheapest = cheaper_plans(task, dear)
    assert cheapest == (Step("go", ("s", "a")), Step("go", ("a", "g")))


def test_it_ends_by_itself_where_nothing_is_cheaper() -> None:
    task = Task.parse(Domain.parse(WAYS), CHEAP_DETOUR.replace("s a g)", "s a m g)"))
    assert list(cheaper_plans(task, (Step("go", ("s", "a")), Step("go", ("a", "g"))))) == []


def test_a_task_beyond_strips_keeps_its_plan() -> None:
    text = """(define (domain lamps) (:requirements :adl) (:predicates (on ?x) (lamp ?x))
      (:action press :parameters () :precondition ()
        :effect (forall (?x) (when (lamp ?x) (on ?x)))))"""
    problem = "(define (problem p) (:domain lamps) (:objects a) (:init (lamp a)) (:goal (on a)))"
    task = Task.parse(Domain.parse(text), problem)
    assert list(cheaper_plans(task, (Step("press", ()),) * 3)) == []


def test_the_limit_of_effort_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = list[float]()

    def watched(*arguments: Any) -> SearchResult:
        found = best_first(*arguments)
        share = (len(arguments[0].model.objects) / windows.USUAL_OBJECTS) ** 2
        spent.append(share * (found.statistics.evaluated + windows.WINDOW_EFFORT))
        return found

    monkeypatch.setattr(windows, "best_first", watched)
    task = task_of("logistics")
    start = wander(task, solved(task), random.Random(0))
    for effort in (0, 1, 200):
        spent.clear()
        list(cheaper_plans(task, start, effort=effort))
        assert sum(spent[:-1]) < max(1, effort) <= max(1, sum(spent))


def test_when_plans_are_told_does_not_decide_which_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_of("logistics")
    start = wander(task, solved(task), random.Random(0))
    found = []
    for seconds in (-1.0, inf):
        monkeypatch.setattr(windows, "TELL_SECONDS", seconds)
        found.append(list(cheaper_plans(task, start, effort=20_000)))
    assert found[0][-1] == found[1][-1]
    assert len(found[0]) > len(found[1])


def test_the_time_limit_ends_it() -> None:
    task = task_of("logistics")
    assert list(cheaper_plans(task, solved(task), Budget(1e-6))) == []
