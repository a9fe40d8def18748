"""Which expressions a pool is made of, and how far its generation goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from trailmark.errors import InputError
from trailmark.features.syntax import CONSTRUCTORS

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
        return name in self.constructors and complexity <= self._largest.get(name, complexity)

    @property
    def _largest(self) -> Mapping[str, int]:
        return dict(self.largest)


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
