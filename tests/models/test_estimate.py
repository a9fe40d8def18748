"""The loop counters as an estimate of plan length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks import running_example as example
from trailmark.models.model import expect, fit_estimate


def test_the_appendix_takes_four_steps_a_package() -> None:
    estimate = fit_estimate([(1,), (2,), (3,)], [4, 8, 12])
    assert estimate.per_pass == pytest.approx((4.0,))
    assert estimate.base == pytest.approx(0.0)
    assert estimate.largest_error == pytest.approx(0.0)


def test_a_new_instance_gets_its_passes_and_a_length() -> None:
    graph = example.PAPER_GRAPH
    initial = example.graph_states(graph, example.HEURISTIC_EXAMPLE)[0]
    estimate = fit_estimate([(1,), (2,), (3,)], [4, 8, 12])
    assert graph.passes(initial) == (3,)
    assert expect(graph, estimate, initial).length == 12
    assert expect(graph, None, initial).length is None


@given(st.floats(0, 50), st.floats(0, 20), st.lists(st.integers(1, 30), min_size=2, max_size=8, unique=True))
def test_lengths_on_a_line_are_found_again(base: float, slope: float, counts: list[int]) -> None:
    lengths = [round(base) + round(slope) * count for count in counts]
    estimate = fit_estimate([(count,) for count in counts], lengths)
    assert estimate.largest_error < 1e-4
    assert estimate.per_pass[0] == pytest.approx(round(slope), abs=1e-3)


def test_without_loops_the_estimate_is_the_mean() -> None:
    assert fit_estimate([(), ()], [4, 8]).base == pytest.approx(6.0)


def test_a_pass_never_takes_fewer_than_no_steps() -> None:
    counts = [(1, 3), (2, 2), (3, 2), (5, 1)]
    estimate = fit_estimate(counts, [4, 9, 12, 21])
    assert estimate.per_pass[1] == 0
    assert estimate.per_pass[0] == pytest.approx(
        fit_estimate([each[:1] for each in counts], [4, 9, 12, 21]).per_pass[0]
    )
