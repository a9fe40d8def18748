"""A task's goal, and the literals it consists of."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.task.model import And, Atom, Condition, Not


@dataclass(frozen=True)
class Goal:
    """The goal; `positive` and `negative` are the atoms of its conjunction, static ones included."""

    condition: Condition
    positive: frozenset[int]
    negative: frozenset[int]
    conjunctive: bool
    """Whether the atoms are the whole goal: nothing disjunctive, quantified or numeric in it."""


def goal_literals(goal: Condition) -> tuple[list[Atom], list[Atom], bool]:
    """Positive and negative atoms of the goal's conjunction, and whether these are all of it."""
    positive: list[Atom] = []
    negative: list[Atom] = []
    conjunctive = True
    waiting = [goal]
    while waiting:
        part = waiting.pop()
        if isinstance(part, And):
            waiting.extend(reversed(part.parts))
        elif isinstance(part, Atom) and part.predicate != "=":
            positive.append(part)
        elif isinstance(part, Not) and isinstance(part.part, Atom) and part.part.predicate != "=":
            negative.append(part.part)
        else:
            conjunctive = False
    return positive, negative, conjunctive
