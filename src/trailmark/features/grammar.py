"""Which expressions a pool is made of, how far its generation goes, and the paper's four preprocessing rules,
which leave of a pool what discovery needs.

The rules look at Boolean valuations (a feature is positive or not). Progressors and counters need the
numerical values, so the numerical features live on in a pool of their own, whatever the rules remove.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trailmark.errors import InputError
from trailmark.features.states import Valuations
from trailmark.features.syntax import CONSTRUCTORS, Kind

NOT_GENERATED: Final = frozenset(
    {
        *("c_projection", "c_fills", "c_or", "c_diff", "r_top", "r_or", "r_not", "r_compose"),
        *("r_transitive_reflexive_closure", "b_nonempty", "b_inclusion"),
    }
)
"""Constructors of the language that pools do without: what most of them say, others say too."""


@dataclass(frozen=True)
class Grammar:
    """The constructors a pool uses, each with the largest complexity it may make.

    Identity roles are used in `c_all` only: what else is made of one has an equal that is no more complex.
    """

    constructors: frozenset[str]
    largest: tuple[tuple[str, int], ...] = ()
    """The largest complexity of what a constructor makes, where it is limited at all."""
    distance_roles: frozenset[str] = frozenset({"r_primitive", "r_restrict"})
    """The roles along which distances are measured, by their outermost constructor."""
    any_position: bool = False
    """Whether predicates of every arity give concepts and roles, or only unary and binary ones."""

    def __post_init__(self) -> None:
        named = {*self.constructors, *(name for name, _ in self.largest)}
        for name in sorted(named - (CONSTRUCTORS.keys() - NOT_GENERATED)):
            raise InputError(f"pools are not generated with the constructor {name!r}")

    def allows(self, name: str, complexity: int) -> bool:
        """Whether this constructor may make an expression of this complexity."""
        return name in self.constructors and complexity <= dict(self.largest).get(name, complexity)


PAPER: Final = Grammar(
    constructors=frozenset(
        {
            *("c_top", "c_bot", "c_primitive", "c_one_of", "c_not", "c_and", "c_some", "c_all", "c_equal"),
            *("r_primitive", "r_inverse", "r_and", "r_restrict", "r_identity", "r_transitive_closure"),
            *("b_nullary", "b_empty", "n_count", "n_concept_distance", "n_function"),
        }
    ),
    largest=(("c_equal", 3), ("r_and", 3), ("r_restrict", 3), ("r_transitive_closure", 2)),
)
"""What DLPlan 0.3, which the paper uses, generates by default (without its role `r_til_c`)."""

RICH: Final = Grammar(
    constructors=PAPER.constructors | {"c_subset", "r_diff"},
    largest=(
        ("c_equal", 5),
        ("c_subset", 5),
        ("r_and", 5),
        ("r_diff", 5),
        ("r_restrict", 3),
        ("r_transitive_closure", 4),
    ),
    distance_roles=frozenset({"r_primitive", "r_restrict", "r_inverse"}),
    any_position=True,
)
"""Also role differences with the goal, comparisons of closures, and predicates of every arity."""

GRAMMARS: Final[Mapping[str, Grammar]] = {"paper": PAPER, "rich": RICH}


class LimitCounts(Enum):
    """What the limit on the number of features counts."""

    FEATURES = "features"
    ELEMENTS = "elements"
    """Concepts, roles, Booleans and numericals together, after each rule: as DLPlan counts."""


@dataclass(frozen=True)
class PoolOptions:
    """The limits of pool generation (the paper's Table "Configuration settings") and its grammar."""

    complexity: int = 9
    """The largest complexity of a feature."""
    seconds: float = 3600.0
    features: int = 10_000
    """The largest number of features, or of elements."""
    limit_counts: LimitCounts = LimitCounts.FEATURES
    grammar: Grammar = PAPER

    def __post_init__(self) -> None:
        for name in ("complexity", "seconds", "features"):
            if getattr(self, name) <= 0:
                raise InputError(f"the option {name!r} of pool generation must be positive")


CONFIGS: Final[Mapping[str, PoolOptions]] = {
    "b1": PoolOptions(complexity=7, features=1_000),
    "b2": PoolOptions(complexity=9, features=4_000),
    "b3": PoolOptions(complexity=11, features=5_000),
    "b4": PoolOptions(complexity=11, features=10_000),
    "b5": PoolOptions(complexity=15, features=10_000),
}
"""The paper's five configurations; all have its limit of 3600 seconds."""


RULES: Final = ("rule1", "rule2", "rule3", "rule4")
"""Constant in some trajectory; constant but for the initial state; equal to another; opposite to another."""

SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "phi1": (),
    "phi2": ("rule3", "rule4"),
    "phi3": ("rule1", "rule3", "rule4"),
    "phi3-by-number": ("rule2", "rule3", "rule4"),
    "phi4": RULES,
}
"""The paper's Appendix "Preprocessing configuration". Of phi3 it gives the numbers 2, 3 and 4, but says that
features which differ in the initial state alone stay, and its counts say so too: that is 1, 3 and 4."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Preprocessed:
    """What the rules leave."""

    descriptors: Valuations
    """The features that may describe landmarks, in the order of the pool."""
    numericals: Valuations
    """All numerical features with different values, for progressors and counters."""
    removed: Mapping[str, int]
    """How many features each rule removed, the first rule first; 0 where a rule is not used."""


def preprocess(valuations: Valuations, setting: str = "phi4") -> Preprocessed:
    """The pool after the rules of this setting (`phi1` to `phi4`)."""
    if setting not in SETTINGS:
        raise InputError(
            f"there is no preprocessing setting {setting!r}", hint=f"choose one of {', '.join(SETTINGS)}"
        )
    removed = dict.fromkeys(RULES, 0)
    numerical = np.array([feature.kind is Kind.NUMERICAL for feature in valuations.features], bool)
    # The less complex feature before the other, then the numerical, then the earlier.
    complexities = np.array([feature.complexity for feature in valuations.features], np.int64)
    preferred = np.lexsort((~numerical, complexities))
    positive = np.ascontiguousarray((valuations.values > 0).T)
    keep = np.ones(len(valuations.features), bool)
    for rule in SETTINGS[setting]:
        if rule in ("rule1", "rule2"):
            drop = keep & _constant(positive, valuations.offsets, rule == "rule2")
        else:
            drop = _repeated(positive, preferred[keep[preferred]], opposites=rule == "rule4")
        removed[rule] = int(drop.sum())
        keep &= ~drop
    repeated = _repetitions(valuations.values, preferred[numerical[preferred]])
    return Preprocessed(_select(valuations, keep), _select(valuations, numerical & ~repeated), removed)


def _constant(positive: Mask, offsets: Sequence[int], after_start: bool) -> Mask:
    """Rule 1: the same in every state of some trajectory. Rule 2, where `after_start`: in every state but the
    initial one, where it is different."""
    found = np.zeros(positive.shape[1], bool)
    for first, last in pairwise(offsets):
        states = positive[first + after_start : last]
        if len(states):
            differs = positive[first] != states[0] if after_start else True
            found |= np.logical_and.reduce(states == states[:1], axis=0) & differs
    return found


def _repeated(positive: Mask, candidates: NDArray[np.intp], *, opposites: bool) -> Mask:
    """Rules 3 and 4: the same as (or also the opposite of) a candidate that comes before."""
    rows = positive[:, candidates]
    if opposites:
        rows = rows ^ rows[:1]
    packed = np.zeros((positive.shape[1], -(-len(rows) // 8)), np.uint8)
    packed[candidates] = np.packbits(rows, axis=0).T
    return _repetitions(packed, candidates)


def _repetitions(rows: NDArray[Any], candidates: NDArray[np.intp]) -> Mask:
    """Which candidates have the same row as one before."""
    drop, known = np.zeros(len(rows), bool), set[bytes]()
    chosen = np.ascontiguousarray(rows[candidates])
    keys: list[bytes] = chosen.view(f"V{chosen.itemsize * chosen.shape[1]}").ravel().tolist()
    for index, key in zip(candidates.tolist(), keys, strict=True):
        if key in known:
            drop[index] = True
        known.add(key)
    return drop


def _select(valuations: Valuations, keep: Mask) -> Valuations:
    features = tuple(
        feature for feature, kept in zip(valuations.features, keep.tolist(), strict=True) if kept
    )
    return Valuations(features, valuations.values[keep], valuations.offsets)
