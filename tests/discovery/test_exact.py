"""The exact algorithm against brute force and against clingo."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.discovery import bruteforce
from tests.discovery.clingo_checks import chain, check_chain, check_loops
from tests.discovery.matrices import plain, repeating
from trailmark.discovery.discover import DiscoveryOptions, SearchAfter, Solver, discover
from trailmark.discovery.functions import StateFunctions
from trailmark.discovery.loops import LoopCondition, answers, occurrences
from trailmark.errors import NoGraphError
from trailmark.landmarks.graph import Landmark, LandmarkGraph

FAST, THOROUGH = 100, 3000


@given(plain(trajectories=3, states=5))
def test_a_landmark_is_the_best_of_all_by_brute_force(functions: StateFunctions) -> None:
    previous = [0] * functions.trajectories
    for step in [*chain(functions), None]:
        expected = bruteforce.best_landmark(functions, previous)
        if step is None:
            assert expected is None
        else:
            assert expected == (tuple(step.indices.tolist()), step.literals)
            previous = step.indices.tolist()


@settings(max_examples=FAST)
@given(plain())
def test_the_exact_chain_is_among_the_optima_of_clingo(functions: StateFunctions) -> None:
    check_chain(functions)


@pytest.mark.slow
@settings(max_examples=THOROUGH)
@given(st.one_of(plain(), plain(trajectories=6, states=10, features=10), repeating()))
def test_the_exact_chain_is_among_the_optima_of_clingo_thousands_of_times(functions: StateFunctions) -> None:
    check_chain(functions)


@settings(max_examples=FAST // 2)
@given(repeating(), st.sampled_from(LoopCondition))
def test_an_exact_loop_is_among_the_optima_of_clingo(
    functions: StateFunctions, condition: LoopCondition
) -> None:
    check_loops(functions, condition)


@pytest.mark.slow
@settings(max_examples=THOROUGH)
@given(st.one_of(plain(), repeating(), repeating()), st.sampled_from(LoopCondition))
def test_an_exact_loop_is_among_the_optima_of_clingo_thousands_of_times(
    functions: StateFunctions, condition: LoopCondition
) -> None:
    check_loops(functions, condition)


@given(repeating(), st.data())
def test_occurrences_are_those_of_a_plain_walk(functions: StateFunctions, data: st.DataObject) -> None:
    steps = chain(functions)
    if len(steps) < 2:
        return
    cut = data.draw(st.integers(2, len(steps)))
    target = data.draw(st.integers(0, cut - 2))
    literals = [step.literals for step in steps[:cut]]
    graph = LandmarkGraph(tuple(Landmark(tuple(functions.literal(n) for n in each)) for each in literals))
    found = occurrences(graph, functions, target)
    for trajectory, states in enumerate(found.states):
        assert list(states) == bruteforce.passes(functions, literals, target, trajectory)


@given(repeating())
def test_without_loops_a_landmark_is_never_accepted_later_than_discovered(functions: StateFunctions) -> None:
    steps = chain(functions)
    if not steps:
        return
    graph = LandmarkGraph(
        tuple(Landmark(tuple(functions.literal(n) for n in step.literals)) for step in steps)
    )
    for trajectory, answer in enumerate(answers(graph, functions)):
        assert answer
        for accepted, step in zip(answer.acceptances, steps, strict=True):
            assert accepted.state <= step.indices[trajectory]


@settings(max_examples=FAST)
@given(repeating(), st.sampled_from(LoopCondition))
def test_a_loop_searched_past_its_last_occurrence_is_satisfied_where_it_repeats(
    functions: StateFunctions, condition: LoopCondition
) -> None:
    """With one loop alone its own trajectories are satisfied: what discovery counted, progression counts."""
    try:
        found = discover(functions, DiscoveryOptions(loop_condition=condition, search_after=SearchAfter.LAST))
    except NoGraphError:
        return
    if len(found.graph.loops) != 1:
        return
    source = found.graph.loops[0].source
    for trajectory, count in enumerate(found.occurrences[0]):
        if count > 1:
            accepted = found.satisfaction[trajectory].acceptances
            assert sum(each.landmark == source for each in accepted) == count


@settings(max_examples=2 * FAST)
@given(repeating(), st.sampled_from(LoopCondition), st.sampled_from(SearchAfter))
def test_a_graph_whose_loops_must_be_satisfied_is_satisfied_by_every_trajectory(
    functions: StateFunctions, condition: LoopCondition, after: SearchAfter
) -> None:
    options = DiscoveryOptions(loop_condition=condition, search_after=after, satisfied_loops=True)
    try:
        assert discover(functions, options).satisfied
    except NoGraphError:
        return


@settings(max_examples=FAST // 4)
@given(repeating())
def test_both_solvers_discover_a_graph_of_the_same_shape_or_none(functions: StateFunctions) -> None:
    try:
        exact = discover(functions, DiscoveryOptions(solver=Solver.EXACT))
    except NoGraphError:
        with pytest.raises(NoGraphError):
            discover(functions, DiscoveryOptions(solver=Solver.ASP))
        return
    other = discover(functions, DiscoveryOptions(solver=Solver.ASP))
    assert sum(exact.indices[0]) == sum(other.indices[0])
    assert len(exact.graph.landmarks[0].descriptors) == len(other.graph.landmarks[0].descriptors)


@given(repeating())
def test_discovery_is_deterministic(functions: StateFunctions) -> None:
    try:
        assert discover(functions) == discover(functions)
    except NoGraphError:
        return
