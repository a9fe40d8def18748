"""Incremental evaluation along random walks in the public domains, against the batched evaluator."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.oracles.strategies import features
from trailmark.features.batch import evaluate
from trailmark.features.incremental.evaluation import bind
from trailmark.features.states import state_batch
from trailmark.relational import Interpretation, Structure
from trailmark.task.task import Task

BENCHMARKS = Path(__file__).parents[2] / "../shared/benchmarks"
DOMAINS = sorted(path.parent.name for path in BENCHMARKS.glob("*/domain.pddl"))
STEPS = 25


@cache
def walk(domain: str) -> tuple[Structure, list[Interpretation], list[tuple[list[int], list[int]]]]:
    """The states of a random walk from the start of the first training instance, and their changes."""
    folder = BENCHMARKS / domain
    task = Task.load(folder / "domain.pddl", sorted((folder / "train").glob("*.pddl"))[0])
    chance, state = random.Random(domain), task.initial_state
    states, changes = [task.interpretation(state)], []
    for _ in range(STEPS):
        successors = task.successors(state)
        if not successors:
            break
        action, reached, _ = chance.choice(successors)
        changes.append(task.change(state.atoms, action, reached))
        states.append(task.interpretation(reached))
        state = reached
    return task.structure, states, changes


@pytest.mark.slow
@pytest.mark.skipif(not DOMAINS, reason="needs the public domains beside the repository")
@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
def test_walks_are_evaluated_as_in_a_batch(domain: str, data: st.DataObject) -> None:
    structure, states, changes = walk(domain)
    chosen = data.draw(st.lists(features(structure.vocabulary), min_size=8, max_size=8))
    batched = evaluate(chosen, state_batch([(structure, states)])).values.T.tolist()
    root = evaluation = bind(chosen, structure).start(states[0])
    assert list(evaluation.values) == batched[0]
    first = states[0].atoms
    for state, (added, deleted), right in zip(states[1:], changes, batched[1:], strict=True):
        evaluation = evaluation.after(added, deleted, state.values)
        assert list(evaluation.values) == right
        assert list(root.values_after(state.atoms - first, first - state.atoms, state.values)) == right
