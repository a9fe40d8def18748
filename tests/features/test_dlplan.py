"""DLPlan reads what we print, we read what it prints, and both mean the same (extra `oracle`)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features.delivery_features import FEATURES, VOCABULARY, example_states, example_structure
from tests.oracles.bruteforce import evaluate
from tests.oracles.strategies import expressions, worlds
from tests.oracles.test_bruteforce import EXPECTED, STATE, STATIC
from trailmark.features.syntax import CONSTRUCTORS, Expression, Kind, expression, subexpressions
from trailmark.features.text import parse
from trailmark.relational import Interpretation, Structure, Vocabulary

dlplan = pytest.importorskip("dlplan.core", reason="DLPlan is not installed (extra `oracle`)")

pytestmark = pytest.mark.slow

OURS_ALONE = {"b_nonempty", "c_fills", "n_function"}
COMMUTATIVE = {"c_and", "c_or", "r_and", "r_or"}


def factory(vocabulary: Vocabulary) -> Any:
    info = dlplan.VocabularyInfo()
    for symbol in vocabulary.symbols:
        info.add_predicate(symbol.name, symbol.arity, symbol.static)
    for constant in vocabulary.constants:
        info.add_constant(constant)
    return dlplan.SyntacticElementFactory(info)


def element(maker: Any, node: Expression) -> Any:
    readers = {
        Kind.CONCEPT: maker.parse_concept,
        Kind.ROLE: maker.parse_role,
        Kind.BOOLEAN: maker.parse_boolean,
        Kind.NUMERICAL: maker.parse_numerical,
    }
    return readers[node.kind](str(node))


def denotation(maker: Any, node: Expression, structure: Structure, state: Interpretation) -> object:
    instance = dlplan.InstanceInfo(0, maker.get_vocabulary_info())
    for name in structure.objects:
        instance.add_object(name)

    def named(atom: int) -> tuple[str, list[str]]:
        symbol, arguments = structure.decode(atom)
        return structure.vocabulary.symbols[symbol].name, [structure.objects[each] for each in arguments]

    for atom in structure.static_atoms:
        instance.add_static_atom(*named(atom))
    atoms = [instance.add_atom(*named(atom)) for atom in state.atoms]
    value = element(maker, node).evaluate(dlplan.State(0, instance, atoms))
    names = [each.get_name() for each in instance.get_objects()]
    place = structure.object_index
    if node.kind is Kind.CONCEPT:
        return {place[names[each]] for each in value.to_vector()}
    if node.kind is Kind.ROLE:
        return {(place[names[a]], place[names[b]]) for a, b in value.to_vector()}
    return value


def ordered(node: Expression) -> Expression:
    """The expression with the parts of commutative constructors in the order of their text."""
    arguments = [ordered(each) if isinstance(each, Expression) else each for each in node.arguments]
    if node.constructor.name in COMMUTATIVE:
        arguments.sort(key=str)
    return expression(node.constructor.name, *arguments)


@settings(max_examples=300)
@given(st.data())
def test_dlplan_agrees_on_text_complexity_and_meaning(data: st.DataObject) -> None:
    structure, state = data.draw(worlds(numeric=False))
    node = data.draw(expressions(structure.vocabulary, depth=4, without=OURS_ALONE))
    maker = factory(structure.vocabulary)
    other = element(maker, node)
    assert ordered(parse(str(other))) is ordered(node)
    assert other.compute_complexity() == node.complexity
    assert denotation(maker, node, structure, state) == evaluate(node, structure, state)


SHARED = [
    node
    for node, _ in EXPECTED
    if not OURS_ALONE & {part.constructor.name for part in subexpressions([node])}
]


@pytest.mark.parametrize("node", SHARED, ids=str)
def test_every_shared_constructor_means_the_same(node: Expression) -> None:
    assert denotation(factory(STATIC.vocabulary), node, STATIC, STATE) == evaluate(node, STATIC, STATE)


def test_every_constructor_but_ours_alone_is_compared() -> None:
    assert {node.constructor.name for node in SHARED} == set(CONSTRUCTORS) - OURS_ALONE


@pytest.mark.parametrize("name", FEATURES)
def test_the_ten_delivery_features_have_the_same_values(name: str) -> None:
    structure, maker = example_structure(), factory(VOCABULARY)
    for state in example_states(structure):
        value = denotation(maker, FEATURES[name], structure, state)
        assert value == evaluate(FEATURES[name], structure, state)
