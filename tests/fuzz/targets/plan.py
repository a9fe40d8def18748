"""PDDL through planning without a model: verdicts are right, by brute force where the states are few.

The inputs are those of `pddl`; their bytes choose the search.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from zlib import crc32

from tests.fuzz.checks import Wrong, outcome
from tests.fuzz.isolated import Isolated
from tests.fuzz.targets import engine, pddl
from tests.task.bruteforce import TooLarge, Unclear, cheapest
from trailmark.api import solve
from trailmark.errors import EngineError, SearchStatus
from trailmark.limits import Budget
from trailmark.search.planner import PlannerOptions
from trailmark.solution import Solution
from trailmark.task import Task, validate

WORDS = pddl.WORDS
seeds = pddl.seeds
make = pddl.make
one = Isolated("plan")

SECONDS = 0.5
MOST_STATES = 60
SEARCHES = (
    PlannerOptions(complete="lazy"),
    PlannerOptions(search="astar", heuristic="none"),
    PlannerOptions(search="gbfs"),
)
WITH_FAST_DOWNWARD = 40
"""One input of so many also starts Fast Downward, where the first searches find nothing."""


def direct(data: bytes) -> str:
    return outcome(lambda: _plan(pddl.read(data), crc32(data)), engine.ALLOWED)


def _plan(task: Task, number: int) -> None:
    options = SEARCHES[number % len(SEARCHES)] if number % WITH_FAST_DOWNWARD else PlannerOptions()
    if engine.is_small(task):
        check(task, lambda: solve(task, None, options, Budget(SECONDS)))


def check(task: Task, search: Callable[[], Solution]) -> None:
    """Refuses a plan that is none, and a verdict that counting out the states denies."""
    try:
        found = search()
    except EngineError as error:
        if "invalid plan" in str(error):
            raise Wrong(str(error)) from error
        raise
    if found and not validate(task, found.plan):
        raise Wrong("a plan that is none")
    if found.status is SearchStatus.UNSOLVABLE:
        with suppress(TooLarge, Unclear):
            if not math.isinf(cheapest(task, MOST_STATES)[0]):
                raise Wrong("called unsolvable, and has a plan")
