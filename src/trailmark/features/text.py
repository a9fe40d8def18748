"""Reading expressions from text in DLPlan's syntax; `str(expression)` writes it. And whether an
expression fits a domain: its predicates, constants and functions exist and are used right.

    expression = constructor [ "(" [ argument { "," argument } ] ")" ]
    argument   = expression | predicate | position | constant | function

What an argument must be follows from the constructor, so that a predicate may have any name, and
an error can say what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from trailmark.errors import LONGEST_NAME, FeatureError, Place, shorten, similar
from trailmark.features import syntax
from trailmark.relational import Vocabulary

DEEPEST = 200
"""Nesting beyond this is refused: no readable feature comes near it, and readers and evaluators recurse."""

LONGEST_SHOWN = 200
"""Characters of a feature in a message."""
MOST_LISTED = 8
"""Known names in a message."""

DLPLAN_ALONE = frozenset({"n_role_distance", "n_sum_concept_distance", "n_sum_role_distance", "r_til_c"})
"""Constructors of DLPlan that have no counterpart here."""

_TOKEN = re.compile(rf"\s*({syntax.NAME.pattern}|[(),])?")
_POSITION = re.compile(r"[0-9]{1,9}")
_END = ""


def parse(text: str, source: str = "<text>") -> syntax.Expression:
    """The expression this text stands for.

    Raises `FeatureError` with the line and column of what is wrong and what was expected there.
    """
    reader = _Reader(text, source)
    node = reader.expression(tuple(syntax.Kind), "an expression", 0)
    if reader.token != _END:
        raise reader.error(f"expected the end of the expression, found {reader.found}")
    return node


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.text, self.source, self.end = text, source, 0
        self.advance()

    def expression(self, wanted: syntax.Takes, expected: str, depth: int) -> syntax.Expression:
        """Read an expression of the wanted kind, which lies in so many others."""
        rule = self.constructor(wanted if isinstance(wanted, tuple) else (wanted,), expected)
        if depth == DEEPEST:
            raise self.error(f"the expression is nested more than {DEEPEST} deep")
        self.advance()
        taken = f"{rule.name} takes {_taken(rule)}"
        has_list = rule.takes or self.token == "("
        if has_list:
            self.take("(", taken)
        arguments: list[syntax.Argument] = []
        while len(arguments) < len(rule.takes):
            if arguments:
                self.take(",", taken)
            inner = syntax.place(rule, arguments)
            which = f"argument {len(arguments) + 1}" if len(rule.takes) > 1 else "the argument"
            what = f"{syntax.describe(inner)} as {which} of {rule.name}"
            if isinstance(inner, syntax.Slot):
                arguments.append(self.leaf(rule, arguments, what))
            else:
                arguments.append(self.expression(inner, what, depth + 1))
        if has_list:
            self.take(")", taken)
        return syntax.expression(rule.name, *arguments)

    def constructor(self, kinds: tuple[object, ...], expected: str) -> syntax.Constructor:
        """The constructor whose name stands here; it must make one of these kinds."""
        rule = syntax.CONSTRUCTORS.get(self.name(expected))
        if rule is None:
            names = [known.name for known in syntax.CONSTRUCTORS.values() if known.makes in kinds]
            hint = similar(self.token, names) or similar(self.token, syntax.CONSTRUCTORS)
            if self.token in DLPLAN_ALONE:
                hint = "DLPlan has this constructor, Trailmark does not"
            raise self.error(f"expected {expected}, found {self.found}", hint)
        if rule.makes not in kinds:
            makes = syntax.describe(rule.makes)
            raise self.error(f"expected {expected}, found {rule.name}, which makes {makes}")
        return rule

    def leaf(self, rule: syntax.Constructor, before: list[syntax.Argument], expected: str) -> str | int:
        """Read an argument that is no expression."""
        name = self.name(expected)
        is_position = syntax.place(rule, before) is syntax.Slot.POSITION and _POSITION.fullmatch(name)
        value = int(name) if is_position else name
        if not syntax.fits(rule, before, value):
            limit = "0 or 1" if rule.takes[0] is syntax.Kind.ROLE else "0, 1, 2, …"
            raise self.error(f"expected {expected} ({limit}), found {self.found}")
        self.advance()
        return value

    def name(self, expected: str) -> str:
        """The name that stands here."""
        if self.token == _END or self.token in "(),":
            raise self.error(f"expected {expected}, found {self.found}")
        return self.token

    def take(self, mark: str, why: str) -> None:
        if self.token != mark:
            raise self.error(f"expected {mark!r}, found {self.found}", why)
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.text, self.end)
        assert match is not None  # the pattern matches the empty text
        self.token, self.end = match.group(1) or _END, match.end()

    @property
    def found(self) -> str:
        return shown(self.token) if self.token != _END else "the end of the text"

    def error(self, message: str, hint: str | None = None) -> FeatureError:
        place = Place.within(self.text, self.end - len(self.token), self.source)
        return FeatureError(message, place=place, hint=hint)


def _taken(rule: syntax.Constructor) -> str:
    count = len(rule.takes)
    if count == 0:
        return "no arguments"
    return f"{count} argument{'s' if count > 1 else ''}: {', '.join(map(syntax.describe, rule.takes))}"


def check(feature: syntax.Expression, vocabulary: Vocabulary) -> None:
    """Raise a `FeatureError` where the expression does not fit the vocabulary."""
    for node in syntax.subexpressions([feature]):
        for takes, argument in zip(node.constructor.takes, node.arguments, strict=True):
            if takes is syntax.Slot.PREDICATE:
                _require_known("predicate", str(argument), vocabulary.index, node)
                _check_arity(node, vocabulary[str(argument)].arity)
            elif takes is syntax.Slot.OBJECT:
                _require_known("constant", str(argument), vocabulary.constants, node)
            elif takes is syntax.Slot.FUNCTION:
                _require_known("nullary function", str(argument), vocabulary.functions, node)


def check_features(features: Iterable[syntax.Expression], vocabulary: Vocabulary) -> None:
    """The same for each of these, which must have values."""
    for feature in features:
        if feature.kind not in (syntax.BOOLEAN, syntax.NUMERICAL):
            raise FeatureError(f"{feature} is a {feature.kind.value}, which has no value", hint="count it")
        check(feature, vocabulary)


def shown(name: str) -> str:
    """A name in quotes, cut where it is too long to read."""
    return repr(name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…")


def _check_arity(node: syntax.Expression, arity: int) -> None:
    """Whether what a constructor reads of a predicate is there."""
    rule, (name, *places) = node.constructor.name, node.arguments
    predicate = shown(str(name))
    if rule == "b_nullary" and arity:
        use = f"use b_nonempty(c_primitive({name},0)) for 'it holds of some object'"
        raise FeatureError(
            f"b_nullary takes a predicate without arguments, {predicate} has {arity}", hint=use
        )
    if rule != "b_nullary" and not arity:
        raise FeatureError(
            f"{rule} takes a predicate with arguments, {predicate} has none", hint=f"use b_nullary({name})"
        )
    for position in places:
        if isinstance(position, int) and position >= arity:
            use = "its only argument is 0" if arity == 1 else f"its arguments are 0 to {arity - 1}"
            raise FeatureError(f"predicate {predicate} has no argument {position}, as in {node}", hint=use)


def _require_known(what: str, name: str, known: Collection[str], node: syntax.Expression) -> None:
    if name not in known:
        listed = ", ".join(list(known)[:MOST_LISTED]) + (", …" if len(known) > MOST_LISTED else "")
        hint = similar(name, known) or f"the domain has {listed or f'no {what}s'}"
        raise FeatureError(f"unknown {what} {shown(name)} in {shorten(str(node), LONGEST_SHOWN)}", hint=hint)
