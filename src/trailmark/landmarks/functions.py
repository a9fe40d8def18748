"""State functions: what a landmark graph asks of a state, or of two.

A valuation is the sequence of the values of a guidance's features in one state, in the order of
`Guidance.features`; a state function reads its own feature's value from such a sequence.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trailmark.errors import InputError, shorten
from trailmark.features.syntax import BOOLEAN, INFINITE, NUMERICAL, Expression

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
}
LARGEST_THRESHOLD = INFINITE


@dataclass(frozen=True)
class StateDescriptor:
    """A truth value of a state (Definition "State Descriptor"): a feature compared with a constant.

    `feature > 0` is the paper's reading of a feature, and an infinite distance is greater than 0.
    Beyond the paper other comparisons are possible. `positive=False` is the negation.
    """

    feature: Expression
    positive: bool = True
    operator: str = ">"
    threshold: int = 0

    def __post_init__(self) -> None:
        _require_feature(self.feature)
        if self.operator not in OPERATORS:
            known = ", ".join(OPERATORS)
            raise InputError(f"unknown comparison {self.operator!r}", hint=f"known are {known}")
        if not 0 <= self.threshold <= LARGEST_THRESHOLD:
            raise InputError(f"a feature is never {self.threshold}", hint="compare it with 0 or more")

    def holds(self, value: float) -> bool:
        """Whether it is true of a state in which its feature has this value."""
        return OPERATORS[self.operator](value, self.threshold) == self.positive

    @property
    def negated(self) -> StateDescriptor:
        return replace(self, positive=not self.positive)

    @property
    def is_plain(self) -> bool:
        """Whether it compares with `> 0`."""
        return self.operator == ">" and self.threshold == 0

    @property
    def complexity(self) -> int:
        return self.feature.complexity

    def __str__(self) -> str:
        comparison = "" if self.is_plain else f" {self.operator} {self.threshold}"
        return f"{'' if self.positive else 'not '}{self.feature}{comparison}"


@dataclass(frozen=True)
class StateProgressor:
    """Whether a later state progresses after an earlier one (Definition "State progressor"): the feature
    decreases (or increases) from the one to the other."""

    feature: Expression
    decreases: bool = True

    def __post_init__(self) -> None:
        _require_feature(self.feature)

    def holds(self, earlier: float, later: float) -> bool:
        """Whether the feature progresses between these two values."""
        return later < earlier if self.decreases else later > earlier

    @property
    def complexity(self) -> int:
        return self.feature.complexity

    def __str__(self) -> str:
        return f"{'decreases' if self.decreases else 'increases'} {self.feature}"


@dataclass(frozen=True)
class StateValue:
    """A nonnegative number of a state (Definition "State value"): a numerical feature's value.

    Beyond the paper a constant may be subtracted: a counter that ends at its least value counts
    from there.
    """

    feature: Expression
    minus: int = 0

    def __post_init__(self) -> None:
        _require_feature(self.feature)
        if self.feature.kind is not NUMERICAL:
            raise InputError(
                f"{_shown(self.feature)} is not numerical", hint="a state value counts something"
            )
        if not 0 <= self.minus <= LARGEST_THRESHOLD:
            raise InputError(f"cannot subtract {self.minus} from a state value", hint="subtract 0 or more")

    def of(self, value: float) -> int | None:
        """The number in a state where the feature has this value; None where that is infinite."""
        return None if value >= INFINITE else max(0, int(value) - self.minus)

    @property
    def complexity(self) -> int:
        return self.feature.complexity

    def __str__(self) -> str:
        return f"{self.feature} - {self.minus}" if self.minus else str(self.feature)


StateFunction = StateDescriptor | StateProgressor | StateValue


LONGEST_SHOWN = 200
"""Characters of a function in a message."""


def _shown(function: Expression | StateFunction) -> str:
    return shorten(str(function), LONGEST_SHOWN)


def _require_feature(feature: Expression) -> None:
    if feature.kind is not NUMERICAL and feature.kind is not BOOLEAN:
        raise InputError(
            f"{_shown(feature)} is a {feature.kind.value}, not a feature",
            hint="wrap it, as in n_count(…) or b_empty(…)",
        )


def require_distinct(functions: Sequence[StateFunction], where: str) -> None:
    """Refuse a state function that is given twice."""
    seen: set[StateFunction] = set()
    for function in functions:
        if function in seen:
            raise InputError(f"{where} contains {_shown(function)} twice")
        seen.add(function)


def require_consistent(descriptors: Sequence[StateDescriptor], where: str) -> None:
    """Refuse a state descriptor that is given twice, or beside its negation."""
    require_distinct(descriptors, where)
    present = set(descriptors)
    for descriptor in descriptors:
        if descriptor.positive and descriptor.negated in present:
            raise InputError(f"{where} contains both {_shown(descriptor)} and its negation")
