"""The state functions that discovery chooses from, with their values in the training states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trailmark.errors import InputError
from trailmark.features.syntax import NUMERICAL, Expression
from trailmark.features.valuations import Valuations
from trailmark.landmarks.functions import (
    OPERATORS,
    StateDescriptor,
    StateProgressor,
    StateValue,
)

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
        rows = [self.row_of[each.feature] for each in self.descriptors]
        truth: Truth = self.valuations.values[rows] > 0
        for place, each in enumerate(self.descriptors):
            if not each.is_plain or not each.positive:
                compared = OPERATORS[each.operator](self.valuations.values[rows[place]], each.threshold)
                truth[place] = compared == each.positive
        return truth

    @cached_property
    def initial_columns(self) -> Columns:
        """The column of every trajectory's initial state."""
        return np.array(self.offsets[:-1], dtype=np.intp)

    def initial_values(self) -> NDArray[np.int64]:
        """Each state value (row) in each trajectory's initial state (column)."""
        table = self._values_at(self.values, self.initial_columns).astype(np.int64)
        minus = np.array([each.minus for each in self.values], dtype=np.int64)
        counts: NDArray[np.int64] = np.maximum(table - minus[:, None], 0)
        return counts

    def progressing(self, earlier: Columns, later: Columns) -> Truth:
        """Which progressors hold between every one of these pairs of states."""
        if not self.progressors:
            return np.zeros(0, dtype=np.bool_)
        before, after = (self._values_at(self.progressors, columns) for columns in (earlier, later))
        falls = np.array([each.decreases for each in self.progressors])[:, None]
        holds = np.where(falls, after < before, after > before)
        for place, each in enumerate(self.progressors):
            if each.then is not None:
                holds[place] = self._lexicographic(each, earlier, later)
        return np.asarray(holds.all(axis=1))

    def _values_at(
        self, functions: Sequence[StateProgressor | StateValue], columns: Columns
    ) -> NDArray[np.int32]:
        """The value of each function's feature (row) in these states (column)."""
        rows = np.array([self.row_of[each.feature] for each in functions], dtype=np.intp)
        return self.valuations.values[np.ix_(rows, columns)]

    def _lexicographic(self, progressor: StateProgressor, earlier: Columns, later: Columns) -> Truth:
        holds = np.zeros(len(earlier), dtype=np.bool_)
        undecided = np.ones(len(earlier), dtype=np.bool_)
        for link in progressor.chain:
            row = self.valuations.values[self.row_of[link.feature]]
            before, after = row[earlier], row[later]
            holds |= undecided & (after < before if link.decreases else after > before)
            undecided &= after == before
        return holds

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
    counted = [feature for feature in _features(numericals) if feature.kind is NUMERICAL]
    pool = (
        [StateDescriptor(feature) for feature in _features(descriptors)],
        [StateProgressor(feature, falls) for feature in counted for falls in (True, False)],
        [StateValue(feature) for feature in counted],
    )
    added: tuple[Sequence[StateDescriptor], Sequence[StateProgressor], Sequence[StateValue]] = (
        (given.descriptors, given.progressors, given.values) if given else ((), (), ())
    )
    return StateFunctions(
        tuple(_positive(dict.fromkeys([*added[0], *pool[0]]))),
        tuple(dict.fromkeys([*added[1], *pool[1]])),
        tuple(dict.fromkeys([*added[2], *pool[2]])),
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
    return [each for each in descriptors if each.positive or each.negated not in descriptors]


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
