"""Guards: empty where a plan can pass, and a trap where they are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.discovery.spaces import SMALL, spaces
from trailmark.discovery import guards as guards_module
from trailmark.discovery.guards import StateSpace, find_guards, without_refuted
from trailmark.features.batch import evaluate
from trailmark.features.states import state_batch
from trailmark.features.syntax import expression
from trailmark.landmarks.functions import StateDescriptor
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

VOCABULARY = Vocabulary((Symbol("whole", 1, False), Symbol("needed", 1, True), Symbol("loud", 0, False)))


def holds(guard: StateDescriptor, structure: Structure, state: Interpretation) -> bool:
    return guard.holds(int(evaluate([guard.feature], state_batch([(structure, [state])])).values[0, 0]))


@settings(max_examples=60, deadline=None)
@given(st.lists(spaces(SMALL), min_size=1, max_size=3))
def test_no_guard_holds_in_a_solvable_state_and_each_holds_for_ever(found: list[StateSpace]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Few states are looked at, so that guards are refuted and sought again.
        for name, value in (("COMPLEXITY", 3), ("SOLVABLE_STATES", 2), ("DEAD_STATES", 2), ("ROUNDS", 2)):
            patch.setattr(guards_module, name, value)
        check_guards(found)


def check_guards(found: list[StateSpace]) -> None:
    trajectories = [(space.structure, [space.state(0)]) for space in found]
    guards = find_guards(found, trajectories)
    for guard in guards:
        dead_in = 0
        for space in found:
            states = [space.state(number) for number in range(len(space.successors))]
            held = [holds(guard, space.structure, state) for state in states]
            assert not held[0]
            assert not any(held[number] for number in range(len(held)) if space.solvable[number])
            dead_in += any(held[number] for number in space.first_dead)
            for number in space.first_dead:
                assert not held[number] or all(held[each] for each in space.successors[number] or ())
        assert dead_in >= 2 or (len([each for each in found if each.first_dead]) == 1 and dead_in == 1)


def vases(objects: int) -> StateSpace:
    """Each vase is whole or broken; vase 0 is needed. A goal is to be loud with it whole."""
    structure = Structure(VOCABULARY, tuple(f"o{number}" for number in range(objects)))
    atoms = [structure.atom("whole", name) for name in structure.objects]
    structure = Structure(VOCABULARY, structure.objects, frozenset({structure.atom("needed", "o0")}))
    loud = structure.atom("loud")
    states: list[frozenset[int]] = [frozenset(atoms)]
    successors: list[list[int]] = []
    goals: set[int] = set()
    for number, state in enumerate(states):
        following = []
        if loud in state and atoms[0] in state:
            goals.add(number)
        for reached in [state | {loud}, *(state - {atom} for atom in atoms)]:
            if reached not in states:
                states.append(reached)
            following.append(states.index(reached))
        successors.append(following)
    return StateSpace(structure, successors, frozenset(goals), lambda number: Interpretation(states[number]))


def test_the_guard_of_vases_is_that_a_needed_one_is_broken() -> None:
    guards = find_guards([vases(2), vases(3)])
    assert [str(guard) for guard in guards] == [
        "n_count(c_and(c_primitive(needed,0),c_not(c_primitive(whole,0))))"
    ]


def test_one_instance_is_enough_only_where_it_alone_has_dead_ends_and_all_is_known() -> None:
    harmless = StateSpace(VOCABULARY_STRUCTURE, [[0]], frozenset({0}), lambda number: STATE)
    unknown = StateSpace(VOCABULARY_STRUCTURE, [None], frozenset(), lambda number: STATE)
    assert find_guards([vases(3), harmless])
    assert not find_guards([vases(3), unknown])


VOCABULARY_STRUCTURE = Structure(VOCABULARY, ("o0",))
STATE = Interpretation(frozenset({VOCABULARY_STRUCTURE.atom("whole", "o0")}))


def test_without_dead_ends_there_is_no_guard() -> None:
    space = StateSpace(VOCABULARY_STRUCTURE, [[0]], frozenset({0}), lambda number: STATE)
    assert find_guards([space, space]) == ()
    assert find_guards([]) == ()


def test_a_guard_that_holds_in_a_further_solvable_state_is_dropped() -> None:
    guard = StateDescriptor(expression("n_count", expression("c_primitive", "whole", 0)))
    assert without_refuted([guard], [(VOCABULARY_STRUCTURE, [STATE])]) == ()
    assert without_refuted([guard], [(VOCABULARY_STRUCTURE, [Interpretation(frozenset())])]) == (guard,)
    assert without_refuted([guard], []) == (guard,)
