"""The engine's own searches: A* and greedy best-first, for training plans on a plain install."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pymimir.advanced import search as native

from trailmark.errors import InputError, SearchStatus
from trailmark.limits import UNLIMITED, Budget
from trailmark.task.engine import translated
from trailmark.task.plans import Plan

if TYPE_CHECKING:
    from trailmark.task.task import Task

ALGORITHMS = ("astar", "gbfs")

MAX_STATES = 20_000_000
"""The engine keeps about 100 bytes a state; this bounds a search that has no memory limit."""

MAX_SECONDS = 4_000_000
"""The engine counts milliseconds in 32 bits; a longer limit is none."""


@dataclass(frozen=True)
class EmbeddedResult:
    status: SearchStatus
    plan: Plan | None
    expanded: int
    generated: int


def embedded_search(
    task: Task, algorithm: str = "astar", heuristic: str = "hadd", budget: Budget = UNLIMITED
) -> EmbeddedResult:
    """Solves the task by a search of the engine."""
    if algorithm not in ALGORITHMS:
        raise InputError(f"unknown algorithm '{algorithm}'", hint=f"use one of {', '.join(ALGORITHMS)}")
    engine = task.engine
    blind = heuristic == "blind"
    evaluator = native.BlindHeuristic.create(engine.problem) if blind else engine.heuristic(heuristic)
    options: Any
    handler: Any
    with translated("searching"):
        if algorithm == "astar":
            options, handler = (
                native.AStarEagerOptions(),
                native.DefaultAStarEagerEventHandler(engine.problem),
            )
            search = native.find_solution_astar_eager
        else:
            options = native.GBFSEagerOptions()
            handler = native.DefaultGBFSEagerEventHandler(engine.problem)
            search = native.find_solution_gbfs_eager
        options.event_handler = handler
        options.max_num_states = MAX_STATES
        if budget.remaining() < MAX_SECONDS:
            options.max_time_in_ms = max(1, int(budget.remaining() * 1000))
        result = search(engine.context, evaluator, options)
        statistics = handler.get_statistics()
        counts = statistics.get_num_expanded(), statistics.get_num_generated()
        if result.plan is None:
            return EmbeddedResult(_status(result.status), None, *counts)
        from trailmark.task.states import GroundAction

        steps = tuple(GroundAction(task, action).step for action in result.plan.get_actions())
    return EmbeddedResult(SearchStatus.SOLVED, Plan(steps), *counts)


def _status(status: Any) -> SearchStatus:
    return {
        native.SearchStatus.OUT_OF_TIME: SearchStatus.TIME_LIMIT,
        native.SearchStatus.OUT_OF_MEMORY: SearchStatus.MEMORY_LIMIT,
        native.SearchStatus.OUT_OF_STATES: SearchStatus.MEMORY_LIMIT,
        native.SearchStatus.EXHAUSTED: SearchStatus.UNSOLVABLE,
        native.SearchStatus.UNSOLVABLE: SearchStatus.UNSOLVABLE,
    }.get(status, SearchStatus.NO_PLAN_FOUND)
