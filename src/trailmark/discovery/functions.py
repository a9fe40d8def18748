"""The state functions that discovery chooses from, with their values in the training states.

They come from a generated pool or from a file that a user writes, one function a line, with a comment
after `#`:

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

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
from trailmark.landmarks.text import (
    Line,
    read_descriptor,
    read_lines,
    read_progressor,
    read_value,
)

Columns = NDArray[np.intp]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StateFunctions:
    """The sets of state descriptors, progressors and values, over the training trajectories.

    Descriptors are listed without their negations; discovery uses both. A pool has thousands of
    progressors and values of which a few are chosen, so these are made only when asked for: first
    those given, then a progressor in each direction, or a value, for each feature `counted`.
    """

    descriptors: tuple[StateDescriptor, ...]
    given_progressors: tuple[StateProgressor, ...]
    given_values: tuple[StateValue, ...]
    counted: tuple[Expression, ...]
    """The numerical features of the pool."""
    valuations: Valuations
    """Every feature that a state function reads, in every training state."""

    @cached_property
    def progressors(self) -> tuple[StateProgressor, ...]:
        """All of them, each once."""
        made = (StateProgressor(feature, falls) for feature in self.counted for falls in (True, False))
        return tuple(dict.fromkeys([*self.given_progressors, *made]))

    @cached_property
    def values(self) -> tuple[StateValue, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys([*self.given_values, *map(StateValue, self.counted)]))

    def progressor(self, number: int) -> StateProgressor:
        """The progressor that `progressing` numbers so."""
        if number < len(self.given_progressors):
            return self.given_progressors[number]
        place, rises = divmod(number - len(self.given_progressors), 2)
        return StateProgressor(self.counted[place], not rises)

    def value(self, number: int) -> StateValue:
        """The state value that `initial_values` numbers so."""
        if number < len(self.given_values):
            return self.given_values[number]
        return StateValue(self.counted[number - len(self.given_values)])

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

    @cached_property
    def initial_columns(self) -> Columns:
        """The column of every trajectory's initial state."""
        return np.array(self.offsets[:-1], dtype=np.intp)

    @cached_property
    def _counted_rows(self) -> Columns:
        return np.array([self.row_of[feature] for feature in self.counted], dtype=np.intp)

    def initial_values(self) -> NDArray[np.int64]:
        """Each state value (row, by number) in each trajectory's initial state (column)."""
        given = [self.row_of[value.feature] for value in self.given_values]
        rows = np.concatenate([np.array(given, dtype=np.intp), self._counted_rows])
        table: NDArray[np.int64] = self.valuations.values[np.ix_(rows, self.initial_columns)].astype(np.int64)
        for place, value in enumerate(self.given_values):
            table[place] = np.maximum(table[place] - value.minus, 0)
        return table

    def progressing(self, earlier: Columns, later: Columns) -> Truth:
        """Which progressors (by number) hold between every one of these pairs of states."""
        before, after = (
            self.valuations.values[np.ix_(self._counted_rows, columns)] for columns in (earlier, later)
        )
        directions = np.stack([(after < before).all(axis=1), (after > before).all(axis=1)], axis=1)
        given = [self._progresses(progressor, earlier, later) for progressor in self.given_progressors]
        return np.concatenate([np.array(given, dtype=np.bool_), directions.ravel()])

    def _progresses(self, progressor: StateProgressor, earlier: Columns, later: Columns) -> bool:
        row = self.valuations.values[self.row_of[progressor.feature]]
        before, after = row[earlier], row[later]
        return bool((after < before if progressor.decreases else after > before).all())

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
    given: GivenFunctions | None = None,
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
    listed = [*(given.descriptors if given else ()), *map(StateDescriptor, _features(descriptors))]
    return StateFunctions(
        tuple(_positive(dict.fromkeys(listed))),
        given.progressors if given else (),
        given.values if given else (),
        tuple(feature for feature in _features(numericals) if feature.kind is NUMERICAL),
        valuations,
    )


@dataclass(frozen=True, eq=False)
class GivenFunctions:
    """State functions a user has written, with the values of their features in the training states."""

    descriptors: tuple[StateDescriptor, ...]
    progressors: tuple[StateProgressor, ...]
    values: tuple[StateValue, ...]
    valuations: Valuations


def _features(valuations: Valuations | None) -> tuple[Expression, ...]:
    return valuations.features if valuations else ()


def _positive(descriptors: Mapping[StateDescriptor, None]) -> list[StateDescriptor]:
    """The descriptors without those whose negation is listed as well."""
    return [one for one in descriptors if one.positive or one.negated not in descriptors]


def _merged(parts: Sequence[Valuations]) -> Valuations:
    """One table of all features of these; they must describe the same trajectories."""
    offsets = parts[0].offsets
    rows: dict[Expression, NDArray[np.int32]] = {}
    for part in parts:
        _check(part, offsets)
    if all(part is parts[0] for part in parts):
        return parts[0]
    for part in parts:
        for place, feature in enumerate(part.features):
            rows.setdefault(feature, part.values[place])
    states = offsets[-1]
    values = np.array(list(rows.values()), dtype=np.int32).reshape(len(rows), states)
    return Valuations(tuple(rows), values, offsets)


def _check(valuations: Valuations, offsets: tuple[int, ...]) -> None:
    if valuations.offsets != offsets:
        raise InputError("the parts of the feature pool were evaluated on different trajectories")
    if len(offsets) < 2:
        raise InputError("there is no training trajectory", hint="give at least one problem with a plan")
    if offsets[0] != 0 or any(start >= stop for start, stop in pairwise(offsets)):
        raise InputError("a training trajectory has no state")
    if valuations.values.shape != (len(valuations.features), offsets[-1]):
        raise InputError("the feature values do not fit the trajectories")


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
        tuple(function for function in found if isinstance(function, StateDescriptor)),
        tuple(function for function in found if isinstance(function, StateProgressor)),
        tuple(function for function in found if isinstance(function, StateValue)),
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
