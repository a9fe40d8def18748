"""The paper's Delivery setting on the pools of its own generator, DLPlan (extra `oracle`)."""

from __future__ import annotations

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PROBLEMS
from trailmark.discovery import Discovery, DiscoveryOptions, SearchAfter, discover, state_functions
from trailmark.features.grammar import CONFIGS
from trailmark.features.rules import preprocess
from trailmark.features.states import state_batch
from trailmark.features.valuations import Valuations
from trailmark.task import Task, read_plan, trajectory

pytest.importorskip("dlplan.core", reason="DLPlan is not installed (extra `oracle`)")

pytestmark = pytest.mark.slow

PAPER_LITERALS = 228
"""What the paper's preprocessing table calls 228 features of b1: each feature and its negation."""


def pool(config: str) -> Valuations:
    from tests.oracles.dlplan_pool import dlplan_pool

    paths = [
        trajectory(Task.load(DOMAIN, problem), read_plan(plan))
        for problem, plan in zip(PROBLEMS, FD_PLANS, strict=True)
    ]
    limits = CONFIGS[config]
    batch = state_batch([(each.structure, each.states) for each in paths])
    return dlplan_pool(batch, limits.complexity, limits.features)


def learned(found: Valuations, options: DiscoveryOptions) -> Discovery:
    left = preprocess(found, "phi4")
    return discover(state_functions(left.descriptors, left.numericals), options)


@pytest.mark.parametrize(
    ("config", "features", "loop", "occurrences", "satisfied"),
    [
        ("b1", 114, (4, 1), (1, 2, 1, 2, 3), 5),
        ("b2", 473, (4, 3), (1, 2, 1, 2, 3), 5),
        ("b3", 786, (4, 3), (1, 2, 1, 2, 3), 5),
        ("b4", 1519, (2, 1), (1, 2, 1, 2, 4), 2),
        ("b5", 1519, (2, 1), (1, 2, 1, 2, 4), 2),
    ],
)
def test_every_configuration_gives_four_landmarks_and_a_loop(
    config: str, features: int, loop: tuple[int, int], occurrences: tuple[int, ...], satisfied: int
) -> None:
    """With b4 and b5 the loop is an accident of complex features; searched from its last occurrence on,
    the landmarks after it make a graph that every trajectory satisfies."""
    made = pool(config)
    assert len(made.features) == features
    found = learned(made, DiscoveryOptions())
    assert len(found.graph.landmarks) == 4
    assert [(each.source + 1, each.target + 1) for each in found.graph.loops] == [loop]
    assert found.occurrences == (occurrences,)
    assert sum(map(bool, found.satisfaction)) == satisfied
    assert learned(made, DiscoveryOptions(search_after=SearchAfter.LAST, satisfied_loops=True)).satisfied


def test_the_smallest_pool_has_as_many_literals_as_the_paper_says() -> None:
    assert 2 * len(pool("b1").features) == PAPER_LITERALS
