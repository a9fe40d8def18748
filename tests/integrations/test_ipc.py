"""The learning track's contract: numbered knowledge files that are always whole, and plans from them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import trailmark
from trailmark import domains
from trailmark.api import load
from trailmark.integrations import ipc
from trailmark.integrations.ipc import main


@pytest.fixture(autouse=True)
def short_validation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ipc, "VALIDATION_SECONDS", 0.2)
    monkeypatch.setattr(ipc, "VALIDATION_TASKS", 2)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with the domain, five training tasks and a hard one."""
    (tmp_path / "domain.pddl").write_text(domains.domain_text("delivery"))
    for number, text in enumerate(domains.train_problems("delivery"), start=1):
        (tmp_path / f"t{number}.pddl").write_text(text)
    (tmp_path / "hard.pddl").write_text(domains.generate("delivery", width=20, height=20, packages=60))
    return tmp_path


def tasks(files: Path, *names: str) -> list[str]:
    return [str(files / f"{name}.pddl") for name in names or ("t1", "t2", "t3", "t4", "t5")]


def learned(files: Path, names: list[str], sizes: str = "3,5") -> None:
    words = ["learn", str(files / "dk"), str(files / "domain.pddl"), *names, "--methods", "chain"]
    assert ipc._learn(ipc._parser().parse_args([*words, "--sizes", sizes])) == 0


def test_the_best_knowledge_has_the_plain_name_and_numbers_count_improvements(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    efforts = iter([(1, 0), (0, 9), (0, 10)])
    monkeypatch.setattr(ipc, "_effort", lambda *_: next(efforts))
    learned(files, tasks(files), "3,4,5")
    assert sorted(path.name for path in files.glob("dk*")) == ["dk", "dk.1", "dk.2"]
    assert load(files / "dk").model == load(files / "dk.2").model
    assert len(load(files / "dk.1").model.training) == 3
    assert len(load(files / "dk.2").model.training) == 4


def test_what_is_better_than_the_last_try_alone_is_no_improvement(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    efforts = iter([(0, 9), (1, 0), (0, 10)])
    monkeypatch.setattr(ipc, "_effort", lambda *_: next(efforts))
    learned(files, tasks(files), "3,4,5")
    assert sorted(path.name for path in files.glob("dk*")) == ["dk", "dk.1"]


def test_the_smallest_tasks_are_learned_from_first(files: Path) -> None:
    names = [f"z{9 - number}" for number in range(1, 6)]
    for number, name in enumerate(names, start=1):
        (files / f"t{number}.pddl").rename(files / f"{name}.pddl")
    learned(files, tasks(files, *names), "3")
    sizes = sorted(path.stat().st_size for path in files.glob("z*.pddl"))
    learned_from = [record.problem for record in load(files / "dk").model.training]
    assert [(files / name).stat().st_size for name in learned_from] == sizes[:3]


def test_knowledge_files_never_take_the_place_of_older_numbers(files: Path) -> None:
    (files / "dk.1").write_text("older")
    model = trailmark.learn(files / "domain.pddl", tasks(files), method="chain", complexity=3)
    assert ipc._add(model, files / "dk") == files / "dk.2"
    assert (files / "dk.1").read_text() == "older"


def test_a_poor_training_set_is_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learned(files, tasks(files, "t2"))
    assert "warning: only 1 training problem" in capsys.readouterr().err
    same = [files / f"same{number}.pddl" for number in range(3)]
    for path in same:
        path.write_text((files / "t1.pddl").read_text())
    learned(files, [str(path) for path in same])
    assert "same1.pddl is the same problem as" in capsys.readouterr().err


def test_planning_writes_a_valid_plan(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learned(files, tasks(files))
    arguments = [str(files / name) for name in ("dk", "domain.pddl", "t5.pddl", "plan")]
    assert main(["plan", *arguments]) == 0
    task = trailmark.Task.load(files / "domain.pddl", files / "t5.pddl")
    assert trailmark.validate(task, trailmark.read_plan(files / "plan"))


def test_planning_without_knowledge_warns_and_plans(files: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = [str(files / name) for name in ("nothing", "domain.pddl", "t1.pddl", "plan")]
    assert main(["plan", *arguments]) == 0
    assert "planning without landmarks" in capfd.readouterr().err
    assert (files / "plan").exists()


@pytest.mark.parametrize("missing", ["domain.pddl", "t3.pddl"])
def test_a_missing_file_is_one_line_and_leaves_nothing(
    files: Path, missing: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (files / missing).unlink()
    assert main(["learn", str(files / "dk"), str(files / "domain.pddl"), *tasks(files)]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert missing in err
    assert list(files.glob("*dk*")) == []


def start(files: Path, *names: str) -> subprocess.Popen[str]:
    """A learner in a process of its own, as the competition starts it."""
    command = [sys.executable, "-m", "trailmark.integrations.ipc", "learn", "dk", "domain.pddl"]
    command += [*(f"{name}.pddl" for name in names), "--sizes", "2,3", "--methods", "chain"]
    return subprocess.Popen(command, cwd=files, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_sigterm_keeps_the_knowledge_there_is(files: Path) -> None:
    process = start(files, "t1", "t2", "hard")
    deadline = time.monotonic() + 60
    while not (files / "dk").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=10)
    assert process.returncode == 0
    assert load(files / "dk").model == load(files / "dk.1").model
    assert list(files.glob(".*.tmp")) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_sigterm_before_any_knowledge_is_no_success(files: Path) -> None:
    process = start(files, "hard")
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=10)
    assert process.returncode not in (0, None)
    assert "Traceback" not in err
    assert list(files.glob("*dk*")) == []
