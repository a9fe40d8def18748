"""The child process of the engine's target: reads inputs on stdin, answers each on stdout.

An input is its length in four bytes, then its bytes; an answer is a line of JSON. Where the engine
brings this process down, the parent knows which input it had last sent.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import traceback
from math import prod

from tests.fuzz.checks import outcome
from tests.fuzz.targets.pddl import SMALL_TASK, read
from tests.task.replay import assert_agrees_with_engine
from trailmark.errors import ExitCode
from trailmark.task import Task
from trailmark.task.states import prepare

MEMORY_BYTES = 4_000_000_000
MOST_BINDINGS = 3_000
"""Of all actions together: the executor tries each one."""
ALLOWED = frozenset((ExitCode.INTERNAL, ExitCode.MEMORY_LIMIT))
"""An engine that refuses a task is told in one line, as is one that runs out of memory."""


def use(task: Task) -> None:
    """From the file to successors and estimates, beside our own executor where that is feasible."""
    types = task.object_types
    bindings = sum(
        prod(sum(not kinds.isdisjoint(each.types) for kinds in types.values()) for each in schema.parameters)
        for schema in task.domain.model.actions
    )
    if len(types) > SMALL_TASK or bindings > MOST_BINDINGS:
        return
    assert_agrees_with_engine(task, steps=2, walks=1)
    prepare(task, "hadd")(task.initial_state)


def answer(data: bytes) -> dict[str, str]:
    try:
        return {"outcome": outcome(lambda: use(read(data)), ALLOWED)}
    except Exception as problem:
        return {
            "wrong": f"{type(problem).__name__}: {problem}"[:300],
            "trace": traceback.format_exc()[-4000:],
        }


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Answers go to the real stdout; what native code prints goes nowhere.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    while head := sys.stdin.buffer.read(4):
        data = sys.stdin.buffer.read(int.from_bytes(head, "big"))
        print(json.dumps(answer(data)), file=answers, flush=True)


if __name__ == "__main__":
    main()
