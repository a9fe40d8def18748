"""Whether an expression fits a domain: its predicates, constants and functions exist and are used right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from trailmark.errors import FeatureError, Place
from trailmark.features.syntax import Argument, Constructor, Expression, Slot, subexpressions
from trailmark.relational import Vocabulary

LONGEST_NAME = 60
"""Longer names are cut in messages, and no similar name is looked for."""


@dataclass(frozen=True)
class Misfit:
    """What is wrong with one argument of a constructor."""

    argument: int
    message: str
    hint: str | None = None

    def error(self, place: Place) -> FeatureError:
        return FeatureError(self.message, place=place, hint=self.hint)


def check(expression: Expression, vocabulary: Vocabulary, source: str = "<feature>") -> None:
    """Raise a `FeatureError` where the expression does not fit the vocabulary.

    The place in the error counts columns in the expression's own text, `str(expression)`.
    """
    for node in subexpressions([expression]):
        misfit = find_misfit(node.constructor, node.arguments, vocabulary)
        if misfit is not None:
            column = _column(expression, node, misfit.argument)
            raise misfit.error(Place(source, 1, column))


def find_misfit(rule: Constructor, arguments: tuple[Argument, ...], vocabulary: Vocabulary) -> Misfit | None:
    """The first argument that does not fit the vocabulary; the parts of the expression are not looked at."""
    for number, (takes, argument) in enumerate(zip(rule.takes, arguments, strict=True)):
        if takes is Slot.PREDICATE:
            misfit = _predicate_misfit(rule, str(argument), number, vocabulary)
        elif takes is Slot.POSITION:
            misfit = _position_misfit(rule, arguments, number, vocabulary)
        elif takes is Slot.OBJECT:
            misfit = _unknown("constant", str(argument), number, vocabulary.constants)
        elif takes is Slot.FUNCTION:
            misfit = _unknown("nullary function", str(argument), number, vocabulary.functions)
        else:
            misfit = None
        if misfit is not None:
            return misfit
    return None


def similar(name: str, known: Iterable[str]) -> str | None:
    """A hint at the known name that was probably meant."""
    if len(name) > LONGEST_NAME:
        return None
    matches = get_close_matches(name, list(known), n=1) or get_close_matches(name.lower(), list(known), n=1)
    return f"did you mean {matches[0]!r}?" if matches else None


def shown(name: str) -> str:
    """A name in quotes, cut where it is too long to read."""
    return repr(name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…")


def _predicate_misfit(rule: Constructor, name: str, number: int, vocabulary: Vocabulary) -> Misfit | None:
    if name not in vocabulary:
        return _unknown("predicate", name, number, vocabulary.index)
    arity = vocabulary[name].arity
    if rule.name == "b_nullary" and arity:
        use = f"use b_nonempty(c_primitive({name},0)) for 'it holds of some object'"
        return Misfit(
            number, f"b_nullary takes a predicate without arguments, {shown(name)} has {arity}", use
        )
    if rule.name != "b_nullary" and not arity:
        use = f"use b_nullary({name})"
        return Misfit(number, f"{rule.name} takes a predicate with arguments, {shown(name)} has none", use)
    return None


def _position_misfit(
    rule: Constructor, arguments: tuple[Argument, ...], number: int, vocabulary: Vocabulary
) -> Misfit | None:
    if rule.takes[0] is not Slot.PREDICATE:
        return None
    name, position = str(arguments[0]), arguments[number]
    arity = vocabulary[name].arity
    if isinstance(position, int) and position < arity:
        return None
    use = "its only argument is 0" if arity == 1 else f"its arguments are 0 to {arity - 1}"
    return Misfit(number, f"predicate {shown(name)} has no argument {position}", use)


def _unknown(what: str, name: str, number: int, known: Iterable[str]) -> Misfit | None:
    known = tuple(known)
    if name in known:
        return None
    hint = similar(name, known)
    if hint is None:
        hint = f"the domain has no {what}s" if not known else f"the domain has {_listed(known)}"
    return Misfit(number, f"unknown {what} {shown(name)}", hint)


def _listed(names: tuple[str, ...], most: int = 8) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _column(root: Expression, target: Expression, argument: int) -> int:
    """Where this argument of the first occurrence of `target` starts in `str(root)`, counted from 1."""
    waiting = [(root, 1)]
    while True:
        node, column = waiting.pop()
        column += len(node.constructor.name) + 1
        parts: list[tuple[Expression, int]] = []
        for number, each in enumerate(node.arguments):
            if node is target and number == argument:
                return column
            if isinstance(each, Expression):
                parts.append((each, column))
            column += len(str(each)) + 1
        waiting += reversed(parts)
