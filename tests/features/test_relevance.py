"""Atoms that are said not to matter never change a value, and may be left out of every change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.bruteforce import evaluate
from tests.oracles.strategies import Successor, features, structures, vocabularies, walks
from trailmark.features.incremental.evaluation import Evaluation, Relevance, bind, moved
from trailmark.features.incremental.tables import Atoms
from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

Search = tuple[Structure, list[Expression], Interpretation, list[Successor]]


@st.composite
def searches(draw: st.DrawFn) -> Search:
    structure = draw(structures(draw(vocabularies(numeric=False))))
    chosen = draw(st.lists(features(structure.vocabulary), min_size=1, max_size=4))
    first, path = draw(walks(structure, steps=5))
    return structure, chosen, first, path


@pytest.mark.parametrize("commit", [Evaluation.after, moved])
@given(search=searches())
@settings(max_examples=200, deadline=None)
def test_values_without_the_atoms_that_do_not_matter_are_those_of_brute_force(
    commit: Callable[[Evaluation, Atoms, Atoms], Evaluation], search: Search
) -> None:
    structure, chosen, first, path = search
    evaluator = bind(chosen, structure)
    relevance = Relevance(evaluator)
    evaluation = evaluator.start(first)
    for step in path:
        added = [atom for atom in sorted(step.added) if relevance.matters(*structure.decode(atom))]
        deleted = [atom for atom in sorted(step.deleted) if relevance.matters(*structure.decode(atom))]
        expected = tuple(int(evaluate(each, structure, step.interpretation)) for each in chosen)
        assert evaluation.values_after(added, deleted) == expected
        evaluation = commit(evaluation, added, deleted)
        assert evaluation.values == expected


def test_of_all_places_only_the_goal_matters() -> None:
    vocabulary = Vocabulary((Symbol("at", 2, static=False), Symbol("at_g", 2, static=True, goal_of="at")))
    bare = Structure(vocabulary, ("p", "truck", "x", "y"))
    structure = Structure(vocabulary, bare.objects, frozenset((bare.atom("at_g", "p", "x"),)))
    goals_left = "n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))"
    waiting = "n_count(c_and(c_primitive(at,0),c_some(r_primitive(at_g,0,1),c_top)))"

    def matters(text: str, *names: str) -> bool:
        relevance = Relevance(bind([parse(text)], structure))
        return relevance.matters(*structure.decode(structure.atom("at", *names)))

    assert matters(goals_left, "p", "x")
    assert not matters(goals_left, "p", "y")
    assert not matters(goals_left, "truck", "x")
    assert matters(waiting, "p", "y")
    assert not matters(waiting, "truck", "x")


def test_of_all_objects_only_those_that_can_be_in_the_other_concept_matter() -> None:
    symbols = (
        Symbol("at", 2, static=False),
        Symbol("free", 1, static=False),
        Symbol("at_g", 2, static=True, goal_of="at"),
    )
    bare = Structure(Vocabulary(symbols), ("p", "truck", "x"))
    structure = Structure(bare.vocabulary, bare.objects, frozenset((bare.atom("at_g", "p", "x"),)))
    misplaced = "c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top)"
    relevance = Relevance(bind([parse(f"n_count(c_and(c_primitive(free,0),{misplaced}))")], structure))
    assert relevance.matters(*structure.decode(structure.atom("free", "p")))
    assert not relevance.matters(*structure.decode(structure.atom("free", "truck")))
