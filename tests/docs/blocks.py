"""The fenced blocks of a page, and running them in order as a reader would.

`sh` blocks are run by the shell and `python` blocks by Python, all in one folder for a page. A block with a
title is a file. A comment before a block says where it is different: `<!-- test: slow … -->` leaves it to the
slow tier, with everything after it on the page that is slow too; `<!-- test: skip REASON -->` is not run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(
    r"(?:^<!-- test: (?P<mark>\w+)(?P<reason>[^\n]*?) ?-->\n)?"
    r"^```(?P<kind>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    line: int
    title: str | None
    mark: str | None
    reason: str

    @property
    def runs(self) -> bool:
        return self.kind in ("sh", "console", "python") and self.mark != "skip"


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            found["kind"],
            found["text"],
            text.count("\n", 0, found.start()) + 1,
            found["title"],
            found["mark"],
            (found["reason"] or "").strip(),
        )
        for found in _BLOCK.finditer(text)
    ]


def run_page(page: Path, folder: Path, *, slow: bool) -> None:
    """Runs the blocks of a page; an assertion names the line of the one that fails."""
    variables = environment(folder)
    work = folder / "work"
    work.mkdir()
    for block in blocks(page):
        if block.title is not None:
            (work / block.title).write_text(block.text, encoding="utf-8")
        if not block.runs or (block.mark == "slow" and not slow):
            continue
        command = [sys.executable, "-c"] if block.kind == "python" else ["sh", "-euc"]
        ended = subprocess.run(
            [*command, _commands(block)],
            cwd=work,
            env=variables,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        said = f"{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"
        assert ended.returncode == 0, f"{page.name}:{block.line}: exit code {ended.returncode}\n{said}"


def _commands(block: Block) -> str:
    """What is typed: in a console block, the lines after a prompt."""
    if block.kind != "console":
        return block.text
    return "\n".join(line[2:] for line in block.text.splitlines() if line.startswith("$ "))


def environment(folder: Path) -> dict[str, str]:
    """`trailmark` and `python` are those of the tests, whatever else is installed."""
    programs = folder / "bin"
    programs.mkdir()
    for name, command in (("trailmark", "-m trailmark"), ("python", "")):
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
