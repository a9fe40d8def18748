"""Programs against what counter-first graphs were: one loop a counter, restated naively."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks.graphs import FEATURES, NUMBERS
from tests.programs.programs import programs
from trailmark.errors import InputError
from trailmark.features.syntax import INFINITE
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.progression import acceptances, satisfies
from trailmark.programs.program import Counter, Program

A, B, C, _ = NUMBERS


def trajectories(program: Program) -> st.SearchStrategy[list[list[int]]]:
    width = len(program.features)
    state = st.lists(st.sampled_from([0, 1, 2, 3, INFINITE]), min_size=width, max_size=width)
    return st.lists(state, min_size=1, max_size=25)


@dataclass
class Naive:
    """Which counter runs in which state, and how often each one has ended a pass or led back.

    It keeps whole states and compares whole tuples, as the definitions say it.
    """

    program: Program
    states: list[list[int]]

    def __post_init__(self) -> None:
        self.ended = [0] * len(self.program.counters)
        self.repeated = [0] * len(self.program.counters)
        self.inside: list[int] = []
        self.passes: list[tuple[int, int]] = []
        self.running = self.skip(0, 0)
        self.reference = 0
        for state in range(1, len(self.states)):
            self.look_at(state)

    def values(self, counter: int, state: int) -> tuple[int, ...]:
        features = self.program.counters[counter].features
        return tuple(self.states[state][self.program.features.index(feature)] for feature in features)

    def is_over(self, counter: int, state: int) -> bool:
        return self.values(counter, state)[0] <= self.program.counters[counter].least

    def skip(self, counter: int, state: int) -> int:
        while counter < len(self.program.counters) and self.is_over(counter, state):
            counter += 1
        return counter

    def units(self, counter: int, before: float, now: float) -> int:
        """The values that a counter falls below, from its least on; one where it was infinite."""
        if before >= INFINITE:
            return 1
        least = self.program.counters[counter].least
        return max(1, sum(value >= least for value in range(int(now), int(before))))

    def look_at(self, state: int) -> None:
        counter = self.running
        if counter == len(self.program.counters):
            return
        before, now = self.values(counter, self.reference), self.values(counter, state)
        if not now < before:
            return
        self.reference = state
        if now[0] == before[0]:
            self.inside.append(state)
            return
        self.ended[counter] += self.units(counter, before[0], now[0])
        self.passes.append((state, counter))
        if self.is_over(counter, state):
            self.running = self.skip(counter + 1, state)
        else:
            self.repeated[counter] += 1


@given(st.data())
def test_a_program_is_followed_as_the_definitions_say(data: st.DataObject) -> None:
    program = data.draw(programs())
    states = data.draw(trajectories(program))
    naive = Naive(program, states)
    status = program.start(states[0])
    inside = []
    for number, values in enumerate(states[1:], start=1):
        after = program.step(status, values)
        if after is not status and after.accepted == status.accepted:
            inside.append(number)
        status = after
    assert inside == naive.inside
    assert status.next == naive.running
    assert status.counts == tuple(naive.ended)
    assert status.traversals == tuple(naive.repeated)
    assert status.accepted == sum(naive.ended)
    accepted, last = acceptances(program, states)
    assert last == status
    assert [(each.state, each.landmark) for each in accepted] == naive.passes
    assert program.awaited(status) == (naive.running if naive.running < len(program) else None)


@given(st.data())
def test_satisfaction_asks_that_all_counters_are_run_down_in_no_more_passes_than_they_say(
    data: st.DataObject,
) -> None:
    program = data.draw(programs())
    states = data.draw(trajectories(program))
    naive = Naive(program, states)
    expected = program.passes(states[0])
    right = naive.running == len(program.counters) and all(
        count <= passes for count, passes in zip(naive.ended, expected, strict=True)
    )
    assert satisfies(program, states).satisfied == right
    assert program.h_max(states[0]) == sum(expected)


@given(st.data())
def test_a_status_is_hashable_and_unchanged_where_nothing_is_less(data: st.DataObject) -> None:
    program = data.draw(programs())
    states = data.draw(trajectories(program))
    status = program.start(states[0])
    for values in states[1:]:
        after = program.step(status, values)
        assert (after is status) == (after == status)
        assert hash(after) == hash(program.step(status, tuple(values)))
        if after is not status and after.accepted == status.accepted:
            assert program.has_inner_progress(status.next)
        status = after
    assert pickle.loads(pickle.dumps(program)) == program


@given(st.data())
def test_what_is_accepted_depends_on_the_deciding_features_alone(data: st.DataObject) -> None:
    program = data.draw(programs())
    first, second, other = (data.draw(trajectories(program))[0] for _ in range(3))
    status = program.start(first)
    if status.next < len(program):
        mixed = [
            second[place] if place in program.deciding[status.next] else value
            for place, value in enumerate(other)
        ]
        assert (program.step(status, mixed) is status) == (program.step(status, second) is status)


def test_passes_count_from_the_least_value_and_are_at_least_one() -> None:
    program = Program((Counter((A, B), 1), Counter((C,))))
    assert program.passes([5, 7, 0]) == (4, 1)
    assert program.passes([0, 7, INFINITE]) == (1, 1)


def test_a_counter_that_falls_by_two_ends_two_passes() -> None:
    program = Program((Counter((A, B), 1),))
    path = [[5, 0, 0], [3, 1, 0], [3, 0, 0], [2, 0, 0], [0, 0, 0]]
    accepted, status = acceptances(program, path)
    assert [each.state for each in accepted] == [1, 3, 4]
    assert (status.counts, status.accepted) == ((4,), 4)
    assert satisfies(program, path)


@pytest.mark.parametrize(
    ("second", "reasons"),
    [
        ([2, 2, 2, 1, 0], ""),
        ([2, 1, 1, 1, 0], ""),
        ([2, 1, 0, 0, 0], ""),
        ([2, 3, 3, 1, 0], "loop landmark 2 is accepted 3 times (last in state 4), its counter says 2"),
        ([2, 2, 2, 2, 1], "loop landmark 2 is accepted once (last in state 4), its counter says 2"),
        ([2, 1, 1, 1, 1], "landmark 2 is not accepted after state 2"),
    ],
)
def test_a_counter_may_fall_before_its_turn_but_must_not_rise(second: list[int], reasons: str) -> None:
    program = Program((Counter((A,)), Counter((B,))))
    path = [list(values) for values in zip([2, 1, 0, 0, 0], second, [0] * 5, strict=True)]
    assert str(satisfies(program, path)) == (reasons or "satisfied")


def test_features_of_guards_come_last_and_can_be_left_out() -> None:
    program = Program((Counter((B, A)),), (StateDescriptor(C), StateDescriptor(A)))
    assert program.features == (B, A, C)
    assert program.without_guards == Program((Counter((B, A)),))
    assert program.deciding == ((0, 1),)


def test_a_program_says_what_falls() -> None:
    assert (
        str(Program((Counter((A, B)), Counter((C,)))))
        == f"decreases {A} then decreases {B}; then decreases {C}"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Program(()), "at least one counter"),
        (lambda: Counter(()), "at least one feature"),
        (lambda: Counter((A, B, A)), "twice"),
        (lambda: Counter((A,), -1), "subtract 0 or more"),
        (lambda: Counter((FEATURES[-1],)), "not numerical"),
        (lambda: Program((Counter((A,)),), (StateDescriptor(A),) * 2), "the list of guards contains"),
    ],
)
def test_a_senseless_program_is_refused(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]
