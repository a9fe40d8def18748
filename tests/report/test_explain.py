"""Explained plans: every step is told once, and the landmarks are those that progression accepts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks.graphs import graphs
from tests.programs.programs import programs
from tests.report.models import NAMES, chain_model, counter_model, instances, larger_task, solved
from trailmark.errors import PlanError
from trailmark.landmarks.functions import Guidance, Policy
from trailmark.landmarks.progression import acceptances, satisfies
from trailmark.models.model import Model
from trailmark.programs.program import parse_guidance
from trailmark.report import Explanation, explain, explain_states, explanation_json, explanation_text
from trailmark.task import Plan

COUNT = "n_count(c_primitive(late,0))"
HERE = "n_count(c_primitive(here,0))"
CHAIN = f"""
landmark 1
    {HERE}
landmark 2
    not {HERE}
loop 2 -> 1
    exit not {COUNT}
    progress decreases {COUNT}
    counter {COUNT}
"""


def told(text: str, states: list[list[int]]) -> Explanation:
    model = Model(parse_guidance(text), "d", "", "hand-written")
    steps = [f"(step {number})" for number in range(1, len(states))]
    return explain_states(model, states, steps, "a task")


def check(explanation: Explanation) -> None:
    """Against an independent reading of what progression accepts."""
    guidance = explanation.outline.model.guidance
    told_steps = [number for each in explanation.stretches for number in range(each.first, each.last + 1)]
    assert told_steps == list(range(1, len(explanation.steps) + 1))
    assert [action for each in explanation.stretches for action in each.actions] == list(explanation.steps)
    accepted, _ = acceptances(guidance, explanation.states)
    achieved = [each for each in explanation.stretches if each.kind == "landmark"]
    assert [(each.last, each.landmark) for each in achieved] == [
        (each.state, each.landmark + 1) for each in accepted
    ]
    assert explanation.follows == satisfies(guidance, explanation.states, Policy.STAY).satisfied


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model_of", [chain_model, counter_model])
def test_training_plans_and_a_larger_one_are_told_whole(name: str, model_of: object) -> None:
    model = model_of(name)  # type: ignore[operator]
    for each in instances(name):
        check(explain(model, each.task, each.plan))
    task = larger_task(name)
    check(explain(model, task, solved(task)))


@given(st.data())
def test_any_trajectory_is_told_whole(data: st.DataObject) -> None:
    guidance = data.draw(graphs() | programs())
    states = data.draw(_trajectories(guidance))
    steps = [f"(a {number})" for number in range(1, len(states))]
    explanation = explain_states(Model(guidance, "d", "", "x"), states, steps, "t")
    check(explanation)
    json.dumps(explanation_json(explanation), allow_nan=False)
    assert explanation_text(explanation).startswith("t: ")


def _trajectories(guidance: Guidance) -> st.SearchStrategy[list[list[int]]]:
    width = len(guidance.features)
    values = st.lists(st.sampled_from([0, 1, 2, 3, 2**31 - 1]), min_size=width, max_size=width)
    return st.lists(values, min_size=1, max_size=12)


def test_passes_and_changes_are_those_of_the_loop() -> None:
    explanation = told(CHAIN, [[0, 2], [1, 2], [0, 1], [1, 1], [0, 0]])
    places = [
        (each.landmark, each.in_pass.number, each.in_pass.expected)
        for each in explanation.stretches
        if each.in_pass
    ]
    assert places == [(1, 1, 2), (2, 1, 2), (1, 2, 2), (2, 2, 2)]
    assert [(change.before, change.after) for each in explanation.stretches for change in each.changes] == [
        (2, 1),
        (1, 0),
    ]
    assert explanation.follows
    assert not explanation.departures


def test_a_landmark_that_never_holds_is_named_with_what_fails() -> None:
    text = f"landmark 1\n {HERE}\nlandmark 2\n {COUNT}\n not {HERE}\n"
    explanation = told(text, [[0, 0], [1, 0], [0, 0], [0, 0]])
    (departure,) = explanation.departures
    assert departure.breaks
    assert (departure.step, departure.landmark) == (1, 2)
    assert "it never happens that some object is late" in departure.reason
    assert "no object is here" not in departure.reason
    assert not explanation.follows
    assert "leaves the graph" in explanation_text(explanation)


def test_a_landmark_whose_parts_never_hold_together_is_told_by_the_closest_state() -> None:
    text = f"landmark 1\n {HERE}\nlandmark 2\n {COUNT}\n {HERE}\n"
    explanation = told(text, [[0, 0], [1, 0], [0, 2], [1, 0]])
    (departure,) = explanation.departures
    assert "closest is step 2, where it does not hold that some object is here" in departure.reason


def test_a_loop_landmark_met_without_progress_does_not_count() -> None:
    explanation = told(CHAIN, [[0, 2], [1, 2], [0, 1], [1, 1], [0, 1], [1, 1], [0, 0]])
    (departure,) = [each for each in explanation.departures if "holds again" in each.reason]
    assert departure.step == 4
    assert not departure.breaks
    assert explanation.follows


def test_progress_that_is_taken_back_is_told() -> None:
    explanation = told(CHAIN, [[0, 2], [1, 2], [0, 1], [1, 2], [0, 0]])
    (departure,) = [each for each in explanation.departures if "taken back" in each.reason]
    assert departure.step == 3
    assert "goes from 1 to 2" in departure.reason


def test_a_loop_that_ends_early_says_so() -> None:
    explanation = told(CHAIN, [[0, 3], [1, 3], [0, 2]])
    (departure,) = explanation.departures
    assert departure.breaks
    assert "after 1 pass, but its counter (the number of objects that are late) says 3" in departure.reason
    assert "landmark 1 is not achieved after step 2" in departure.reason


def test_a_guard_that_holds_is_told() -> None:
    explanation = told(f"counter {HERE}\nguard {COUNT}\n", [[1, 0], [1, 1], [0, 0]])
    (departure,) = explanation.departures
    assert departure.step == 1
    assert "never happens" in departure.reason


def test_steps_inside_a_pass_are_progress() -> None:
    explanation = told(f"counter {COUNT}\nthen {HERE}", [[1, 2], [1, 1], [1, 1], [0, 5], [0, 5]])
    assert [(each.kind, each.first, each.last) for each in explanation.stretches] == [
        ("progress", 1, 1),
        ("landmark", 2, 3),
        ("rest", 4, 4),
    ]
    assert "toward landmark 1 (pass 1 of 1): fewer objects are here" in explanation_text(explanation)


def test_of_a_loop_whose_counts_stay_the_same_one_is_measured() -> None:
    (measure,) = told(CHAIN, [[0, 2], [1, 2]]).measures
    assert (measure.loop, measure.values) == (1, (2, 2))


def test_a_loop_that_is_over_before_it_begins_is_no_departure() -> None:
    explanation = told(f"counter {COUNT}\ncounter {HERE}", [[1, 1], [0, 0]])
    assert explanation.follows
    assert [each.skipped for each in explanation.passes] == [False, True]
    assert "loop 2 was over before it began" in explanation_text(explanation)


def test_a_plan_that_does_not_solve_its_task_is_refused() -> None:
    instance = instances("ferry")[4]
    with pytest.raises(PlanError):
        explain(chain_model("ferry"), instance.task, Plan(instance.plan.steps[:1]))


def test_long_stretches_are_shortened_unless_verbose() -> None:
    explanation = told(f"landmark\n {HERE}\n", [[0]] * 20 + [[1]])
    assert "... 14 more ..." in explanation_text(explanation)
    assert all(step in explanation_text(explanation, verbose=True) for step in explanation.steps)
