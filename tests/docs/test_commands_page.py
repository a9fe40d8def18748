"""Exit codes, JSON and messages stand on the pages exactly as the program prints them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, blocks
from tests.docs.test_pages import DOCS, section
from trailmark.cli.common import limit_text
from trailmark.cli.main import main
from trailmark.cli.plan import failure_lines, with_next_steps
from trailmark.cli.trying import MODEL, NONE, Run, Trial, table, verdict
from trailmark.domains import domain_text, generate, train_problems
from trailmark.learning.training import LeaveOneOut

PAGE = (DOCS / "commands.md").read_text()
SHOWN = [block.text for block in blocks(DOCS / "commands.md") if block.kind == "text"]
CALLS = {
    "learn": "d.pddl p.pddl q.pddl -o m.json --method chain --complexity 5",
    "plan": "m.json d.pddl p.pddl",
    "try": "m.json d.pddl p.pddl",
    "show": "m.json",
    "explain": "m.json d.pddl p.pddl p.plan",
    "check": "m.json d.pddl p.pddl p.plan",
    "validate": "d.pddl p.pddl p.plan",
    "generate": "delivery",
    "domains": "",
    "bench": "quick --report-only --domains gripper -o bench",
}
FAILURE = {
    "status": "time limit",
    "total_time_s": 2.91,
    "peak_memory_mb": 61.4,
    "times": {"leap": 1.12, "lazy greedy": 0.91},
    "landmarks": {"accepted": 0, "total": 1, "loops": 0},
    "failure": {
        "goals": 12,
        "open_goals": 12,
        "landmark": 1,
        "looked_for": "more than 5 packages have a truck carrying them",
        "states": 30137,
        "level": "relaxed",
        "with_model": True,
        "complete_search": True,
        "fast_downward": "missing",
    },
}
TRIALS = [
    Trial("t1.pddl", 6, {MODEL: Run("solved", 0.0, 4, 4.0), NONE: Run("solved", 0.0, 4, 4.0)}),
    Trial("large.pddl", 94, {MODEL: Run("solved", 0.2, 139, 139.0), NONE: Run("solved", 4.2, 176, 176.0)}),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("page")
    (made / "d.pddl").write_text(domain_text("delivery"))
    (made / "p.pddl").write_text(generate("delivery", 1, width=2, height=2, packages=1))
    (made / "q.pddl").write_text(train_problems("delivery")[1])
    task = [str(made / name) for name in ("d.pddl", "p.pddl")]
    options = ["--method", "chain", "--complexity", "5", "-q", "--plans-from", "embedded"]
    assert main(["learn", *task, str(made / "q.pddl"), "-o", str(made / "m.json"), *options]) == 0
    assert main(["plan", "none", *task, "-o", str(made / "p.plan"), "-q"]) == 0
    return made


@pytest.mark.parametrize("command", CALLS)
def test_every_key_of_the_json_is_on_the_page(
    command: str, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main([command, *CALLS[command].split(), "--json"]) in (0, 1)
    found = json.loads(capfd.readouterr().out)
    assert next(iter(found)) == "status"
    for key in found:
        assert f"`{key}`" in section(command), key


def test_an_error_reads_as_the_page_says() -> None:
    command = [sys.executable, "-m", "trailmark", "validate", "gone.pddl", "p.pddl", "p.plan", "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, SHOWN[0])


def test_a_failure_reads_as_the_page_says() -> None:
    lines = "".join(f"  {line}\n" for line in failure_lines(with_next_steps(dict(FAILURE))))
    assert SHOWN[1] == f"trailmark: {limit_text('time limit', 3, None)}\n{lines}"


def test_a_trial_reads_as_the_page_says() -> None:
    told = verdict(TRIALS).replace("; ", "\n")
    assert SHOWN[2] == f"{table(TRIALS)}\n{told}\n"


def test_verdicts_and_limits_read_as_the_page_says(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    one_line = " ".join(PAGE.split())
    assert f"`{limit_text('time limit', 60, None)}`" in one_line
    assert f"`{limit_text('memory limit', None, 4000)}`" in one_line
    assert f"`{LeaveOneOut(tuple('abcde'), ())}`" in one_line
    task = [str(folder / name) for name in ("d.pddl", "p.pddl", "p.plan")]
    main(["validate", *task])
    valid = capfd.readouterr().out.strip()
    assert f"`{re.sub(r'[0-9]+', '12', valid)}`" in one_line
    (folder / "half.plan").write_text("")
    main(["validate", *task[:2], str(folder / "half.plan")])
    assert capfd.readouterr().out.startswith("invalid: ")


def source() -> str:
    """All the program's text, with strings that go over several lines in one."""
    texts = [path.read_text() for path in sorted((ROOT / "src").rglob("*.py"))]
    joined = re.sub(r'"\s*\n\s*f?"', "", "\n".join(texts))
    return re.sub(r"\{[^{}]*\}", "…", joined)


def heard(folder: Path) -> str:
    """What commands say of mistakes whose messages are put together from parts."""
    texts = {
        "typing.pddl": (folder / "p.pddl").read_text().replace("(empty ", "(emty "),
        "time.pddl": "(define (domain d) (:requirements :durative-actions))",
        "renamed.pddl": (folder / "p.pddl").read_text().replace("(:domain delivery)", "(:domain other)"),
        "ferry.pddl": domain_text("ferry"),
        "ferry-p.pddl": generate("ferry"),
        "newer.pddl": domain_text("delivery").replace("(:predicates", "(:predicates (new)"),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    commands = [
        "validate gone.pddl p.pddl p.plan",
        "validate d.pddl typing.pddl p.plan",
        "validate time.pddl p.pddl p.plan",
        "validate m.json p.pddl p.plan",
        "validate d.pddl ferry-p.pddl p.plan",
        "validate d.pddl renamed.pddl p.plan",
        "validate d.pddl p.pddl p.plan > /dev/full",
        "show d.pddl",
        "plan m.json ferry.pddl ferry-p.pddl",
        "plan m.json newer.pddl p.pddl",
    ]
    script = "\n".join(f"'{sys.executable}' -m trailmark {command}" for command in commands)
    ended = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    return ended.stderr


def test_messages_of_the_page_on_troubles_are_those_of_the_program(folder: Path) -> None:
    printed = source() + heard(folder)
    rows = re.findall(r"^\| (`.*?) \|", (DOCS / "troubleshooting.md").read_text(), re.MULTILINE)
    messages = [message for row in rows for message in re.findall(r"`([^`]+)`", row)]
    assert len(messages) > 25
    for message in messages:
        for fragment in re.split(r"…|'[a-z:-]+'|\b[0-9N]+\b", message):
            assert fragment.strip() in printed, message
