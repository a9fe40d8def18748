"""Cases from the tests' Hypothesis strategies, so many of them, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

Case = TypeVar("Case")


def for_each(cases: SearchStrategy[Case], number: int, count: int, check: Callable[[Case], None]) -> None:
    """Calls `check`, which must not raise, with `count` cases drawn from the seed `number`.

    Hypothesis stops early where a strategy has no more cases that differ.
    """

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def run(case: Case) -> None:
        check(case)

    run()
