from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.bruteforce import evaluate
from tests.oracles.strategies import expressions, worlds
from trailmark.features.syntax import Kind, subexpressions
from trailmark.features.text import parse
from trailmark.report.english.plain import negation, plain


@given(st.data())
def test_the_plain_form_means_the_same(data: st.DataObject) -> None:
    structure, state = data.draw(worlds())
    node = data.draw(expressions(structure.vocabulary, depth=5))
    arities = {symbol.name: symbol.arity for symbol in structure.vocabulary.symbols}
    expected = evaluate(node, structure, state)
    assert evaluate(plain(node), structure, state) == expected
    assert evaluate(plain(node, arities), structure, state) == expected


@given(st.data())
def test_the_negation_of_a_plain_concept_is_its_complement(data: st.DataObject) -> None:
    structure, state = data.draw(worlds())
    node = plain(data.draw(expressions(structure.vocabulary, Kind.CONCEPT, depth=4)))
    inside, outside = evaluate(node, structure, state), evaluate(negation(node), structure, state)
    assert isinstance(inside, set)
    assert isinstance(outside, set)
    assert not inside & outside
    assert len(inside | outside) == len(structure.objects)


@given(st.data())
def test_the_plain_form_negates_names_and_role_comparisons_only(data: st.DataObject) -> None:
    structure, _ = data.draw(worlds())
    node = data.draw(expressions(structure.vocabulary, depth=5))
    left = {"c_primitive", "c_one_of", "c_equal", "c_subset"}
    for part in subexpressions([plain(node)]):
        assert part.constructor.name not in ("c_diff", "c_projection", "c_fills", "r_inverse")
        if part.constructor.name == "c_not":
            assert part.children[0].constructor.name in left


def test_double_negation_disappears() -> None:
    assert plain(parse("c_not(c_not(c_primitive(p,0)))")) is parse("c_primitive(p,0)")
