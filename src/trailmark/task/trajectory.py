"""The states a plan visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailmark.errors import PlanError
from trailmark.relational import Interpretation, Structure, Vocabulary
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
    encode, vocabulary = task.structure.atom, task.domain.vocabulary
    atoms = {encode(*fact) for fact in world.facts if not vocabulary[fact[0]].static}
    states = [_interpretation(atoms, world, vocabulary)]
    for step in plan.steps:
        schema = executor.schema(step.action, step.arguments)
        binding = dict(zip((each.name for each in schema.parameters), step.arguments, strict=True))
        change = executor.apply(schema, binding, world)
        if task.domain.model.axioms:
            atoms = {encode(*fact) for fact in world.facts if not vocabulary[fact[0]].static}
        else:
            atoms.difference_update(encode(*fact) for fact in change.deleted)
            atoms.update(encode(*fact) for fact in change.added)
        states.append(_interpretation(atoms, world, vocabulary))
    return Trajectory(task.structure, tuple(states), plan, name or task.name)


def _interpretation(atoms: set[int], world: World, vocabulary: Vocabulary) -> Interpretation:
    values = {name: world.numbers[(name,)] for name in vocabulary.functions if (name,) in world.numbers}
    return Interpretation(frozenset(atoms), values)
