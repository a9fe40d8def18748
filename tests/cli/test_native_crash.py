"""A crash inside the engine reaches the user as one line and exit code 20, not as a dead shell."""

from __future__ import annotations

import ctypes
import faulthandler
import json
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from trailmark.cli.main import main
from trailmark.domains import domain_text, train_problems

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes as on Linux")

LINE = (
    "trailmark: the planning engine crashed (signal 11) "
    "(the input may be one it cannot handle; please report it)\n"
)
GRAPH = "landmark\n n_count(c_primitive(carrying,1))\n"
PLAN = Path(__file__).parents[1] / "pddl" / "delivery"


def crash(*_: object, **__: object) -> NoReturn:
    """Reads the memory at 0, which ends the process as a fault in native code does."""
    faulthandler.disable()
    ctypes.string_at(0)
    raise AssertionError("still alive")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Delivery's first training tasks, and an engine that crashes when it is started."""
    (tmp_path / "domain.pddl").write_text(domain_text("delivery"))
    for number, text in enumerate(train_problems("delivery")[:2], 1):
        (tmp_path / f"t{number}.pddl").write_text(text)
    (tmp_path / "graph").write_text(GRAPH)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("trailmark.task.engine.Engine", crash)
    # Fast Downward, where it is installed, would solve the task without the engine.
    monkeypatch.setattr("trailmark.search.fast_downward.is_installed", lambda: False)
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["plan", "none", "domain.pddl", "t1.pddl"],
        ["plan", "none", "domain.pddl", "t1.pddl", "--json"],
        ["plan", "graph", "domain.pddl", "t1.pddl", "--search", "astar", "-o", "out"],
        ["learn", "domain.pddl", "t1.pddl", "t2.pddl", "-o", "out", "--quiet"],
        ["learn", "domain.pddl", "t1.pddl", "t2.pddl", "-o", "out", "--json", "--time-limit", "100"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[4:]),
)
def test_a_crash_of_the_engine_is_one_line_and_exit_code_20(
    arguments: list[str], files: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 20
    out, err = capfd.readouterr()
    assert err == LINE
    if "--json" in arguments:
        assert json.loads(out)["code"] == 20
    else:
        assert out == ""
    assert not (files / "out").exists()


@pytest.mark.parametrize("command", ["validate", "check", "explain", "show"])
def test_the_other_commands_do_not_start_the_engine(
    command: str, files: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = [str(PLAN / name) for name in ("domain.pddl", "problem.pddl", "problem.plan")]
    (files / "graph").write_text("landmark\n n_count(c_primitive(parked,0))\n")
    arguments = {
        "validate": ["validate", *paths],
        "check": ["check", "graph", *paths],
        "explain": ["explain", "graph", *paths],
        "show": ["show", "graph"],
    }[command]
    assert main(arguments) in (0, 1)
    assert "crashed" not in capfd.readouterr().err
