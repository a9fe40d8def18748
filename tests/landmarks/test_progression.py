"""The compiled progression against Algorithm 1 written out naively."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks.graphs import FEATURES, NUMBERS, graphs, trajectories
from trailmark.features.syntax import INFINITE, expression
from trailmark.landmarks.functions import Policy, StateDescriptor, StateProgressor, StateValue, lm_g
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop, loop_count
from trailmark.landmarks.progression import Progression, acceptances, satisfies
from trailmark.landmarks.text import parse_graph


def naive(
    graph: LandmarkGraph, trajectory: list[list[int]], policy: Policy
) -> tuple[list[tuple[int, int, bool]], int]:
    """States, landmarks and whether a loop was traversed, straight from the definitions; and what is
    awaited at the end."""

    def value(state: int, feature: object) -> int:
        return trajectory[state][graph.features.index(feature)]  # type: ignore[arg-type]

    def progresses(progressor: StateProgressor, earlier: int, later: int) -> bool:
        return progressor.holds(value(earlier, progressor.feature), value(later, progressor.feature))

    found: list[tuple[int, int, bool]] = []
    awaited = 0
    remembered = dict.fromkeys(range(len(graph.landmarks)), 0)
    for state in range(1, len(trajectory)):
        if awaited == len(graph.landmarks):
            break
        landmark = graph.landmarks[awaited]
        last = remembered[awaited]
        if not all(each.holds(value(state, each.feature)) for each in landmark.descriptors):
            continue
        loop = next((each for each in graph.loops if each.source == awaited), None)
        following = awaited + 1
        if loop and not all(each.holds(value(state, each.feature)) for each in loop.exit):
            first = not any(n == awaited for _, n, _ in found)
            if first or all(progresses(each, last, state) for each in loop.progression):
                following = loop.target
            elif policy is Policy.STAY:
                continue
        found.append((state, awaited, following <= awaited))
        remembered[awaited] = state
        awaited = following
    return found, awaited


@given(st.data(), st.sampled_from(Policy))
def test_progression_is_algorithm_1(data: st.DataObject, policy: Policy) -> None:
    graph = data.draw(graphs())
    trajectory = data.draw(trajectories(graph))
    accepted, status = acceptances(Progression(graph, policy), trajectory)
    assert [(each.state, each.landmark, each.looped) for each in accepted] == naive(
        graph, trajectory, policy
    )[0]
    assert status is not None
    assert status.accepted == len(accepted) == sum(status.counts)
    assert sum(status.traversals) == sum(each.looped for each in accepted)


@given(st.data())
def test_a_status_is_hashable_and_unchanged_where_nothing_is_accepted(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    trajectory = data.draw(trajectories(graph))
    progression = Progression(graph)
    status = progression.start(trajectory[0])
    for state in trajectory[1:]:
        after = progression.step(status, state)
        assert (after is not status) == (after.accepted > status.accepted)
        assert hash(after) == hash(progression.step(status, tuple(state)))
        status = after


@given(st.data())
def test_satisfaction_asks_every_landmark_and_every_loop_count(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    trajectory = data.draw(trajectories(graph))
    answer = satisfies(graph, trajectory)
    accepted, awaited = naive(graph, trajectory, Policy.LEAVE)
    found = [landmark for _, landmark, _ in accepted]
    reached = max([awaited, *(landmark + 1 for landmark in found)])
    right = reached == len(graph.landmarks) and all(
        found.count(loop.source) == loop_count(graph, loop, trajectory[0])
        for loop in graph.loops
        if loop.source in found
    )
    assert answer.satisfied == right
    assert bool(str(answer))


def test_the_initial_state_accepts_nothing() -> None:
    graph = LandmarkGraph((Landmark((StateDescriptor(FEATURES[0]),)),))
    assert not satisfies(graph, [[1]])
    assert satisfies(graph, [[1], [1]])


def test_a_state_accepts_at_most_one_landmark() -> None:
    same = Landmark((StateDescriptor(FEATURES[0]),))
    graph = LandmarkGraph((same, same))
    assert str(satisfies(graph, [[0], [1]])) == "landmark 2 is not accepted after state 1"
    assert satisfies(graph, [[0], [1], [1]])


def test_an_infinite_distance_is_greater_than_zero_and_never_a_counter() -> None:
    count = NUMBERS[0]
    counters = StateValue(count), StateValue(NUMBERS[1])
    loop = Loop(1, 0, (StateDescriptor(count, False),), (StateProgressor(count),), counters)
    landmark = Landmark((StateDescriptor(count),))
    graph = LandmarkGraph((landmark, landmark), (loop,))
    assert StateDescriptor(count).holds(INFINITE)
    assert loop_count(graph, loop, [INFINITE, 4]) == 4
    assert loop_count(graph, loop, [INFINITE, INFINITE]) == 1


def test_h_max_counts_each_landmark_as_often_as_its_largest_loop() -> None:
    a, b, c, _ = (StateDescriptor(each) for each in NUMBERS)
    inner = Loop(1, 0, (a,), (StateProgressor(NUMBERS[0]),), (StateValue(NUMBERS[0]),))
    outer = Loop(2, 1, (a,), (StateProgressor(NUMBERS[0]),), (StateValue(NUMBERS[1], minus=1),))
    graph = LandmarkGraph((Landmark((a,)), Landmark((b,)), Landmark((c,)), Landmark((a,))), (inner, outer))
    values = dict(zip(graph.features, [3, 6, 0], strict=True))
    initial = [values[feature] for feature in graph.features]
    assert graph.h_max(initial) == 3 + 5 + 5 + 1
    assert graph.h_max([0, 0, 0]) == 4, "a counter of 0 is 1"


def test_where_counters_disagree_the_least_complex_decides() -> None:
    simple = NUMBERS[0]
    deep = expression("n_count", expression("c_not", expression("c_primitive", "p", 0)))
    counter = (StateValue(deep), StateValue(simple))
    loop = Loop(1, 0, (StateDescriptor(simple),), (StateProgressor(simple),), counter)
    landmark = Landmark((StateDescriptor(simple),))
    graph = LandmarkGraph((landmark, landmark), (loop,))
    assert graph.features == (simple, deep)
    assert loop_count(graph, loop, [2, 5]) == 2


RISING = parse_graph(
    """landmark 1
    n_count(c_primitive(a,0))
    landmark 2
    n_count(c_primitive(b,0))
    loop 2 -> 1
    exit n_count(c_primitive(d,0))
    progress increases n_count(c_primitive(c,0))
    counter n_count(c_primitive(c,0))"""
)


def test_a_loop_whose_progressor_increases_goes_on_where_it_rises_and_not_where_it_falls() -> None:
    """The features are a, b, d and c, in this order."""
    progression = Progression(RISING, Policy.STAY)
    status = progression.start((0, 0, 0, 2))
    for values in ((1, 0, 0, 2), (0, 1, 0, 2), (1, 0, 0, 3), (0, 1, 0, 3), (1, 0, 0, 3)):
        status = progression.step(status, values)
    assert (status.next, status.accepted, status.traversals) == (1, 5, (2,))
    assert progression.step(status, (0, 1, 0, 2)) is status
    assert progression.step(status, (0, 1, 0, 3)) is status
    assert progression.step(status, (0, 1, 0, 4)).traversals == (3,)


def test_lm_g_is_never_below_zero() -> None:
    status = Progression(RISING).start((0, 0, 0, 0))._replace(accepted=3)
    assert [lm_g(maximum, status) for maximum in (5, 3, 2)] == [2, 0, 0]
