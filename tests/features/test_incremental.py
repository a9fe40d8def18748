"""Incremental evaluation against brute force from the definitions, on random worlds and walks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.bruteforce import evaluate
from tests.oracles.strategies import Successor, features, structures, vocabularies, walks
from trailmark.features.incremental import bind
from trailmark.features.syntax import Expression
from trailmark.relational import Interpretation, Structure


@st.composite
def searches(
    draw: st.DrawFn, steps: int = 5
) -> tuple[Structure, list[Expression], Interpretation, list[Successor]]:
    """An instance, some features and a walk through its states."""
    structure = draw(structures(draw(vocabularies())))
    chosen = draw(st.lists(features(structure.vocabulary), min_size=1, max_size=6))
    first, path = draw(walks(structure, steps=steps))
    return structure, chosen, first, path


def expected(chosen: list[Expression], structure: Structure, state: Interpretation) -> tuple[int, ...]:
    return tuple(int(evaluate(each, structure, state)) for each in chosen)


@given(searches(), st.integers(0, 6))
@settings(max_examples=400, deadline=None)
def test_values_along_a_walk_are_those_of_brute_force(search, rebase_limit):
    structure, chosen, first, path = search
    evaluation = bind(chosen, structure, rebase_limit=rebase_limit).start(first)
    assert evaluation.values == expected(chosen, structure, first)
    for step in path:
        evaluation = evaluation.after(step.added, step.deleted, step.interpretation.values)
        assert evaluation.values == expected(chosen, structure, step.interpretation)


@given(searches())
@settings(max_examples=300, deadline=None)
def test_values_after_net_changes_of_one_root_are_those_of_brute_force(search):
    structure, chosen, first, path = search
    root = bind(chosen, structure).start(first)
    for step in path:
        state = step.interpretation
        values = root.values_after(state.atoms - first.atoms, first.atoms - state.atoms, state.values)
        assert values == expected(chosen, structure, state)
