"""`trailmark bench`: options, messages and exit codes."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tests.bench.steps import suite_text, write_benchmarks
from trailmark.cli import main


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["moon"], "no suite 'moon'"),
        (["quick", "--domains", "moon"], "no domain 'moon'"),
        (["quick", "--planners", "moon"], "no planner 'moon'"),
        (["quick", "--time-limit", "0"], "time limit must be above 0"),
        (["quick", "--instances", "x"], "'x' is no test instance"),
        (["paper", "--parts", "heuristics", "--instances", "1"], "p03, p06, p09"),
        (["quick", "--benchmarks", "/nowhere"], "no folder /nowhere"),
        (["missing.toml"], "missing.toml"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["bench", *arguments, "-o", str(tmp_path / "out")]) == 2
    message = capsys.readouterr().err.strip()
    assert words in message
    assert "\n" not in message
    assert not (tmp_path / "out").exists()


def test_the_table_is_printed_at_the_end_and_the_report_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmarks = write_benchmarks(tmp_path / "benchmarks")
    suite = tmp_path / "steps.toml"
    suite.write_text(suite_text(tmp_path, tests=2))
    arguments = ["bench", str(suite), "--benchmarks", str(benchmarks), "-o", str(tmp_path / "out")]
    chosen = ["--planners", "walker", "--instances", "1"]
    assert main([*arguments, *chosen, "--report", str(tmp_path / "results.md")]) == 0
    printed = capsys.readouterr()
    assert "| steps  |    1/1 |" in printed.out
    assert "[1/1] plan steps p01 walker: solved" in printed.err
    assert "Solved instances" in (tmp_path / "results.md").read_text()
    assert main([*arguments, *chosen]) == 2
    assert "--resume" in capsys.readouterr().err
    assert main([*arguments, *chosen, "--report-only", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["runs"], answer["recorded"]) == ("done", 1, 1)


def test_what_was_run_before_an_interruption_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmarks = write_benchmarks(tmp_path / "benchmarks")
    suite, kept = tmp_path / "steps.toml", tmp_path / "kept.json"
    suite.write_text(suite_text(tmp_path, tests=2))

    def interrupt(*told: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trailmark.cli.bench._progress", interrupt)
    arguments = ["bench", str(suite), "--benchmarks", str(benchmarks), "--planners", "walker"]
    assert main([*arguments, "-o", str(tmp_path / "out"), "--records", str(kept)]) == 130
    capsys.readouterr()
    assert len(json.loads(kept.read_text())["records"]) == 1
    monkeypatch.undo()
    elsewhere = ["-o", str(tmp_path / "elsewhere"), "--records", str(kept), "--resume"]
    assert main([*arguments, *elsewhere]) == 0
    told = capsys.readouterr().err
    assert told.count("walker: solved") == 1
    assert len(json.loads(kept.read_text())["records"]) == 2


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="Dask is installed")
def test_a_cluster_without_dask_is_refused_with_the_extra_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["bench", "quick", "--domains", "gripper", "-o", str(tmp_path / "out")]
    assert main([*arguments, "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "trailmark[cluster]" in capsys.readouterr().err
