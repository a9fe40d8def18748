"""Executing a plan from beginning to end: does it solve the task, and which states does it visit?

Our own executor does it, which shares no code with the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailmark.errors import Place, PlanError
from trailmark.relational import Interpretation, Structure
from trailmark.task.arithmetic import Undefined
from trailmark.task.executor import Change, Executor, World
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


@dataclass(frozen=True)
class Trajectory:
    """A plan for a task with every state it visits, the initial one first."""

    structure: Structure
    states: tuple[Interpretation, ...]
    plan: Plan
    name: str = ""


def validate(task: Task, plan: Plan) -> Verdict:
    """Whether the plan solves the task, and if not, which step fails and why."""
    return _execute(task, plan, lambda world, change: None)


def trajectory(task: Task, plan: Plan, name: str = "") -> Trajectory:
    """The states of a valid plan; a plan that does not solve the task is an error."""
    encode, vocabulary = task.structure.atom, task.domain.vocabulary
    states: list[Interpretation] = []
    atoms: set[int] = set()

    def keep(world: World, change: Change | None) -> None:
        if change is None or task.domain.model.axioms:
            atoms.clear()
            atoms.update(encode(*fact) for fact in world.facts if not vocabulary[fact[0]].static)
        else:
            atoms.difference_update(encode(*fact) for fact in change.deleted)
            atoms.update(encode(*fact) for fact in change.added)
        values = {name: world.numbers[(name,)] for name in vocabulary.functions if (name,) in world.numbers}
        states.append(Interpretation(frozenset(atoms), values))

    verdict = _execute(task, plan, keep)
    if not verdict:
        where = f"{name}: " if name else ""
        raise PlanError(f"{where}{verdict.reason}", hint=f"the plan is not one for {task.source}")
    return Trajectory(task.structure, tuple(states), plan, name or task.name)


def _execute(task: Task, plan: Plan, visit: Callable[[World, Change | None], None]) -> Verdict:
    """Applies the steps; every state is shown to `visit`, with what the last step changed."""
    executor = Executor(task)
    world = executor.initial()
    visit(world, None)
    for number, step in enumerate(plan.steps, start=1):
        try:
            schema = executor.schema(step.action, step.arguments)
        except PlanError as problem:
            return Verdict(False, f"step {number}, {step}: {problem.message}", number)
        binding = schema.binding(step.arguments)
        missing = executor.unmet(schema.precondition, binding, world)
        if missing:
            reason = f"step {number}, {step}, is not applicable: {_listed(missing)} does not hold"
            return Verdict(False, reason, number, tuple(missing))
        try:
            change = executor.apply(schema, binding, world)
        except Undefined as problem:
            return Verdict(False, f"step {number}, {step}: {problem}", number)
        visit(world, change)
    missing = executor.unmet(task.model.goal, {}, world)
    if missing:
        reason = f"after all {len(plan)} steps the goal is open: {_listed(missing)} does not hold"
        return Verdict(False, reason, None, tuple(missing))
    if task.model.minimize is None:
        return Verdict(True, cost=float(len(plan)))
    try:
        return Verdict(True, cost=executor.number(task.model.minimize, {}, world))
    except Undefined as problem:
        return Verdict(False, f"after all {len(plan)} steps the metric has no value: {problem}")


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


def _listed(parts: list[str], limit: int = 3) -> str:
    shown = ", ".join(parts[:limit])
    return shown if len(parts) <= limit else f"{shown} and {len(parts) - limit} more"
