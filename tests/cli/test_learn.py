"""`trailmark learn`: its JSON, exit codes, and what it says where there is nothing to learn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PLUS50_PLANS, PROBLEMS
from trailmark.cli.main import main
from trailmark.domains import domain_text

Capture = pytest.CaptureFixture[str]

SOLVED = """(define (problem solved) (:domain delivery)
  (:objects c1 - cell t1 - truck p1 - package)
  (:init (at t1 c1) (at p1 c1) (empty t1))
  (:goal (at p1 c1)))"""
DRIVE = """(define (problem drive{number}) (:domain delivery)
  (:objects c1 c2 c3 c4 - cell t1 - truck p1 - package)
  (:init (adjacent c1 c2) (adjacent c2 c1) (adjacent c2 c3) (adjacent c3 c2) (adjacent c3 c4) (adjacent c4 c3)
         (at t1 c{number}) (at p1 c4) (empty t1))
  (:goal (at t1 c4)))"""
OPEN = "n_count(c_and(c_primitive(at_g,0),c_not(c_equal(r_primitive(at,0,1),r_primitive(at_g,0,1)))))"


def plan_options(plans: list[str]) -> list[str]:
    return [word for plan in plans for word in ("--plan", plan)]


def learn(target: Path, *options: str, problems: list[str] = PROBLEMS) -> int:
    return main(["learn", DOMAIN, *problems, "-o", str(target), "--method", "chain", *options])


def learned(target: Path, capfd: Capture, *options: str, problems: list[str] = PROBLEMS) -> dict[str, Any]:
    """The one JSON object on stdout."""
    code = learn(target, "--json", *options, problems=problems)
    out, err = capfd.readouterr()
    assert code == 0, err
    document: dict[str, Any] = json.loads(out)
    return document


def complaint(code: int, capfd: Capture) -> str:
    out, err = capfd.readouterr()
    assert out == ""
    assert (err.startswith("trailmark: "), err.count("\n")) == (True, 1), err
    return f"{code}: {err.strip()}"


def test_the_papers_setting_through_the_command(tmp_path: Path, capfd: Capture) -> None:
    target = tmp_path / "model.json"
    document = learned(target, capfd, *plan_options(FD_PLANS))
    assert (document["nodes"], document["loops"], document["satisfied"]) == (4, 1, 5)
    model = json.loads(target.read_text())
    (loop,) = model["guidance"]["loops"]
    assert (loop["source"] + 1, loop["target"] + 1) == (4, 3)
    assert [each["passes"] for each in model["training"]] == [[1], [2], [1], [2], [3]]
    assert [each["plan"] for each in model["training"]] == [Path(plan).name for plan in FD_PLANS]


def test_json_is_one_object_with_all_that_the_contract_names(tmp_path: Path, capfd: Capture) -> None:
    target = tmp_path / "model.json"
    document = learned(target, capfd, "--config", "b1", *plan_options(FD_PLANS))
    assert set(document) >= {
        *("status", "nodes", "loops", "features", "times", "method", "config", "trajectories", "model")
    }
    assert set(document["features"]) == {"generated", "after_rules"}
    assert set(document["times"]) == {
        "plans_s",
        "pool_s",
        "rules_s",
        "discovery_s",
        "recipes_s",
        "other_s",
        "total_s",
    }
    assert (document["status"], document["method"], document["config"]) == ("learned", "chain", "b1")
    assert (document["trajectories"], document["model"]) == (5, str(target))
    assert document["notes"] == []


def test_the_summary_is_for_people_and_quiet_says_nothing(tmp_path: Path, capfd: Capture) -> None:
    assert learn(tmp_path / "model.json", "--complexity", "7", *plan_options(FD_PLANS)) == 0
    out, err = capfd.readouterr()
    assert out.startswith("4 landmarks and 1 loop from 5 trajectories in ")
    assert err == ""
    assert learn(tmp_path / "model.json", "--complexity", "7", "--quiet", *plan_options(FD_PLANS)) == 0
    assert capfd.readouterr() == ("", "")


def test_training_plans_that_do_not_satisfy_the_graph_are_named(tmp_path: Path, capfd: Capture) -> None:
    target = tmp_path / "model.json"
    assert learn(target, "--complexity", "11", *plan_options(FD_PLANS)) == 0
    assert "2 of 5 satisfy the graph" in (said := capfd.readouterr().out)
    assert "t02.pddl: landmark 4 is not accepted after state" in said
    assert main(["show", str(target)]) == 0
    assert "t02.pddl: landmark 4 is not accepted after state" in capfd.readouterr().out
    document = learned(target, capfd, "--complexity", "11", "--satisfied-loops", *plan_options(FD_PLANS))
    assert document["satisfied"] == 5


def test_both_solvers_give_graphs_of_the_same_shape(tmp_path: Path, capfd: Capture) -> None:
    found = [
        learned(
            tmp_path / "model.json", capfd, "--complexity", "7", "--solver", solver, *plan_options(FD_PLANS)
        )
        for solver in ("exact", "asp")
    ]
    assert [found[0][name] for name in ("nodes", "loops")] == [found[1][name] for name in ("nodes", "loops")]


def test_functions_of_ones_own_stand_beside_the_pool_or_alone(tmp_path: Path, capfd: Capture) -> None:
    functions, target = tmp_path / "functions.txt", tmp_path / "model.json"
    functions.write_text(f"# what is left to do\n{OPEN}\ndescriptor not n_count(c_primitive(empty,0))\n")
    given = ["--functions", str(functions), *plan_options(FD_PLANS)]
    assert learned(target, capfd, "--complexity", "5", *given)["features"]["generated"] > 0
    document = learned(target, capfd, "--functions-only", *given)
    assert document["features"] == {"generated": 0, "after_rules": 0}
    assert document["nodes"] > 0
    features = json.loads(target.read_text())["features"]
    assert set(features) <= {OPEN, "n_count(c_primitive(empty,0))"}


@pytest.fixture
def mixed(tmp_path: Path) -> list[str]:
    """Problems of two classes: packages to be moved, and a truck to be moved."""
    names = PROBLEMS[:3]
    for number in (1, 2):
        path = tmp_path / f"drive{number}.pddl"
        path.write_text(DRIVE.format(number=number))
        names = [*names, str(path)]
    return names


def test_mixed_goals_are_reported_and_split(mixed: list[str], tmp_path: Path, capfd: Capture) -> None:
    target = tmp_path / "model.json"
    assert learn(target, "--complexity", "7", problems=mixed) == 0
    (note,) = capfd.readouterr().err.splitlines()
    assert "(at package cell) in 3; (at truck cell) in 2 (--split learns each apart)" in note
    assert learned(target, capfd, "--complexity", "7", problems=mixed)["notes"] == [
        note.removeprefix("trailmark: ")
    ]
    split = learned(target, capfd, "--complexity", "7", "--split", problems=mixed)
    assert [each["trajectories"] for each in split["models"]] == [3, 2]
    assert [Path(each["model"]).name for each in split["models"]] == ["model.1.json", "model.2.json"]
    for each in split["models"]:
        assert main(["show", each["model"]]) == 0


def test_a_class_without_a_graph_does_not_spoil_the_others(tmp_path: Path, capfd: Capture) -> None:
    path = tmp_path / "drive.pddl"
    path.write_text(DRIVE.format(number=4))
    problems = [*PROBLEMS[:3], str(path)]
    split = learned(tmp_path / "model.json", capfd, "--complexity", "7", "--split", problems=problems)
    assert len(split["models"]) == 1
    assert any("class 2, (at truck cell), has no landmark graph" in note for note in split["notes"])


def test_one_trajectory_gives_a_chain(tmp_path: Path, capfd: Capture) -> None:
    document = learned(tmp_path / "model.json", capfd, *plan_options(FD_PLANS[:1]), problems=PROBLEMS[:1])
    assert (document["nodes"] > 0, document["loops"], document["trajectories"]) == (True, 0, 1)


@pytest.mark.parametrize("others", [0, 2])
def test_a_goal_already_true_is_no_graph(others: int, tmp_path: Path, capfd: Capture) -> None:
    path, target = tmp_path / "solved.pddl", tmp_path / "model.json"
    path.write_text(SOLVED)
    code = learn(target, "--quiet", problems=[*PROBLEMS[:others], str(path)])
    said = complaint(code, capfd)
    assert said.startswith(f"14: trailmark: trajectory {others + 1} has no step")
    assert "leave out problems whose goal is already true" in said
    assert not target.exists()


def test_functions_that_never_change_are_no_graph(tmp_path: Path, capfd: Capture) -> None:
    functions = tmp_path / "functions.txt"
    functions.write_text("descriptor n_count(c_primitive(truck,0))\n")
    given = ["--functions", str(functions), "--functions-only", *plan_options(FD_PLANS)]
    said = complaint(learn(tmp_path / "model.json", *given), capfd)
    assert said.startswith("14: trailmark: no state descriptor changes in trajectory 1, 2, 3, 4, 5")
    assert "larger feature pool" in said


def test_duplicates_with_plans_that_share_no_change_are_no_graph(tmp_path: Path, capfd: Capture) -> None:
    """One problem, two plans: to stay at the goal, or to drive round and back."""
    problem = tmp_path / "two.pddl"
    problem.write_text(DRIVE.format(number=4))
    ways = {"stay": "", "tour": "(move t1 c4 c3)\n(move t1 c3 c4)\n"}
    for name, text in ways.items():
        (tmp_path / f"{name}.plan").write_text(text)
    plans = [str(tmp_path / f"{name}.plan") for name in ways]
    code = learn(tmp_path / "model.json", "--quiet", *plan_options(plans), problems=[str(problem)] * 2)
    assert complaint(code, capfd).startswith("14: trailmark: trajectory 1 has no step")


def test_duplicates_that_contradict_each_other_keep_what_they_share(tmp_path: Path, capfd: Capture) -> None:
    plans = [FD_PLANS[1], PLUS50_PLANS[1]]
    document = learned(
        tmp_path / "model.json", capfd, *plan_options(plans), problems=[PROBLEMS[1], PROBLEMS[1]]
    )
    assert (document["nodes"] > 0, document["trajectories"]) == (True, 2)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--solver", "sat"], "unknown solver 'sat'"),
        (["--config", "b9"], "unknown configuration 'b9'"),
        (["--rules", "phi0"], "unknown rules 'phi0'"),
        (["--loop-condition", "some"], "unknown loop condition 'some'"),
        (["--plans-from", "thin-air"], "unknown plan source 'thin-air'"),
        (["--plan", FD_PLANS[0]], "5 problems but 1 plans"),
        (["--plans-from", "embedded", *plan_options(FD_PLANS)], "plans are to come from 'embedded'"),
        (["--plans-from", "files"], "there is no plan file beside"),
        (plan_options([FD_PLANS[4], *FD_PLANS[1:]]), "t01.pddl cannot be used"),
        (["--functions-only"], "no state functions to use alone"),
        (["--functions", "nowhere.txt"], "there is no such file of state functions"),
        (["--pool-time", "-1"], "must be positive"),
        (["--time-limit", "0"], "time limit must be above 0"),
    ],
)
def test_bad_options_are_one_line(options: list[str], said: str, tmp_path: Path, capfd: Capture) -> None:
    target = tmp_path / "model.json"
    heard = complaint(learn(target, *options), capfd)
    assert heard.startswith("2: ")
    assert said in heard
    assert not target.exists()


def test_plans_and_problems_of_another_domain_are_bad_input(tmp_path: Path, capfd: Capture) -> None:
    plan = tmp_path / "ferry.plan"
    plan.write_text("(sail l1 l2 f1)\n")
    heard = complaint(learn(tmp_path / "m.json", "--plan", str(plan), problems=PROBLEMS[:1]), capfd)
    assert heard.startswith("2: ")
    assert "sail" in heard
    other = tmp_path / "ferry.pddl"
    other.write_text(domain_text("ferry"))
    code = main(["learn", str(other), PROBLEMS[0], "-o", str(tmp_path / "m.json")])
    assert complaint(code, capfd).startswith("2: ")


def test_functions_with_a_mistake_are_named_by_line(tmp_path: Path, capfd: Capture) -> None:
    functions = tmp_path / "functions.txt"
    functions.write_text(f"{OPEN}\nn_count(c_primitive(boarded\n")
    code = learn(tmp_path / "m.json", "--functions", str(functions), *plan_options(FD_PLANS))
    assert complaint(code, capfd).startswith(f"2: trailmark: {functions}:2")


def test_the_time_limit_is_an_exit_code_of_its_own(tmp_path: Path, capfd: Capture) -> None:
    target = tmp_path / "model.json"
    assert learn(target, "--config", "b5", "--time-limit", "0.001", *plan_options(FD_PLANS)) == 12
    assert not target.exists()


def test_leave_one_out_is_told_and_in_the_json(tmp_path: Path, capfd: Capture) -> None:
    given = ["--complexity", "5", "--leave-one-out", *plan_options(FD_PLANS[:3])]
    document = learned(tmp_path / "model.json", capfd, *given, problems=PROBLEMS[:3])
    (found,) = document["leave_one_out"]
    assert sorted(found["solved"] + found["unsolved"]) == PROBLEMS[:3]
    (line,) = [note for note in document["notes"] if note.startswith("leave-one-out: learned from 2, ")]
    assert f"in {len(found['solved'])} of 3" in line
