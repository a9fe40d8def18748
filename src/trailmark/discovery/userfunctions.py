"""State functions that a user writes, to discover with instead of, or beside, a generated pool.

One function a line, with a comment after `#`:

    n_count(c_primitive(waiting,0))               a feature: makes a descriptor, and if it is
                                                  numerical also progressors and a value
    descriptor n_count(c_primitive(at,0)) >= 2
    progressor decreases n_count(c_primitive(waiting,0))
    value n_count(c_primitive(waiting,0)) - 1
    served: descriptor not n_count(c_primitive(waiting,0))

A name before a colon is kept for messages and reports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.discovery.functions import GivenFunctions
from trailmark.errors import InputError
from trailmark.features.syntax import NUMERICAL, Expression
from trailmark.features.text import shown
from trailmark.features.valuations import Valuations
from trailmark.landmarks.functions import (
    StateDescriptor,
    StateFunction,
    StateProgressor,
    StateValue,
)
from trailmark.landmarks.functiontext import (
    Line,
    read_descriptor,
    read_lines,
    read_progressor,
    read_value,
)

_NAME = re.compile(r"([A-Za-z_][\w.-]*)\s*:\s*")
_KIND = re.compile(r"(descriptor|progressor|value)\s+")


@dataclass(frozen=True)
class UserFunctions:
    """The state functions of a file, in its order."""

    descriptors: tuple[StateDescriptor, ...]
    progressors: tuple[StateProgressor, ...]
    values: tuple[StateValue, ...]
    names: Mapping[StateFunction, str]

    @property
    def features(self) -> tuple[Expression, ...]:
        """Every feature that is read: what must be evaluated on the training states."""
        functions: tuple[StateFunction, ...] = (*self.descriptors, *self.progressors, *self.values)
        return tuple(dict.fromkeys(function.feature for function in functions))

    def on(self, valuations: Valuations) -> GivenFunctions:
        """These functions with the values of their features in the training states."""
        missing = [feature for feature in self.features if feature not in set(valuations.features)]
        if missing:
            raise InputError(f"{missing[0]} was not evaluated on the training states")
        return GivenFunctions(self.descriptors, self.progressors, self.values, valuations)


def parse_functions(text: str, source: str = "<text>") -> UserFunctions:
    """The state functions this text lists; an error names the line and what was expected there."""
    found: dict[StateFunction, None] = {}
    names: dict[StateFunction, str] = {}
    taken: dict[str, int] = {}
    for line in read_lines(text, source):
        named = _NAME.match(line.text)
        rest = line.after(named.end()) if named else line
        functions = _read(rest)
        if named:
            if named[1] in taken:
                raise line.error(f"the name {shown(named[1])} is already used in line {taken[named[1]]}")
            taken[named[1]] = line.number
            names.update(dict.fromkeys(functions, named[1]))
        found.update(dict.fromkeys(functions))
    if not found:
        raise InputError(f"{source} lists no state function", hint="write one feature a line")
    return UserFunctions(
        tuple(each for each in found if isinstance(each, StateDescriptor)),
        tuple(each for each in found if isinstance(each, StateProgressor)),
        tuple(each for each in found if isinstance(each, StateValue)),
        names,
    )


def _read(line: Line) -> list[StateFunction]:
    kind = _KIND.match(line.text)
    if kind is None:
        descriptor = read_descriptor(line)
        functions: list[StateFunction] = [descriptor]
        if descriptor == StateDescriptor(descriptor.feature) and descriptor.feature.kind is NUMERICAL:
            functions += [StateProgressor(descriptor.feature, falls) for falls in (True, False)]
            functions.append(StateValue(descriptor.feature))
        return functions
    rest = line.after(kind.end())
    if kind[1] == "descriptor":
        return [read_descriptor(rest)]
    if kind[1] == "progressor":
        return [read_progressor(rest)]
    return [read_value(rest)]
