"""Which program is preferred, and how programs grow."""

from __future__ import annotations

import numpy as np

from trailmark.discovery.counterfirst import loop_graph
from trailmark.discovery.counters import Counter, extended
from trailmark.features.text import parse
from trailmark.features.valuations import Valuations
from trailmark.learning.selection import INCOMPLETE_WEIGHT, Program, Tried, _rank, select
from trailmark.learning.validation import Score

FEATURES = tuple(parse(f"n_count(c_primitive({name},0))") for name in ("left", "waiting"))
TABLE = Valuations(FEATURES, np.array([[2, 2, 1, 1, 0], [2, 1, 1, 0, 0]], dtype=np.int32), (0, 5))


def tried(counter: Counter, effort: float, *, complete: bool) -> Tried:
    graph = loop_graph(FEATURES, [counter])
    return Tried(Program((counter,), graph, 4, counter.effort, complete), Score(0, effort))


def test_a_program_that_leaves_work_to_be_done_must_plan_far_better() -> None:
    counter = extended(TABLE, (0,), 0)
    whole = _rank(tried(counter, 100.0, complete=True))
    assert whole < _rank(tried(counter, 101.0 / INCOMPLETE_WEIGHT, complete=False))
    assert _rank(tried(counter, 99.0 / INCOMPLETE_WEIGHT, complete=False)) < whole


def test_a_counter_grows_by_a_feature_that_falls_inside_its_passes() -> None:
    found = select(TABLE, [(extended(TABLE, (0,), 0),)], easy=())
    assert {each.program.counters[0].rows for each in found.tried} == {(0,), (0, 1)}
