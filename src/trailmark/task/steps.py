"""Steps of a plan as sets of integer atoms, for quick replaying where actions are plain STRIPS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailmark.task.model import Add, And, Assign, Atom, Condition, Delete, Not
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
    if task.domain.model.axioms or not task.goal.conjunctive:
        return None
    schemas = {each.name: each for each in task.domain.model.actions}
    known: dict[Step, StripsStep] = {}
    for step in steps:
        if step in known:
            continue
        schema = schemas[step.action]
        binding = dict(zip((each.name for each in schema.parameters), step.arguments, strict=True))
        literals = _literals(schema.precondition)
        if literals is None or any(not isinstance(each, Add | Delete | Assign) for each in schema.effects):
            return None
        if any(isinstance(each, Assign) and each.target.function != "total-cost" for each in schema.effects):
            return None
        fluent = [each for each in literals if each[0].predicate in task.domain.changing_predicates]
        adds = frozenset(_atom(task, each.atom, binding) for each in schema.effects if isinstance(each, Add))
        deletes = frozenset(
            _atom(task, each.atom, binding) for each in schema.effects if isinstance(each, Delete)
        )
        known[step] = StripsStep(
            step,
            frozenset(_atom(task, atom, binding) for atom, positive in fluent if positive),
            frozenset(_atom(task, atom, binding) for atom, positive in fluent if not positive),
            adds,
            deletes - adds,
        )
    return [known[step] for step in steps]


def _atom(task: Task, atom: Atom, binding: dict[str, str]) -> int:
    return task.structure.atom(atom.predicate, *(binding.get(term, term) for term in atom.terms))


def _literals(condition: Condition) -> list[tuple[Atom, bool]] | None:
    """The literals of a conjunction; None where it is more than that."""
    if isinstance(condition, Atom):
        return [(condition, True)]
    if isinstance(condition, Not) and isinstance(condition.part, Atom):
        return [(condition.part, False)]
    if isinstance(condition, And):
        found: list[tuple[Atom, bool]] = []
        for part in condition.parts:
            inner = _literals(part)
            if inner is None:
                return None
            found += inner
        return found
    return None
