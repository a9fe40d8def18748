from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.oracles.strategies import expressions, vocabularies
from trailmark.errors import ExitCode, FeatureError
from trailmark.features.syntax import CONSTRUCTORS, Expression, expression
from trailmark.features.text import DEEPEST, check, parse
from trailmark.relational import Vocabulary

AnyExpression = vocabularies().flatmap(lambda vocabulary: expressions(vocabulary, depth=5))

WORDS = [*CONSTRUCTORS, "(", ")", ",", " ", "\n", "0", "1", "9", "at", "truck-1", "p_g", "", "é", "-", "\0"]


@given(AnyExpression)
def test_parsing_what_is_printed_gives_the_identical_expression(node: Expression) -> None:
    assert parse(str(node)) is node


@given(AnyExpression, st.randoms(use_true_random=False))
def test_space_between_tokens_means_nothing(node: Expression, chance: random.Random) -> None:
    spaced = "".join(chance.choice(["", " ", "\n", "\t "]) + c if c in "()," else c for c in str(node))
    assert parse(f"\n {spaced}\t") is node


@given(vocabularies().flatmap(lambda v: st.tuples(st.just(v), expressions(v, depth=4))))
def test_what_fits_a_vocabulary_parses_and_checks_with_it(drawn: tuple[Vocabulary, Expression]) -> None:
    vocabulary, node = drawn
    check(node, vocabulary)
    assert parse(str(node)) is node


def attempt(text: str) -> None:
    """Parsing succeeds, or fails with a place inside the text."""
    try:
        node = parse(text, "here")
    except FeatureError as error:
        place = error.place
        assert place is not None
        assert place.source == "here"
        assert place.line is not None
        assert place.column is not None
        lines = text.split("\n")
        assert 1 <= place.line <= len(lines)
        assert 1 <= place.column <= len(lines[place.line - 1]) + 1
    else:
        assert parse(str(node)) is node


@given(st.text())
@example("c_primitive(at," + "1" * 5000 + ")")
@example("c_primitive(at,٣)")
@example("c_primitive(at,²)")
@example("x" * 100_000)
@example("c_not(" * 100_000)
@example("c_top" + ")" * 100_000)
@example("(" * 100_000)
def test_arbitrary_text_raises_nothing_but_feature_errors(text: str) -> None:
    attempt(text)


@given(st.lists(st.sampled_from(WORDS), max_size=20).map("".join))
def test_arbitrary_tokens_raise_nothing_but_feature_errors(text: str) -> None:
    attempt(text)


@given(AnyExpression, st.data())
def test_every_cut_off_text_is_refused_at_its_end(node: Expression, data: st.DataObject) -> None:
    text = str(node)
    cuts = [number for number in range(len(text)) if text[number] in "(),"]
    if not cuts:
        return
    cut = text[: data.draw(st.sampled_from(cuts))]
    with pytest.raises(FeatureError) as caught:
        parse(cut)
    assert caught.value.place is not None
    assert caught.value.place.column == len(cut) + 1
    assert "the end of the text" in caught.value.message


@given(AnyExpression, st.data())
def test_a_damaged_text_raises_nothing_but_feature_errors(node: Expression, data: st.DataObject) -> None:
    text = str(node)
    place = data.draw(st.integers(0, len(text)))
    attempt(text[:place] + data.draw(st.sampled_from(WORDS)) + text[place + data.draw(st.integers(0, 2)) :])


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected an expression, found the end of the text"),
        ("n_count(", 9, "expected a concept or a role as the argument of n_count, found the end of the text"),
        ("n_count", 8, "expected '(', found the end of the text"),
        ("c_and(c_top)", 12, "expected ',', found ')'"),
        ("c_not(c_top,c_top)", 12, "expected ')', found ','"),
        ("c_not(n_count(c_top))", 7, "found n_count, which makes a numerical"),
        ("c_some(c_top,c_top)", 8, "expected a role as argument 1 of c_some, found c_top"),
        ("b_inclusion(r_top,c_top)", 19, "expected a role as argument 2 of b_inclusion"),
        ("c_projection(r_top,2)", 20, "expected an argument position as argument 2 of c_projection (0 or 1)"),
        ("c_primitive(at,x)", 16, "expected an argument position"),
        ("c_primitive(,0)", 13, "expected a predicate as argument 1 of c_primitive"),
        ("c_top c_top", 7, "expected the end of the expression, found 'c_top'"),
        ("c_top(at)", 7, "c_top takes no arguments"),
        ("n_sum_concept_distance(c_top,r_top,c_top)", 1, "DLPlan has this constructor, Trailmark does not"),
        ("n_count(c_primitve(at,0))", 9, "did you mean 'c_primitive'?"),
    ],
)
def test_an_error_shows_where_and_what_was_expected(text: str, column: int, message: str) -> None:
    with pytest.raises(FeatureError) as caught:
        parse(text, "pool.txt")
    assert str(caught.value).startswith(f"pool.txt:1:{column}: ")
    assert message in str(caught.value)
    assert caught.value.exit_code is ExitCode.BAD_INPUT


def test_the_line_is_counted_too() -> None:
    with pytest.raises(FeatureError, match=r"^<text>:3:5: "):
        parse("n_count(\n  c_not(\n    c_toop))")


def test_nesting_is_limited_with_a_clear_error() -> None:
    parse("c_not(" * (DEEPEST - 1) + "c_top" + ")" * (DEEPEST - 1))
    with pytest.raises(FeatureError, match=f"nested more than {DEEPEST} deep"):
        parse("c_not(" * DEEPEST + "c_top" + ")" * DEEPEST)


def test_a_constructor_without_arguments_may_have_empty_parentheses() -> None:
    assert parse("c_not(c_top())") is expression("c_not", expression("c_top"))


def test_names_are_what_pddl_allows() -> None:
    for name in ["at", "in-city", "on_g", "p.1", "c_top", "0", "x@y", "größe"]:
        assert parse(f"c_primitive({name},0)") is expression("c_primitive", name, 0)
