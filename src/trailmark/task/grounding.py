"""How many ground actions a task has, roughly, without grounding it."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import TYPE_CHECKING

from trailmark.task.model import Atom, Condition
from trailmark.task.walks import conjuncts

if TYPE_CHECKING:
    from trailmark.task.task import Task


def estimated_ground_actions(task: Task) -> float:
    """An estimate as databases make it for joins: all type-correct bindings of a schema, thinned by
    the share of bindings that each static precondition admits."""
    sizes = Counter(kind for kinds in task.object_types.values() for kind in kinds)
    static_counts = Counter(fact.predicate for fact in task.model.initial_atoms)
    changing = task.domain.changing_predicates
    total = 0.0
    for schema in task.domain.model.actions:
        domains = {
            parameter.name: sum(sizes[kind] for kind in parameter.types) for parameter in schema.parameters
        }
        bindings = float(prod(domains.values()))
        for atom in positive_atoms(schema.precondition):
            if atom.predicate in changing or atom.predicate == "=":
                continue
            possible = prod(domains.get(term, 1) for term in set(atom.terms))
            if possible:
                bindings *= min(1.0, static_counts[atom.predicate] / possible)
        total += bindings
    return total


def positive_atoms(condition: Condition) -> list[Atom]:
    """The atoms that must hold wherever the condition does."""
    return [part for part in conjuncts(condition) if isinstance(part, Atom)]
