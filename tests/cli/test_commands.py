"""Every command with every kind of wrong input: one clear line, the right exit code, nothing half-written."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import trailmark
from trailmark import domains
from trailmark.cli.learn import LIMIT_HINT
from trailmark.cli.main import app, main
from trailmark.errors import TimeLimitError

COMMANDS = {each.name or "" for each in app.registered_commands} - {"mcp"}
"""All but the server, which waits for a client."""


@dataclass(frozen=True)
class Files:
    """Good files of one domain and a problem of another."""

    folder: Path
    domain: Path
    problem: Path
    plan: Path
    model: Path
    other_domain: Path
    other_problem: Path

    def arguments(self, command: str) -> list[str]:
        """A call of the command that works."""
        model, task = str(self.model), [str(self.domain), str(self.problem)]
        calls = {
            "learn": [
                *task,
                "-o",
                str(self.folder / "new.json"),
                "--method",
                "chain",
                "--complexity",
                "2",
                "-q",
            ],
            "plan": [model, *task],
            "try": [model, *task],
            "show": [model],
            "check": [model, *task, str(self.plan)],
            "explain": [model, *task, str(self.plan)],
            "validate": [*task, str(self.plan)],
            "generate": ["delivery"],
            "domains": [],
            "bench": ["quick", "--report-only", "--domains", "gripper", "-o", str(self.folder / "bench")],
        }
        return [command, *calls[command]]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("commands")
    found = Files(
        folder,
        *(
            folder / name
            for name in ("d.pddl", "p.pddl", "p.plan", "model.json", "other.pddl", "other-p.pddl")
        ),
    )
    found.domain.write_text(domains.domain_text("delivery"))
    found.problem.write_text(domains.train_problems("delivery")[0])
    found.other_domain.write_text(domains.domain_text("blocksworld"))
    found.other_problem.write_text(domains.generate("blocksworld"))
    model = trailmark.learn(found.domain, [found.problem], method="chain", complexity=3)
    model.save(found.model)
    model.plan(found.problem).save(found.plan)
    return found


def two_of(commands: set[str]) -> list[object]:
    """The commands, all but one that works in its own process and one in a watched child in the slow tier."""
    return [
        pytest.param(each, marks=[] if each in ("show", "plan") else [pytest.mark.slow])
        for each in sorted(commands)
    ]


def run(arguments: list[str], stdout: int) -> tuple[int, str]:
    """The exit code and stderr of a command in a process of its own."""
    command = [sys.executable, "-m", "trailmark", *arguments]
    ended = subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=100, check=False
    )
    return ended.returncode, ended.stderr


def complaint(arguments: list[str], capfd: pytest.CaptureFixture[str], files: Files) -> str:
    """The one line of a command that fails for bad input, after checking that it is all it does."""
    before = sorted(files.folder.rglob("*"))
    capfd.readouterr()
    code = main(arguments)
    out, err = capfd.readouterr()
    assert code == 2, err
    assert out == ""
    assert err.startswith("trailmark: ")
    assert err.count("\n") == 1
    assert "internal error" not in err
    assert sorted(files.folder.rglob("*")) == before
    return err


def test_every_command_is_walked(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    for command in sorted(COMMANDS):
        assert main(files.arguments(command)) in (0, 1), command
    (files.folder / "new.json").unlink()


@pytest.mark.parametrize("command", sorted(COMMANDS - {"domains", "generate", "bench"}))
def test_a_missing_path(command: str, files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = files.arguments(command)
    inputs = {str(each) for each in (files.model, files.domain, files.problem, files.plan)}
    for place, argument in enumerate(arguments):
        if argument in inputs:
            changed = [*arguments[:place], argument + "x", *arguments[place + 1 :]]
            assert argument + "x" in complaint(changed, capfd, files)


def test_missing_names(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    assert "nowhere" in complaint(["generate", "nowhere"], capfd, files)
    assert "nowhere.toml" in complaint(["bench", str(files.folder / "nowhere.toml")], capfd, files)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--domain", "--train", "1"], "use only one of --size, --domain, --train and --test"),
        (["--size", "packages=2", "--test", "1"], "use only one of --size, --domain, --train and --test"),
        (["--train", "0"], "training instance 0 does not exist (use 1 to 5)"),
        (["--train", "6"], "training instance 6 does not exist (use 1 to 5)"),
        (["--test", "31"], "number must be a whole number from 1 to 30, not 31"),
        (["--size", "packages"], "'packages' is not a size (write --size key=number)"),
        (["--size", "wheels=2"], "delivery has no parameter 'wheels'"),
    ],
)
def test_what_cannot_be_generated_is_said(
    words: list[str], reason: str, files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    assert reason in complaint(["generate", "delivery", *words], capfd, files)


@pytest.mark.parametrize("command", sorted(COMMANDS & {"plan", "check", "explain"}))
def test_the_wrong_domain_for_the_model(
    command: str, files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    swapped = {str(files.domain): str(files.other_domain), str(files.problem): str(files.other_problem)}
    arguments = [swapped.get(each, each) for each in files.arguments(command)]
    assert "the model is for domain 'delivery', not 'blocks'" in complaint(arguments, capfd, files)


@pytest.mark.parametrize("command", sorted(COMMANDS & {"plan", "check", "explain", "show"}))
def test_a_model_from_a_newer_version(command: str, files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    newer = files.folder / "newer.json"
    newer.write_text(json.dumps(json.loads(files.model.read_text()) | {"schema_version": 999, "more": 1}))
    arguments = [str(newer) if each == str(files.model) else each for each in files.arguments(command)]
    line = complaint(arguments, capfd, files)
    assert "schema version 999" in line
    assert "use a newer Trailmark" in line


WRITERS = sorted(COMMANDS & {"learn", "plan", "show", "generate", "explain", "bench"})


PLACES = ["p.pddl/new", "missing/new", "/proc/new"]
UNWRITABLE = [
    (command, place)
    for command in WRITERS
    for place in PLACES
    # bench makes the folder it is given.
    if (command, place) != ("bench", "missing/new")
]


@pytest.mark.parametrize(("command", "place"), UNWRITABLE)
def test_an_output_that_cannot_be_written(
    command: str, place: str, files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    """A path below a file and one in a folder that nobody may write stop root too."""
    target = str(files.folder / place)
    arguments = files.arguments(command)
    if "-o" in arguments:
        arguments[arguments.index("-o") + 1] = target
    else:
        arguments += ["-o", target]
    line = complaint(arguments, capfd, files)
    assert target in line


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("command", sorted({*WRITERS} - {"bench"}))
def test_a_full_disk_under_the_output_file(
    command: str, files: Files, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A link, so that a command which replaced the file would replace the link and not the device."""
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    arguments = files.arguments(command)
    if "-o" in arguments:
        arguments[arguments.index("-o") + 1] = str(full)
    else:
        arguments += ["-o", str(full)]
    assert "No space left" in complaint(arguments, capfd, files)
    assert full.is_symlink()
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("command", two_of(COMMANDS - {"learn", "bench"}))
def test_a_full_disk_under_stdout(command: str, files: Files) -> None:
    with open("/dev/full", "wb") as full:
        code, err = run(files.arguments(command), full.fileno())
    lines = [each for each in err.splitlines() if "cannot be written" in each]
    assert code == 2, err
    assert lines == ["trailmark: the output cannot be written: No space left on device"]
    assert "internal error" not in err
    assert "Exception ignored" not in err


@pytest.mark.parametrize("command", two_of(COMMANDS - {"bench"}))
def test_a_reader_that_has_gone(command: str, files: Files) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        code, err = run(files.arguments(command), writing)
    finally:
        os.close(writing)
    assert code in (0, 1), err
    for word in ("Traceback", "Broken", "internal error", "Exception ignored"):
        assert word not in err


def only_object(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    """Exit code, and the one JSON object that is all of stdout."""
    capfd.readouterr()
    code = main([*arguments, "--json"])
    found = json.loads(capfd.readouterr().out)
    assert isinstance(found, dict)
    return code, found


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_success_is_one_json_object(
    command: str, files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    code, found = only_object(files.arguments(command), capfd)
    assert code in (0, 1)
    assert found.get("status") != "error"
    (files.folder / "new.json").unlink(missing_ok=True)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_usage_error_is_one_json_object(
    command: str, files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    code, found = only_object([*files.arguments(command), "--no-such-option"], capfd)
    assert (code, found["code"], found["status"]) == (2, 2, "error")
    assert list(found) == ["status", "code", "message", "place", "hint"]
    assert "--no-such-option" in str(found["message"])


@pytest.mark.parametrize("command", sorted(COMMANDS - {"domains", "generate", "bench"}))
def test_every_input_error_is_one_json_object_with_its_place(
    command: str, files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    first, *others = files.arguments(command)[1:]
    code, found = only_object([command, f"{first}.gone", *others], capfd)
    assert (code, found["code"], found["hint"]) == (2, 2, "check the path")
    assert found["place"] == {"file": f"{first}.gone", "line": None, "column": None}


@pytest.mark.parametrize("command", ["learn", "plan"])
def test_a_limit_is_told_in_the_same_words_from_inside_and_from_outside(
    command: str, files: Files, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> None:
        raise TimeLimitError("the time limit of 8.1 s was reached while reading", hint=None)

    arguments = [*files.arguments(command), "--time-limit", "9"]
    said = []
    for slow in (late, lambda *_, **__: time.sleep(1000)):
        monkeypatch.setattr("trailmark.task.Domain.load", slow)
        arguments[-1] = "9" if slow is late else "1"
        assert main(arguments) == 12
        said.append(capfd.readouterr().err)
    at = ""
    if command == "learn":
        at = f" at: 0 of 1 training plans ({LIMIT_HINT})"
    assert said == [f"trailmark: the time limit of {limit} s was reached{at}\n" for limit in (9, 1)]
    code, found = only_object(arguments, capfd)
    assert (code, found["status"]) == (12, "time limit" if command == "plan" else "error")


def test_an_interruption_is_one_json_object(files: Files) -> None:
    task = [str(files.domain), str(files.folder / "large.pddl")]
    Path(task[1]).write_text(domains.generate("delivery", 1, width=9, height=9, packages=12))
    process = subprocess.Popen(
        [sys.executable, "-m", "trailmark", "plan", "none", *task, "--search", "astar", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["message"] == "interrupted"


def test_model_and_domain_swapped(files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    swapped = ["plan", str(files.domain), str(files.model), str(files.problem)]
    assert "expected a domain, this file is JSON, as a model is" in complaint(swapped, capfd, files)


@pytest.mark.parametrize("command", ["plan", "show", "check", "explain"])
def test_a_domain_where_a_model_is_expected(
    command: str, files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = [command, str(files.domain), *files.arguments(command)[2:]]
    assert "expected a model, this file is a PDDL domain" in complaint(arguments, capfd, files)


@pytest.mark.parametrize("change", [":requirements :durative-actions", ":durative-action go :parameters ()"])
def test_durative_actions_are_named(change: str, files: Files, capfd: pytest.CaptureFixture[str]) -> None:
    durative = files.folder / "durative.pddl"
    durative.write_text(f"(define (domain d) ({change}))")
    arguments = ["validate", str(durative), str(files.problem), str(files.plan)]
    assert "durative actions are not supported" in complaint(arguments, capfd, files)
