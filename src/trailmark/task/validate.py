"""Does a plan solve a task, and if not, which step fails and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailmark.errors import Place, PlanError
from trailmark.task.executor import Executor, Undefined, World
from trailmark.task.plans import Plan
from trailmark.task.sexpr import shorten

if TYPE_CHECKING:
    from trailmark.task.task import Task

LONGEST_STEP = 200
"""Characters of a step in a message."""


@dataclass(frozen=True)
class Verdict:
    """The validator's answer; false where the plan does not solve the task."""

    valid: bool
    reason: str = ""
    """Why not, in one line."""
    step: int | None = None
    """The step that fails, counted from 1; None where the goal is what is missing."""
    missing: tuple[str, ...] = ()
    """The preconditions or goal atoms that do not hold, in PDDL."""
    cost: float | None = None

    def __bool__(self) -> bool:
        return self.valid


def check_names(task: Task, plan: Plan, source: str) -> None:
    """Raises where a step names an action or an object the task does not have: the plan is then none
    for this task at all, and the error says in which line of the plan's file."""
    executor = Executor(task)
    for position, step in enumerate(plan.steps):
        try:
            executor.named_schema(step.action, step.arguments)
        except PlanError as problem:
            line = plan.lines[position] if position < len(plan.lines) else None
            raise PlanError(
                f"{shorten(str(step), LONGEST_STEP)}: {problem.message}", place=Place(source, line)
            ) from None


def validate(task: Task, plan: Plan) -> Verdict:
    """Executes the plan by our own executor, which shares no code with the engine."""
    executor = Executor(task)
    world = executor.initial()
    for number, step in enumerate(plan.steps, start=1):
        try:
            schema = executor.schema(step.action, step.arguments)
        except PlanError as problem:
            return Verdict(False, f"step {number}, {step}: {problem.message}", number)
        binding = dict(zip((each.name for each in schema.parameters), step.arguments, strict=True))
        missing = executor.unmet(schema.precondition, binding, world)
        if missing:
            reason = f"step {number}, {step}, is not applicable: {_listed(missing)} does not hold"
            return Verdict(False, reason, number, tuple(missing))
        try:
            executor.apply(schema, binding, world)
        except Undefined as problem:
            return Verdict(False, f"step {number}, {step}: {problem}", number)
    missing = executor.unmet(task.model.goal, {}, world)
    if missing:
        count = len(plan)
        reason = f"after all {count} steps the goal is open: {_listed(missing)} does not hold"
        return Verdict(False, reason, None, tuple(missing))
    try:
        return Verdict(True, cost=_cost(task, plan, executor, world))
    except Undefined as problem:
        return Verdict(False, f"after all {len(plan)} steps the metric has no value: {problem}")


def _cost(task: Task, plan: Plan, executor: Executor, world: World) -> float:
    if task.model.minimize is None:
        return float(len(plan))
    return executor.number(task.model.minimize, {}, world)


def _listed(parts: list[str], limit: int = 3) -> str:
    shown = ", ".join(parts[:limit])
    return shown if len(parts) <= limit else f"{shown} and {len(parts) - limit} more"
