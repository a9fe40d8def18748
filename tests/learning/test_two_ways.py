"""Possible landmarks and branches from plans that go one of two ways, and planning with them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from tests.learning import two_ways
from trailmark.cli.main import main
from trailmark.errors import InputError, SearchStatus
from trailmark.landmarks import LandmarkGraph, parse_graph
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.models import Model, dumps
from trailmark.report import dot, explain, explanation_text, mermaid, model_text, outline, outline_json
from trailmark.search.leap import leap
from trailmark.search.leaping import LEAP
from trailmark.search.planner import PlannerOptions, plan
from trailmark.task import Plan, Task, parse_plan, trajectory

Capture = pytest.CaptureFixture[str]


@cache
def model(name: str, possible: int = 100, branches: bool = False) -> Model:
    options = LearnOptions(method="chain", complexity=5, possible=possible, branches=branches)
    learner = LandmarkLearner(options).fit(two_ways.training(name))
    assert all(learner.satisfaction_)
    return learner.model_


def larger(name: str) -> Task:
    """Several times the places of training, also to the sides."""
    text = two_ways.mixer(8, 4, 0, 7, 4) if name == "mixer" else two_ways.courier(12, 11, 5, 1, (30, 31), 1)
    return Task.parse(two_ways.domain(name), text)


def alternatives(graph: LandmarkGraph) -> dict[tuple[int, int], str]:
    """What each alternative of each branch asks for."""
    found: dict[tuple[int, int], str] = {}
    for each in graph.landmarks:
        if each.branch is not None:
            found[each.branch] = found.get(each.branch, "") + str(each)
    return found


def test_the_chain_knows_nothing_of_either_ingredient() -> None:
    graph = model("mixer").guidance
    assert len(graph.landmarks) == 6
    assert not any(name in str(each) for each in graph.landmarks for name in ("syrup", "milk"))
    assert not graph.has_choices


def test_two_ingredients_in_either_order_are_alternatives() -> None:
    found = alternatives(model("mixer", branches=True).guidance)
    assert set(found) == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert "syrup" in found[1, 1]
    assert "milk" not in found[1, 1]
    assert "milk" in found[1, 2]
    assert "syrup" not in found[1, 2]
    # The second branch has both in both orders.
    syrup, milk = "b_nullary(syrup-in)", "b_nullary(milk-in)"
    assert 0 <= found[2, 1].index(syrup) < found[2, 1].index(milk)
    assert 0 <= found[2, 2].index(milk) < found[2, 2].index(syrup)


def test_legs_by_truck_and_by_plane_are_alternatives() -> None:
    assert "in-truck" not in str(model("courier").guidance)
    found = alternatives(model("courier", branches=True).guidance)
    assert set(found) == {(1, 1), (1, 2)}
    assert "in-truck" in found[1, 1]
    assert "in-plane" not in found[1, 1]
    assert "in-plane" in found[1, 2]
    assert "in-truck" not in found[1, 2]


def test_what_some_plans_do_is_possible() -> None:
    landmarks = model("mixer", possible=40).guidance.landmarks
    shares = [landmark.share for landmark in landmarks if "have-syrup" in str(landmark)]
    assert shares[:2] == [60, 60]
    assert set(shares) == {60, 40}
    assert {each.share for each in model("mixer", possible=60).guidance.landmarks} == {60, 100}


@pytest.mark.parametrize("name", ["mixer", "courier"])
@pytest.mark.parametrize("options", [(100, True), (40, False), (40, True)])
def test_both_searches_find_valid_plans_on_a_larger_instance(name: str, options: tuple[int, bool]) -> None:
    task, graph = larger(name), model(name, *options).guidance
    for found in (
        plan(task, graph, PlannerOptions(search="gbfs", heuristic="none", prune=False)).steps,
        leap(task, graph).steps,
    ):
        assert found is not None
        assert task.goal.positive <= trajectory(task, Plan(found)).states[-1].atoms


def test_lm_g_and_leap_search_expand_far_fewer_states_with_the_branches() -> None:
    task = larger("mixer")
    chain, branched = model("mixer").guidance, model("mixer", branches=True).guidance
    greedy = PlannerOptions(search="gbfs", heuristic="none", prune=False)
    counts = []
    for graph in (chain, branched):
        by_lm_g, by_leaps = plan(task, graph, greedy), leap(task, graph, LEAP)
        assert by_lm_g.status is SearchStatus.SOLVED
        assert by_leaps.solved
        counts.append((by_lm_g.statistics.expanded, by_leaps.statistics.expanded))
    assert 4 * counts[1][0] < counts[0][0]
    assert 4 * counts[1][1] < counts[0][1]


def test_models_and_options_without_choices_are_written_as_before() -> None:
    document = json.loads(dumps(model("mixer")))
    assert "possible" not in document["options"]
    assert all(set(landmark) == {"descriptors"} for landmark in document["guidance"]["landmarks"])
    wide = json.loads(dumps(model("mixer", 40, True)))
    assert (wide["options"]["possible"], wide["options"]["branches"]) == (40, True)


def test_reports_tell_either_and_or_and_the_share() -> None:
    branched = model("mixer", branches=True)
    text = model_text(branched)
    assert "18 landmarks, 2 branches and 0 loops" in text
    assert " 2. either: have syrup holds" in text
    assert " 3. or: have milk holds" in text
    assert " 4. in any case: some place is table and is here" in text
    assert "10. followed by: " in text
    told = outline(branched)
    assert "  l1 -> l2;\n  l1 -> l3;\n  l2 -> l4;\n  l3 -> l4;\n" in dot(told)
    assert "  l2 --> l4\n  l3 --> l4\n" in mermaid(told)
    assert [each["branch"] for each in outline_json(told)["landmarks"][1:3]] == [[1, 1], [1, 2]]
    possible = outline(model("mixer", possible=60))
    assert "in 60 % of the plans: have syrup holds" in model_text(possible.model)
    assert 'style="rounded,dashed"' in dot(possible)
    assert {each.get("share") for each in outline_json(possible)["landmarks"]} == {None, 60}


def test_an_explanation_names_the_possible_landmarks_a_plan_goes_without() -> None:
    graph = parse_graph(
        "landmark 1\n n_count(c_primitive(syrup-on,0)) = 0\n possible 60%\n"
        "landmark 2\n n_count(c_primitive(milk-on,0)) = 0\nlandmark 3\n b_nullary(served)\n"
    )
    task = Task.parse(two_ways.domain("mixer"), two_ways.mixer(4, 1, 0, 3))
    milk_first = parse_plan(two_ways.mixing(1, 0, 3, syrup_first=False))
    told = explain(Model(graph, "mixer", "", "chain"), task, milk_first)
    assert told.follows
    assert [(each.landmark, each.skipped) for each in told.stretches] == [(2, (1,)), (3, ())]
    assert 'landmark 2, without 1: no object is "milk on"' in explanation_text(told)


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="counter-first learning finds no possible landmarks"):
        LearnOptions(method="counter", branches=True)
    with pytest.raises(InputError, match="no share in per cent"):
        LearnOptions(possible=0)


def test_branches_can_be_learned_shown_and_checked_by_commands(tmp_path: Path, capfd: Capture) -> None:
    domain = str(two_ways.PDDL / "mixer" / "domain.pddl")
    words = []
    for number, (table, syrup, milk, first) in enumerate([(1, 0, 3, True), (2, 0, 3, False)] * 2):
        (tmp_path / f"t{number}.pddl").write_text(two_ways.mixer(4 + number // 2, table, syrup, milk, 2))
        (tmp_path / f"t{number}.plan").write_text(two_ways.mixing(table, syrup, milk, first))
        words += [str(tmp_path / f"t{number}.pddl"), "--plan", str(tmp_path / f"t{number}.plan")]
    target = str(tmp_path / "model.json")
    options = ["-o", target, "--method", "chain", "--complexity", "5", "--branches", "--possible", "50"]
    assert main(["learn", domain, *words, *options]) == 0
    assert "4 of 4 satisfy the graph" in capfd.readouterr().out
    assert main(["show", target]) == 0
    assert "either: " in capfd.readouterr().out
    assert main(["check", target, domain, words[3], words[5]]) == 0
    assert "satisfied" in capfd.readouterr().out
    assert main(["learn", domain, *words, "-o", target, "--possible", "0"]) == 2
