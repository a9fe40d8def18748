"""Reading expressions from text in DLPlan's syntax; `str(expression)` writes it. And whether an
expression fits a domain: its predicates, constants and functions exist and are used right.

    expression = constructor [ "(" [ argument { "," argument } ] ")" ]
    argument   = expression | predicate | position | constant | function

What an argument must be follows from the constructor, so that a predicate may have any name, and
an error can say what was expected. The reader keeps its own stack: no text overflows Python's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from trailmark.errors import LONGEST_NAME, FeatureError, Place, shorten, similar
from trailmark.features import syntax
from trailmark.relational import Vocabulary

DEEPEST = 200
"""Nesting beyond this is refused: no readable feature comes near it, and evaluators may recurse."""

LONGEST_SHOWN = 200
"""Characters of a feature in a message."""
MOST_LISTED = 8
"""Known names in a message."""

DLPLAN_ALONE = frozenset({"n_role_distance", "n_sum_concept_distance", "n_sum_role_distance", "r_til_c"})
"""Constructors of DLPlan that have no counterpart here."""

_TOKEN = re.compile(rf"\s*({syntax.NAME.pattern}|[(),])?")
_POSITION = re.compile(r"[0-9]{1,9}")
_END = ""
_ANY_KIND = tuple(syntax.Kind)


@dataclass
class _Open:
    """A constructor whose arguments are being read."""

    rule: syntax.Constructor
    start: int
    arguments: list[syntax.Argument] = field(default_factory=list)


def parse(text: str, source: str = "<text>") -> syntax.Expression:
    """The expression this text stands for.

    Raises `FeatureError` with the line and column of what is wrong and what was expected there.
    """
    return _Reader(text, source).read()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.token, self.start, self.end = _END, 0, 0
        self.open: list[_Open] = []
        self.advance()

    def read(self) -> syntax.Expression:
        node = self.constructor()
        while node is None or self.open:
            node = self.argument() if node is None else self.after_argument(node)
        if self.token != _END:
            raise self.error(f"expected the end of the expression, found {self.found}")
        return node

    def constructor(self) -> syntax.Expression | None:
        """Read a constructor's name: the finished expression where it takes nothing, else it is left open."""
        wanted = syntax.place(self.open[-1].rule, self.open[-1].arguments) if self.open else _ANY_KIND
        if self.token == _END or self.token in "(),":
            raise self.error(f"expected {self.expected(wanted)}, found {self.found}")
        rule = syntax.CONSTRUCTORS.get(self.token)
        kinds = wanted if isinstance(wanted, tuple) else (wanted,)
        if rule is None:
            names = [known.name for known in syntax.CONSTRUCTORS.values() if known.makes in kinds]
            hint = similar(self.token, names) or similar(self.token, syntax.CONSTRUCTORS)
            if self.token in DLPLAN_ALONE:
                hint = "DLPlan has this constructor, Trailmark does not"
            raise self.error(f"expected {self.expected(wanted)}, found {self.found}", hint)
        if rule.makes not in kinds:
            makes = syntax.describe(rule.makes)
            raise self.error(f"expected {self.expected(wanted)}, found {rule.name}, which makes {makes}")
        if len(self.open) == DEEPEST:
            raise self.error(f"the expression is nested more than {DEEPEST} deep")
        opened = _Open(rule, self.start)
        self.advance()
        if not rule.takes:
            if self.token == "(":
                self.advance()
                self.take(")", f"{rule.name} takes no arguments")
            return syntax.expression(rule.name)
        self.open.append(opened)
        self.take("(", f"{rule.name} takes {_count(rule)}")
        return None

    def argument(self) -> syntax.Expression | None:
        """Read the next argument of the innermost open constructor."""
        inner = self.open[-1]
        takes = syntax.place(inner.rule, inner.arguments)
        if not isinstance(takes, syntax.Slot):
            return self.constructor()
        if self.token == _END or self.token in "(),":
            raise self.error(f"expected {self.expected(takes)}, found {self.found}")
        value: syntax.Argument = self.token
        if takes is syntax.Slot.POSITION and _POSITION.fullmatch(self.token):
            value = int(self.token)
        if not syntax.fits(inner.rule, inner.arguments, value):
            limit = "0 or 1" if inner.rule.takes[0] is syntax.Kind.ROLE else "0, 1, 2, …"
            raise self.error(f"expected {self.expected(takes)} ({limit}), found {self.found}")
        self.advance()
        return self.after_argument(value)

    def after_argument(self, value: syntax.Argument) -> syntax.Expression | None:
        """Add an argument to the innermost open constructor, and close that where it is the last."""
        inner = self.open[-1]
        inner.arguments.append(value)
        if len(inner.arguments) < len(inner.rule.takes):
            self.take(",", f"{inner.rule.name} takes {_count(inner.rule)}")
            return None
        self.take(")", f"{inner.rule.name} takes {_count(inner.rule)}")
        self.open.pop()
        return syntax.expression(inner.rule.name, *inner.arguments)

    def expected(self, takes: syntax.Takes) -> str:
        if not self.open:
            return "an expression"
        inner = self.open[-1]
        which = f"argument {len(inner.arguments) + 1}" if len(inner.rule.takes) > 1 else "the argument"
        return f"{syntax.describe(takes)} as {which} of {inner.rule.name}"

    def take(self, mark: str, why: str) -> None:
        if self.token != mark:
            raise self.error(f"expected {mark!r}, found {self.found}", why)
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.text, self.end)
        assert match is not None  # the pattern matches the empty text
        self.token, self.end = match.group(1) or _END, match.end()
        self.start = self.end - len(self.token)

    @property
    def found(self) -> str:
        return shown(self.token) if self.token != _END else "the end of the text"

    def error(self, message: str, hint: str | None = None) -> FeatureError:
        return FeatureError(message, place=Place.within(self.text, self.start, self.source), hint=hint)


def _count(rule: syntax.Constructor) -> str:
    takes = ", ".join(map(syntax.describe, rule.takes))
    return f"{len(rule.takes)} argument{'s' if len(rule.takes) != 1 else ''}: {takes}"


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
