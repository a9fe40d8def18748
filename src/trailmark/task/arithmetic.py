"""Ground atoms and numbers of the executor: substitution, PDDL text, arithmetic, what has no value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import mul

from trailmark.task.model import (
    And,
    Atom,
    Comparison,
    Condition,
    Exists,
    FunctionTerm,
    Not,
    Number,
    NumericExpression,
    Or,
)

Fact = tuple[str, ...]
"""A ground atom by name: the predicate, then the objects."""

Binding = Mapping[str, str]

_ADDITIVE = frozenset(("increase", "decrease"))


class Undefined(Exception):
    """A numeric expression reads a function that has no value, or divides by zero."""


def ground(atom: Atom, binding: Binding) -> Fact:
    return (atom.predicate, *(binding.get(term, term) for term in atom.terms))


def ground_term(term: FunctionTerm, binding: Binding) -> Fact:
    return (term.function, *(binding.get(each, each) for each in term.terms))


def condition_text(condition: Condition, binding: Binding) -> str:
    """A condition in PDDL with its variables replaced."""
    if isinstance(condition, Atom):
        return f"({' '.join(ground(condition, binding))})"
    if isinstance(condition, Not):
        return f"(not {condition_text(condition.part, binding)})"
    if isinstance(condition, And | Or):
        word = "and" if isinstance(condition, And) else "or"
        return f"({word} {' '.join(condition_text(part, binding) for part in condition.parts)})"
    if isinstance(condition, Comparison):
        sides = (number_text(each, binding) for each in (condition.left, condition.right))
        return f"({condition.operator} {' '.join(sides)})"
    word = "exists" if isinstance(condition, Exists) else "forall"
    variables = " ".join(f"{parameter.name} - {parameter.types[0]}" for parameter in condition.parameters)
    return f"({word} ({variables}) {condition_text(condition.part, binding)})"


def number_text(value: NumericExpression, binding: Binding) -> str:
    if isinstance(value, Number):
        return f"{value.value:g}"
    if isinstance(value, FunctionTerm):
        return f"({' '.join(ground_term(value, binding))})"
    return f"({value.operator} {' '.join(number_text(operand, binding) for operand in value.operands)})"


def reject_conflicts(assigns: list[tuple[str, Fact, float]]) -> None:
    """Several changes of one number in one step have a meaning only where all of them add."""
    first: dict[Fact, str] = {}
    for operator, target, _ in assigns:
        if target in first and not {first[target], operator} <= _ADDITIVE:
            raise Undefined(f"({' '.join(target)}) is changed in two ways at once")
        first[target] = operator


def calculated(operator: str, operands: list[float]) -> float:
    if operator == "+":
        return sum(operands)
    if operator == "*":
        return reduce(mul, operands)
    if operator == "-":
        return -operands[0] if len(operands) == 1 else operands[0] - sum(operands[1:])
    if 0 in operands[1:]:
        raise Undefined("division by zero")
    return operands[0] / reduce(mul, operands[1:])


def compared(operator: str, left: float, right: float) -> bool:
    return {
        "<": left < right,
        "<=": left <= right,
        "=": left == right,
        ">=": left >= right,
        ">": left > right,
    }[operator]


def assigned(operator: str, old: float | None, value: float) -> float:
    if operator == "assign":
        return value
    if old is None:
        raise Undefined("a function without a value is changed")
    if operator == "increase":
        return old + value
    if operator == "decrease":
        return old - value
    if operator == "scale-up":
        return old * value
    if value == 0:
        raise Undefined("division by zero")
    return old / value
