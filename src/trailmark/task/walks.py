"""Walks over a task's model: its conditions, effects, typed variables, the numbers it reads, the order of its
axioms, and how many ground actions it has, roughly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING

from trailmark.errors import PddlError
from trailmark.task.model import (
    TOTAL_COST,
    And,
    Arithmetic,
    Assign,
    Atom,
    Axiom,
    Comparison,
    Condition,
    DomainModel,
    Effect,
    Exists,
    Forall,
    ForallEffect,
    FunctionTerm,
    Not,
    NumericExpression,
    Or,
    ProblemModel,
    Typed,
    When,
)

if TYPE_CHECKING:
    from trailmark.task.task import Task


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """The parts that must all hold, none of them a conjunction itself."""
    if isinstance(condition, And):
        for part in condition.parts:
            yield from conjuncts(part)
    else:
        yield condition


def literal(condition: Condition) -> tuple[Atom, bool] | None:
    """The atom, and whether it must hold or must not; None where the condition is no literal."""
    if isinstance(condition, Atom):
        return condition, True
    if isinstance(condition, Not) and isinstance(condition.part, Atom):
        return condition.part, False
    return None


def literals(condition: Condition) -> list[tuple[Atom, bool]] | None:
    """The literals of a conjunction, equality among them; None where it is more than that."""
    found = [literal(part) for part in conjuncts(condition)]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def subconditions(condition: Condition) -> Iterator[Condition]:
    """The condition and everything inside it."""
    yield condition
    if isinstance(condition, And | Or):
        for part in condition.parts:
            yield from subconditions(part)
    elif isinstance(condition, Not | Exists | Forall):
        yield from subconditions(condition.part)


def subeffects(effects: Iterable[Effect]) -> Iterator[Effect]:
    """The effects and everything inside them, conditions excepted."""
    for effect in effects:
        yield effect
        if isinstance(effect, When | ForallEffect):
            yield from subeffects(effect.effects)


def conditions_in(domain: DomainModel, problem: ProblemModel) -> Iterator[Condition | Effect]:
    """Every condition and every effect of the task."""
    yield from subconditions(problem.goal)
    for axiom in domain.axioms:
        yield from subconditions(axiom.body)
    for action in domain.actions:
        yield from subconditions(action.precondition)
        for effect in subeffects(action.effects):
            yield effect
            if isinstance(effect, When):
                yield from subconditions(effect.condition)


def typed_in(domain: DomainModel, problem: ProblemModel) -> Iterator[Typed]:
    """Every variable that an action, an axiom or a quantifier declares."""
    for action in domain.actions:
        yield from action.parameters
    for axiom in domain.axioms:
        yield from axiom.parameters
    for part in conditions_in(domain, problem):
        if isinstance(part, Exists | Forall | ForallEffect):
            yield from part.parameters


def terms_in(value: NumericExpression) -> Iterator[FunctionTerm]:
    """The functions a numeric expression reads."""
    if isinstance(value, FunctionTerm):
        yield value
    elif isinstance(value, Arithmetic):
        for operand in value.operands:
            yield from terms_in(operand)


def numbers_in(domain: DomainModel, problem: ProblemModel) -> frozenset[str]:
    """The functions that some condition or effect reads; the metric does not count."""
    found: set[str] = set()
    for part in conditions_in(domain, problem):
        sides: tuple[NumericExpression, ...] = ()
        if isinstance(part, Comparison):
            sides = (part.left, part.right)
        elif isinstance(part, Assign):
            sides = (part.value,)
        found.update(term.function for side in sides for term in terms_in(side))
    return frozenset(found)


def has_structure(condition: Condition) -> bool:
    """Whether there is more in it than a conjunction of literals and comparisons."""
    return any(
        not isinstance(part.part if isinstance(part, Not) else part, Atom | Comparison)
        for part in conjuncts(condition)
    )


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


def has_plain_effects(domain: DomainModel) -> bool:
    """No conditional or quantified effect and no axiom: an action's change is its effect lists."""
    return not domain.axioms and not any(
        isinstance(effect, When | ForallEffect) for action in domain.actions for effect in action.effects
    )


def is_groundable(domain: DomainModel, problem: ProblemModel) -> bool:
    """Whether the engine's grounded generation is right. With axioms it loses actions, and with numbers it
    admits steps that change one in two ways at once; these tasks stay lifted."""
    return not domain.axioms and not any(
        isinstance(part, Or | Exists | Forall | Comparison)
        or (isinstance(part, Assign) and part.target.function != TOTAL_COST)
        or (isinstance(part, Not) and has_structure(part))
        for part in conditions_in(domain, problem)
    )
