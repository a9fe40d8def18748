"""Comparing two planners on the same instances, and how effort grows with size.

The paper compares expansions by paired t-tests; a few huge instances dominate those, so the signed-rank
test of Wilcoxon stands beside them.
"""

from __future__ import annotations

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

EXACT_UP_TO = 50
"""Up to this many pairs the signed-rank distribution is counted out; beyond, it is taken as normal."""


class Test(NamedTuple):
    """A test statistic and its two-sided p-value."""

    statistic: float
    p: float


class PowerFit(NamedTuple):
    """The exponent of y = c * x ** exponent, fitted by least squares on logarithmic axes."""

    exponent: float
    r_squared: float


def paired_t(first: Sequence[float], second: Sequence[float]) -> Test | None:
    """The paired t-test; positive where `first` is larger. None where the differences do not vary."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    count = len(differences)
    spread = statistics.stdev(differences) if count > 1 else 0
    if spread == 0:
        return None
    statistic = statistics.fmean(differences) / (spread / math.sqrt(count))
    return Test(statistic, two_sided(statistic, count - 1))


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> Test | None:
    """The signed-rank test; pairs without a difference are left out. None where all are."""
    differences = [a - b for a, b in zip(first, second, strict=True) if a != b]
    count = len(differences)
    if count == 0:
        return None
    ranks = _doubled_ranks([abs(difference) for difference in differences])
    positive = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference > 0)
    total = sum(ranks)
    smaller = min(positive, total - positive)
    if count <= EXACT_UP_TO:
        p = min(1.0, 2 * _share_at_most(ranks, smaller))
    else:
        deviation = math.sqrt(sum(rank * rank for rank in ranks) / 4)
        p = math.erfc(abs(positive - total / 2) / deviation / math.sqrt(2))
    return Test(smaller / 2, p)


def power_fit(points: Sequence[tuple[float, float]]) -> PowerFit | None:
    """How effort grows with size; what has no logarithm is left out. None where there are not two sizes."""
    points = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if len(set(xs)) < 2:
        return None
    exponent, intercept = statistics.linear_regression(xs, ys)
    rest = sum((y - intercept - exponent * x) ** 2 for x, y in points)
    total = sum((y - statistics.fmean(ys)) ** 2 for y in ys)
    return PowerFit(exponent, 1.0 if total == 0 else 1 - rest / total)


def mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def deviation(values: Sequence[float]) -> float | None:
    """The sample standard deviation."""
    return statistics.stdev(values) if len(values) > 1 else None


def geometric_mean(values: Sequence[float]) -> float | None:
    """Of values above 0."""
    return statistics.geometric_mean(values) if values else None


def two_sided(statistic: float, freedom: int) -> float:
    """The p-value of Student's t (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle, odd = math.atan(abs(statistic) / math.sqrt(freedom)), freedom % 2
    term, total = math.cos(angle) ** odd, 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= (power + 1) / (power + 2) * math.cos(angle) ** 2
    inside = math.sin(angle) * total
    return max(0.0, 1 - (2 / math.pi * (angle + inside) if odd else inside))


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value, so that the mean rank of ties is a whole number."""
    order = sorted(values)
    return [bisect_left(order, value) + bisect_right(order, value) + 1 for value in values]


def _share_at_most(ranks: Sequence[int], limit: int) -> float:
    """The share of all choices of signs whose positive ranks sum to at most `limit`."""
    ways = [1] + [0] * limit
    for rank in ranks:
        for total in range(limit, rank - 1, -1):
            ways[total] += ways[total - rank]
    return float(sum(ways) / 2 ** len(ranks))
