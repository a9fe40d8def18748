"""Example "heur" and the Section "Full Example" of the paper, step by step."""

from __future__ import annotations

from tests.landmarks import running_example as example
from trailmark.landmarks.functions import Policy, Status, lm_g
from trailmark.landmarks.progression import Progression, acceptances, satisfies

GRAPH = example.PAPER_GRAPH
HEURISTIC = example.graph_states(GRAPH, example.HEURISTIC_EXAMPLE)
FULL = example.graph_states(GRAPH, example.FULL_EXAMPLE)


def test_the_example_of_the_heuristic_accepts_landmarks_in_three_passes() -> None:
    accepted, status = acceptances(Progression(GRAPH), HEURISTIC)
    assert [each.state for each in accepted] == [2, 3, 6, 7, 9, 10, 12, 13, 16, 17, 20, 21]
    assert [each.landmark + 1 for each in accepted] == [1, 2, 3, 4] * 3
    assert [each.state for each in accepted if each.looped] == [7, 13]
    assert status is not None
    assert status.next == 4
    assert status.traversals == (2,)


def test_lm_g_counts_down_from_twelve_to_zero() -> None:
    progression = Progression(GRAPH)
    maximum = GRAPH.h_max(HEURISTIC[0])
    status: Status = progression.start(HEURISTIC[0])
    values = [lm_g(maximum, status)]
    for state in HEURISTIC[1:]:
        status = progression.step(status, state)
        values.append(lm_g(maximum, status))
    assert values == [12, 12, 11, 10, 10, 10, 9, 8, 8, 7, 6, 6, 5, 4, 4, 4, 3, 2, 2, 2, 1, 0]


def test_in_the_full_example_the_fourth_landmark_is_accepted_in_states_7_15_and_21() -> None:
    answer = satisfies(GRAPH, FULL)
    assert answer
    assert [each.state for each in answer.acceptances if each.landmark == 3] == [7, 15, 21]
    assert [each.state for each in answer.acceptances][:5] == [2, 3, 6, 7, 9]


def test_both_policies_agree_where_every_pass_progresses() -> None:
    for states in (HEURISTIC, FULL):
        stay = satisfies(GRAPH, states, Policy.STAY)
        assert stay
        assert stay.acceptances == satisfies(GRAPH, states).acceptances


def test_delivering_the_same_package_again_is_no_pass() -> None:
    first_delivery = ["right", "right", "pick0", "left", "left", "down", "drop0"]
    again = ["right", "left", "pick0", "right", "left", "drop0"]
    worlds = example.trajectory(example.THREE_PACKAGES, [*first_delivery, *again])
    states = example.graph_states(GRAPH, worlds)
    leave, left = acceptances(Progression(GRAPH, Policy.LEAVE), states)
    stay, stayed = acceptances(Progression(GRAPH, Policy.STAY), states)
    assert left is not None
    assert stayed is not None
    assert [each.landmark for each in leave] == [0, 1, 2, 3] * 2
    assert left.next == 4, "Algorithm 1 as printed moves on"
    assert [each.landmark for each in stay] == [0, 1, 2, 3, 0, 1, 2]
    assert stayed.next == 3, "the loop landmark stays awaited"


def test_an_unfinished_plan_does_not_satisfy_and_the_reason_is_named() -> None:
    answer = satisfies(GRAPH, HEURISTIC[:14])
    assert not answer
    assert str(answer) == "loop landmark 4 is accepted 2 times (last in state 13), its counter says 3"
    answer = satisfies(GRAPH, HEURISTIC[:4])
    assert str(answer) == "landmark 3 is not accepted after state 3"
