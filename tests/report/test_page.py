"""The page of a plan: what is red, what is folded, costs and times."""

from __future__ import annotations

import re

import pytest

from tests.report.models import chain_model, counter_model, larger_task, solved
from trailmark.report import Explanation, explain
from trailmark.report.explain import Pass, Stretch
from trailmark.report.html import page
from trailmark.report.timeline import _alike_passes, timeline
from trailmark.task import Domain, Plan, Step, Task

DOMAIN = """(define (domain d) (:requirements :strips :action-costs) (:predicates (p ?x) (q ?x))
  (:functions (total-cost) - number)
  (:action a :parameters (?x) :precondition (p ?x)
   :effect (and (q ?x) (not (p ?x)) (increase (total-cost) 7))))"""
PROBLEM = """(define (problem t) (:domain d) (:objects x y) (:init (p x) (p y) (= (total-cost) 0))
  (:goal (and (q x) (q y))) (:metric minimize (total-cost)))"""


def explained(text: str) -> Explanation:
    from trailmark.models.model import Model
    from trailmark.programs.program import parse_guidance

    task = Task.parse(Domain.parse(DOMAIN), PROBLEM)
    plan = Plan((Step("a", ("x",)), Step("a", ("y",))))
    return explain(Model(parse_guidance(text), "d", "", "hand-written"), task, plan)


def test_a_valid_plan_that_leaves_the_graph_is_not_red() -> None:
    told = explained("landmark\n not n_count(c_primitive(q,0))\n")
    assert not told.follows
    text = "\n".join(timeline(told))
    assert "the plan is valid" in text
    assert 'class="aside"' in text
    assert 'class="bad"' not in text


def test_costs_are_shown_where_they_are_not_the_steps() -> None:
    told = explained("counter n_count(c_primitive(p,0))\n")
    assert told.cost == 14
    assert "the plan is valid, cost 14" in "".join(timeline(told))
    assert told.follows


def stretch(first: int, kind: str, *actions: str) -> Stretch:
    in_pass = Pass(0, 1, 9)
    return Stretch(
        first, first + len(actions) - 1, kind, 1, in_pass, "", (), tuple(f"({a})" for a in actions)
    )


def test_passes_in_a_row_with_the_same_actions_are_alike() -> None:
    first = stretch(1, "progress", "go a b"), stretch(2, "landmark", "take x")
    second = stretch(3, "progress", "go b c", "go c d"), stretch(5, "landmark", "take y")
    other = (stretch(6, "landmark", "take z"),)
    rest = (stretch(7, "rest", "go a b"),)
    alike = list(_alike_passes([*first, *second, *other, *rest]))
    assert alike == [[first, second], [other], [rest]]


@pytest.mark.parametrize("model_of", [chain_model, counter_model])
def test_every_step_is_on_the_page_once_also_where_passes_are_folded(model_of: object) -> None:
    model = model_of("delivery")  # type: ignore[operator]
    task = larger_task("delivery")
    told = explain(model, task, solved(task))
    text = page(told.outline, told)
    steps = [int(number) for number in re.findall(r'<li value="(\d+)">', text)]
    assert steps == list(range(1, len(told.steps) + 1))


def test_formulas_are_unfolded_on_demand_and_times_add_up() -> None:
    model = counter_model("delivery")
    text = page(explained("counter n_count(c_primitive(p,0))\n").outline)
    assert "<details><summary>formula</summary><code>" in text
    assert not re.search(r"(?<!</summary>)<code>", text)
    total = model.times["total_s"]
    assert sum(model.times.values()) == pytest.approx(2 * total, abs=0.001)
