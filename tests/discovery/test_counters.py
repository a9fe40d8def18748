"""Counters against their definitions, by brute force over small random valuations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.discovery.tables import valuations
from trailmark.discovery.counters import (
    CounterCandidate,
    covering,
    extended,
    first_counters,
    further_counters,
    gap_effort,
    record_counters,
)
from trailmark.features.states import Valuations
from trailmark.features.text import parse
from trailmark.landmarks.progression import acceptances, satisfies
from trailmark.programs.program import Program


def paths(valuations: Valuations, row: int) -> list[list[int]]:
    return [valuations.values[row, start:stop].tolist() for start, stop in pairwise(valuations.offsets)]


def is_first(valuations: Valuations, row: int) -> bool:
    found = paths(valuations, row)
    falls = all(after <= before for path in found for before, after in pairwise(path))
    one_end = len({path[-1] for path in found}) == 1
    moves = any(path[0] > path[-1] for path in found)
    differ = len({path[0] for path in found}) > 1 or len(found) == 1
    return falls and one_end and moves and differ


@given(st.booleans().flatmap(lambda falling: valuations(falling=falling)))
def test_first_counters_fall_to_one_value_from_different_ones(table: Valuations) -> None:
    for row in range(len(table.features)):
        assert bool(first_counters(table, [row])) == is_first(table, row)


@given(valuations())
def test_record_counters_end_at_their_least_value_but_may_rise(table: Valuations) -> None:
    for row in range(len(table.features)):
        for counter in record_counters(table, [row]):
            assert not is_first(table, row)
            assert all(path[-1] == min(path) == counter.least for path in paths(table, row))


@given(valuations(), st.data())
def test_the_lows_are_less_than_all_states_before(table: Valuations, data: st.DataObject) -> None:
    places = st.lists(st.integers(0, len(table.features) - 1), min_size=1, max_size=3, unique=True)
    rows = tuple(data.draw(places))
    counter = extended(table, rows, 0)
    found, effort = set(), 0
    for path, start in enumerate(table.offsets[:-1]):
        states = list(zip(*(paths(table, row)[path] for row in rows), strict=True))
        least = [index for index in range(1, len(states)) if states[index] < min(states[:index])]
        found |= {start + index for index in least}
        effort += sum((after - before) ** 2 for before, after in pairwise([0, *least, len(states) - 1]))
    assert counter.lows == found
    assert counter.effort == gap_effort(table, counter.lows) == effort


@given(valuations())
def test_a_further_counter_brings_the_lows_closer(table: Valuations) -> None:
    for counter in first_counters(table):
        for more in further_counters(table, counter, limit=3):
            assert more.rows[:-1] == counter.rows
            assert more.effort < counter.effort
            assert more == extended(table, more.rows, counter.least)


def falls_inside(table: Valuations, counter: CounterCandidate, row: int) -> tuple[bool, bool]:
    """Whether a feature falls, and whether it rises, in a step before the last low that leads to no low."""
    steps: list[int] = []
    for start, stop in pairwise(table.offsets):
        last = max((low for low in counter.lows if start < low < stop), default=start)
        inside = [state for state in range(start, last) if state + 1 not in counter.lows]
        steps += [int(table.values[row, state + 1]) - int(table.values[row, state]) for state in inside]
    return any(step < 0 for step in steps), any(step > 0 for step in steps)


@given(valuations(falling=True))
def test_every_feature_that_falls_inside_passes_and_shortens_gaps_is_a_further_one(table: Valuations) -> None:
    for counter in first_counters(table):
        found = further_counters(table, counter, limit=len(table.features))
        wanted = [
            extended(table, (*counter.rows, row), counter.least)
            for row in range(len(table.features))
            if row not in counter.rows and falls_inside(table, counter, row)[0]
        ]
        assert {more.lows for more in found} == {more.lows for more in wanted if more.effort < counter.effort}
        rises = [falls_inside(table, counter, more.rows[-1])[1] for more in found]
        assert rises == sorted(rises)


def test_goal_counters_are_kept_that_fall_where_no_other_does_in_the_order_they_end() -> None:
    features = tuple(parse(f"n_count(c_primitive({name},0))") for name in ("left", "open", "far"))
    values = np.array([[2, 2, 1, 1, 0], [3, 2, 1, 1, 1], [5, 5, 4, 4, 4]], dtype=np.int32)
    table = Valuations(features, values, (0, 5))
    left, overlapping, inside = (extended(table, (row,), values[row, -1]) for row in range(3))
    assert inside.lows < left.lows
    assert left.lows & overlapping.lows not in (frozenset(), left.lows, overlapping.lows)
    assert covering(table, [inside, left, overlapping]) == [overlapping, left]


@given(valuations())
def test_a_program_accepts_at_the_drops_of_its_counter(table: Valuations) -> None:
    for counter in first_counters(table):
        program = Program((counter.counter(table.features),))
        for path in paths(table, counter.rows[0]):
            accepted, _ = acceptances(program, [[value] for value in path])
            drops = [index for index, (a, b) in enumerate(pairwise(path), start=1) if b < a]
            assert [each.state for each in accepted] == drops
            if all(a - b in (0, 1) for a, b in pairwise(path)):
                assert satisfies(program, [[value] for value in path])
