"""The tests and fits agree with SciPy and NumPy; the expected values were computed by these."""

from __future__ import annotations

import math
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.bench.statistics import (
    deviation,
    geometric_mean,
    paired_t,
    power_fit,
    two_sided,
    wilcoxon,
)

FIRST = [10, 200, 3000, 40000, 12, 55, 70, 81, 900]
SECOND = [8, 150, 3100, 12000, 12, 40, 70.5, 60, 300]


def test_the_paired_t_test_agrees_with_scipy() -> None:
    result = paired_t(FIRST, SECOND)
    assert result is not None
    assert result.statistic == pytest.approx(1.0234234051825721)
    assert result.p == pytest.approx(0.33605546876608244)


def test_the_signed_rank_test_agrees_with_scipy() -> None:
    result = wilcoxon(FIRST, SECOND)
    assert result is not None
    assert result.statistic == 7.0
    assert result.p == pytest.approx(0.1484375)


def test_many_pairs_are_tested_with_the_normal_approximation() -> None:
    rng = Random(1)
    first = [rng.random() for _ in range(80)]
    second = [rng.random() * 1.1 for _ in range(80)]
    t, rank = paired_t(first, second), wilcoxon(first, second)
    assert t is not None
    assert rank is not None
    assert (t.statistic, t.p) == pytest.approx((-0.6714760538060633, 0.5038761024458063))
    assert (rank.statistic, rank.p) == pytest.approx((1490.0, 0.5329446143222067))


@given(st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=8))
def test_the_signed_rank_p_value_is_that_of_all_choices_of_signs(differences: list[int]) -> None:
    result = wilcoxon(differences, [0] * len(differences))
    assert result is not None
    sizes = [abs(difference) for difference in differences]
    ranks = [sum(other < size for other in sizes) + (sizes.count(size) + 1) / 2 for size in sizes]
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    share = sum(total <= result.statistic for total in sums) / len(sums)
    assert result.p == pytest.approx(min(1.0, 2 * share))


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (12.706204736432095, 1, 0.05),
        (-4.302652729911275, 2, 0.05),
        (3.169272671, 10, 0.01),
        (2.0930240544, 19, 0.05),
        (0.0, 7, 1.0),
        (60.0, 29, 0.0),
    ],
)
def test_the_p_value_of_t_is_that_of_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert two_sided(statistic, freedom) == pytest.approx(p, abs=1e-9)


def test_tests_without_variation_or_pairs_have_no_result() -> None:
    assert paired_t([1], [2]) is None
    assert paired_t([1, 2], [1, 2]) is None
    assert wilcoxon([1, 2], [1, 2]) is None


def test_a_power_law_is_recovered() -> None:
    fit = power_fit([(1, 3), (2, 13), (4, 45), (8, 200)])
    assert fit is not None
    assert fit.exponent == pytest.approx(1.996809444534929)
    exact = power_fit([(x, 5 * x**1.5) for x in (1, 10, 100)])
    assert exact is not None
    assert (exact.exponent, exact.r_squared) == pytest.approx((1.5, 1))
    assert power_fit([(3, 1), (3, 2)]) is None


def test_small_figures() -> None:
    assert geometric_mean([1, 100]) == pytest.approx(10)
    assert deviation([2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx(math.sqrt(32 / 7))
    assert deviation([1]) is None
