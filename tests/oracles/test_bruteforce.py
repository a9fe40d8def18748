from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.bruteforce import evaluate
from tests.oracles.strategies import expressions, successors, worlds
from trailmark.features.syntax import CONSTRUCTORS, INFINITE, Argument, Expression, Kind, expression
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

CHAIN = Structure(
    Vocabulary(
        (
            Symbol("next", 2, static=True),
            Symbol("marked", 1, static=False),
            Symbol("between", 3, static=False),
            Symbol("on", 0, static=False),
        ),
        constants=("a",),
        functions=("cost",),
    ),
    ("a", "b", "c", "d"),
)
"""a → b → c, d alone; b and d are marked."""
STATIC = Structure(
    CHAIN.vocabulary, CHAIN.objects, frozenset({CHAIN.atom("next", "a", "b"), CHAIN.atom("next", "b", "c")})
)
STATE = Interpretation(
    frozenset(
        {
            CHAIN.atom("marked", "b"),
            CHAIN.atom("marked", "d"),
            CHAIN.atom("between", "b", "a", "c"),
            CHAIN.atom("on"),
        }
    ),
    {"cost": 7.0},
)


def make(name: str, *arguments: Argument) -> Expression:
    return expression(name, *arguments)


TOP, MARKED = make("c_top"), make("c_primitive", "marked", 0)
NEXT, BETWEEN = make("r_primitive", "next", 0, 1), make("r_primitive", "between", 1, 2)
A, B, C, D = 0, 1, 2, 3

EXPECTED = [
    (TOP, {A, B, C, D}),
    (make("c_bot"), set()),
    (MARKED, {B, D}),
    (make("c_primitive", "between", 2), {C}),
    (make("c_one_of", "a"), {A}),
    (make("c_not", MARKED), {A, C}),
    (make("c_and", MARKED, make("c_projection", NEXT, 1)), {B}),
    (make("c_or", MARKED, make("c_one_of", "a")), {A, B, D}),
    (make("c_diff", MARKED, make("c_projection", NEXT, 1)), {D}),
    (make("c_some", NEXT, MARKED), {A}),
    (make("c_all", NEXT, MARKED), {A, C, D}),
    (make("c_equal", NEXT, BETWEEN), {C, D}),
    (make("c_subset", BETWEEN, NEXT), {B, C, D}),
    (make("c_projection", NEXT, 0), {A, B}),
    (make("c_fills", make("r_inverse", NEXT), "a"), {B}),
    (make("r_top"), {(x, y) for x in range(4) for y in range(4)}),
    (NEXT, {(A, B), (B, C)}),
    (make("r_inverse", NEXT), {(B, A), (C, B)}),
    (make("r_not", make("r_not", NEXT)), {(A, B), (B, C)}),
    (make("r_and", NEXT, make("r_top")), {(A, B), (B, C)}),
    (make("r_or", NEXT, BETWEEN), {(A, B), (B, C), (A, C)}),
    (make("r_diff", NEXT, make("r_restrict", NEXT, MARKED)), {(B, C)}),
    (make("r_compose", NEXT, NEXT), {(A, C)}),
    (make("r_restrict", NEXT, MARKED), {(A, B)}),
    (make("r_identity", MARKED), {(B, B), (D, D)}),
    (make("r_transitive_closure", NEXT), {(A, B), (B, C), (A, C)}),
    (
        make("r_transitive_reflexive_closure", NEXT),
        {(A, B), (B, C), (A, C), (A, A), (B, B), (C, C), (D, D)},
    ),
    (make("b_nullary", "on"), True),
    (make("b_empty", make("c_bot")), True),
    (make("b_nonempty", NEXT), True),
    (make("b_inclusion", MARKED, make("c_projection", NEXT, 1)), False),
    (make("n_count", NEXT), 2),
    (make("n_concept_distance", make("c_one_of", "a"), NEXT, make("c_primitive", "between", 2)), 2),
    (make("n_concept_distance", MARKED, NEXT, MARKED), 0),
    (make("n_concept_distance", MARKED, NEXT, make("c_one_of", "a")), INFINITE),
    (make("n_concept_distance", make("c_bot"), NEXT, TOP), INFINITE),
    (make("n_function", "cost"), 7),
]


@pytest.mark.parametrize(("node", "expected"), EXPECTED, ids=[str(node) for node, _ in EXPECTED])
def test_denotation_worked_out_by_hand(node: Expression, expected: object) -> None:
    assert evaluate(node, STATIC, STATE) == expected


def test_every_constructor_is_worked_out_by_hand() -> None:
    assert {node.constructor.name for node, _ in EXPECTED} == set(CONSTRUCTORS)


TYPES = {Kind.CONCEPT: set, Kind.ROLE: set, Kind.BOOLEAN: bool, Kind.NUMERICAL: int}


@given(st.data())
def test_random_expressions_denote_what_their_kind_says(data: st.DataObject) -> None:
    structure, state = data.draw(worlds())
    node = data.draw(expressions(structure.vocabulary, depth=4))
    assert type(evaluate(node, structure, state)) is TYPES[node.kind]


@given(st.data())
def test_random_changes_are_consistent(data: st.DataObject) -> None:
    structure, state = data.draw(worlds())
    step = data.draw(successors(structure, state))
    assert not step.added & step.deleted
    assert not step.added & state.atoms
    assert step.deleted <= state.atoms
    assert step.interpretation.atoms == (state.atoms | step.added) - step.deleted
    assert all(not structure.vocabulary.symbols[structure.decode(atom)[0]].static for atom in step.added)
