"""Steps of a plan as sets of integer atoms, for quick replaying where actions are plain STRIPS."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailmark.task.lifted.schema import Literal, compile_schemas, searched_structure, supports
from trailmark.task.plans import Step

if TYPE_CHECKING:
    from trailmark.task.task import Task


@dataclass(frozen=True)
class StripsStep:
    """A ground action: what must hold, what must not, what it adds and deletes; fluent atoms only."""

    step: Step
    needs: frozenset[int]
    forbids: frozenset[int]
    adds: frozenset[int]
    deletes: frozenset[int]

    def applicable(self, atoms: set[int] | frozenset[int]) -> bool:
        return self.needs <= atoms and self.forbids.isdisjoint(atoms)


def strips_steps(task: Task, steps: tuple[Step, ...]) -> list[StripsStep] | None:
    """The steps of a plan for the task; None where an action or the goal is more than STRIPS."""
    if not supports(task):
        return None
    structure = searched_structure(task)
    encode, places = structure.encode, structure.object_index
    schemas = {schema.name: schema for schema in compile_schemas(task, structure)}

    def ground(step: Step) -> StripsStep:
        objects, schema = [places[name] for name in step.arguments], schemas[step.action]

        def atoms(literals: Iterable[Literal]) -> frozenset[int]:
            return frozenset(
                encode(part.symbol, [objects[term] if term >= 0 else ~term for term in part.terms])
                for part in literals
                if part.fluent
            )

        adds = atoms(schema.adds)
        return StripsStep(
            step, atoms(schema.positive), atoms(schema.negative), adds, atoms(schema.deletes) - adds
        )

    known = {step: ground(step) for step in dict.fromkeys(steps)}
    return [known[step] for step in steps]
