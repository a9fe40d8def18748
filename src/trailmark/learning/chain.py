"""Learning as the paper does: pool, preprocessing, discovery of a chain with loops."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from trailmark.discovery.discover import Discovery, discover
from trailmark.discovery.functions import UserFunctions, state_functions
from trailmark.features.batch import evaluate
from trailmark.features.grammar import Preprocessed, preprocess
from trailmark.features.pool import Pool, generate_pool
from trailmark.features.states import StateBatch
from trailmark.features.text import check
from trailmark.learning.options import CountersFrom, LearnOptions
from trailmark.limits import UNLIMITED, Budget, Progress

POOL_SHARE = 0.8
"""The share of the time left that pool generation may take, so that some is left for discovery."""


@dataclass(frozen=True)
class ChainLearning:
    discovery: Discovery
    pool: Pool | None
    preprocessed: Preprocessed | None
    pool_seconds: float
    rules_seconds: float
    discovery_seconds: float


def learn_chain(
    batch: StateBatch, options: LearnOptions, budget: Budget = UNLIMITED, report: Progress | None = None
) -> ChainLearning:
    """The graph of the training states, with what each stage took."""
    say = report or (lambda stage, word: None)
    budget.check("learning a chain")
    given = _given(batch, options.functions)
    pool: Pool | None = None
    preprocessed: Preprocessed | None = None
    discovering = options.discovery
    started = time.monotonic()
    if not options.functions_only:
        limits = options.pool
        seconds = min(limits.seconds, max(budget.remaining() * POOL_SHARE, 1e-3))
        pool = generate_pool(
            batch,
            replace(limits, seconds=seconds),
            lambda complexity, count: say("pool", f"complexity {complexity}, {count} features"),
        )
        generated = time.monotonic()
        say("rules", options.rules)
        preprocessed = preprocess(pool.valuations, options.rules)
        reduced = options.settings.counters_from == CountersFrom.REDUCED.value
        numericals = preprocessed.descriptors if reduced else preprocessed.numericals
        functions = state_functions(preprocessed.descriptors, numericals, given)
    else:
        generated = started
        functions = state_functions(given=given)
    ready = time.monotonic()
    say("discovery", discovering.solver.value)
    discovery = discover(functions, discovering, budget)
    return ChainLearning(
        discovery, pool, preprocessed, generated - started, ready - generated, time.monotonic() - ready
    )


def _given(batch: StateBatch, functions: UserFunctions | None) -> UserFunctions | None:
    if functions is None:
        return None
    for feature in functions.features:
        check(feature, batch.vocabulary)
    return replace(functions, valuations=evaluate(functions.features, batch))
