"""Which program is preferred, and how programs grow."""

from __future__ import annotations

import numpy as np

from trailmark.discovery.counters import extended
from trailmark.features.states import Valuations
from trailmark.features.text import parse
from trailmark.learning.selection import (
    INCOMPLETE_WEIGHT,
    CandidateProgram,
    Material,
    Tried,
    _ranked,
    _Search,
    select,
)
from trailmark.learning.validation import Outcome, Score, Trials
from trailmark.limits import UNLIMITED
from trailmark.programs.program import Program

FEATURES = tuple(parse(f"n_count(c_primitive({name},0))") for name in ("left", "waiting"))
TABLE = Valuations(FEATURES, np.array([[2, 2, 1, 1, 0], [2, 1, 1, 0, 0]], dtype=np.int32), (0, 5))


def tried(effort: float | None, *, complete: bool = True, gaps: float = 1.0) -> Tried:
    counter = extended(TABLE, (0,), 0)
    program = CandidateProgram((counter,), Program((counter.counter(FEATURES),)), 4, gaps, complete)
    return Tried(program, Score((Outcome(effort is not None, effort or 0.0),)))


def test_a_program_that_leaves_work_to_be_done_must_plan_far_better() -> None:
    whole = tried(100.0)
    worse, better = (tried(each / INCOMPLETE_WEIGHT, complete=False) for each in (101.0, 99.0))
    assert _ranked([worse, whole]) == [whole, worse]
    assert _ranked([whole, better]) == [better, whole]


def test_where_nobody_solves_a_trial_the_gaps_in_training_plans_decide() -> None:
    far, near, solving = tried(None, gaps=9.0), tried(None, gaps=3.0), tried(50.0, gaps=20.0)
    assert _ranked([far, near]) == [near, far]
    assert _ranked([far, near, solving])[0] is solving


def test_a_counter_grows_by_a_feature_that_falls_inside_its_passes() -> None:
    found = select(Material(TABLE, [(extended(TABLE, (0,), 0),)]), Trials((), ()))
    assert {each.program.counters[0].rows for each in found.tried} == {(0,), (0, 1)}


def test_a_program_grows_by_a_counter_that_falls_where_none_of_its_own_does() -> None:
    features = tuple(parse(f"n_count(c_primitive({name},0))") for name in ("left", "open", "far"))
    values = np.array([[2, 2, 1, 1, 0], [3, 2, 1, 1, 1], [5, 5, 4, 4, 1]], dtype=np.int32)
    table = Valuations(features, values, (0, 5))
    left, overlapping, alike = (extended(table, (row,), values[row, -1]) for row in range(3))
    assert left.lows & overlapping.lows not in (frozenset(), left.lows, overlapping.lows)
    for other, together in ((overlapping, {(0, 1), (1, 0)}), (alike, set[tuple[int, ...]]())):
        found = select(Material(table, [(left,), (other,)]), Trials((), ()))
        rows = [tuple(counter.rows[0] for counter in each.program.counters) for each in found.tried]
        assert {row for row in rows if len(row) > 1} == together


def test_a_program_may_fail_one_trial_more_than_the_best_but_no_more_than_half() -> None:
    search = _Search(Material(TABLE, ()), Trials((), ()), UNLIMITED, print, None)
    assert search._failures(range(6)) == 3
    for failed, allowed in ((5, 3), (1, 2), (4, 2)):
        score = Score(tuple(Outcome(number >= failed, 1.0) for number in range(6)))
        search.tried[((failed,),)] = Tried(tried(1.0).program, score)
        assert search._failures(range(6)) == allowed
