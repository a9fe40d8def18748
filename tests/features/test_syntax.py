from __future__ import annotations

import gc
import pickle

import pytest
from hypothesis import given

from tests.oracles.strategies import expressions, vocabularies
from trailmark.errors import FeatureError
from trailmark.features.syntax import CONSTRUCTORS, Argument, Expression, Kind, expression, subexpressions

AnyExpression = vocabularies().flatmap(lambda vocabulary: expressions(vocabulary, depth=5))


def nodes(node: Expression) -> int:
    return 1 + sum(nodes(child) for child in node.children)


@given(AnyExpression)
def test_complexity_is_the_number_of_nodes(node: Expression) -> None:
    assert node.complexity == nodes(node)


@given(AnyExpression)
def test_pickling_gives_the_identical_object(node: Expression) -> None:
    assert pickle.loads(pickle.dumps(node)) is node


@given(AnyExpression)
def test_making_an_expression_again_gives_the_identical_object(node: Expression) -> None:
    assert expression(node.constructor.name, *node.arguments) is node


@given(AnyExpression)
def test_subexpressions_come_once_and_parts_before_wholes(node: Expression) -> None:
    order = list(subexpressions([node]))
    position = {each: number for number, each in enumerate(order)}
    assert len(position) == len(order)
    assert order[-1] is node
    assert all(position[child] < position[each] for each in order for child in each.children)


def test_an_expression_nobody_holds_is_forgotten() -> None:
    from trailmark.features.syntax import _known

    node = expression("c_primitive", "only-here", 0)
    assert ("c_primitive", "only-here", 0) in _known
    del node
    gc.collect()
    assert ("c_primitive", "only-here", 0) not in _known


def test_an_expression_deeper_than_the_stack_still_prints() -> None:
    node = expression("c_top")
    for _ in range(20_000):
        node = expression("c_not", node)
    assert str(node).count("c_not") == 20_000


TOP, PAIRS = expression("c_top"), expression("r_top")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("c_nothing", ()),
        ("c_not", ()),
        ("c_not", (TOP, TOP)),
        ("c_not", (PAIRS,)),
        ("c_not", ("c_top",)),
        ("c_primitive", ("at", "0")),
        ("c_primitive", ("at", -1)),
        ("c_primitive", ("nowhere-else", True)),
        ("c_primitive", ("at home", 0)),
        ("c_primitive", ("", 0)),
        ("c_primitive", (0, 0)),
        ("c_projection", (PAIRS, 2)),
        ("b_inclusion", (TOP, PAIRS)),
        ("b_empty", (expression("n_count", TOP),)),
    ],
)
def test_an_ill_formed_expression_is_refused(name: str, arguments: tuple[Argument, ...]) -> None:
    with pytest.raises(FeatureError, match=name):
        expression(name, *arguments)


def test_every_kind_has_a_constructor() -> None:
    assert {rule.makes for rule in CONSTRUCTORS.values()} == set(Kind)
