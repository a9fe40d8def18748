"""Learning a landmark graph: trajectories, feature pool, preprocessing, discovery, model.

The shape is scikit-learn's: `LandmarkLearner(options).fit(instances)` learns and returns itself, and
what was learned ends in an underscore.
"""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from trailmark import __version__
from trailmark.discovery import (
    Discovery,
    DiscoveryOptions,
    GivenFunctions,
    LoopCondition,
    Solver,
    StateFunctions,
    UserFunctions,
    discover,
    state_functions,
)
from trailmark.discovery.discover import SearchAfter
from trailmark.errors import InputError
from trailmark.features.batch import evaluate
from trailmark.features.check import check
from trailmark.features.grammar import CONFIGS, GRAMMARS, PoolOptions
from trailmark.features.pool import Pool, generate_pool
from trailmark.features.rules import Preprocessed, preprocess
from trailmark.features.states import StateBatch, state_batch
from trailmark.landmarks import LandmarkGraph, Model, TrainingRecord
from trailmark.landmarks.estimate import fit_estimate, passes
from trailmark.landmarks.satisfaction import graph_values
from trailmark.learning.classes import ProblemClass, problem_classes
from trailmark.learning.nouns import parameter_nouns
from trailmark.limits import UNLIMITED, Budget
from trailmark.task import Domain, Plan, Task, trajectory

METHODS = ("auto", "chain")
RULES = ("phi1", "phi2", "phi3", "phi4")

Progress = Callable[[str, str], None]
"""Told the stage at work (plans, pool, rules, discovery) and a short word on how far it is."""


@dataclass(frozen=True)
class TrainingInstance:
    """A solved instance, with the files it came from where there are any."""

    task: Task
    plan: Plan
    problem_file: str | None = None
    plan_file: str | None = None


@dataclass(frozen=True)
class LearnOptions:
    method: str = "auto"
    solver: str = "exact"
    config: str | None = None
    """One of the paper's pool configurations b1 to b5; the options below change single limits of it."""
    complexity: int | None = None
    feature_limit: int | None = None
    pool_time: float | None = None
    grammar: str = "paper"
    rules: str = "phi4"
    loop_condition: str = "minimal"
    search_after: str = "first"
    """Where the landmark after a loop is searched: after the loop landmark's first or last occurrence."""
    functions: UserFunctions | None = None
    """State functions a user has written."""
    functions_only: bool = False
    """Use those alone, without a generated pool."""
    seed: int = 0

    def __post_init__(self) -> None:
        _one_of("method", self.method, METHODS)
        _one_of("solver", self.solver, [each.value for each in Solver])
        _one_of("rules", self.rules, RULES)
        _one_of("loop condition", self.loop_condition, [each.value for each in LoopCondition])
        _one_of("place to search after", self.search_after, [each.value for each in SearchAfter])
        _one_of("grammar", self.grammar, list(GRAMMARS))
        if self.config is not None:
            _one_of("configuration", self.config, list(CONFIGS))
        if self.functions_only and self.functions is None:
            raise InputError("there are no state functions to use alone", hint="give them with --functions")

    @property
    def pool(self) -> PoolOptions:
        """The limits of pool generation."""
        base = CONFIGS[self.config] if self.config else PoolOptions()
        return replace(
            base,
            complexity=self.complexity or base.complexity,
            features=self.feature_limit or base.features,
            seconds=self.pool_time or base.seconds,
            grammar=GRAMMARS[self.grammar],
        )


class LandmarkLearner:
    """Learns a landmark graph from solved instances of one domain.

    After `fit`: `graph_`, `model_`, `discovery_`, `pool_` (None where only user functions were used),
    `preprocessed_`, `classes_` and `times_` (seconds by stage).
    """

    graph_: LandmarkGraph
    model_: Model
    discovery_: Discovery
    pool_: Pool | None
    preprocessed_: Preprocessed | None
    classes_: list[ProblemClass]
    times_: dict[str, float]

    def __init__(self, options: LearnOptions | None = None) -> None:
        self.options = options or LearnOptions()

    def fit(
        self,
        instances: Sequence[TrainingInstance],
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
        plans_seconds: float = 0.0,
    ) -> LandmarkLearner:
        """Learns from the instances; `plans_seconds` is what their plans took, for the record."""
        started = time.monotonic()
        report = progress or (lambda stage, word: None)
        domain = _common_domain(instances)
        self.classes_ = problem_classes([each.task for each in instances])
        self.times_ = {"plans_s": plans_seconds}
        paths = [trajectory(each.task, each.plan, _name(each)) for each in instances]
        batch = state_batch([(path.structure, path.states) for path in paths])
        functions = self._state_functions(batch, budget, report)
        report("discovery", self.options.solver)
        clock = time.monotonic()
        self.discovery_ = discover(functions, self._discovery_options(budget))
        self.times_["discovery_s"] = time.monotonic() - clock
        self.graph_ = self.discovery_.graph
        self.times_["total_s"] = plans_seconds + time.monotonic() - started
        counts = [
            passes(self.graph_, values[0]) for values in graph_values(self.graph_, functions.valuations)
        ]
        lengths = [len(each.plan) for each in instances]
        self.model_ = Model(
            graph=self.graph_,
            domain=domain.name,
            signature=domain.signature,
            method="chain",
            training=tuple(
                _record(each, count, satisfied=bool(answer), reason="" if answer else str(answer))
                for each, count, answer in zip(instances, counts, self.discovery_.satisfaction, strict=True)
            ),
            estimate=fit_estimate(counts, lengths),
            options=self._described_options(),
            seed=self.options.seed,
            versions=_versions(),
            times={name: round(value, 6) for name, value in self.times_.items()},
            vocabulary=domain.vocabulary,
            parameter_types=parameter_nouns(domain, paths),
        )
        return self

    def _state_functions(self, batch: StateBatch, budget: Budget, report: Progress) -> StateFunctions:
        given = self._given(batch)
        self.pool_ = self.preprocessed_ = None
        self.times_["pool_s"] = self.times_["rules_s"] = 0.0
        if self.options.functions_only:
            return state_functions(given=given)
        options = self.options.pool
        options = replace(options, seconds=min(options.seconds, max(budget.remaining(), 1e-3)))
        self.pool_ = generate_pool(
            batch,
            options,
            lambda complexity, count: report("pool", f"complexity {complexity}, {count} features"),
        )
        self.times_["pool_s"] = self.pool_.seconds
        report("rules", self.options.rules)
        clock = time.monotonic()
        self.preprocessed_ = preprocess(self.pool_.valuations, self.options.rules)
        self.times_["rules_s"] = time.monotonic() - clock
        return state_functions(self.preprocessed_.descriptors, self.preprocessed_.numericals, given)

    def _given(self, batch: StateBatch) -> GivenFunctions | None:
        functions = self.options.functions
        if functions is None:
            return None
        for feature in functions.features:
            check(feature, batch.vocabulary)
        return functions.on(evaluate(functions.features, batch))

    def _discovery_options(self, budget: Budget) -> DiscoveryOptions:
        return DiscoveryOptions(
            solver=Solver(self.options.solver),
            loop_condition=LoopCondition(self.options.loop_condition),
            search_after=SearchAfter(self.options.search_after),
            time_limit=None if budget.seconds is None else max(budget.remaining(), 1e-3),
        )

    def _described_options(self) -> dict[str, str | int | float | bool | None]:
        options = self.options
        pool = options.pool
        return {
            "solver": options.solver,
            "config": options.config,
            "complexity": pool.complexity,
            "feature_limit": pool.features,
            "pool_time": pool.seconds,
            "grammar": options.grammar,
            "rules": options.rules,
            "loop_condition": options.loop_condition,
            "search_after": options.search_after,
            "functions_only": options.functions_only,
        }


def _one_of(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise InputError(f"unknown {what} '{value}'", hint=f"use one of {', '.join(known)}")


def _common_domain(instances: Sequence[TrainingInstance]) -> Domain:
    if not instances:
        raise InputError("there are no training instances", hint="give at least one problem with a plan")
    domain = instances[0].task.domain
    for each in instances:
        if each.task.domain.signature != domain.signature:
            other = each.task.domain.name
            raise InputError(
                f"the training instances belong to different domains, '{domain.name}' and '{other}'"
            )
    return domain


def _name(instance: TrainingInstance) -> str:
    return instance.problem_file or instance.task.name


def _record(
    instance: TrainingInstance, counts: tuple[int, ...], *, satisfied: bool, reason: str
) -> TrainingRecord:
    problem, plan = instance.problem_file, instance.plan_file
    return TrainingRecord(
        problem=Path(problem).name if problem else instance.task.name,
        problem_sha256=_sha256(problem),
        plan=Path(plan).name if plan else None,
        plan_sha256=_sha256(plan) if plan else None,
        length=len(instance.plan),
        passes=counts,
        satisfied=satisfied,
        reason=reason,
    )


def _sha256(path: str | None) -> str:
    data = Path(path).read_bytes() if path else b""
    return hashlib.sha256(data).hexdigest()


def _versions() -> dict[str, str]:
    found = {"trailmark": __version__, "python": platform.python_version()}
    for name in ("pymimir", "numpy", "clingo"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
