"""Reading expressions from text in DLPlan's syntax; `str(expression)` writes it. And whether an
expression fits a domain: its predicates, constants and functions exist and are used right.

    expression = constructor [ "(" [ argument { "," argument } ] ")" ]
    argument   = expression | predicate | position | constant | function

What an argument must be follows from the constructor, so that a predicate may have any name, and
an error can say what was expected. The reader keeps its own stack: no text overflows Python's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from trailmark.errors import LONGEST_NAME, FeatureError, Place, similar
from trailmark.features.syntax import (
    CONSTRUCTORS,
    NAME,
    Argument,
    Constructor,
    Expression,
    Kind,
    Slot,
    Takes,
    describe,
    expression,
    fits,
    place,
    subexpressions,
)
from trailmark.relational import Vocabulary

DEEPEST = 200
"""Nesting beyond this is refused: no readable feature comes near it, and evaluators may recurse."""

DLPLAN_ALONE = frozenset({"n_role_distance", "n_sum_concept_distance", "n_sum_role_distance", "r_til_c"})
"""Constructors of DLPlan that have no counterpart here."""

_TOKEN = re.compile(rf"\s*({NAME.pattern}|[(),])?")
_POSITION = re.compile(r"[0-9]{1,9}")
_END = ""
_ANY_KIND = tuple(Kind)


@dataclass
class _Open:
    """A constructor whose arguments are being read."""

    rule: Constructor
    start: int
    arguments: list[Argument] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)


def parse(text: str, source: str = "<text>", vocabulary: Vocabulary | None = None) -> Expression:
    """The expression this text stands for; with a vocabulary, it must also fit that.

    Raises `FeatureError` with the line and column of what is wrong and what was expected there.
    """
    return _Reader(text, source, vocabulary).read()


class _Reader:
    def __init__(self, text: str, source: str, vocabulary: Vocabulary | None) -> None:
        self.text, self.source, self.vocabulary = text, source, vocabulary
        self.token, self.start, self.end = _END, 0, 0
        self.open: list[_Open] = []
        self.advance()

    def read(self) -> Expression:
        node = self.constructor()
        while node is None or self.open:
            node = self.argument() if node is None else self.after_argument(node)
        if self.token != _END:
            raise self.error(f"expected the end of the expression, found {self.found}")
        return node

    def constructor(self) -> Expression | None:
        """Read a constructor's name: the finished expression where it takes nothing, else it is left open."""
        wanted = place(self.open[-1].rule, self.open[-1].arguments) if self.open else _ANY_KIND
        if self.token == _END or self.token in "(),":
            raise self.error(f"expected {self.expected(wanted)}, found {self.found}")
        rule = CONSTRUCTORS.get(self.token)
        kinds = wanted if isinstance(wanted, tuple) else (wanted,)
        if rule is None:
            names = [known.name for known in CONSTRUCTORS.values() if known.makes in kinds]
            hint = similar(self.token, names) or similar(self.token, CONSTRUCTORS)
            if self.token in DLPLAN_ALONE:
                hint = "DLPlan has this constructor, Trailmark does not"
            raise self.error(f"expected {self.expected(wanted)}, found {self.found}", hint)
        if rule.makes not in kinds:
            message = (
                f"expected {self.expected(wanted)}, found {rule.name}, which makes {describe(rule.makes)}"
            )
            raise self.error(message)
        if len(self.open) == DEEPEST:
            raise self.error(f"the expression is nested more than {DEEPEST} deep")
        opened = _Open(rule, self.start)
        self.advance()
        if not rule.takes:
            if self.token == "(":
                self.advance()
                self.take(")", f"{rule.name} takes no arguments")
            return expression(rule.name)
        self.open.append(opened)
        self.take("(", f"{rule.name} takes {_count(rule)}")
        return None

    def argument(self) -> Expression | None:
        """Read the next argument of the innermost open constructor."""
        inner = self.open[-1]
        inner.starts.append(self.start)
        takes = place(inner.rule, inner.arguments)
        if not isinstance(takes, Slot):
            return self.constructor()
        if self.token == _END or self.token in "(),":
            raise self.error(f"expected {self.expected(takes)}, found {self.found}")
        value: Argument = self.token
        if takes is Slot.POSITION and _POSITION.fullmatch(self.token):
            value = int(self.token)
        if not fits(inner.rule, inner.arguments, value):
            limit = "0 or 1" if inner.rule.takes[0] is Kind.ROLE else "0, 1, 2, …"
            raise self.error(f"expected {self.expected(takes)} ({limit}), found {self.found}")
        self.advance()
        return self.after_argument(value)

    def after_argument(self, value: Argument) -> Expression | None:
        """Add an argument to the innermost open constructor, and close that where it is the last."""
        inner = self.open[-1]
        inner.arguments.append(value)
        if len(inner.arguments) < len(inner.rule.takes):
            self.take(",", f"{inner.rule.name} takes {_count(inner.rule)}")
            return None
        self.take(")", f"{inner.rule.name} takes {_count(inner.rule)}")
        self.open.pop()
        if self.vocabulary is not None:
            misfit = find_misfit(inner.rule, tuple(inner.arguments), self.vocabulary)
            if misfit is not None:
                raise misfit.error(self.place(inner.starts[misfit.argument]))
        return expression(inner.rule.name, *inner.arguments)

    def expected(self, takes: Takes) -> str:
        if not self.open:
            return "an expression"
        inner = self.open[-1]
        which = f"argument {len(inner.arguments) + 1}" if len(inner.rule.takes) > 1 else "the argument"
        return f"{describe(takes)} as {which} of {inner.rule.name}"

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

    def place(self, offset: int) -> Place:
        line = self.text.count("\n", 0, offset) + 1
        return Place(self.source, line, offset - self.text.rfind("\n", 0, offset))

    def error(self, message: str, hint: str | None = None) -> FeatureError:
        return FeatureError(message, place=self.place(self.start), hint=hint)


def _count(rule: Constructor) -> str:
    takes = ", ".join(map(describe, rule.takes))
    return f"{len(rule.takes)} argument{'s' if len(rule.takes) != 1 else ''}: {takes}"


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
        if find_misfit(node.constructor, node.arguments, vocabulary) is not None:
            parse(str(expression), source, vocabulary)


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
