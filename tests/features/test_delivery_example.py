"""The paper's Section "Full Example", recomputed with features 1 to 5."""

from __future__ import annotations

import pytest

from tests.features.delivery_features import (
    FEATURES,
    TEXTS,
    VOCABULARY,
    example_states,
    example_structure,
)
from tests.oracles.bruteforce import evaluate
from trailmark.features.syntax import Kind
from trailmark.features.text import check, parse

# What the section says of each state t0 … t21: which of d1 to d4 hold, and the value v1.
# d1: an empty truck; d2: a cell with only trucks; d3: a truck at a goal cell; d4: an empty one there.
DESCRIPTORS = """
    d1 d2        | d1 d2        | d1           | d2           | d2           | d2           | d2 d3
    d1 d3 d4     | d1 d2        | d1           | d1           | d2           | d2           | d2
    d3           | d1 d3 d4     | d1 d2        | d1           | d2           | d2           | d3
    d1 d3 d4
"""
UNDELIVERED = [3] * 7 + [2] * 8 + [1] * 6 + [0]


def expected_descriptors() -> list[set[str]]:
    return [set(part.split()) for row in DESCRIPTORS.strip().splitlines() for part in row.split("|")]


def test_the_ten_features_print_parse_and_fit_the_domain() -> None:
    assert list(FEATURES) == [f"f{number}" for number in range(1, 11)]
    for name, feature in FEATURES.items():
        assert str(feature) == TEXTS[name]
        assert parse(str(feature)) is feature
        assert feature.kind is Kind.NUMERICAL
        check(feature, VOCABULARY)


def test_f1_to_f4_hold_where_the_section_says_d1_to_d4_hold() -> None:
    structure = example_structure()
    found = [
        {f"d{n}" for n in range(1, 5) if int(evaluate(FEATURES[f"f{n}"], structure, state)) > 0}  # type: ignore[arg-type]
        for state in example_states(structure)
    ]
    assert found == expected_descriptors()


def test_f5_counts_the_packages_still_to_deliver() -> None:
    structure = example_structure()
    values = [evaluate(FEATURES["f5"], structure, state) for state in example_states(structure)]
    assert values == UNDELIVERED


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("f6", {2, 7, 9, 10, 15, 17, 21}),
        ("f7", set(range(21)) - {7, 15}),
        ("f8", {3, 4, 5, 11, 12, 13, 18, 19}),
        ("f9", {6, 14, 20}),
        ("f10", set(range(7, 22))),
    ],
)
def test_f6_to_f10_hold_where_their_explanations_say(name: str, states: set[int]) -> None:
    structure = example_structure()
    values = [evaluate(FEATURES[name], structure, state) for state in example_states(structure)]
    assert {number for number, value in enumerate(values) if value} == states
