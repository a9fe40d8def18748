"""`trailmark check`, and what `check` and `plan` expect of a new instance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PLUS24_PLANS, PLUS50_PLANS, PROBLEMS
from trailmark.cli.main import main
from trailmark.domains import domain_text, generate

Capture = pytest.CaptureFixture[str]

OPEN = "n_count(c_and(c_primitive(at_g,0),c_not(c_equal(r_primitive(at,0,1),r_primitive(at_g,0,1)))))"
BY_HAND = f"""
landmark 1
    not n_count(c_primitive(empty,0))
landmark 2
    n_count(c_primitive(empty,0))
loop 2 -> 1
    exit not {OPEN}
    progress decreases {OPEN}
    counter {OPEN}
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The graph of the paper's Fast-Downward plans, at complexity 9."""
    target = str(tmp_path_factory.mktemp("model") / "model.json")
    plans = [word for plan in FD_PLANS for word in ("--plan", plan)]
    assert main(["learn", DOMAIN, *PROBLEMS, "-o", target, "--method", "chain", "--quiet", *plans]) == 0
    return target


@pytest.mark.parametrize("plans", [FD_PLANS, PLUS24_PLANS, PLUS50_PLANS], ids=["fd", "plus24", "plus50"])
@pytest.mark.parametrize("number", range(5))
def test_the_papers_plans_satisfy_the_graph_of_the_fast_downward_plans(
    plans: list[str], number: int, model: str, capfd: Capture
) -> None:
    assert main(["check", model, DOMAIN, PROBLEMS[number], plans[number]]) == 0
    assert capfd.readouterr().out.startswith("satisfied\nlandmarks accepted: 1 in state ")


def test_json_tells_acceptances_and_what_was_expected(model: str, capfd: Capture) -> None:
    assert main(["check", model, DOMAIN, PROBLEMS[4], FD_PLANS[4], "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["status"], document["reasons"]) == ("satisfied", [])
    assert [each["landmark"] for each in document["acceptances"]].count(4) == 3
    assert document["expected_passes"] == [3]
    assert document["expected_length"] > 0
    assert document["plan_length"] == len(Path(FD_PLANS[4]).read_text().splitlines()) - 1


NEW = """(define (problem new) (:domain delivery)
  (:objects c1 c2 c3 - cell t1 - truck p1 p2 - package)
  (:init (adjacent c1 c2) (adjacent c2 c1) (adjacent c2 c3) (adjacent c3 c2)
         (at t1 c1) (at p1 c2) (at p2 c2) (empty t1))
  (:goal (and (at p1 c1) (at p2 c3))))"""
DETOUR = """(move t1 c1 c2)
(pick-package t1 p1 c2)
(move t1 c2 c3)
(drop-package t1 p1 c3)
(pick-package t1 p1 c3)
(move t1 c3 c2)
(move t1 c2 c1)
(drop-package t1 p1 c1)
(move t1 c1 c2)
(pick-package t1 p2 c2)
(move t1 c2 c3)
(drop-package t1 p2 c3)
"""


def test_a_plan_that_passes_the_loop_too_often_does_not_satisfy(tmp_path: Path, capfd: Capture) -> None:
    graph, problem, plan = (tmp_path / name for name in ("graph.txt", "new.pddl", "new.plan"))
    graph.write_text(BY_HAND)
    problem.write_text(NEW)
    plan.write_text(DETOUR)
    arguments = ["check", str(graph), DOMAIN, str(problem), str(plan)]
    assert main(arguments) == 1
    said = capfd.readouterr().out
    assert said.startswith("not satisfied: ")
    assert "its counter says 2" in said
    assert main([*arguments, "--json"]) == 1
    document = json.loads(capfd.readouterr().out)
    assert document["status"] == "not satisfied"
    assert document["reasons"]
    assert (document["expected_passes"], document["expected_length"]) == ([2], None)
    assert main([*arguments, "--quiet"]) == 1
    assert capfd.readouterr() == ("", "")


def test_an_invalid_plan_another_domain_and_no_model_are_bad_input(
    model: str, tmp_path: Path, capfd: Capture
) -> None:
    other, text = tmp_path / "ferry.pddl", generate("ferry", seed=1)
    other.write_text(domain_text("ferry"))
    problem = tmp_path / "ferry-problem.pddl"
    problem.write_text(text)
    for arguments in (
        [model, DOMAIN, PROBLEMS[0], FD_PLANS[4]],
        [model, str(other), str(problem), FD_PLANS[0]],
        ["none", DOMAIN, PROBLEMS[0], FD_PLANS[0]],
        [str(tmp_path / "nowhere.json"), DOMAIN, PROBLEMS[0], FD_PLANS[0]],
    ):
        assert main(["check", *arguments]) == 2
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1)


def test_plan_reports_expected_passes_and_length(model: str, tmp_path: Path, capfd: Capture) -> None:
    problem = tmp_path / "new.pddl"
    problem.write_text(NEW)
    task = [DOMAIN, str(problem)]
    assert main(["plan", model, *task, "--json"]) == 0
    expected = json.loads(capfd.readouterr().out)["expected"]
    assert expected["passes"] == [2]
    assert expected["length"] > 0
    assert main(["plan", model, *task]) == 0
    said = capfd.readouterr().err
    assert f"expected passes of the loops: 2, about {expected['length']} steps" in said
    assert main(["plan", "none", *task, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["expected"] is None
