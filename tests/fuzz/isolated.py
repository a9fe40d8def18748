"""Targets that reach the native engine: each input goes to a child process, which may die of it.

    python -m tests.fuzz.isolated TARGET

is the child. It reads inputs on stdin, each its length in four bytes and then its bytes, and answers each
with a line of JSON. One child takes many inputs. A new one follows where it is killed by a signal or
answers too late; the parent knows which input it had last sent.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import select
import subprocess
import sys
import traceback
from importlib import import_module
from pathlib import Path

from tests.fuzz.checks import Wrong

PATIENCE_SECONDS = 30.0
"""An input that takes longer is called slow, not wrong: how long it takes says little on a busy machine."""
MEMORY_BYTES = 4_000_000_000
ROOT = Path(__file__).parents[2]


class Isolated:
    """`direct` of the target's module, called in a child."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._running: subprocess.Popen[bytes] | None = None
        atexit.register(self.end)

    def __call__(self, data: bytes) -> str:
        child = self._child()
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(len(data).to_bytes(4, "big") + data)
        child.stdin.flush()
        if not select.select([child.stdout], [], [], PATIENCE_SECONDS)[0]:
            self.end()
            return "slow"
        line = child.stdout.readline()
        if not line:
            code = child.wait()
            self.end()
            ended = f"the engine crashed with signal {-code}" if code < 0 else f"the child ended with {code}"
            raise Wrong(ended)
        answer = json.loads(line)
        if "wrong" in answer:
            raise Wrong(f"{_kind(answer)}: {answer['wrong']}\n{answer['trace']}")
        return str(answer["outcome"])

    def _child(self) -> subprocess.Popen[bytes]:
        if self._running is None:
            command = [sys.executable, "-m", "tests.fuzz.isolated", self._name]
            self._running = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._running

    def end(self) -> None:
        """Ends the child; the next input starts another."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()
            self._running = None


def _kind(answer: dict[str, str]) -> str:
    """The last line of the trace that names a place, to tell one mistake from another."""
    places = [line.strip() for line in answer["trace"].splitlines() if line.strip().startswith("File ")]
    name, number = places[-1].split(", ")[:2] if places else ("?", "?")
    return f"{answer['wrong'].partition(chr(58))[0]} in {Path(name.strip(chr(34))).name} {number}"


def main(name: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Answers go to the real stdout; what native code prints goes nowhere.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    direct = import_module(f"tests.fuzz.targets.{name}").direct
    while head := sys.stdin.buffer.read(4):
        data = sys.stdin.buffer.read(int.from_bytes(head, "big"))
        try:
            answer = {"outcome": direct(data)}
        except Exception as problem:
            wrong = f"{type(problem).__name__}: {problem}"[:300]
            answer = {"wrong": wrong, "trace": traceback.format_exc()[-4000:]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
