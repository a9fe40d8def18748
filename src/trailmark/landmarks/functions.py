"""State functions: what a landmark graph asks of a state, or of two. Guidance: what search, learning, reports
and the model file know of what was learned. A `LandmarkGraph` (the paper's) and a `Program` (counters that
are run down) both are one.

A valuation is the sequence of the values of a guidance's features in one state, in the order of
`Guidance.features`; a state function reads its own feature's value from such a sequence.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple, Protocol

from trailmark.errors import InputError, shorten
from trailmark.features.syntax import BOOLEAN, INFINITE, NUMERICAL, Expression
from trailmark.features.text import LONGEST_SHOWN

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


Valuation = Sequence[float]
"""The values of a guidance's features in one state, in the order of `Guidance.features`."""


class Status(NamedTuple):
    """How far a path has come. Subgoals are the landmarks of a graph, or the counters of a program."""

    next: int
    """The position of the awaited subgoal; past the last one nothing more is accepted."""
    accepted: int
    """Acceptances so far, repeated ones included."""
    counts: tuple[int, ...]
    """Acceptances of each subgoal."""
    traversals: tuple[int, ...]
    """How often each loop led back."""
    memory: tuple[tuple[float, ...], ...]
    """The values that later states are compared with."""


class Policy(Enum):
    """What a loop landmark does where neither its exit nor its progression condition holds."""

    LEAVE = "leave"
    """Count the landmark and move on, as Algorithm 1 is printed."""
    STAY = "stay"
    """Refuse the acceptance: the landmark stays awaited."""


class Stepper(Protocol):
    """Tells from state to state how far a path has come."""

    def start(self, initial: Valuation) -> Status:
        """The status in the initial state, which accepts nothing."""

    def step(self, status: Status, values: Valuation) -> Status:
        """The status after a state with these values: the very same object where nothing is accepted."""


class Guidance(Stepper, Protocol):
    """Subgoals in the order they are to be achieved, some of them repeatedly."""

    def __len__(self) -> int:
        """The number of subgoals."""

    @property
    def features(self) -> tuple[Expression, ...]:
        """The distinct features: the order of every valuation."""

    @property
    def feature_index(self) -> Mapping[Expression, int]:
        """The place of every feature in a valuation."""

    @property
    def guards(self) -> tuple[StateDescriptor, ...]:
        """Conditions that never hold on the way to a goal."""

    @property
    def without_guards(self) -> Guidance:
        """The same for a search that must not prune what only training says is lost."""

    def following(self, policy: Policy) -> Stepper:
        """What tells how far a path has come; a landmark graph does so with this policy."""

    @property
    def deciding(self) -> tuple[tuple[int, ...], ...]:
        """For each position the places of the features that decide what is accepted there."""

    @property
    def repeated(self) -> tuple[int, ...]:
        """The positions that are achieved in several passes, one for each loop."""

    @property
    def accepts_changes_alone(self) -> bool:
        """Whether two changes that have nothing to do with each other are never accepted together where
        neither of them is alone."""

    def has_inner_progress(self, position: int) -> bool:
        """Whether a status may change at this position before anything more is accepted: progress inside
        a pass."""

    def awaited(self, status: Status) -> int | None:
        """The position of the subgoal to be achieved next; None past the last one."""

    def missing(self, status: Status) -> int | None:
        """The first position that a path has neither achieved nor skipped; None where there is none."""

    def fits(self, status: Status, position: int, passes: int) -> bool:
        """Whether a path that ends so has passed one of `repeated` as often as its counter said at first."""

    def passes(self, initial: Valuation) -> tuple[int, ...]:
        """How often each of `repeated` is to be achieved from this initial state on; at least once."""

    def h_max(self, initial: Valuation) -> int:
        """How many acceptances there are to be in all: the largest value of LM-G."""


def accepted_position(before: Status, after: Status) -> int:
    """The position that was accepted from one status to the next, and else the one that stays awaited."""
    pairs = zip(before.counts, after.counts, strict=True)
    return next((place for place, (old, new) in enumerate(pairs) if old != new), before.next)


def lm_g(maximum: int, status: Status) -> int:
    """The paper's heuristic LM-G: the landmarks still to be achieved, never less than 0."""
    return max(0, maximum - status.accepted)


def increased(counts: tuple[int, ...], place: int, by: int = 1) -> tuple[int, ...]:
    """The counts with one of them increased."""
    return (*counts[:place], counts[place] + by, *counts[place + 1 :])
