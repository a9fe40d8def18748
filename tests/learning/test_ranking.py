"""What makes one graph better than another: trials weigh alike, and those that nobody solves do not count."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from trailmark.learning.validation import UNSOLVED_WEIGHT, Outcome, Rank, Score, least_complex, ranks


def score(*efforts: float | None) -> Score:
    """Efforts by trial, None for those that are not solved."""
    return Score(tuple(Outcome(each is not None, 7.0 if each is None else each) for each in efforts))


def test_effort_is_compared_trial_by_trial() -> None:
    first, second = ranks([score(10, 1000), score(20, 500)])
    assert isclose(first.effort, second.effort)
    assert isclose(first.effort, 2**0.5)


def test_a_trial_that_others_solve_counts_more_than_the_most_effort_on_it() -> None:
    first, second, third = ranks([score(10, 100), score(30, 100), score(None, 50)])
    assert (first.unsolved, second.unsolved, third.unsolved) == (0, 0, 1)
    assert isclose(third.effort, (UNSOLVED_WEIGHT * 30 / 10) ** 0.5)


@given(st.lists(st.tuples(st.floats(1, 1e6), st.floats(1, 1e6)), min_size=1, max_size=6))
def test_trials_that_nobody_solves_change_nothing(efforts: list[tuple[float, float]]) -> None:
    plain = ranks([score(*each) for each in efforts])
    assert ranks([score(each[0], None, each[1], None) for each in efforts]) == plain


def test_without_any_solved_trial_all_are_equal() -> None:
    assert ranks([score(None), score(None)]) == [Rank(0, 1.0)] * 2


def test_the_least_complex_within_the_margin_comes_first() -> None:
    rank = [Rank(0, 1.0), Rank(0, 1.1), Rank(0, 1.2), Rank(1, 1.0)]
    complexity = dict(zip("abcd", (9, 5, 1, 1), strict=True))
    assert least_complex("abcd", rank, complexity.__getitem__, 0.15) == ["b", "a"]
    assert least_complex("abcd", rank, complexity.__getitem__, 0.25) == ["c", "b", "a"]
