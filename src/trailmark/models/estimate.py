"""The loop counters as an estimate of an instance's size and plan length (paper, end of Section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trailmark.landmarks.guidance import Guidance, Valuation

DECIMALS = 6
"""Coefficients are rounded, so that a model file does not depend on the last bits of an arithmetic."""


@dataclass(frozen=True)
class Estimate:
    """How plan length grew with the counters in training: `base + Σ per_pass · passes`, least squares."""

    base: float
    per_pass: tuple[float, ...]
    """Steps a pass, for each loop."""
    largest_error: float
    """By how many steps a training plan differs at most."""
    trajectories: int


@dataclass(frozen=True)
class Expectation:
    """What the counters say of a new instance."""

    passes: tuple[int, ...]
    """For each loop how often its landmark is to be achieved."""
    length: int | None
    """The expected plan length; None where the model holds no estimate."""


def fit_estimate(counts: Sequence[Sequence[int]], lengths: Sequence[int]) -> Estimate:
    """Fit plan lengths to the counters of the training trajectories, in the same order.

    A pass never takes fewer than no steps: counters that the fit would give less are left out of it,
    the least one first.
    """
    table = np.array([[1, *passes] for passes in counts], dtype=np.float64)
    steps = np.array(lengths, dtype=np.float64)
    used = list(range(table.shape[1]))
    solution = np.zeros(len(used))
    while True:
        solution[:] = 0
        solution[used] = np.linalg.lstsq(table[:, used], steps, rcond=None)[0]
        least = min(used[1:], key=lambda place: solution[place], default=0)
        if least == 0 or solution[least] >= 0:
            break
        used.remove(least)
    error = float(np.abs(table @ solution - steps).max())
    base, *slopes = (_rounded(float(coefficient)) for coefficient in solution)
    return Estimate(base, tuple(slopes), _rounded(error), len(lengths))


def expect(guidance: Guidance, estimate: Estimate | None, initial: Valuation) -> Expectation:
    """Expected passes and plan length for an instance with this initial valuation."""
    counts = guidance.passes(initial)
    if estimate is None:
        return Expectation(counts, None)
    length = estimate.base + sum(
        slope * count for slope, count in zip(estimate.per_pass, counts, strict=True)
    )
    return Expectation(counts, max(0, round(length)))


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # turns -0.0 into 0.0
