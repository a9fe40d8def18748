"""PDDL all the way into the native engine, in a child process that may die of it.

The inputs are those of `pddl`. The child reads the task, asks for successors and estimates, and
compares the engine with our own executor; one child takes many inputs, and a new one follows where it
is killed by a signal or answers too late.
"""

from __future__ import annotations

import atexit
import json
import select
import subprocess
import sys
from pathlib import Path

from tests.fuzz.checks import Wrong
from tests.fuzz.targets import pddl

WORDS = pddl.WORDS
seeds = pddl.seeds
make = pddl.make

PATIENCE_SECONDS = 30.0
"""An input that takes longer is called slow, not wrong: how long it takes says little on a busy machine."""

ROOT = Path(__file__).parents[3]


def one(data: bytes) -> str:
    child = _child()
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(len(data).to_bytes(4, "big") + data)
    child.stdin.flush()
    if not select.select([child.stdout], [], [], PATIENCE_SECONDS)[0]:
        end_child()
        return "slow"
    line = child.stdout.readline()
    if not line:
        code = child.wait()
        end_child()
        raise Wrong(f"the engine crashed with signal {-code}" if code < 0 else f"the child ended with {code}")
    answer = json.loads(line)
    if "wrong" in answer:
        raise Wrong(f"{_kind(answer)}: {answer['wrong']}\n{answer['trace']}")
    return str(answer["outcome"])


def _kind(answer: dict[str, str]) -> str:
    """The last line of the trace that names a place, to tell one mistake from another."""
    places = [line.strip() for line in answer["trace"].splitlines() if line.strip().startswith("File ")]
    name, number = places[-1].split(", ")[:2] if places else ("?", "?")
    return f"{answer['wrong'].partition(chr(58))[0]} in {Path(name.strip(chr(34))).name} {number}"


_children: list[subprocess.Popen[bytes]] = []


def _child() -> subprocess.Popen[bytes]:
    if not _children:
        command = [sys.executable, "-m", "tests.fuzz.child"]
        child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        _children.append(child)
    return _children[0]


@atexit.register
def end_child() -> None:
    """Ends the child; the next input starts another."""
    while _children:
        child = _children.pop()
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                stream.close()
