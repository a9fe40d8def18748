"""Solvable and dead states, against a search from every state."""

from __future__ import annotations

from hypothesis import given

from tests.discovery.spaces import EMPTY, bare_spaces
from trailmark.discovery.guards import StateSpace
from trailmark.relational import Interpretation


def reachable(space: StateSpace, start: int) -> set[int]:
    """All states on the ways from here; a way ends at a goal."""
    seen = {start}
    while True:
        more = {
            each
            for number in seen
            if number not in space.goals
            for each in space.successors[number] or ()
            if each not in seen
        }
        if not more:
            return seen
        seen |= more


@given(bare_spaces())
def test_states_are_solvable_dead_or_unknown_as_a_search_from_each_says(space: StateSpace) -> None:
    unexpanded = {
        number
        for number, following in enumerate(space.successors)
        if following is None and number not in space.goals
    }
    for number in range(len(space.successors)):
        found = reachable(space, number)
        assert space.solvable[number] == bool(found & space.goals)
        assert space.dead[number] == (not found & (space.goals | unexpanded))
    assert space.is_complete == (not unexpanded)
    if space.is_complete:
        assert (space.solvable ^ space.dead).all()


@given(bare_spaces())
def test_the_first_dead_is_what_a_solvable_state_leads_to_and_is_dead(space: StateSpace) -> None:
    expected = {
        each
        for number, following in enumerate(space.successors)
        if space.solvable[number] and number not in space.goals
        for each in following or ()
        if space.dead[each]
    }
    assert space.first_dead == tuple(sorted(expected))


def test_what_follows_a_goal_does_not_matter() -> None:
    space = StateSpace(EMPTY, [[1], [2], []], frozenset({1}), lambda number: Interpretation(frozenset()))
    assert space.solvable.tolist() == [True, True, False]
    assert space.first_dead == ()
