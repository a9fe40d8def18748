"""Programs as text that people write and read, and text of either kind of guidance.

    # comments start with a hash
    counter n_count(c_primitive(waiting,0)) - 1
        then n_count(c_primitive(unpacked,0))
    counter n_count(c_primitive(dirty,0))
    guard n_count(c_primitive(broken,0))

Counters are run down in the order they stand in, each until its first feature is at 0, or at the
number after the minus. Lines with `then` are its further features, which fall inside a pass. A guard
is a state descriptor that must never hold. Indentation is free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.features.text import shown
from trailmark.landmarks.functions import StateDescriptor, StateValue
from trailmark.landmarks.functiontext import (
    Line,
    located,
    read_descriptor,
    read_feature,
    read_lines,
    read_value,
)
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.graphtext import parse_graph
from trailmark.programs.program import Counter, Program

_PART = re.compile(r"(counter|then|guard)\s+")


def parse_guidance(text: str, source: str = "<text>") -> LandmarkGraph | Program:
    """The program or the landmark graph this text describes: the first word tells which."""
    words = [line.text.split(maxsplit=1)[0] for line in read_lines(text, source)]
    is_program = next((word for word in words if word != "guard"), "") == "counter"
    return parse_program(text, source) if is_program else parse_graph(text, source)


def parse_program(text: str, source: str = "<text>") -> Program:
    """The program this text describes; an error names the line and what was expected there."""
    counters: list[tuple[Line, StateValue, list[Expression]]] = []
    guards: list[StateDescriptor] = []
    for line in read_lines(text, source):
        part = _PART.match(line.text)
        if part is None:
            raise line.error(
                f"expected counter, then or guard, found {shown(line.text.split()[0])}",
                "as in 'counter n_count(…)', 'then n_count(…)', 'guard n_count(…) > 3'",
            )
        rest = line.after(part.end())
        if part[1] == "counter":
            counters.append((line, read_value(rest), []))
        elif part[1] == "guard":
            guards.append(read_descriptor(rest))
        elif counters:
            counters[-1][2].append(read_feature(rest))
        else:
            raise line.error("expected 'counter' before 'then'")
    if not counters:
        raise InputError(f"{source} describes no counter", hint="start with a line 'counter n_count(…)'")
    made: list[Counter] = []
    for line, value, further in counters:
        with located(line.error):
            made.append(Counter((value.feature, *further), value.minus))
    with located(counters[0][0].error):
        return Program(tuple(made), tuple(guards))


def print_program(program: Program) -> str:
    """The program as text that `parse_program` reads back to the same program."""
    return "\n".join(_lines(program)) + "\n"


def _lines(program: Program) -> Iterator[str]:
    for counter in program.counters:
        yield f"counter {counter.value}"
        yield from (f"    then {feature}" for feature in counter.features[1:])
    yield from (f"guard {guard}" for guard in program.guards)
