"""Learning as the paper does: pool, preprocessing, discovery of a chain with loops."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trailmark.discovery.discover import Discovery, discover
from trailmark.discovery.functions import UserFunctions, state_functions
from trailmark.features.batch import evaluate
from trailmark.features.grammar import Preprocessed, preprocess
from trailmark.features.pool import Pool, generate_pool
from trailmark.features.states import StateBatch
from trailmark.features.text import check
from trailmark.learning.options import REDUCED, LearnOptions
from trailmark.limits import UNLIMITED, Budget, Stages

POOL_SHARE = 0.8
"""The share of the time left that pool generation may take, so that some is left for discovery."""


@dataclass(frozen=True)
class ChainLearning:
    discovery: Discovery
    pool: Pool | None
    preprocessed: Preprocessed | None


def learn_chain(
    batch: StateBatch, options: LearnOptions, budget: Budget = UNLIMITED, stages: Stages | None = None
) -> ChainLearning:
    """The graph of the training states."""
    told = stages or Stages()
    budget.check("learning a chain")
    given = _given(batch, options.functions)
    pool: Pool | None = None
    preprocessed: Preprocessed | None = None
    functions = state_functions(given=given) if options.functions_only else None
    if functions is None:
        limits = options.pool
        seconds = min(limits.seconds, max(budget.remaining() * POOL_SHARE, 1e-3))
        with told.stage("pool"):
            pool = generate_pool(
                batch,
                replace(limits, seconds=seconds),
                lambda complexity, count: told.say(f"complexity {complexity}, {count} features"),
            )
        with told.stage("rules"):
            told.say(options.rules)
            preprocessed = preprocess(pool.valuations, options.rules)
        reduced = options.settings.counters_from == REDUCED
        numericals = preprocessed.descriptors if reduced else preprocessed.numericals
        functions = state_functions(preprocessed.descriptors, numericals, given)
    with told.stage("discovery"):
        told.say(options.solver)
        return ChainLearning(discover(functions, options.discovery, budget), pool, preprocessed)


def _given(batch: StateBatch, functions: UserFunctions | None) -> UserFunctions | None:
    if functions is None:
        return None
    for feature in functions.features:
        check(feature, batch.vocabulary)
    return replace(functions, valuations=evaluate(functions.features, batch))
