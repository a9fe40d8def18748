"""Budgets of time and memory."""

from __future__ import annotations

import gc
import os
import time

import pytest

from trailmark.errors import InputError, MemoryLimitError, TimeLimitError
from trailmark.limits import (
    UNLIMITED,
    Budget,
    peak_megabytes,
    proportional_megabytes,
    resident_megabytes,
    seldom_collected,
    uncollected,
)


def test_no_limit_never_expires() -> None:
    assert UNLIMITED.remaining() == float("inf")
    assert not UNLIMITED.expired()
    assert not UNLIMITED.memory_exceeded()
    UNLIMITED.check()


def test_a_budget_expires_when_its_time_is_over() -> None:
    budget = Budget(10, started=time.monotonic() - 9)
    assert not budget.expired()
    assert 0 < budget.remaining() <= 1
    over = Budget(10, started=time.monotonic() - 11)
    assert over.expired()
    assert over.remaining() < 0
    with pytest.raises(TimeLimitError, match="the time limit of 10 s was reached while dreaming"):
        over.check("dreaming")


def test_a_memory_budget_is_exceeded_by_a_larger_process() -> None:
    assert Budget(megabytes=1).memory_exceeded()
    assert not Budget(megabytes=1e6).memory_exceeded()
    with pytest.raises(MemoryLimitError, match="the memory limit of 1 MB was reached"):
        Budget(megabytes=1).check()


@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_limit_must_be_above_zero(value: float) -> None:
    with pytest.raises(InputError, match="time limit"):
        Budget(seconds=value)
    with pytest.raises(InputError, match="memory limit"):
        Budget(megabytes=value)


def test_a_part_never_has_more_than_is_left() -> None:
    budget = Budget(10, 500, started=time.monotonic() - 8)
    assert budget.part(60).seconds == pytest.approx(2, abs=0.5)
    assert budget.part(1).seconds == 1
    assert budget.part(1).megabytes == 500
    assert UNLIMITED.part(5).seconds == 5
    assert Budget(1, started=time.monotonic() - 5).part(3).expired()


def test_memory_is_told_in_megabytes() -> None:
    used = resident_megabytes()
    assert used is not None
    assert 5 < used < 50_000
    assert peak_megabytes() >= used * 0.9
    shared = proportional_megabytes(os.getpid())
    assert shared is not None
    assert 0 < shared <= used * 1.2
    assert resident_megabytes(2**22 + 1) is None


def test_garbage_is_looked_for_as_before_after_something_was_read_or_searched() -> None:
    before = gc.get_threshold(), gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        read = [[place] for place in range(5_000)]
    assert any(old is read[-1] for old in gc.get_objects(generation=2)), "what was read is not looked at anew"
    with seldom_collected(123_456):
        assert gc.get_threshold()[0] == 123_456
        assert gc.get_freeze_count() > 0
    assert (gc.get_threshold(), gc.isenabled()) == before
    assert gc.get_freeze_count() == 0
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
