"""State functions and landmark graphs as text that people write and read.

    descriptor = [ "not" ] feature [ operator number ]
    progressor = direction feature
    value      = feature [ "-" number ]
    direction  = "decreases" | "increases"
    operator   = ">" | ">=" | "<" | "<=" | "=" | "!="

`str` of a state function writes it. A feature without an operator is read as `> 0`.

    # comments start with a hash
    landmark 1
        not n_count(c_primitive(empty,0))
        n_count(c_primitive(at_g,0)) >= 2
    landmark 2
        n_count(c_primitive(served,0))
    loop 2 -> 1
        exit n_count(c_primitive(waiting,0)) = 0
        progress decreases n_count(c_primitive(waiting,0))
        counter n_count(c_primitive(waiting,0))

Landmarks are numbered from 1 in the order they are to be achieved; the number may be left out. A
line of a landmark is a state descriptor. Indentation is free. Counters and guards are written as a
program, see `trailmark.programs.program`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from trailmark.errors import FeatureError, InputError, Place
from trailmark.features.syntax import Expression
from trailmark.features.text import parse, shown
from trailmark.landmarks.functions import (
    OPERATORS,
    StateDescriptor,
    StateFunction,
    StateProgressor,
    StateValue,
)
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop

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

    def part(self, words: Collection[str], hint: str) -> tuple[str, Line]:
        """The word it begins with, one of these, and what follows it."""
        first, *rest = self.text.split(maxsplit=1)
        if first not in words or not rest:
            *others, last = words
            expected = f"{', '.join(others)} or {last}"
            raise self.error(f"expected {expected}, found {shown(first)}", hint)
        return first, self.after(len(first))

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
                f"expected a comparison with a number, found {shown(rest.text)}",
                f"write one of {' '.join(OPERATORS)} and a number, or nothing for > 0",
            )
        comparison, threshold = match[1], int(match[2])
    with located(line.error):
        return StateDescriptor(feature, negation is None, comparison, threshold)


def read_progressor(line: Line) -> StateProgressor:
    """A state progressor, as in `decreases n_count(…)`."""
    direction = _DIRECTION.match(line.text)
    if direction is None:
        raise line.error(f"expected decreases or increases, found {shown(line.text)}")
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
        raise rest.error(f"expected the end of the line, found {shown(rest.text)}")
    return feature


def read_value(line: Line) -> StateValue:
    """A state value, as in `n_count(…)` or `n_count(…) - 1`."""
    feature, rest = _read_feature(line)
    match = _MINUS.fullmatch(rest.text) if rest.text else None
    if rest.text and match is None:
        raise rest.error(f"expected - and a number, or the end of the line, found {shown(rest.text)}")
    with located(line.error):
        return StateValue(feature, int(match[1]) if match else 0)


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


@contextmanager
def located(make: Callable[[str, str | None], InputError]) -> Iterator[None]:
    """Meanwhile an `InputError` without a place becomes `make(message, hint)`."""
    try:
        yield
    except InputError as error:
        raise error if error.place else make(error.message, error.hint) from None


Reader = Callable[[Line], StateFunction]
_LANDMARK = re.compile(r"landmark(?:\s+([0-9]{1,6}))?\s*:?")
_LOOP = re.compile(r"loop\s+([0-9]{1,6})\s*->\s*([0-9]{1,6})\s*:?")
_GUARD = re.compile(r"guard\s+")
_PARTS: Mapping[str, Reader] = {
    "exit": read_descriptor,
    "progress": read_progressor,
    "counter": read_value,
}
_PARTS_HINT = "as in 'exit n_count(…) = 0', 'progress decreases n_count(…)', 'counter n_count(…)'"


def parse_graph(text: str, source: str = "<text>") -> LandmarkGraph:
    """The graph this text describes; an error names the line and what was expected there."""
    landmarks: list[tuple[Line, list[StateDescriptor]]] = []
    loops: list[tuple[Line, tuple[int, int], dict[str, list[Any]]]] = []
    current: list[StateDescriptor] | dict[str, list[Any]] | None = None
    for line in read_lines(text, source):
        landmark, loop = _LANDMARK.fullmatch(line.text), _LOOP.fullmatch(line.text)
        if landmark:
            if landmark[1] and int(landmark[1]) != len(landmarks) + 1:
                raise line.error(f"expected landmark {len(landmarks) + 1}, found {shown(line.text)}")
            landmarks.append((line, current := []))
        elif loop:
            current = {part: [] for part in _PARTS}
            loops.append((line, (int(loop[1]) - 1, int(loop[2]) - 1), current))
        elif _GUARD.match(line.text):
            raise line.error("a landmark graph has no guards", "guards belong to a program of counters")
        elif current is None:
            raise line.error("expected 'landmark' first", "a graph is landmarks, then loops")
        elif isinstance(current, dict):
            part, rest = line.part(_PARTS, _PARTS_HINT)
            current[part].append(_PARTS[part](rest))
        elif _DIRECTION.match(line.text):
            raise line.error("a landmark holds state descriptors alone", COUNTER_HINT)
        else:
            current.append(read_descriptor(line))
    if not landmarks:
        raise InputError(f"{source} describes no landmark", hint="start with a line 'landmark 1'")
    made: list[Landmark] = []
    for head, descriptors in landmarks:
        with located(head.error):
            made.append(Landmark(tuple(descriptors)))
    graph = LandmarkGraph(tuple(made))
    for head, ends, parts in loops:
        with located(head.error):
            edge = Loop(*ends, *map(tuple, parts.values()))
            graph = LandmarkGraph(graph.landmarks, (*graph.loops, edge))
    return graph
