"""What a user is told without reading anything else: help, examples, completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from trailmark.cli.main import app, main

COMMANDS = sorted(each.name or "" for each in app.registered_commands)


def helped(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    assert main([command, "--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_one_example_and_the_common_options(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = helped(command, capsys, monkeypatch)
    assert text.count(f"Example: trailmark {command}") == 1
    for option in ("--json", "--quiet", "--verbose", "--help"):
        assert option in text


def test_the_bare_command_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {command} " in out for command in COMMANDS)


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    import trailmark

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"trailmark {trailmark.__version__}\n"


def completed(line: str) -> list[str]:
    """What bash offers after this line."""
    words = line.split(" ")
    asked = {
        "_TRAILMARK_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    script = "import sys; from trailmark.cli.main import main; sys.argv[0] = 'trailmark'; sys.exit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout.split()


def test_the_shell_completes_commands_and_options() -> None:
    assert completed("trailmark le") == ["learn"]
    assert completed("trailmark plan --time") == ["--time-limit"]


def test_completion_can_be_installed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    assert "--install-completion" in capsys.readouterr().out
