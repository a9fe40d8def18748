"""`trailmark plan`: its JSON, exit codes, files and limits."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.search.recipes.worlds import learned, training_task
from trailmark.cli.main import main
from trailmark.cli.plan import with_next_steps
from trailmark.domains import domain_text, generate
from trailmark.errors import MemoryLimitError, TimeLimitError, TrailmarkError
from trailmark.models.document import dumps
from trailmark.models.model import Model
from trailmark.task import Task, read_plan, validate

KEYS = [
    "status",
    "plan_length",
    "cost",
    "expanded",
    "generated",
    "evaluated",
    "search_time_s",
    "total_time_s",
    "peak_memory_mb",
    "strategy",
    "leaps",
    "landmarks",
    "expected",
    "times",
    "failure",
]
PROGRAM = """counter n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))
    then WAITING
"""
WAITING = "n_count(c_and(c_primitive(at,0),c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top)))"
HOPELESS = "landmark\n n_count(c_primitive(carrying,1)) > 5\n"
"""A landmark that is never reached."""
HALFWAY = "landmark\n n_count(c_primitive(carrying,1)) > 0\n" + HOPELESS
SOUGHT = "more than 5 packages have a truck carrying them"


@dataclass(frozen=True)
class Files:
    folder: Path

    def path(self, name: str) -> str:
        return str(self.folder / name)

    @property
    def small(self) -> list[str]:
        return [self.path("domain.pddl"), self.path("small.pddl")]

    @property
    def large(self) -> list[str]:
        return [self.path("domain.pddl"), self.path("large.pddl")]

    @property
    def medium(self) -> list[str]:
        return [self.path("domain.pddl"), self.path("medium.pddl")]

    @property
    def unsolvable(self) -> list[str]:
        return [self.path("domain.pddl"), self.path("unsolvable.pddl")]

    @property
    def stuck(self) -> list[str]:
        """A task with a goal that is out of reach."""
        return [self.path("domain.pddl"), self.path("stuck.pddl")]

    @property
    def program(self) -> str:
        return self.path("program.txt")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("plan")
    small = generate("delivery", 1, width=3, height=3, packages=2)
    (folder / "domain.pddl").write_text(domain_text("delivery"))
    (folder / "small.pddl").write_text(small)
    (folder / "large.pddl").write_text(generate("delivery", 1, width=9, height=9, packages=12))
    (folder / "medium.pddl").write_text(generate("delivery", 1, width=6, height=6, packages=6))
    (folder / "unsolvable.pddl").write_text(small.replace("(empty t1)", ""))
    stuck = small.replace("c_2_2 - cell", "c_2_2 c_9_9 - cell").replace("(at p2 c_2_2)", "(at p2 c_9_9)")
    (folder / "stuck.pddl").write_text(stuck)
    (folder / "program.txt").write_text(PROGRAM.replace("WAITING", WAITING))
    (folder / "hopeless.txt").write_text(HOPELESS)
    (folder / "halfway.txt").write_text(HALFWAY)
    return Files(folder)


def answer(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object], str]:
    """Exit code, the one JSON object on stdout, and stderr."""
    code = main(["plan", *arguments, "--json"])
    out, err = capfd.readouterr()
    return code, json.loads(out), err


def test_the_json_has_the_keys_of_the_design(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    code, found, err = answer([files.program, *files.small], capfd)
    assert code == 0
    assert list(found) == KEYS
    assert (found["status"], found["strategy"]) == ("solved", "leap")
    assert found["landmarks"] == {"accepted": 2, "total": 2, "loops": 1}
    assert found["cost"] == found["plan_length"]
    leaps = found["leaps"]
    assert isinstance(leaps, dict)
    assert list(leaps) == ["recipes", "search", "learned"]
    assert (leaps["recipes"], leaps["learned"]) == (0, 0)  # written by hand, it has none
    assert leaps["search"] >= 1
    assert err == ""


def test_the_json_tells_leaps_by_recipes_from_those_by_search(
    files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    program = learned("delivery", problems=2)
    signature = training_task("delivery").domain.signature
    (files.folder / "recipes.json").write_text(dumps(Model(program, "delivery", signature, "counter")))
    _, found, _ = answer([files.path("recipes.json"), *files.large, "--no-improve"], capfd)
    assert found["leaps"] == {"recipes": 12, "search": 0, "learned": 0}
    assert found["generated"] == 0
    _, found, _ = answer(["none", *files.small], capfd)
    assert found["leaps"] == {"recipes": 0, "search": 0, "learned": 0}


def test_without_landmarks_there_is_nothing_to_say_of_them(
    files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    code, found, _ = answer(["none", *files.small], capfd)
    assert code == 0
    assert (found["landmarks"], found["expected"]) == (None, None)


@pytest.mark.parametrize("search", ["auto", "astar", "gbfs"])
@pytest.mark.parametrize("model", ["none", "program.txt", "hopeless.txt"])
def test_unsolvable_tasks_are_proved_so(
    files: Files, capfd: pytest.CaptureFixture[str], search: str, model: str
) -> None:
    chosen = model if model == "none" else files.path(model)
    code, found, _ = answer([chosen, *files.unsolvable, "--search", search], capfd)
    assert (code, found["status"], found["plan_length"]) == (10, "unsolvable", None)


def test_leap_search_alone_finds_no_plan_where_there_is_none(
    files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    code, found, _ = answer([files.program, *files.unsolvable, "--search", "leap"], capfd)
    assert (code, found["status"]) == (11, "no plan found")


@pytest.mark.parametrize("search", ["auto", "astar", "gbfs"])
@pytest.mark.parametrize("heuristic", ["hadd", "hmax", "ff", "goalcount", "none"])
def test_every_search_and_heuristic_gives_a_valid_plan(
    files: Files, tmp_path: Path, search: str, heuristic: str
) -> None:
    output = tmp_path / "small.plan"
    options = ["--search", search, "--heuristic", heuristic, "--quiet"]
    assert main(["plan", files.program, *files.small, "-o", str(output), *options]) == 0
    assert validate(Task.load(*files.small), read_plan(output))


def test_the_plan_is_printed_where_no_file_is_named(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", files.program, *files.small, "--quiet"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("(")
    assert "; cost = " in out
    assert err == ""


def test_progress_is_quiet_where_stderr_is_no_terminal(
    files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "none", *files.small]) == 0
    _, err = capfd.readouterr()
    assert err.count("\n") == 1
    assert "steps by" in err


@pytest.mark.parametrize("option", [["--search", "best"], ["--heuristic", "h7"], ["--time-limit", "0"]])
def test_bad_options_are_bad_input(
    files: Files, capfd: pytest.CaptureFixture[str], option: list[str]
) -> None:
    assert main(["plan", "none", *files.small, *option]) == 2
    assert capfd.readouterr().err.startswith("trailmark: ")


def test_a_time_limit_is_kept_and_said(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--search", "astar", "--heuristic", "none", "--time-limit", "1"]
    assert main(["plan", "none", *files.large, *options]) == 12
    assert "time limit" in capfd.readouterr().err


def test_a_memory_limit_is_kept_and_said(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--search", "astar", "--heuristic", "none", "--memory-limit", "30"]
    assert main(["plan", "none", *files.large, *options]) == 13
    assert "memory limit" in capfd.readouterr().err


def test_an_anytime_run_ends_with_its_best_plan_in_the_file(
    files: Files, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "small.plan"
    code, found, _ = answer([files.program, *files.small, "-o", str(output), "--anytime"], capfd)
    assert code == 0
    plan = read_plan(output)
    assert validate(Task.load(*files.small), plan)
    assert len(plan.steps) == found["plan_length"]


def test_a_plan_found_before_the_time_limit_of_an_anytime_run_is_a_success(
    files: Files, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "medium.plan"
    options = ["-o", str(output), "--anytime", "--time-limit", "6"]
    code, found, _ = answer([files.program, *files.medium, *options], capfd)
    assert (code, found["status"]) == (0, "solved")
    assert validate(Task.load(*files.medium), read_plan(output))


@pytest.mark.parametrize("json_wanted", [True, False])
def test_a_plan_survives_a_native_call_that_does_not_return(
    files: Files,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    json_wanted: bool,
) -> None:
    monkeypatch.setattr("trailmark.search.planner.prepare", lambda task, name: time.sleep(1000))
    monkeypatch.setattr("trailmark.search.planner.prepare_preferring", lambda task: time.sleep(1000))
    monkeypatch.setattr("trailmark.search.planner.cheaper_plans", lambda *_, **__: time.sleep(1000))
    output = tmp_path / "small.plan"
    options = ["--anytime", "--time-limit", "3", "--quiet"]
    where = ["--json", "-o", str(output)] if json_wanted else []
    assert main(["plan", files.program, *files.small, *options, *where]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    if json_wanted:
        found = json.loads(out)
        assert (found["status"], found["failure"]) == ("solved", None)
        assert found["landmarks"] == {"accepted": 2, "total": 2, "loops": 1}
        assert found["total_time_s"] > 2.5
        assert found["plan_length"] == len(read_plan(output))
    else:
        output.write_text(out)
    assert validate(Task.load(*files.small), read_plan(output))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_the_command_and_leaves_no_process(files: Files) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "trailmark", "plan", "none", *files.large, "--search", "astar"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert out == ""
    assert err == "trailmark: interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize(("error", "code"), [(TimeLimitError, 12), (MemoryLimitError, 13)])
def test_a_search_that_is_ended_from_outside_is_told_in_json_too(
    files: Files,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: type[TrailmarkError],
    code: int,
) -> None:
    def ended(*_: object) -> int:
        raise error("a limit was reached")

    monkeypatch.setattr("trailmark.cli.common.run_supervised", ended)
    assert main(["plan", "none", *files.small, "--json", "--time-limit", "5"]) == code
    document = json.loads(capfd.readouterr().out)
    assert document["status"] in ("time limit", "memory limit")
    assert document["plan_length"] is None


@pytest.mark.parametrize(("heuristic", "code"), [("hadd", 0), ("none", 12)])
def test_a_limit_right_after_the_result_does_not_turn_it_into_another(
    files: Files,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    heuristic: str,
    code: int,
) -> None:
    def late(work: Callable[[], int], *_: object) -> int:
        work()
        raise TimeLimitError("the time limit was reached")

    monkeypatch.setattr("trailmark.cli.common.run_supervised", late)
    problem = files.small if code == 0 else files.large
    options = ["--search", "astar", "--heuristic", heuristic, "--time-limit", "1", "--json"]
    assert main(["plan", "none", *problem, *options]) == code
    found = json.loads(capfd.readouterr().out)
    assert found["status"] == ("solved" if code == 0 else "time limit")


@pytest.mark.parametrize("search", ["leap", "gbfs"])
def test_without_a_plan_the_json_says_how_far_the_search_came_and_what_to_do(
    files: Files, capfd: pytest.CaptureFixture[str], search: str
) -> None:
    task = files.stuck if search == "leap" else files.large
    options = ["--search", search, "--heuristic", "none", "--no-fallback", "--time-limit", "4"]
    code, found, _ = answer([files.path("halfway.txt"), *task, *options], capfd)
    assert code in (11, 12)
    assert found["landmarks"] == {"accepted": 1, "total": 2, "loops": 0}
    failure = found["failure"]
    assert isinstance(failure, dict)
    assert (failure["landmark"], failure["looked_for"]) == (2, SOUGHT)
    assert failure["states"] > 0
    assert failure["open_goals"] == failure["goals"]
    assert any("--search auto" in step for step in failure["next_steps"])
    assert (failure["level"] is not None) is (search == "leap")


def test_without_a_plan_a_person_is_told_the_same(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--search", "leap", "--no-improve"]
    assert main(["plan", files.path("halfway.txt"), *files.stuck, *options]) == 11
    out, err = capfd.readouterr()
    first, reached, sought, times, *further = err.splitlines()
    assert (out, first) == ("", "trailmark: no plan found")
    assert reached == "  reached 1 of 2 landmarks; 2 of 2 goals are open there"
    assert sought.startswith(f"  then looked for landmark 2: {SOUGHT} (")
    assert re.fullmatch(
        r"  time: [\d.]+ s, of which leap [\d.]+ s, other [\d.]+ s; memory: at most \d+ MB", times
    )
    assert further
    assert all(line.startswith("  next: ") for line in further)


def test_a_quiet_failure_is_one_line(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", files.path("halfway.txt"), *files.stuck, "--search", "leap", "--quiet"]) == 11
    assert capfd.readouterr().err == "trailmark: no plan found\n"


@pytest.mark.parametrize("json_wanted", [True, False])
def test_a_search_that_is_ended_from_outside_tells_how_far_it_came(
    files: Files, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, json_wanted: bool
) -> None:
    monkeypatch.setattr("trailmark.search.planner.lazy_greedy", lambda *_, **__: time.sleep(1000))
    options = ["--complete", "lazy", "--time-limit", "5", *(["--json"] if json_wanted else [])]
    assert main(["plan", files.path("halfway.txt"), *files.stuck, *options]) == 12
    out, err = capfd.readouterr()
    if not json_wanted:
        assert err.startswith("trailmark: the time limit of 5 s was reached\n  reached 1 of 2 landmarks;")
        return
    found = json.loads(out)
    assert list(found) == KEYS
    assert (found["status"], found["landmarks"]["accepted"]) == ("time limit", 1)
    assert list(found["times"]) == ["leap", "lazy greedy"]
    assert found["total_time_s"] >= 5
    assert sum(found["times"].values()) <= found["total_time_s"]
    assert found["failure"]["next_steps"]


def test_a_number_that_the_engine_misreads_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(
        "(define (domain d) (:functions (level)) (:action halve :effect (scale-up (level) 0.5)))"
    )
    problem.write_text(
        "(define (problem p) (:domain d) (:init (= (level) 3)) "
        "(:goal (= (level) 0.000000000010913936421275139)))"
    )
    code, found, _ = answer(["none", str(domain), str(problem)], capfd)
    assert (code, found["status"]) == (11, "no plan found")
    failure = found["failure"]
    assert isinstance(failure, dict)
    assert failure["misread"] == 3 * 0.5**38
    assert "at most 15 digits, not 1.0913936421275139e-11" in failure["next_steps"][0]


def test_leaping_that_gave_up_is_blamed_on_the_training_problems() -> None:
    """Where the clock ended it, more time may do; where another search came after it, that alone may not."""
    told = {"landmark": 1, "open_goals": 3, "states": 0, "with_model": True, "complete_search": True}
    document = {
        "status": "time limit",
        "times": {"leap": 2.0},
        "landmarks": {"accepted": 4, "total": 8},
        "failure": {**told, "fast_downward": "installed"},
    }
    assert [step.split()[0] for step in with_next_steps(document)["failure"]["next_steps"]] == ["raise"]
    document["times"] = {"leap": 2.0, "fast downward": 5.0}
    assert [step.split()[0] for step in with_next_steps(document)["failure"]["next_steps"]] == [
        "learn",
        "raise",
    ]
