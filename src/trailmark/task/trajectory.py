"""The states a plan visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailmark.errors import PlanError
from trailmark.relational import Interpretation, Structure
from trailmark.task.executor import Executor, World
from trailmark.task.plans import Plan
from trailmark.task.validate import validate

if TYPE_CHECKING:
    from trailmark.task.task import Task


@dataclass(frozen=True)
class Trajectory:
    """A plan for a task with every state it visits, the initial one first."""

    structure: Structure
    states: tuple[Interpretation, ...]
    plan: Plan
    name: str = ""


def trajectory(task: Task, plan: Plan, name: str = "") -> Trajectory:
    """Executes a valid plan; a plan that does not solve the task is an error."""
    verdict = validate(task, plan)
    if not verdict:
        where = f"{name}: " if name else ""
        raise PlanError(f"{where}{verdict.reason}", hint=f"the plan is not one for {task.source}")
    executor = Executor(task)
    world = executor.initial()
    states = [_interpretation(task, world)]
    for step in plan.steps:
        schema = executor.schema(step.action, step.arguments)
        binding = dict(zip((each.name for each in schema.parameters), step.arguments, strict=True))
        world = executor.apply(schema, binding, world)
        states.append(_interpretation(task, world))
    return Trajectory(task.structure, tuple(states), plan, name or task.name)


def _interpretation(task: Task, world: World) -> Interpretation:
    vocabulary, atom = task.domain.vocabulary, task.structure.atom
    fluent = frozenset(atom(*fact) for fact in world.facts if not vocabulary[fact[0]].static)
    values = {fact[0]: value for fact, value in world.numbers.items() if len(fact) == 1}
    return Interpretation(fluent, values)
