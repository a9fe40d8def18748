"""What a user may set about learning, and what each method sets where the user does not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trailmark.discovery.discover import DiscoveryOptions, SearchAfter, Solver
from trailmark.discovery.functions import UserFunctions
from trailmark.discovery.loops import LoopCondition
from trailmark.errors import InputError
from trailmark.features.grammar import CONFIGS, GRAMMARS, SETTINGS, LimitCounts, PoolOptions

REDUCED, POOL = "reduced", "pool"
"""Progressors and counters come from what the rules leave, as descriptors do (the paper's), or from all
numerical features of the pool."""

CHOICES: dict[str, tuple[str, list[str]]] = {
    "method": ("method", ["auto", "paper", "chain", "counter"]),
    "solver": ("solver", [choice.value for choice in Solver]),
    "rules": ("rules", list(SETTINGS)),
    "search_after": ("place to search after", [choice.value for choice in SearchAfter]),
    "grammar": ("grammar", list(GRAMMARS)),
    "config": ("configuration", list(CONFIGS)),
    "loop_condition": ("loop condition", [choice.value for choice in LoopCondition]),
    "limit_counts": ("count for the limit", [choice.value for choice in LimitCounts]),
    "counters_from": ("source of counters", [REDUCED, POOL]),
}
"""By option what it is called, and what there is to choose from."""


@dataclass(frozen=True)
class ChainDefaults:
    """Where the paper's discovery and this project's variant of it differ."""

    config: str | None
    limit_counts: str
    counters_from: str
    loop_condition: str
    satisfied_loops: bool


PAPER = ChainDefaults("b3", "elements", REDUCED, "all", satisfied_loops=True)
"""As the paper does; b3 is what it calls its middle configuration (`docs/paper-graphs.md`)."""
VARIANT = ChainDefaults(None, "features", POOL, "minimal", satisfied_loops=False)


@dataclass(frozen=True)
class LearnOptions:
    """The options of `trailmark learn`; None is what the method sets (`PAPER`, `VARIANT`)."""

    method: str = "auto"
    solver: str = "exact"
    config: str | None = None
    """One of the paper's pool configurations b1 to b5; the options below change single limits of it."""
    complexity: int | None = None
    feature_limit: int | None = None
    limit_counts: str | None = None
    """Whether the limit is on features alone or on concepts, roles and features together."""
    pool_time: float | None = None
    grammar: str = "paper"
    rules: str = "phi4"
    counters_from: str | None = None
    """Whether progressors and counters come from what the rules leave or from the whole pool."""
    loop_condition: str | None = None
    search_after: str = "first"
    """Where the landmark after a loop is searched: after the loop landmark's first or last occurrence."""
    satisfied_loops: bool | None = None
    """Keep only loops with which every training trajectory satisfies the graph."""
    functions: UserFunctions | None = None
    """State functions a user has written."""
    functions_only: bool = False
    """Use those alone, without a generated pool."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (what, known) in CHOICES.items():
            value = getattr(self, name)
            if value is not None and value not in known:
                raise InputError(f"unknown {what} '{value}'", hint=f"use one of {', '.join(known)}")
        if self.functions_only and self.functions is None:
            raise InputError("there are no state functions to use alone", hint="give them with --functions")
        if self.method == "counter" and self.functions is not None:
            raise InputError("counter-first learning takes no state functions", hint="use --method chain")

    @property
    def settings(self) -> ChainDefaults:
        """What holds for a chain: as given, else as the method sets it."""
        base = PAPER if self.method == "paper" else VARIANT
        given = {name: getattr(self, name) for name in vars(base)}
        return replace(base, **{name: value for name, value in given.items() if value is not None})

    @property
    def pool(self) -> PoolOptions:
        """The limits of pool generation."""
        settings = self.settings
        base = CONFIGS[settings.config] if settings.config else PoolOptions()
        return replace(
            base,
            complexity=self.complexity or base.complexity,
            features=self.feature_limit or base.features,
            limit_counts=LimitCounts(settings.limit_counts),
            seconds=self.pool_time or base.seconds,
            grammar=GRAMMARS[self.grammar],
        )

    @property
    def discovery(self) -> DiscoveryOptions:
        """How a chain is found in the pool."""
        settings = self.settings
        return DiscoveryOptions(
            solver=Solver(self.solver),
            loop_condition=LoopCondition(settings.loop_condition),
            search_after=SearchAfter(self.search_after),
            satisfied_loops=settings.satisfied_loops,
        )

    def described(self) -> dict[str, str | int | float | bool | None]:
        """What a model file keeps of them."""
        pool = self.pool
        return {
            "solver": self.solver,
            "complexity": pool.complexity,
            "feature_limit": pool.features,
            "pool_time": pool.seconds,
            "grammar": self.grammar,
            "rules": self.rules,
            "search_after": self.search_after,
            "functions_only": self.functions_only,
            **vars(self.settings),
        }
