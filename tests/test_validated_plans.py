"""No plan that the validator refuses is printed, saved or counted: searches and planners that lie."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import trailmark
from tests.bench.steps import DOMAIN, problem
from trailmark.bench import trainplans
from trailmark.bench.worker import execute
from trailmark.cli.main import main
from trailmark.errors import EngineError, ExitCode, SearchStatus
from trailmark.integrations import ipc
from trailmark.learning import sources
from trailmark.search import planner
from trailmark.search.fast_downward import written_plans
from trailmark.search.leap import LeapResult, LeapStatistics, LeapStatus
from trailmark.search.leap.search import LeapRun
from trailmark.search.result import SearchResult
from trailmark.task import Step, Task, plan_text, read_plan

WRONG = (Step("go", ("s0", "s2")),)
"""No step of the task `problem(3)`: s2 is not next to s0."""
RIGHT = tuple(Step("go", (f"s{number}", f"s{number + 1}")) for number in range(3))
GRAPH = "landmark\n n_count(c_primitive(at,0)) > 5\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(problem(3))
    (tmp_path / "graph.txt").write_text(GRAPH)
    return tmp_path


def solved(*_: object, **__: object) -> SearchResult:
    return SearchResult(SearchStatus.SOLVED, WRONG, 1.0)


def leapt(*_: object, **__: object) -> LeapResult:
    return LeapResult(LeapStatus.SOLVED, WRONG, LeapStatistics(), "")


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every search of the planner returns a wrong plan."""
    monkeypatch.setattr(planner, "best_first", solved)
    monkeypatch.setattr(planner, "lazy_greedy", solved)
    monkeypatch.setattr(LeapRun, "run", leapt)


SEARCHES = [
    "none --search auto --complete lazy",
    "none --search astar --anytime -o out.plan",
    "none --search gbfs --json",
    "graph.txt --search auto -o out.plan",
    "graph.txt --search leap",
    "graph.txt --search astar -o out.plan --json",
]


@pytest.mark.parametrize("arguments", SEARCHES)
@pytest.mark.usefixtures("lying")
def test_the_plan_command_neither_prints_nor_saves_a_wrong_plan(
    arguments: str, files: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    model, *options = arguments.split()
    code = main(["plan", model, "domain.pddl", "problem.pddl", *options])
    out, err = capfd.readouterr()
    assert code == int(ExitCode.INTERNAL)
    told = "a search returned an invalid plan: step 1, (go s0 s2)"
    if "--json" in options:
        answer = json.loads(out)
        assert answer["status"] == "error"
        assert told in answer["message"]
    else:
        assert out == ""
        assert told in err
    assert not Path("out.plan").exists()


@pytest.mark.usefixtures("lying")
def test_the_library_returns_no_wrong_plan(files: Path) -> None:
    model = trailmark.load(files / "graph.txt", files / "domain.pddl")
    told: list[object] = []
    with pytest.raises(EngineError, match="invalid plan"):
        model.plan(files / "problem.pddl", on_plan=lambda *found: told.append(found))
    assert told == []


@pytest.mark.usefixtures("lying")
def test_the_learning_track_s_planner_writes_no_wrong_plan(
    files: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    names = [str(files / name) for name in ("graph.txt", "domain.pddl", "problem.pddl", "out.plan")]
    assert ipc.main(["plan", *names]) == ExitCode.INTERNAL
    assert "invalid plan" in capfd.readouterr().err
    assert not (files / "out.plan").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("lying")
def test_the_engine_of_unified_planning_returns_no_wrong_plan(files: Path) -> None:
    pytest.importorskip("unified_planning")
    from unified_planning.io import PDDLReader

    from trailmark.integrations.up_engine import TrailmarkEngine

    task = PDDLReader().parse_problem(str(files / "domain.pddl"), str(files / "problem.pddl"))
    assert TrailmarkEngine().solve(task).plan is None


def test_a_plan_shortened_wrongly_is_given_as_it_was_found(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner, "shorten", lambda task, steps, *_: steps[:-1])
    task = Task.load(files / "domain.pddl", files / "problem.pddl")
    assert planner.plan(task).steps == RIGHT


# Training plans


def no_graph(capfd: pytest.CaptureFixture[str], files: Path, *more: str) -> tuple[int, str]:
    domain, problem_file, model = (
        str(files / name) for name in ("domain.pddl", "problem.pddl", "model.json")
    )
    code = main(["learn", domain, problem_file, "-o", model, *more])
    assert not Path(model).exists()
    return code, capfd.readouterr().err


def test_nothing_is_learned_from_a_wrong_plan_of_the_embedded_search(
    files: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sources, "best_first", solved)
    code, err = no_graph(capfd, files)
    assert code == ExitCode.BAD_INPUT
    assert "step 1, (go s0 s2), is not applicable" in err


def test_nothing_is_learned_from_a_wrong_plan_of_fast_downward(
    files: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lie = SearchResult(SearchStatus.SOLVED, RIGHT[:-1])
    monkeypatch.setattr(sources, "fast_downward", lambda *_: lie)
    code, err = no_graph(capfd, files, "--plans-from", "fast-downward")
    assert code == ExitCode.BAD_INPUT
    assert "the goal is open" in err


def test_nothing_is_learned_from_a_wrong_plan_file(files: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (files / "wrong.plan").write_text(plan_text(WRONG))
    code, err = no_graph(capfd, files, "--plan", str(files / "wrong.plan"))
    assert code == ExitCode.BAD_INPUT
    assert "is not applicable" in err


def test_several_training_plans_are_written_only_where_they_are_valid(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(files / "domain.pddl"), "2", str(files / "problem.pddl")]
    assert trainplans.main(names) == 0
    for number in (1, 2):
        assert read_plan(files / f"problem-{number}.plan").steps == RIGHT
        (files / f"problem-{number}.plan").unlink()
    monkeypatch.setattr(sources, "best_first", solved)
    assert trainplans.main(names) == ExitCode.NO_PLAN_FOUND
    assert "not applicable" in capsys.readouterr().err
    assert not list(files.glob("*.plan"))


# Benchmarks

CLAIM = {"status": "solved", "plan_length": 1, "cost": 1.0, "expanded": 3}
LIARS = {
    "plan": f"print('''{json.dumps(CLAIM)}''')",
    "command": f"print('''{json.dumps(CLAIM)}''')",
    "fast-downward": "print('Solution found!\\nPlan length: 1 step(s).\\nPlan cost: 1')",
}


def judged(reader: str, script: str, folder: Path) -> dict[str, Any]:
    job = {
        "key": "k",
        "kind": "plan",
        "reader": reader,
        "command": [sys.executable, "-S", "-E", "-c", script],
        "seconds": 60,
        "clock": "wall",
        "megabytes": 2000,
        "files": {"domain.pddl": DOMAIN, "problem.pddl": problem(3)},
    }
    folder.mkdir()
    answer = execute(job, folder)
    assert answer is not None
    return answer


@pytest.mark.parametrize("reader", LIARS)
def test_a_benchmark_counts_no_planner_s_word_but_its_valid_plan(reader: str, tmp_path: Path) -> None:
    """Our own planner, a planner of the user's and Fast Downward: each with a wrong plan, none, and a
    right one."""

    def writing(steps: tuple[Step, ...]) -> str:
        return f"open('plan', 'w').write({plan_text(steps)!r})\n{LIARS[reader]}"

    wrong = judged(reader, writing(WRONG), tmp_path / "wrong")
    assert wrong["record"]["status"] == "invalid plan"
    assert wrong["files"] == {}
    silent = judged(reader, LIARS[reader], tmp_path / "silent")
    assert silent["record"]["status"] != "solved"
    right = judged(reader, writing(RIGHT), tmp_path / "right")
    assert right["record"]["status"] == "solved"
    assert (right["record"]["plan_length"], right["record"]["cost"]) == (3, 3.0)


def test_of_several_plans_the_last_valid_one_counts(tmp_path: Path) -> None:
    script = "".join(
        f"open('plan.{number}', 'w').write({plan_text(steps)!r})\n"
        for number, steps in enumerate((RIGHT, WRONG), start=1)
    )
    found = judged("fast-downward", script, tmp_path / "run")
    assert found["record"]["status"] == "solved"
    assert found["files"]["plan"] == plan_text(RIGHT)


def test_plans_of_one_moment_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 9, 1):
        (tmp_path / f"plan.{number}").write_text("")
        os.utime(tmp_path / f"plan.{number}", ns=(0, 0))
    assert [path.name for path in written_plans(tmp_path)] == ["plan.1", "plan.2", "plan.9", "plan.10"]
