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
    ("text", "column", "message", "hint"),
    [
        ("n_count(c_primitive(pakage,0))", 21, "unknown predicate 'pakage'", "did you mean 'package'?"),
        ("c_primitive(AT,0)", 13, "unknown predicate 'AT'", "did you mean 'at'?"),
        ("c_primitive(zzz,0)", 13, "unknown predicate 'zzz'", "truck, package, at"),
        ("c_not(c_primitive(at,2))", 22, "predicate 'at' has no argument 2", "0 to 1"),
        ("c_primitive(empty,1)", 19, "predicate 'empty' has no argument 1", "its only argument is 0"),
        ("n_count(r_primitive(at,0,7))", 26, "predicate 'at' has no argument 7", "0 to 1"),
        ("r_primitive(at_h,0,1)", 13, "unknown predicate 'at_h'", "did you mean 'at_g'?"),
        ("c_primitive(raining,0)", 13, "takes a predicate with arguments", "b_nullary(raining)"),
        ("b_nullary(at)", 11, "takes a predicate without arguments, 'at' has 2", "b_nonempty"),
        ("c_one_of(depots)", 10, "unknown constant 'depots'", "did you mean 'depot'?"),
        ("c_fills(r_primitive(at,0,1),depo)", 29, "unknown constant 'depo'", "did you mean 'depot'?"),
        ("n_function(totalcost)", 12, "unknown nullary function 'totalcost'", "did you mean 'total-cost'?"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(text: str, column: int, message: str, hint: str) -> None:
    with pytest.raises(FeatureError) as caught:
        check(parse(text), DELIVERY, "model.json")
    assert str(caught.value).startswith(f"model.json:1:{column}: ")
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert caught.value.exit_code is ExitCode.BAD_INPUT


def test_a_domain_without_constants_says_so() -> None:
    with pytest.raises(FeatureError, match="the domain has no constants"):
        check(parse("c_one_of(a)"), Vocabulary(DELIVERY.symbols))


@given(vocabularies().flatmap(lambda v: st.tuples(st.just(v), expressions(v, depth=4))))
def test_checking_a_text_and_parsing_it_with_the_vocabulary_agree(
    drawn: tuple[Vocabulary, Expression],
) -> None:
    _, node = drawn
    try:
        check(node, DELIVERY, "x")
    except FeatureError as error:
        place = error.place
        assert place is not None
        assert place.column is not None
        rest = str(node)[place.column - 1 :]
        names = [
            str(argument)
            for part in subexpressions([node])
            for takes, argument in zip(part.constructor.takes, part.arguments, strict=True)
            if isinstance(takes, Slot)
        ]
        assert rest.startswith(tuple(names))
        with pytest.raises(FeatureError):
            parse(str(node), "x", DELIVERY)
    else:
        assert parse(str(node), "x", DELIVERY) is node
