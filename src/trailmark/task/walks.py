"""Walks over a task's model: all its conditions, effects, typed variables and the numbers it reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trailmark.task.model import (
    And,
    Arithmetic,
    Assign,
    Atom,
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
    if isinstance(condition, And):
        return any(has_structure(part) for part in condition.parts)
    if isinstance(condition, Not):
        return not isinstance(condition.part, Atom | Comparison)
    return not isinstance(condition, Atom | Comparison)
