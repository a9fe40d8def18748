"""What a step costs where the engine does not say: the metric after it minus the metric before it.

Also whether it has a meaning at all: the engine lets a step assign a number twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trailmark.task.executor import Executor, Undefined
from trailmark.task.model import TOTAL_COST

if TYPE_CHECKING:
    from trailmark.task.task import GroundAction, State, Task

StepCost = Callable[["State", "GroundAction"], float | None]
"""None for a step without a meaning."""


def step_cost(task: Task) -> StepCost:
    """The cost of an action in a state, by our own executor; slow, and for numeric tasks only."""
    metric = task.model.minimize
    executor = Executor(task)

    def cost(state: State, action: GroundAction) -> float | None:
        step = action.step
        world = executor.world(state)
        world.numbers.setdefault((TOTAL_COST,), 0.0)
        schema = executor.schemas[step.action]
        binding = dict(zip((each.name for each in schema.parameters), step.arguments, strict=True))
        try:
            before = 0.0 if metric is None else executor.number(metric, {}, world)
            executor.apply(schema, binding, world)
            return 1.0 if metric is None else executor.number(metric, {}, world) - before
        except Undefined:
            return None

    return cost
