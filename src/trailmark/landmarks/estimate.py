"""The loop counters as an estimate of an instance's size and plan length (paper, end of Section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trailmark.landmarks.graph import LandmarkGraph, loop_count

DECIMALS = 6
"""Coefficients are rounded, so that a model file does not depend on the last bits of an arithmetic."""


@dataclass(frozen=True)
class Estimate:
    """How plan length grew with the counters in training: `base + Σ per_pass · passes`, least squares."""

    base: float
    per_pass: tuple[float, ...]
    """Steps a pass, for each loop of the graph."""
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


def passes(graph: LandmarkGraph, initial: Sequence[float]) -> tuple[int, ...]:
    """The counter of each loop in an initial state."""
    return tuple(loop_count(graph, loop, initial) for loop in graph.loops)


def fit_estimate(counts: Sequence[Sequence[int]], lengths: Sequence[int]) -> Estimate:
    """Fit plan lengths to the counters of the training trajectories, in the same order.

    A pass never takes fewer than no steps: counters that the fit would give less are left out of it,
    the least one first.
    """
    table = np.array([[1, *each] for each in counts], dtype=np.float64)
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
    base, *slopes = (_rounded(float(each)) for each in solution)
    return Estimate(base, tuple(slopes), _rounded(error), len(lengths))


def expect(graph: LandmarkGraph, estimate: Estimate | None, initial: Sequence[float]) -> Expectation:
    """Expected passes and plan length for an instance with this initial valuation."""
    counts = passes(graph, initial)
    if estimate is None:
        return Expectation(counts, None)
    length = estimate.base + sum(
        slope * count for slope, count in zip(estimate.per_pass, counts, strict=True)
    )
    return Expectation(counts, max(0, round(length)))


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # turns -0.0 into 0.0
