"""The paper's example of discovery (its Table "Trajectories used in Example" and Appendix)."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.landmarks import running_example as example
from trailmark.discovery.discover import Discovery, DiscoveryOptions, SearchAfter, Solver, discover
from trailmark.discovery.functions import state_functions
from trailmark.discovery.loops import LoopCondition
from trailmark.features.states import Valuations
from trailmark.landmarks.graph import Landmark, Loop
from trailmark.landmarks.progression import graph_values, satisfies

d1, d2, d3, d4, d5 = example.d1, example.d2, example.d3, example.d4, example.d5


def rows(*features: object) -> Valuations:
    table = example.valuations(example.APPENDIX)
    kept = [table.features.index(feature) for feature in features]
    return Valuations(tuple(table.features[k] for k in kept), table.values[kept], table.offsets)


def found(**options: object) -> Discovery:
    functions = state_functions(
        rows(example.D1, example.D2, example.D3, example.D4, example.D5), rows(example.UNDELIVERED)
    )
    return discover(functions, dataclasses.replace(DiscoveryOptions(), **options))


@pytest.fixture(params=[Solver.EXACT, Solver.ASP])
def discovery(request: pytest.FixtureRequest) -> Discovery:
    return found(solver=request.param)


def test_the_four_landmarks_are_those_of_the_paper_plus_not_d2(discovery: Discovery) -> None:
    assert [set(each.descriptors) for each in discovery.graph.landmarks] == [
        {d2.negated},
        {d1.negated, d2},
        {d3},
        {d1, d2.negated, d4},
    ]


def test_the_landmarks_are_found_at_the_indices_of_the_papers_table(discovery: Discovery) -> None:
    assert discovery.indices == ((1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4))


def test_the_loop_leads_from_the_fourth_landmark_to_the_first(discovery: Discovery) -> None:
    assert discovery.graph.loops == (Loop(3, 0, (d5,), (example.progress,), (example.packages_left,)),)
    assert discovery.occurrences == ((1, 2, 3),)


def test_every_training_trajectory_satisfies_the_graph(discovery: Discovery) -> None:
    assert discovery.satisfied
    assert [each.state for each in discovery.satisfaction[2].acceptances] == list(range(1, 13))


@pytest.mark.parametrize("after", list(SearchAfter))
def test_the_appendix_leaves_no_landmark_after_the_loop(after: SearchAfter) -> None:
    assert len(found(search_after=after).graph.landmarks) == 4


def test_all_conditions_keep_every_function_that_fits() -> None:
    loop = found(loop_condition=LoopCondition.ALL).graph.loops[0]
    assert loop.exit == (d5,)
    assert loop.progression == (example.progress,)


def test_the_papers_hand_written_graph_is_accepted_at_the_same_indices() -> None:
    table = example.valuations(example.APPENDIX)
    for states, length in zip(graph_values(example.PAPER_GRAPH, table), (4, 8, 12), strict=True):
        answer = satisfies(example.PAPER_GRAPH, states)
        assert answer
        assert [(each.state, each.landmark + 1) for each in answer.acceptances] == [
            (state, (state - 1) % 4 + 1) for state in range(1, length + 1)
        ]


def test_a_pool_that_only_serves_descriptors_makes_landmarks_but_no_loop() -> None:
    empty = Valuations((), np.zeros((0, 27), dtype=np.int32), rows(example.D1).offsets)
    graph = discover(state_functions(rows(example.D1, example.D3), empty)).graph
    assert graph.landmarks[0] == Landmark((d1.negated,))
    assert not graph.loops
