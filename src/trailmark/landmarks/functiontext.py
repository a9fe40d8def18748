"""State functions as text, for graphs and function files that people write.

    descriptor = [ "not" ] feature [ operator number ]
    progressor = direction feature
    value      = feature [ "-" number ]
    direction  = "decreases" | "increases"
    operator   = ">" | ">=" | "<" | "<=" | "=" | "!="

`str` of a state function writes it. A feature without an operator is read as `> 0`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from trailmark.errors import FeatureError, InputError, Place
from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.landmarks.functions import OPERATORS, StateDescriptor, StateProgressor, StateValue

_NOT = re.compile(r"not\s+")
_DIRECTION = re.compile(r"(decreases|increases)\s+")
_THEN = re.compile(r"(?<=\))\s*then\s+(?=decreases\s|increases\s)")
_COMPARISON = re.compile(r"\s*([<>=!]+)\s*([0-9]{1,10})\s*")
_MINUS = re.compile(r"\s*-\s*([0-9]{1,10})\s*")
COUNTER_HINT = (
    "what falls in lexicographic order is a program: lines 'counter n_count(…)' and 'then n_count(…)'"
)
_COMMENT = re.compile(r"(^|\s)#.*")


@dataclass(frozen=True)
class Line:
    """One line of a file without its comment, or a part of one."""

    text: str
    source: str
    number: int
    column: int = 1

    def after(self, offset: int) -> Line:
        """The rest of the line from this offset, without the blanks it starts with."""
        rest = self.text[offset:]
        stripped = rest.lstrip()
        start = self.column + offset + len(rest) - len(stripped)
        return Line(stripped.rstrip(), self.source, self.number, start)

    def error(self, message: str, hint: str | None = None) -> InputError:
        return InputError(message, place=Place(self.source, self.number, self.column), hint=hint)


def read_lines(text: str, source: str) -> list[Line]:
    """The lines that say something; `#` at the start or after a blank begins a comment."""
    lines = [
        Line(_COMMENT.sub("", line), source, number).after(0)
        for number, line in enumerate(text.splitlines(), start=1)
    ]
    return [line for line in lines if line.text]


def read_descriptor(line: Line) -> StateDescriptor:
    """A state descriptor, as in `not n_count(c_primitive(at,0))` or `n_count(…) >= 2`."""
    negation = _NOT.match(line.text)
    line = line.after(negation.end()) if negation else line
    feature, rest = _read_feature(line)
    comparison, threshold = ">", 0
    if rest.text:
        match = _COMPARISON.fullmatch(rest.text)
        if match is None or match[1] not in OPERATORS:
            raise rest.error(
                f"expected a comparison with a number, found {_shown(rest.text)}",
                f"write one of {' '.join(OPERATORS)} and a number, or nothing for > 0",
            )
        comparison, threshold = match[1], int(match[2])
    with located(line.error):
        return StateDescriptor(feature, negation is None, comparison, threshold)


def read_progressor(line: Line) -> StateProgressor:
    """A state progressor, as in `decreases n_count(…)`."""
    direction = _DIRECTION.match(line.text)
    if direction is None:
        raise line.error(f"expected decreases or increases, found {_shown(line.text)}")
    chain = _THEN.search(line.text)
    if chain:
        raise line.after(chain.start()).error("a progressor has one feature", COUNTER_HINT)
    feature = read_feature(line.after(direction.end()))
    with located(line.error):
        return StateProgressor(feature, direction[1] == "decreases")


def read_feature(line: Line) -> Expression:
    """A feature and nothing else."""
    feature, rest = _read_feature(line)
    if rest.text:
        raise rest.error(f"expected the end of the line, found {_shown(rest.text)}")
    return feature


def read_value(line: Line) -> StateValue:
    """A state value, as in `n_count(…)` or `n_count(…) - 1`."""
    feature, rest = _read_feature(line)
    match = _MINUS.fullmatch(rest.text) if rest.text else None
    if rest.text and match is None:
        raise rest.error(f"expected - and a number, or the end of the line, found {_shown(rest.text)}")
    with located(line.error):
        return StateValue(feature, int(match[1]) if match else 0)


def is_progressor(line: Line) -> bool:
    return _DIRECTION.match(line.text) is not None


def _read_feature(line: Line) -> tuple[Expression, Line]:
    """The feature a line starts with, and what follows it: every feature ends with a bracket."""
    end = line.text.rfind(")") + 1
    try:
        feature = parse(line.text[:end] if end else line.text, line.source)
    except FeatureError as error:
        column = error.place.column if error.place and error.place.column else 1
        place = Place(line.source, line.number, line.column + column - 1)
        raise FeatureError(error.message, place=place, hint=error.hint) from None
    return feature, line.after(end or len(line.text))


def _shown(text: str, most: int = 40) -> str:
    return repr(text if len(text) <= most else text[:most] + "…")


class located:
    """`with located(make):` turns an `InputError` without a place into `make(message, hint)`."""

    def __init__(self, make: Callable[[str, str | None], InputError]) -> None:
        self.make = make

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError) and error.place is None:
            raise self.make(error.message, error.hint) from None
