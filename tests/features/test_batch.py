"""Batched evaluation against the definitions."""

from __future__ import annotations

import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import bruteforce
from tests.oracles.strategies import expressions, features, interpretations, structures, vocabularies
from trailmark.errors import FeatureError, InputError
from trailmark.features.batch import denotations, evaluate
from trailmark.features.incremental.evaluation import bind
from trailmark.features.states import StateBatch, Trajectory, state_batch
from trailmark.features.syntax import INFINITE, Expression, Kind, expression
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary
from trailmark.task import Domain, Task, read_plan, trajectory


@st.composite
def batches(draw: st.DrawFn) -> StateBatch:
    """One to three instances of different sizes; an instance may have two trajectories."""
    vocabulary = draw(vocabularies())
    trajectories: list[Trajectory] = []
    for _ in range(draw(st.integers(1, 3))):
        structure = draw(structures(vocabulary))
        for _ in range(draw(st.integers(1, 2))):
            states = draw(st.lists(interpretations(structure), min_size=1, max_size=3))
            trajectories.append((structure, states))
    return state_batch(trajectories)


def states_of(batch: StateBatch) -> list[tuple[Structure, Interpretation]]:
    return [(structure, state) for structure, states in batch.trajectories for state in states]


@given(st.data())
@settings(max_examples=120)
def test_every_denotation_is_that_of_the_definitions(data: st.DataObject) -> None:
    batch = data.draw(batches())
    node = data.draw(expressions(batch.vocabulary, depth=4))
    ((_, denotation),) = denotations([node], batch)
    for number, (structure, state) in enumerate(states_of(batch)):
        expected = bruteforce.evaluate(node, structure, state)
        n = len(structure.objects)
        if node.kind is Kind.CONCEPT:
            here = denotation[batch.nodes[number] : batch.nodes[number + 1]]
            assert set(np.flatnonzero(here).tolist()) == expected
        elif node.kind is Kind.ROLE:
            here = denotation[batch.pairs[number] : batch.pairs[number + 1]].reshape(n, n)
            assert set(map(tuple, np.argwhere(here).tolist())) == expected
        else:
            assert denotation[number] == expected


@given(st.data())
def test_values_of_many_features_at_once_are_those_of_the_definitions(data: st.DataObject) -> None:
    batch = data.draw(batches())
    chosen = data.draw(st.lists(features(batch.vocabulary), max_size=4))
    valuations = evaluate(chosen + chosen[:1], batch)
    expected = [
        [int(bruteforce.evaluate(node, *state)) for state in states_of(batch)]  # type: ignore[arg-type]
        for node in chosen + chosen[:1]
    ]
    assert valuations.values.tolist() == expected
    assert valuations.offsets == batch.offsets


@given(st.data(), st.integers(1, 80))
def test_a_batch_cut_in_parts_keeps_every_state_in_order(data: st.DataObject, most_pairs: int) -> None:
    batch = data.draw(batches())
    parts = list(batch.parts(most_pairs))
    assert [state for part in parts for state in states_of(part)] == states_of(batch)
    assert all(part.pairs[-1] <= most_pairs or part.states == 1 for part in parts)


VOCABULARY = Vocabulary((Symbol("on", 2, static=False), Symbol("on_g", 2, static=True, goal_of="on")))


def test_the_uses_of_a_goal_count_instances_and_not_trajectories() -> None:
    bare = Structure(VOCABULARY, ("a", "b"))
    goal = Structure(VOCABULARY, ("a", "b"), frozenset({bare.atom("on_g", "a", "b")}))
    state = Interpretation(frozenset())
    other = Structure(VOCABULARY, ("a", "b"), frozenset({bare.atom("on_g", "b", "a")}))
    assert state_batch([(goal, [state]), (goal, [state]), (bare, [state])]).goal_versions() == frozenset()
    assert state_batch([(goal, [state]), (other, [state]), (bare, [state])]).goal_versions() == {"on_g"}


def test_pairs_of_large_batches_take_hardly_more_memory_than_they_are_kept_in() -> None:
    structures = [Structure(VOCABULARY, tuple(f"o{n}" for n in range(size))) for size in (50, 60, 70)]
    batch = state_batch([(structure, [Interpretation(frozenset())] * 30) for structure in structures])
    tracemalloc.start()
    kept = sum(nodes.nbytes for nodes in batch.pair_nodes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.8 * kept


def test_a_concept_has_no_value() -> None:
    batch = state_batch([(Structure(VOCABULARY, ("a",)), [Interpretation(frozenset())])])
    with pytest.raises(FeatureError, match="c_top is a concept"):
        evaluate([expression("c_top")], batch)


def test_an_unknown_predicate_is_named() -> None:
    batch = state_batch([(Structure(VOCABULARY, ("a",)), [Interpretation(frozenset())])])
    with pytest.raises(FeatureError, match="off"):
        evaluate([expression("n_count", expression("c_primitive", "off", 0))], batch)


def test_trajectories_of_two_domains_are_refused() -> None:
    other = Vocabulary((Symbol("off", 0, static=False),))
    state = Interpretation(frozenset())
    with pytest.raises(InputError, match="trajectory 2 has other predicates"):
        state_batch([(Structure(VOCABULARY, ("a",)), [state]), (Structure(other, ("a",)), [state])])


def test_an_instance_without_objects_is_evaluated() -> None:
    batch = state_batch([(Structure(VOCABULARY, ()), [Interpretation(frozenset())])])
    role = expression("r_transitive_closure", expression("r_primitive", "on", 0, 1))
    top = expression("c_top")
    chosen = [
        expression("n_count", role),
        expression("b_empty", top),
        expression("n_concept_distance", top, role, top),
    ]
    assert evaluate(chosen, batch).values.ravel().tolist() == [0, 1, INFINITE]


def test_no_trajectory_and_an_empty_one_are_refused() -> None:
    with pytest.raises(InputError, match="no training trajectory"):
        state_batch([])
    with pytest.raises(InputError, match="trajectory 1 has no state"):
        state_batch([(Structure(VOCABULARY, ("a",)), [])])


def test_a_function_without_a_value_is_named() -> None:
    vocabulary = Vocabulary((), functions=("cost",))
    states = [Interpretation(frozenset(), {"cost": 1.0}), Interpretation(frozenset())]
    with pytest.raises(FeatureError, match="'cost' has no value in training state 2"):
        evaluate([expression("n_function", "cost")], state_batch([(Structure(vocabulary, ("a",)), states)]))


def test_a_number_beyond_what_a_feature_can_have_is_the_largest_one() -> None:
    """Scaled up again and again a number is infinite, which ended `learn` with an internal error."""
    structure = Structure(Vocabulary((), functions=("cost",)), ("a",))
    states = [Interpretation(frozenset(), {"cost": value}) for value in (2.9, 1e12, math.inf, -math.inf)]
    chosen = [expression("n_function", "cost")]
    expected = [2, INFINITE, INFINITE, -INFINITE]
    assert evaluate(chosen, state_batch([(structure, states)])).values.ravel().tolist() == expected
    assert [bind(chosen, structure).start(state).values[0] for state in states] == expected


BENCHMARKS = Path(__file__).parents[2] / ".." / "shared" / "benchmarks"
DOMAINS = sorted(path.parent.name for path in BENCHMARKS.glob("*/domain.pddl"))


def training_states(domain: str) -> StateBatch:
    """The states of the five training plans of a benchmark domain."""
    known = Domain.load(BENCHMARKS / domain / "domain.pddl")
    trajectories: list[Trajectory] = []
    for problem in sorted((BENCHMARKS / domain / "train").glob("*.pddl")):
        visited = trajectory(Task.load(known, problem), read_plan(problem.with_suffix(".plan")))
        trajectories.append((visited.structure, visited.states))
    return state_batch(trajectories)


@pytest.mark.slow
@pytest.mark.skipif(not DOMAINS, reason="the shared benchmarks are not there")
@pytest.mark.parametrize("domain", DOMAINS)
def test_values_on_a_benchmark_domain_are_those_of_the_definitions(domain: str) -> None:
    batch = training_states(domain)
    states = states_of(batch)

    @given(features(batch.vocabulary), st.lists(st.integers(0, batch.states - 1), min_size=1, max_size=3))
    @settings(max_examples=60)
    def agree(feature: Expression, chosen: list[int]) -> None:
        values = evaluate([feature], batch).values[0]
        for number in chosen:
            assert values[number] == bruteforce.evaluate(feature, *states[number])

    agree()
