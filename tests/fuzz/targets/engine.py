"""PDDL all the way into the native engine: successors and estimates, compared with our own executor.

The inputs are those of `pddl`.
"""

from __future__ import annotations

from math import prod

from tests.fuzz.checks import outcome
from tests.fuzz.isolated import Isolated
from tests.fuzz.targets import pddl
from tests.task.replay import assert_agrees_with_engine
from trailmark.errors import ExitCode
from trailmark.task import Task
from trailmark.task.states import prepare

WORDS = pddl.WORDS
seeds = pddl.seeds
make = pddl.make
one = Isolated("engine")

MOST_BINDINGS = 3_000
"""Of all actions together: the executor tries each one."""
ALLOWED = frozenset((ExitCode.INTERNAL, ExitCode.MEMORY_LIMIT))
"""An engine that refuses a task is told in one line, as is one that runs out of memory."""


def direct(data: bytes) -> str:
    return outcome(lambda: _use(pddl.read(data)), ALLOWED)


def is_small(task: Task) -> bool:
    """Whether our own executor can try every binding."""
    types = task.object_types
    bindings = sum(
        prod(sum(not kinds.isdisjoint(each.types) for kinds in types.values()) for each in schema.parameters)
        for schema in task.domain.model.actions
    )
    return len(types) <= pddl.SMALL_TASK and bindings <= MOST_BINDINGS


def _use(task: Task) -> None:
    if is_small(task):
        assert_agrees_with_engine(task, steps=2, walks=1)
        prepare(task, "hadd")(task.initial_state)
