"""Possible landmarks and branches: what a state accepts, what counts as passed, what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks.graphs import NUMBERS, Units, flat, looped, trajectories, units
from trailmark.errors import InputError, ModelError
from trailmark.landmarks import (
    Landmark,
    LandmarkGraph,
    Loop,
    Policy,
    Progression,
    StateDescriptor,
    StateProgressor,
    StateValue,
    acceptances,
    parse_graph,
    satisfies,
)
from trailmark.models import Model, dumps, loads


def ways(made: Units) -> list[list[int]]:
    """Every way through the chain that leaves out nothing necessary, as positions."""
    found: list[list[int]] = [[]]
    position = 0
    for unit in made:
        options: list[list[int]] = []
        for alternative in unit:
            taken: list[list[int]] = [[]]
            for landmark in alternative:
                with_it = [[*each, position] for each in taken]
                taken = with_it + (taken if landmark.is_possible else [])
                position += 1
            options += taken
        found = [[*way, *option] for way in found for option in options]
    return found


class Walk:
    """One path through a graph straight from the definitions, by listing every way through the chain."""

    def __init__(self, made: Units, graph: LandmarkGraph, policy: Policy) -> None:
        self.graph, self.policy = graph, policy
        self.ways = ways(made)
        self.awaited = 0
        self.passed: list[int] = []
        """The landmarks of this pass that were accepted."""
        self.seen: dict[int, Sequence[int]] = {}

    def step(self, values: Sequence[int]) -> int | None:
        graph = self.graph
        done = [place for place in self.passed if place < self.awaited]
        open_ways = [way for way in self.ways if set(done) <= set(way)]
        first = {next(place for place in [*way, 10**6] if place >= self.awaited) for way in open_ways}
        # Whatever comes first on some way, or on the same way with possible landmarks left out.
        candidates = sorted(first - {10**6}, key=lambda place: (graph.landmarks[place].is_possible, place))
        for place in candidates:
            index = graph.feature_index
            if not all(
                each.holds(values[index[each.feature]]) for each in graph.landmarks[place].descriptors
            ):
                continue
            following = place + 1
            loop = graph.loop_at(place)
            if loop and not all(each.holds(values[index[each.feature]]) for each in loop.exit):
                before = self.seen.get(place)
                if before is None or all(
                    each.holds(before[index[each.feature]], values[index[each.feature]])
                    for each in loop.progression
                ):
                    following = loop.target
                elif self.policy is Policy.STAY:
                    continue
            self.seen[place] = values
            self.passed = [each for each in [*self.passed, place] if each < following]
            self.awaited = following
            return place
        return None


@given(st.data(), st.sampled_from(Policy))
def test_a_state_accepts_the_first_landmark_that_may_come_next_on_some_way(
    data: st.DataObject, policy: Policy
) -> None:
    made, graph = data.draw(looped())
    states = data.draw(trajectories(graph))
    walk = Walk(made, graph, policy)
    expected = [
        (number, place) for number, each in enumerate(states[1:], 1) if (place := walk.step(each)) is not None
    ]
    found, _ = acceptances(Progression(graph, policy), states)
    assert [(each.state, each.landmark) for each in found] == expected


@given(st.data(), st.sampled_from(Policy))
def test_possible_landmarks_change_nothing_for_necessary_ones(data: st.DataObject, policy: Policy) -> None:
    graph = data.draw(looped().filter(lambda made: all(len(unit) == 1 for unit in made[0])))[1]
    kept = [place for place, each in enumerate(graph.landmarks) if not each.is_possible]
    if not kept or any(loop.target not in kept for loop in graph.loops):
        return
    loops = [
        replace(each, source=kept.index(each.source), target=kept.index(each.target)) for each in graph.loops
    ]
    plain = LandmarkGraph(tuple(graph.landmarks[place] for place in kept), tuple(loops))
    states = data.draw(trajectories(graph))
    fewer = [[state[graph.feature_index[feature]] for feature in plain.features] for state in states]
    found, expected = satisfies(graph, states, policy), satisfies(plain, fewer, policy)
    assert [(each.state, each.landmark) for each in found.acceptances if each.landmark in kept] == [
        (each.state, kept[each.landmark]) for each in expected.acceptances
    ]
    assert found.satisfied == expected.satisfied


@given(st.data())
def test_a_trajectory_satisfies_a_graph_that_it_goes_one_way_through(data: st.DataObject) -> None:
    made = data.draw(units())
    graph = LandmarkGraph(flat(made))
    states = data.draw(trajectories(graph))
    answer = satisfies(graph, states)
    accepted = [each.landmark for each in answer.acceptances]
    assert answer.satisfied == (accepted in ways(made))


@given(st.data())
def test_without_loops_the_largest_lm_g_goes_down_to_zero_at_the_end_of_every_way(
    data: st.DataObject,
) -> None:
    made = data.draw(units())
    graph = LandmarkGraph(flat(made))
    states = data.draw(trajectories(graph))
    progression = Progression(graph)
    status = progression.start(states[0])
    largest = graph.h_max(states[0])
    assert largest == sum(max(len(alternative) for alternative in unit) for unit in made)
    for values in states[1:]:
        after = progression.step(status, values)
        assert (after is status) or after.accepted > status.accepted
        status = after
        assert (largest - status.accepted == 0) == (status.next == len(graph.landmarks))


A, B, C, D = (StateDescriptor(feature) for feature in NUMBERS)
BRANCHED = LandmarkGraph(
    (
        Landmark((A,)),
        Landmark((B,), branch=(1, 1)),
        Landmark((C,), branch=(1, 1)),
        Landmark((C, D), branch=(1, 2)),
        Landmark((A, D)),
    ),
    (
        Loop(
            4,
            1,
            (StateDescriptor(NUMBERS[3], operator=">", threshold=1),),
            (StateProgressor(NUMBERS[3], False),),
            (StateValue(NUMBERS[0]),),
        ),
    ),
)


def test_a_pass_of_a_loop_may_take_another_alternative_than_the_one_before() -> None:
    states = [
        [2, 0, 0, 0],
        [2, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [1, 0, 0, 1],
        [0, 0, 1, 1],
        [1, 0, 0, 2],
    ]
    answer = satisfies(BRANCHED, states)
    assert [each.landmark for each in answer.acceptances] == [0, 1, 2, 4, 3, 4]
    assert answer.satisfied
    status = acceptances(Progression(BRANCHED), states)[1]
    assert status is not None
    # One landmark, and two passes of the longest alternative with the loop landmark.
    assert BRANCHED.h_max(states[0]) == status.accepted == 7


def test_the_landmark_that_is_missing_is_named_with_its_alternative_begun() -> None:
    begun = satisfies(BRANCHED, [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    assert str(begun) == "landmark 3 is not accepted after state 2"
    before = satisfies(BRANCHED, [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    assert str(before) == "landmark 2 is not accepted after state 1"


@pytest.mark.parametrize(
    ("branches", "message"),
    [
        ([(1, 1), None], "has no alternative"),
        ([(1, 1), None, (1, 2)], "has no alternative"),
        ([(2, 1), (2, 2)], "has no alternative"),
        ([(1, 2), (1, 1)], "has no alternative"),
        ([(1, 1), (1, 3)], "has no alternative"),
        ([(1, 1), (1, 2), (1, 1)], "has no alternative"),
    ],
)
def test_branches_are_numbered_in_order(branches: list[tuple[int, int] | None], message: str) -> None:
    with pytest.raises(InputError, match=message):
        LandmarkGraph(tuple(Landmark((A,), branch=each) for each in branches))


def test_what_cannot_be_followed_is_refused() -> None:
    loop = Loop(2, 1, (A,), (StateProgressor(NUMBERS[0]),), (StateValue(NUMBERS[0]),))
    first, last = Landmark((A,), branch=(1, 1)), Landmark((B,), branch=(1, 2))
    with pytest.raises(InputError, match="leads into a branch"):
        LandmarkGraph((first, last, Landmark((C,))), (loop,))
    LandmarkGraph((first, last, Landmark((C,))), (replace(loop, target=0),))
    with pytest.raises(InputError, match="can be skipped"):
        LandmarkGraph((Landmark((A,)), Landmark((B,)), Landmark((C,), share=50)), (loop,))
    with pytest.raises(InputError, match="can be skipped"):
        LandmarkGraph((Landmark((A,)), first, last), (loop,))
    for share in (0, 101, -1):
        with pytest.raises(InputError, match="per cent"):
            Landmark((A,), share=share)
    with pytest.raises(InputError, match="sought before"):
        Progression(BRANCHED).with_endless_loop(0)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("share", 0, "share: expected int >= 1"),
        ("share", 101, "share: expected int <= 100"),
        ("share", 50.0, "share: expected int, got float"),
        ("share", None, "share: expected int, got null"),
        ("branch", [1], "branch: expected array of length 2, got 1"),
        ("branch", [1, 1, 1], "branch: expected array of length 2, got 3"),
        ("branch", [1, 0], "branch[1]: expected int >= 1"),
        ("branch", "1.1", "branch: expected array, got str"),
        ("branch", None, "branch: expected array, got null"),
        ("branch", [7, 1], "guidance: landmark 2 is in branch 7.1, which has no alternative"),
    ],
)
def test_a_model_file_with_a_wrong_choice_is_refused(field: str, value: object, message: str) -> None:
    document = json.loads(dumps(Model(BRANCHED, "d", "s", "chain")))
    document["guidance"]["landmarks"][1][field] = value
    with pytest.raises(ModelError) as raised:
        loads(json.dumps(document))
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("landmark 1\n {}\nlandmark 2\n {}\n possible 0%", "<text>:3:"),
        ("landmark 1\n {}\n possible 101%", "101 per cent"),
        ("landmark 1\n {}\n branch 1.1\nlandmark 2\n {}", "branch 1.1, which has no alternative"),
        ("landmark 1\n {}\n branch 1", "<text>:3:"),
    ],
)
def test_a_text_with_a_wrong_choice_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_graph(text.format(A, B))
    assert message in str(raised.value)
    assert "<text>:" in str(raised.value)
