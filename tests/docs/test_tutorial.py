"""The tutorial runs from its first cell to its last, and the demo as its user starts it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, environment

TUTORIAL = ROOT / "notebooks" / "tutorial.py"


def test_the_tutorial_runs(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, str(TUTORIAL)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "report.html").exists()


def test_the_tutorial_has_cells_of_text_and_code() -> None:
    text = TUTORIAL.read_text()
    assert text.count("# %% [markdown]") >= 5
    assert text.count("# %%\n") >= 5


@pytest.mark.slow
def test_the_demo_runs_and_leaves_its_files(tmp_path: Path) -> None:
    script = shutil.copy(ROOT / "scripts" / "demo.sh", tmp_path)
    ended = subprocess.run(
        ["sh", script],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    for name in ("model.json", "large.plan", "explanation.txt", "report.html"):
        assert (tmp_path / "demo" / name).stat().st_size > 0
    assert "40 of 40 passes" in ended.stdout
