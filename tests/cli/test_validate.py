"""`trailmark validate`: verdicts, output and exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from trailmark import __version__
from trailmark.cli.main import main

FOLDER = Path(__file__).parents[1] / "pddl" / "delivery"
TASK = [str(FOLDER / "domain.pddl"), str(FOLDER / "problem.pddl")]
PLAN = (FOLDER / "problem.plan").read_text()


def _validate(tmp_path: Path, plan: str, *options: str) -> int:
    path = tmp_path / "some.plan"
    path.write_text(plan)
    return main(["validate", *TASK, str(path), *options])


def test_a_valid_plan_is_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _validate(tmp_path, PLAN) == 0
    assert capsys.readouterr() == ("valid: 10 steps, cost 10\n", "")


def test_a_plan_with_a_missing_step_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _validate(tmp_path, PLAN.replace("(take v1 p1 s2)\n", "")) == 1
    expected = "invalid: step 3, (leave v1 p1 s1), is not applicable: (loaded p1 v1) does not hold\n"
    assert capsys.readouterr() == (expected, "")


def test_a_plan_that_ends_early_leaves_goals_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _validate(tmp_path, "\n".join(PLAN.splitlines()[:4])) == 1
    assert (
        capsys.readouterr().out == "invalid: after all 4 steps the goal is open: (lies p2 s1) does not hold\n"
    )


def test_the_empty_plan_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _validate(tmp_path, "") == 1
    assert "the goal is open" in capsys.readouterr().out


def test_an_argument_of_the_wrong_type_makes_a_plan_invalid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _validate(tmp_path, "(go p1 s1 s2)\n") == 1
    assert (
        capsys.readouterr().out
        == "invalid: step 1, (go p1 s1 s2): 'p1' is not a van, as ?v of 'go' must be\n"
    )


def test_upper_case_timestamps_and_comments_are_read(tmp_path: Path) -> None:
    lines = [f"{number}: {line.upper()}  ; note" for number, line in enumerate(PLAN.splitlines()[:-1])]
    assert _validate(tmp_path, "\r\n".join(["; made by hand", "", *lines])) == 0


def test_json_is_one_object_for_valid_and_invalid_plans(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _validate(tmp_path, PLAN, "--json") == 0
    valid = json.loads(capsys.readouterr().out)
    assert valid == {
        "status": "valid",
        "plan_length": 10,
        "cost": 10.0,
        "step": None,
        "missing": [],
        "reason": "",
    }
    assert _validate(tmp_path, "(take v1 p1 s2)", "--json") == 1
    invalid = json.loads(capsys.readouterr().out)
    assert invalid["status"] == "invalid"
    assert (invalid["step"], invalid["missing"], invalid["cost"]) == (1, ["(parked v1 s2)"], None)


def test_quiet_says_it_by_the_exit_code_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _validate(tmp_path, PLAN, "--quiet") == 0
    assert _validate(tmp_path, "", "-q") == 1
    assert capsys.readouterr() == ("", "")


def test_costs_are_those_of_the_metric(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = FOLDER.parent / "costs"
    plan = tmp_path / "hike.plan"
    plan.write_text("(rest)\n(hike a b)\n(rest)\n(sing b)\n(hike b c)\n")
    assert main(["validate", str(folder / "domain.pddl"), str(folder / "problem.pddl"), str(plan)]) == 0
    assert capsys.readouterr().out == "valid: 5 steps, cost 11\n"


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"trailmark {__version__}\n"


def _run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "trailmark", *arguments]
    return subprocess.run(command, text=True, timeout=60, check=False, **options)  # type: ignore[call-overload]


def test_the_module_runs_as_a_program() -> None:
    ended = _run("validate", *TASK, str(FOLDER / "problem.plan"), capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "valid: 10 steps, cost 10\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this platform has no /dev/full")
def test_output_that_cannot_be_written_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        ended = _run("validate", *TASK, str(FOLDER / "problem.plan"), stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode == 2
    assert ended.stderr == "trailmark: the output cannot be written: No space left on device\n"


def test_a_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = _run("validate", *TASK, str(FOLDER / "problem.plan"), stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")
