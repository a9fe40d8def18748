from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.strategies import expressions, vocabularies
from trailmark.errors import ExitCode, FeatureError
from trailmark.features.syntax import Expression, Slot, subexpressions
from trailmark.features.text import check, parse
from trailmark.relational import Symbol, Vocabulary

DELIVERY = Vocabulary(
    (
        Symbol("truck", 1, static=True, is_type=True),
        Symbol("package", 1, static=True, is_type=True),
        Symbol("at", 2, static=False),
        Symbol("at_g", 2, static=True, goal_of="at"),
        Symbol("empty", 1, static=False),
        Symbol("raining", 0, static=False),
    ),
    constants=("depot",),
    functions=("total-cost",),
)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "n_count(c_primitive(pakage,0))",
            "unknown predicate 'pakage' in c_primitive(pakage,0)",
            "did you mean 'package'?",
        ),
        ("c_primitive(AT,0)", "unknown predicate 'AT'", "did you mean 'at'?"),
        ("c_primitive(zzz,0)", "unknown predicate 'zzz'", "truck, package, at"),
        ("c_not(c_primitive(at,2))", "predicate 'at' has no argument 2", "0 to 1"),
        ("c_primitive(empty,1)", "predicate 'empty' has no argument 1", "its only argument is 0"),
        ("n_count(r_primitive(at,0,7))", "predicate 'at' has no argument 7", "0 to 1"),
        ("r_primitive(at_h,0,1)", "unknown predicate 'at_h'", "did you mean 'at_g'?"),
        ("c_primitive(raining,0)", "takes a predicate with arguments", "b_nullary(raining)"),
        ("b_nullary(at)", "takes a predicate without arguments, 'at' has 2", "b_nonempty"),
        ("c_one_of(depots)", "unknown constant 'depots'", "did you mean 'depot'?"),
        ("c_fills(r_primitive(at,0,1),depo)", "unknown constant 'depo'", "did you mean 'depot'?"),
        ("n_function(totalcost)", "unknown nullary function 'totalcost'", "did you mean 'total-cost'?"),
    ],
)
def test_what_does_not_fit_is_named(text: str, message: str, hint: str) -> None:
    with pytest.raises(FeatureError) as caught:
        check(parse(text), DELIVERY)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert caught.value.exit_code is ExitCode.BAD_INPUT


def test_a_domain_without_constants_says_so() -> None:
    with pytest.raises(FeatureError, match="the domain has no constants"):
        check(parse("c_one_of(a)"), Vocabulary(DELIVERY.symbols))


@given(vocabularies().flatmap(lambda v: st.tuples(st.just(v), expressions(v, depth=4))))
def test_an_expression_fits_the_vocabulary_it_is_made_of_and_others_by_its_names_alone(
    drawn: tuple[Vocabulary, Expression],
) -> None:
    vocabulary, node = drawn
    check(node, vocabulary)
    known = {*DELIVERY.index, *DELIVERY.constants, *DELIVERY.functions}
    names = {
        str(argument)
        for part in subexpressions([node])
        for takes, argument in zip(part.constructor.takes, part.arguments, strict=True)
        if isinstance(takes, Slot) and takes is not Slot.POSITION
    }
    if not names <= known:
        with pytest.raises(FeatureError):
            check(node, DELIVERY)
