"""The order in which axioms are evaluated, so that negation reads only what is already decided."""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.errors import PddlError
from trailmark.task.model import And, Atom, Axiom, Comparison, Condition, Forall, Not, Or


def strata(axioms: tuple[Axiom, ...]) -> list[list[Axiom]]:
    """Axioms in layers: a predicate read under negation lies in an earlier layer than its reader."""
    derived = {axiom.head.predicate for axiom in axioms}
    level = dict.fromkeys(derived, 0)
    for _ in range(len(derived) + 1):
        changed = False
        for axiom in axioms:
            head = axiom.head.predicate
            for predicate, negated in _reads(axiom.body, negated=False):
                if predicate in derived and level[head] < level[predicate] + negated:
                    level[head] = level[predicate] + negated
                    changed = True
        if not changed:
            layers = sorted(set(level.values()))
            return [[axiom for axiom in axioms if level[axiom.head.predicate] == layer] for layer in layers]
    raise PddlError("the derived predicates negate each other in a cycle and have no meaning")


def _reads(condition: Condition, *, negated: bool) -> Iterator[tuple[str, bool]]:
    if isinstance(condition, Atom):
        yield condition.predicate, negated
    elif isinstance(condition, And | Or):
        for part in condition.parts:
            yield from _reads(part, negated=negated)
    elif isinstance(condition, Forall):
        # Evaluated as "none does not", like every universal condition of an axiom in the engine.
        for predicate, _ in _reads(condition.part, negated=True):
            yield predicate, True
    elif isinstance(condition, Not):
        yield from _reads(condition.part, negated=not negated)
    elif not isinstance(condition, Comparison):
        yield from _reads(condition.part, negated=negated)
