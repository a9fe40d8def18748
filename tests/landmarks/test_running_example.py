"""The hand-computed running example says what its description-logic expressions say."""

from __future__ import annotations

from tests.features.delivery_features import example_states, example_structure
from tests.landmarks import running_example as example
from tests.oracles.bruteforce import evaluate


def test_the_expressions_of_the_running_example_have_its_values() -> None:
    structure = example_structure()
    states = example_states(structure)
    assert len(states) == len(example.FULL_EXAMPLE)
    for world, state in zip(example.FULL_EXAMPLE, states, strict=True):
        assert [int(evaluate(each, structure, state)) for each in example.FEATURES] == world.values  # type: ignore[arg-type]
