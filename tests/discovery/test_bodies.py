"""Bodies of counters against their definition, by brute force over small random valuations."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given, settings

from tests.discovery.tables import valuations
from trailmark.discovery.bodies import bodies
from trailmark.discovery.counterfirst import loop_graph
from trailmark.discovery.counters import Counter, Literal, first_counters, gap_effort
from trailmark.features.text import parse
from trailmark.features.valuations import Valuations
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.limits import UNLIMITED
from trailmark.search.leap import LeapOptions
from trailmark.search.leap.course import Course

ALL = 1_000


def passes(table: Valuations, counter: Counter) -> list[tuple[int, int, int]]:
    """The trajectory of each pass, its first state and the one in which the counter is less."""
    found = []
    for path, (start, stop) in enumerate(pairwise(table.offsets)):
        values = table.values[counter.rows[0], start:stop].tolist()
        begin = 0
        for state in range(1, len(values)):
            if values[state] < values[begin]:
                found.append((path, begin, state))
                begin = state
    return found


def stones_with(
    table: Valuations, counter: Counter, body: tuple[Literal, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """The stepping stones of the counter with this body; None where a pass goes without a landmark of it."""
    found: list[set[int]] = [set() for _ in range(table.trajectories)]
    for path, begin, drop in passes(table, counter):
        place = begin
        for row, holds in body:
            values = table.values[row, table.offsets[path] : table.offsets[path + 1]]
            states = [state for state in range(place, drop) if (values[state] > 0) == holds]
            if not states:
                return None
            place = states[0]
            found[path].add(place)
        found[path].add(drop)
    return tuple(tuple(sorted(each - {0})) for each in found)


def longer(table: Valuations, body: tuple[Literal, ...]) -> list[tuple[Literal, ...]]:
    literals = list(product(range(len(table.features)), (True, False)))
    places = range(len(body) + 1)
    return [(*body[:place], literal, *body[place:]) for place in places for literal in literals]


@given(valuations())
@settings(deadline=None)
def test_a_body_holds_in_every_pass_and_none_that_brings_stones_closer_is_missed(table: Valuations) -> None:
    for counter in first_counters(table)[:1]:
        grown = bodies(table, counter, ALL)
        for start in (counter, *grown[:2]):
            expected = {
                stones
                for body in longer(table, start.body)
                if (stones := stones_with(table, counter, body)) is not None
                and gap_effort(table, [stones]) < start.effort
            }
            found = bodies(table, start, ALL)
            assert {each.stones for each in found} == expected
            for each in found:
                assert each.stones == stones_with(table, counter, each.body)
                assert each.effort == gap_effort(table, [each.stones])


@given(valuations())
@settings(deadline=None)
def test_leap_search_commits_on_a_trajectory_at_its_stepping_stones(table: Valuations) -> None:
    for counter in first_counters(table)[:1]:
        for each in bodies(table, counter, 3):
            graph = loop_graph(table.features, [each])
            columns = [table.features.index(feature) for feature in graph.features]
            for path, (start, stop) in enumerate(pairwise(table.offsets)):
                states = table.values[columns, start:stop].T.tolist()
                assert commits(graph, states) == list(each.stones[path])


def commits(graph: LandmarkGraph, states: list[list[int]]) -> list[int]:
    course = Course(graph, LeapOptions(), UNLIMITED)
    course.start(states[0])
    found = []
    for number, values in enumerate(states[1:], start=1):
        accepts, before = course.accepts(values), course.status
        course.advance(values)
        assert accepts == (course.status is not before)
        found += [number] if accepts else []
    return found


def test_a_pass_that_ends_early_skips_the_rest_of_its_body() -> None:
    left, first, second = (parse(f"n_count(c_primitive({name},0))") for name in ("left", "one", "two"))
    table = Valuations((left, first, second), np.array([[2, 2, 1], [0, 1, 1], [0, 0, 0]]), (0, 3))
    graph = loop_graph(table.features, [Counter((0,), 0, ((),), 0.0, ((1, True), (2, True)))])
    assert [str(each) for each in graph.landmarks] == [
        f"{{{first}}}",
        f"{{{second}}}",
        f"{{decreases {left}}}",
    ]
    assert (graph.loops[0].source, graph.loops[0].target) == (2, 0)
    assert graph.pass_ends == (2, 2, None, None)
    places = [table.features.index(feature) for feature in graph.features]
    states = table.values[places].T.tolist()
    assert commits(graph, states) == [1, 2]
    course = Course(graph, LeapOptions(), UNLIMITED)
    course.start(states[0])
    course.whole_pass = True
    assert [course.accepts(values) for values in states] == [False, False, True]
    course.advance(states[2])
    assert course.status.next == 1, "the next pass has the first landmark of its body already"
