"""What is shown while a command works: alive, with totals, never backwards; and what `--verbose` adds."""

from __future__ import annotations

import io
import re
import sys
import time
from pathlib import Path

import pytest

from trailmark.cli.common import run_supervised
from trailmark.cli.main import main
from trailmark.cli.planning import Asked, _Telling
from trailmark.cli.progress import CLEAR, KeptAnswer, ProgressLine, print_line
from trailmark.domains import domain_text, generate
from trailmark.limits import Budget
from trailmark.search.result import PlannerOptions, Statistics
from trailmark.search.standing import Standing
from trailmark.task import Domain, Task

PROGRAM = "counter n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_goes_on_while_the_work_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    line = ProgressLine()

    def work() -> int:
        line.say("busy")
        time.sleep(0.6)
        return 0

    assert run_supervised(work, line=line) == 0
    drawn = [each for each in terminal.getvalue().split(CLEAR) if each]
    assert len(drawn) >= 3
    assert len(set(drawn)) > 1  # it moves
    assert all(each.endswith(" s  busy") for each in drawn)
    assert terminal.getvalue().endswith(CLEAR)


def test_a_line_of_text_takes_the_place_of_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    print_line("a note")
    assert terminal.getvalue() == f"{CLEAR}a note\n"


def test_nothing_is_drawn_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", found := io.StringIO())
    line = ProgressLine()
    with line:
        line.say("busy")
        line.draw()
    print_line("a note")
    assert found.getvalue() == "a note\n"


class Said(ProgressLine):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__(quiet=True)
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)


def test_a_second_search_does_not_run_backwards(tmp_path: Path) -> None:
    domain = Domain.parse(domain_text("delivery"))
    task = Task.parse(domain, generate("delivery", 1, width=3, height=3, packages=2))
    line = Said()
    asked = Asked("none", tmp_path, tmp_path, PlannerOptions(), Budget(), None, False, True, line)
    with (tmp_path / "kept").open("w+b") as file:
        telling = _Telling(asked, task, None, KeptAnswer(file))
        total = Statistics()
        telling.say("leap", total, None)
        for states, reached in ((10, 1), (90, 7)):
            telling.say("leap", Statistics(generated=states), Standing(reached, 9, 0, 0, 1, 5))
        total.generated = 100
        telling.say("leap by whole passes", total, None)
        telling.say("leap by whole passes", Statistics(generated=20), Standing(2, 9, 0, 0, 1, 5))
    assert [int(re.findall(r"(\d+) states", text)[0]) for text in line.lines] == [
        0,
        10,
        90,
        100,
        120,
    ]
    assert [re.findall(r"\d+ of \d+ landmarks", text) for text in line.lines[1:]] == [
        ["1 of 9 landmarks"], ["7 of 9 landmarks"], ["7 of 9 landmarks"], ["7 of 9 landmarks"],
    ]  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "m.txt").write_text(PROGRAM)
    (tmp_path / "d.pddl").write_text(domain_text("delivery"))
    (tmp_path / "p.pddl").write_text(generate("delivery", 1, width=3, height=3, packages=1))
    task = [str(tmp_path / name) for name in ("m.txt", "d.pddl", "p.pddl")]
    assert main(["plan", *task, "-o", str(tmp_path / "p.plan"), "-q"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("command", "stages"),
    [
        ("learn d.pddl p.pddl -o m.json --method chain --complexity 5", ["plan for", "chain"]),
        ("plan m.txt d.pddl p.pddl", ["reading d.pddl", "reading m.txt", "reading p.pddl", "leap", "solved"]),
        ("try m.txt d.pddl p.pddl", ["p.pddl, model", "p.pddl, none"]),
        ("show m.txt", ["reading m.txt", "telling"]),
        ("explain m.txt d.pddl p.pddl p.plan", ["reading d.pddl", "explaining"]),
        ("check m.txt d.pddl p.pddl p.plan", ["reading p.pddl", "checking"]),
        ("validate d.pddl p.pddl p.plan", ["reading p.pddl", "executing"]),
        ("generate delivery", ["generating"]),
        ("domains", ["reading"]),
    ],
)
def test_verbose_tells_every_stage_with_its_time_and_what_it_found(
    command: str,
    stages: list[str],
    files: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(files)
    assert main([*command.split(), "-v"]) == 0
    err = capfd.readouterr().err
    for stage in stages:
        assert re.search(rf"^trailmark: {re.escape(stage)}.*: [\d.]+ s, .*\w", err, re.MULTILINE), err
    assert main([*command.split(), "-q"]) == 0
    assert capfd.readouterr().err == ""
