"""The four preprocessing rules against their wording, and what survives them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.errors import InputError
from trailmark.features.grammar import RULES, SETTINGS, preprocess
from trailmark.features.states import Valuations
from trailmark.features.syntax import INFINITE, Expression, Kind, expression

TOP = expression("c_top")


def concept(size: int) -> Expression:
    """A concept of this complexity."""
    return TOP if size == 1 else expression("c_not", concept(size - 1))


def numerical(name: int, size: int = 2) -> Expression:
    return expression("n_count", expression("c_and", concept(size), expression("c_primitive", f"p{name}", 0)))


def boolean(name: int, size: int = 2) -> Expression:
    return expression("b_empty", expression("c_and", concept(size), expression("c_primitive", f"p{name}", 0)))


@st.composite
def matrices(draw: st.DrawFn) -> Valuations:
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    offsets = (0, *np.cumsum(lengths).tolist())
    features: list[Expression] = []
    rows: list[list[int]] = []
    for name in range(draw(st.integers(0, 7))):
        is_boolean = draw(st.booleans())
        features.append((boolean if is_boolean else numerical)(name, draw(st.integers(1, 3))))
        value = st.integers(0, 1) if is_boolean else st.sampled_from([0, 1, 2, INFINITE])
        rows.append(draw(st.lists(value, min_size=offsets[-1], max_size=offsets[-1])))
    values = np.array(rows, np.int32).reshape(len(features), offsets[-1])
    return Valuations(tuple(features), values, tuple(offsets))


def as_written(valuations: Valuations, setting: str) -> tuple[set[Expression], dict[str, int]]:
    """The rules one after the other in plain Python."""
    rows = {
        feature: [
            tuple(value > 0 for value in valuations.values[index, first:last].tolist())
            for first, last in zip(valuations.offsets[:-1], valuations.offsets[1:], strict=True)
        ]
        for index, feature in enumerate(valuations.features)
    }
    order = {feature: index for index, feature in enumerate(valuations.features)}

    def better(one: Expression, other: Expression) -> bool:
        keys = [(each.complexity, each.kind is Kind.BOOLEAN, order[each]) for each in (one, other)]
        return keys[0] < keys[1]

    def opposite(row: list[tuple[bool, ...]]) -> list[tuple[bool, ...]]:
        return [tuple(not value for value in part) for part in row]

    def breaks(rule: str, feature: Expression) -> bool:
        row = rows[feature]
        if rule == "rule1":
            return any(len(set(part)) == 1 for part in row)
        if rule == "rule2":
            return any(len(set(part[1:])) == 1 and part[0] != part[1] for part in row)
        others = [each for each in left if better(each, feature)]
        wanted = row if rule == "rule3" else opposite(row)
        return any(rows[other] == wanted for other in others)

    left, removed = set(valuations.features), dict.fromkeys(RULES, 0)
    for rule in SETTINGS[setting]:
        gone = {feature for feature in left if breaks(rule, feature)}
        removed[rule] = len(gone)
        left -= gone
    return left, removed


@given(matrices(), st.sampled_from(sorted(SETTINGS)))
def test_the_rules_do_what_they_say(valuations: Valuations, setting: str) -> None:
    left, removed = as_written(valuations, setting)
    result = preprocess(valuations, setting)
    assert result.descriptors.features == tuple(each for each in valuations.features if each in left)
    assert result.removed == removed
    assert len(valuations.features) - sum(removed.values()) == len(result.descriptors.features)


@given(matrices(), st.sampled_from(sorted(SETTINGS)))
def test_every_numerical_value_survives_once(valuations: Valuations, setting: str) -> None:
    numericals = preprocess(valuations, setting).numericals
    assert all(feature.kind is Kind.NUMERICAL for feature in numericals.features)
    rows = [tuple(row) for row in numericals.values.tolist()]
    assert len(set(rows)) == len(rows)
    wanted = {
        tuple(row): min(
            each.complexity
            for each, other in zip(valuations.features, valuations.values.tolist(), strict=True)
            if each.kind is Kind.NUMERICAL and other == row
        )
        for feature, row in zip(valuations.features, valuations.values.tolist(), strict=True)
        if feature.kind is Kind.NUMERICAL
    }
    found = zip(rows, numericals.features, strict=True)
    assert {row: feature.complexity for row, feature in found} == wanted


@given(matrices(), st.sampled_from(sorted(SETTINGS)))
def test_rows_stay_with_their_features(valuations: Valuations, setting: str) -> None:
    before = dict(zip(valuations.features, valuations.values.tolist(), strict=True))
    result = preprocess(valuations, setting)
    for part in (result.descriptors, result.numericals):
        assert part.offsets == valuations.offsets
        assert all(
            before[feature] == row for feature, row in zip(part.features, part.values.tolist(), strict=True)
        )


def test_an_infinite_distance_is_positive_and_the_numerical_is_preferred() -> None:
    values = np.array([[0, 1, 1], [0, INFINITE, 3]], np.int32)
    result = preprocess(Valuations((boolean(0), numerical(1)), values, (0, 3)), "phi2")
    assert result.descriptors.features == (numerical(1),)
    assert result.removed == {"rule1": 0, "rule2": 0, "rule3": 1, "rule4": 0}


def test_the_less_complex_feature_is_preferred_to_the_numerical() -> None:
    values = np.array([[0, 2, 1], [0, 1, 1]], np.int32)
    result = preprocess(Valuations((numerical(0, 3), boolean(1, 2)), values, (0, 3)), "phi2")
    assert result.descriptors.features == (boolean(1, 2),)


def test_rule_two_leaves_what_never_changes_to_rule_one() -> None:
    values = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1]], np.int32)
    valuations = Valuations((numerical(0), numerical(1), numerical(2)), values, (0, 3))
    assert preprocess(valuations, "phi3-by-number").descriptors.features == (numerical(0), numerical(2))
    assert preprocess(valuations, "phi4").descriptors.features == (numerical(2),)


def test_phi3_leaves_what_differs_in_the_initial_state_alone() -> None:
    """As the paper's sentence says, against the rules that it numbers."""
    values = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1]], np.int32)
    valuations = Valuations((numerical(0), numerical(1), numerical(2)), values, (0, 3))
    assert preprocess(valuations, "phi3").descriptors.features == (numerical(1), numerical(2))


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(InputError, match=r"'phi5'.*phi1, phi2"):
        preprocess(Valuations((), np.zeros((0, 1), np.int32), (0, 1)), "phi5")
