"""Which program is preferred, and how programs grow."""

from __future__ import annotations

import numpy as np

from trailmark.discovery.counters import extended
from trailmark.features.states import Valuations
from trailmark.features.text import parse
from trailmark.learning.selection import INCOMPLETE_WEIGHT, CandidateProgram, Material, Tried, _ranked, select
from trailmark.learning.validation import Outcome, Score, Trials
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
