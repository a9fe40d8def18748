"""The state functions that discovery chooses from, with their values in the training states.

They come from a generated pool or from a file that a user writes, one function a line, with a comment
after `#`:

    n_count(c_primitive(waiting,0))               a feature: makes a descriptor, and if it is
                                                  numerical also progressors and a value
    descriptor n_count(c_primitive(at,0)) >= 2
    progressor decreases n_count(c_primitive(waiting,0))
    value n_count(c_primitive(waiting,0)) - 1
    served: descriptor not n_count(c_primitive(waiting,0))

A line may begin with a name and a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trailmark.errors import InputError
from trailmark.features.states import Valuations
from trailmark.features.syntax import NUMERICAL, Expression
from trailmark.features.text import shown
from trailmark.landmarks.functions import (
    OPERATORS,
    StateDescriptor,
    StateFunction,
    StateProgressor,
    StateValue,
)
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import graph_values
from trailmark.landmarks.text import Line, Reader, read_descriptor, read_lines, read_progressor, read_value

Columns = NDArray[np.intp]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StateFunctions:
    """The sets of state descriptors, progressors and values, over the training trajectories.

    Descriptors are listed without their negations; discovery uses both.
    """

    descriptors: tuple[StateDescriptor, ...]
    progressors: tuple[StateProgressor, ...]
    values: tuple[StateValue, ...]
    valuations: Valuations
    """Every feature that a state function reads, in every training state."""

    @property
    def offsets(self) -> tuple[int, ...]:
        return self.valuations.offsets

    @property
    def trajectories(self) -> int:
        return self.valuations.trajectories

    @cached_property
    def row_of(self) -> Mapping[Expression, int]:
        return {feature: row for row, feature in enumerate(self.valuations.features)}

    @cached_property
    def truth(self) -> Truth:
        """Whether each descriptor (row) holds in each training state (column)."""
        rows = [self.row_of[descriptor.feature] for descriptor in self.descriptors]
        truth: Truth = self.valuations.values[rows] > 0
        for place, descriptor in enumerate(self.descriptors):
            if not descriptor.is_plain or not descriptor.positive:
                values, compare = self.valuations.values[rows[place]], OPERATORS[descriptor.operator]
                truth[place] = compare(values, descriptor.threshold) == descriptor.positive
        return truth

    def initial_values(self) -> NDArray[np.int64]:
        """Each state value (row) in each trajectory's initial state (column)."""
        rows = _places(self.row_of[value.feature] for value in self.values)
        minus = np.array([value.minus for value in self.values], np.int64)
        return self.valuations.values[np.ix_(rows, _places(self.offsets[:-1]))] - minus[:, None]

    def progressing(self, earlier: Columns, later: Columns) -> Truth:
        """Which progressors hold between every one of these pairs of states."""
        rows = _places(self.row_of[progressor.feature] for progressor in self.progressors)
        before, after = (self.valuations.values[np.ix_(rows, columns)] for columns in (earlier, later))
        falls = np.array([progressor.decreases for progressor in self.progressors], np.bool_)
        return np.where(falls, (after < before).all(axis=1), (after > before).all(axis=1))

    def of_graph(self, graph: LandmarkGraph) -> list[list[list[int]]]:
        """For each trajectory, one valuation a state in the order of the graph's features."""
        return graph_values(graph, self.valuations, self.row_of)

    def literal(self, number: int) -> StateDescriptor:
        """Literal `2·d` is descriptor d, literal `2·d + 1` its negation."""
        descriptor = self.descriptors[number // 2]
        return descriptor.negated if number % 2 else descriptor


def state_functions(
    descriptors: Valuations | None = None,
    numericals: Valuations | None = None,
    given: UserFunctions | None = None,
) -> StateFunctions:
    """All state functions of a pool: descriptors of the first part, the others of the second.

    Every feature of `descriptors` is read as `> 0`. Every numerical feature of `numericals` (by
    default those of `descriptors`) makes a progressor in each direction and a state value. `given`
    are functions a user has written, beside a pool or instead of one.
    """
    numericals = descriptors if numericals is None else numericals
    parts = [part for part in (descriptors, numericals, given.valuations if given else None) if part]
    if not parts:
        raise InputError("there are no state functions to discover with")
    valuations = _merged(parts)
    given = given or UserFunctions((), (), ())
    plain = [StateDescriptor(feature) for feature in descriptors.features] if descriptors else []
    counted = [f for f in numericals.features if f.kind is NUMERICAL] if numericals else []
    directions = [StateProgressor(feature, falls) for feature in counted for falls in (True, False)]
    listed = dict.fromkeys([*given.descriptors, *plain])
    return StateFunctions(
        tuple(one for one in listed if one.positive or one.negated not in listed),
        tuple(dict.fromkeys([*given.progressors, *directions])),
        tuple(dict.fromkeys([*given.values, *map(StateValue, counted)])),
        valuations,
    )


def _places(places: Iterable[int]) -> Columns:
    return np.fromiter(places, np.intp)


def _merged(parts: Sequence[Valuations]) -> Valuations:
    """One table of all features of these, which describe the same trajectories."""
    if all(part is parts[0] for part in parts):
        return parts[0]
    rows: dict[Expression, NDArray[np.int32]] = {}
    for part in parts:
        for feature, row in zip(part.features, part.values, strict=True):
            rows.setdefault(feature, row)
    values = np.array(list(rows.values()), dtype=np.int32).reshape(len(rows), parts[0].offsets[-1])
    return Valuations(tuple(rows), values, parts[0].offsets)


_NAME = re.compile(r"([A-Za-z_][\w.-]*)\s*:\s*")
_READERS: Mapping[str, Reader]
_READERS = {"descriptor": read_descriptor, "progressor": read_progressor, "value": read_value}


@dataclass(frozen=True)
class UserFunctions:
    """The state functions of a file, in its order."""

    descriptors: tuple[StateDescriptor, ...]
    progressors: tuple[StateProgressor, ...]
    values: tuple[StateValue, ...]
    valuations: Valuations | None = None
    """Their features in the training states."""

    @property
    def features(self) -> tuple[Expression, ...]:
        """Every feature that is read: what must be evaluated on the training states."""
        functions: tuple[StateFunction, ...] = (*self.descriptors, *self.progressors, *self.values)
        return tuple(dict.fromkeys(function.feature for function in functions))


def parse_functions(text: str, source: str = "<text>") -> UserFunctions:
    """The state functions this text lists; an error names the line and what was expected there."""
    found: dict[StateFunction, None] = {}
    taken: dict[str, int] = {}
    for line in read_lines(text, source):
        named = _NAME.match(line.text)
        rest = line.after(named.end()) if named else line
        if named:
            if named[1] in taken:
                raise line.error(f"the name {shown(named[1])} is already used in line {taken[named[1]]}")
            taken[named[1]] = line.number
        found.update(dict.fromkeys(_read(rest)))
    if not found:
        raise InputError(f"{source} lists no state function", hint="write one feature a line")
    return UserFunctions(
        tuple(function for function in found if isinstance(function, StateDescriptor)),
        tuple(function for function in found if isinstance(function, StateProgressor)),
        tuple(function for function in found if isinstance(function, StateValue)),
    )


def _read(line: Line) -> list[StateFunction]:
    kind, *rest = line.text.split(maxsplit=1)
    if kind in _READERS and rest:
        return [_READERS[kind](line.after(len(kind)))]
    descriptor = read_descriptor(line)
    functions: list[StateFunction] = [descriptor]
    if descriptor == StateDescriptor(descriptor.feature) and descriptor.feature.kind is NUMERICAL:
        functions += [StateProgressor(descriptor.feature, falls) for falls in (True, False)]
        functions.append(StateValue(descriptor.feature))
    return functions
