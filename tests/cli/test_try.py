"""`trailmark try`: the model beside search without it, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trailmark.cli.main import main
from trailmark.cli.trying import LAMA, MODEL, NONE, Run, Trial, table, verdict
from trailmark.domains import domain_text, generate

PROGRAM = "counter n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))\n"


def solved(seconds: float) -> Run:
    return Run("solved", seconds, 12, 12.0)


FAILED = Run("time limit", 30.0)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "model.txt").write_text(PROGRAM)
    (tmp_path / "d.pddl").write_text(domain_text("delivery"))
    (tmp_path / "p1.pddl").write_text(generate("delivery", 1, width=3, height=3, packages=2))
    (tmp_path / "p2.pddl").write_text(generate("delivery", 1, width=4, height=4, packages=3))
    return [str(tmp_path / name) for name in ("model.txt", "d.pddl", "p1.pddl", "p2.pddl")]


def test_every_problem_is_planned_by_every_planner(
    files: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["try", *files, "--json", "--time-limit", "60"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [trial["problem"] for trial in found["problems"]] == ["p1.pddl", "p2.pddl"]
    for trial in found["problems"]:
        assert list(trial["runs"])[:2] == [MODEL, NONE]
        assert all(run["status"] == "solved" for run in trial["runs"].values())
        assert trial["objects"] > 9
    assert found["summary"].endswith("the largest it solves is p2.pddl (20 objects)")


def test_the_table_has_a_line_for_each_problem(files: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["try", *files[:3], "--time-limit", "60"]) == 0
    first, second, answer, against, *_ = capfd.readouterr().out.splitlines()
    assert first.split()[:4] == ["problem", "objects", "model", "none"]
    assert second.startswith("p1.pddl  12 ")
    assert answer.startswith("the model ")
    assert against.startswith("against none better on ")


def test_a_limit_is_a_cell_of_the_table(
    files: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    monkeypatch.setattr("trailmark.api.solve", lambda *_: time.sleep(1000))
    assert main(["try", *files[:3], "--json", "--time-limit", "1"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["problems"][0]["runs"][MODEL]["status"] == "time limit"
    assert found["summary"].endswith("it solves none")


def test_bad_input_ends_it(files: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["try", *files, files[0], "--quiet"]) == 2
    assert main(["try", "none", *files[1:]]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 2


def test_the_sentence_says_where_the_model_stops_helping() -> None:
    trials = [
        Trial("a", 10, {MODEL: solved(1), NONE: solved(9), LAMA: solved(8)}),
        Trial("b", 20, {MODEL: solved(9), NONE: FAILED, LAMA: FAILED}),
        Trial("c", 30, {MODEL: FAILED, NONE: FAILED, LAMA: solved(4)}),
    ]
    expected = (
        "the model helps on 2 of 3; against none better on 2, worse on 0, its plans 1.00 times as dear; "
        "against LAMA-first better on 2, worse on 1, first on c (30 objects), its plans 1.00 times as dear; "
        "the largest it solves is b (20 objects)"
    )
    assert verdict(trials) == expected
    assert table(trials).splitlines()[3].split() == ["c", "30", "time", "limit", "time", "limit", "4.0",
                                                     "s,", "12", "steps"]  # fmt: skip


@pytest.mark.parametrize(
    ("mine", "other", "says"),
    [
        (solved(1), solved(1.2), "the model is as good as the best of the others; "),
        (solved(5), solved(1), "the model does not help; against none better on 0, worse on 1, first on a"),
        (
            FAILED,
            FAILED,
            "the model is as good as the best of the others; against none better on 0, worse on 0; it",
        ),
    ],
)
def test_near_times_are_no_difference(mine: Run, other: Run, says: str) -> None:
    assert verdict([Trial("a", 10, {MODEL: mine, NONE: other})]).startswith(says)


def test_a_model_may_help_against_one_planner_and_not_against_the_other() -> None:
    dear = Run("solved", 2.0, 18, 18.0)
    said = verdict([Trial("a", 10, {MODEL: dear, NONE: FAILED, LAMA: solved(2)})])
    assert "the others; against none better on 1, worse on 0; against LAMA" in said
    assert "against LAMA-first better on 0, worse on 0, its plans 1.50 times as dear" in said
