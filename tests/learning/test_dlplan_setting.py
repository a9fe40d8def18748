"""The paper's Delivery setting on the pools of its own generator, DLPlan (extra `oracle`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PROBLEMS
from trailmark.discovery.discover import DiscoveryOptions, discover
from trailmark.discovery.functions import state_functions
from trailmark.discovery.loops import LoopCondition
from trailmark.features.grammar import CONFIGS, LimitCounts, preprocess
from trailmark.features.pool import generate_pool
from trailmark.features.states import StateBatch, Valuations, state_batch
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.learning.training import load_training
from trailmark.task import Task, read_plan, trajectory

pytest.importorskip("dlplan.core", reason="DLPlan is not installed (extra `oracle`)")

pytestmark = pytest.mark.slow

PAPER_LITERALS = 228
"""What the paper's preprocessing table calls 228 features of b1: each feature and its negation."""


@cache
def batch() -> StateBatch:
    paths = [
        trajectory(Task.load(DOMAIN, problem), read_plan(plan))
        for problem, plan in zip(PROBLEMS, FD_PLANS, strict=True)
    ]
    return state_batch([(each.structure, each.states) for each in paths])


@cache
def pool(config: str) -> Valuations:
    from tests.oracles.dlplan_pool import dlplan_pool

    limits = CONFIGS[config]
    return dlplan_pool(batch(), limits.complexity, limits.features)


def valuations(found: Valuations) -> Counter[bytes]:
    """The values of the features in all states, whatever the features are called."""
    return Counter(row.tobytes() for row in found.values)


@pytest.mark.parametrize("config", list(CONFIGS))
def test_the_pool_of_the_paper_setting_is_dlplan_s(config: str) -> None:
    limits = replace(CONFIGS[config], limit_counts=LimitCounts.ELEMENTS)
    ours, theirs = generate_pool(batch(), limits).valuations, pool(config)
    assert len(ours.features) == len(theirs.features)
    assert valuations(ours) == valuations(theirs)
    assert len(preprocess(ours).descriptors.features) == len(preprocess(theirs).descriptors.features)


@pytest.mark.parametrize("config", list(CONFIGS))
def test_dlplan_s_pools_give_the_loops_of_ours(config: str) -> None:
    left = preprocess(pool(config)).descriptors
    options = DiscoveryOptions(loop_condition=LoopCondition.ALL, satisfied_loops=True)
    theirs = discover(state_functions(left), options)
    learner = LandmarkLearner(LearnOptions(method="paper", config=config))
    ours = learner.fit(load_training(DOMAIN, PROBLEMS, "files", FD_PLANS).instances).guidance_
    assert isinstance(ours, LandmarkGraph)
    assert [(each.source, each.target) for each in theirs.graph.loops] == [
        (each.source, each.target) for each in ours.loops
    ]
    assert [len(each.descriptors) for each in theirs.graph.landmarks] == [
        len(each.descriptors) for each in ours.landmarks
    ]


def test_the_smallest_pool_has_as_many_literals_as_the_paper_says() -> None:
    assert 2 * len(pool("b1").features) == PAPER_LITERALS
