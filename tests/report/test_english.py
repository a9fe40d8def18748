"""How expressions read. `python -m tests.report.test_english` writes the snapshot anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.delivery_features import FEATURES, PARAMETER_TYPES, VOCABULARY
from tests.oracles.bruteforce import evaluate
from tests.oracles.strategies import expressions, features, vocabularies, worlds
from trailmark.features.syntax import CONSTRUCTORS, Expression, Kind, expression
from trailmark.features.text import parse
from trailmark.landmarks.functions import StateDescriptor, StateProgressor
from trailmark.relational import Symbol, Vocabulary
from trailmark.report.english import plural, with_article
from trailmark.report.grammar import joined
from trailmark.report.words import Words

SNAPSHOT = Path(__file__).parent / "snapshots" / "delivery_english.txt"

AT, AT_G, ADJACENT = "r_primitive(at,0,1)", "r_primitive(at_g,0,1)", "r_primitive(adjacent,0,1)"
EMPTY, TRUCK, PACKAGE = "c_primitive(empty,0)", "c_primitive(truck,0)", "c_primitive(package,0)"


def snapshot() -> str:
    """The ten Delivery features in English, with the types of parameters and without."""
    blocks, words = [], Words(VOCABULARY, PARAMETER_TYPES)
    for name, feature in FEATURES.items():
        lines = [
            f"{name}  {feature}",
            f"  value          {words.value(feature)}",
            f"  above zero     {words.descriptor(StateDescriptor(feature, True))}",
            f"  zero           {words.descriptor(StateDescriptor(feature, False))}",
            f"  decreases      {words.progressor(StateProgressor(feature, True))}",
            f"  increases      {words.progressor(StateProgressor(feature, False))}",
            f"  without types  {Words(VOCABULARY).value(feature)}",
        ]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def test_the_ten_delivery_features_read_as_in_the_snapshot() -> None:
    assert snapshot() == SNAPSHOT.read_text(encoding="utf-8")


def told(node: Expression, words: Words) -> str:
    """A concept as what is counted, a Boolean as a sentence."""
    if node.kind is Kind.BOOLEAN:
        return words.descriptor(StateDescriptor(node))
    counted = node if node.kind is Kind.NUMERICAL else expression("n_count", node)
    return words.value(counted).removeprefix("the number of ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TRUCK, "trucks"),
        (f"n_count(r_compose({AT_G},{ADJACENT}))", f"`n_count(r_compose({AT_G},{ADJACENT}))`"),
        ("c_top", "objects"),
        (f"c_and({PACKAGE},c_primitive(at,0))", "packages that are at a cell"),
        (f"c_and({PACKAGE},c_primitive(carrying,1))", "packages with a truck carrying them"),
        (f"c_not(c_not(c_and({TRUCK},{EMPTY})))", "trucks that are empty"),
        (f"c_or({TRUCK},{PACKAGE})", "objects that are trucks or are packages"),
        ("c_primitive(at_g,1)", "cells that are the goal cell of a locatable"),
        ("c_primitive(empty_g,0)", "trucks with the goal to be empty"),
        (f"c_not(c_some({AT},c_top))", "locatables that are at no cell"),
        (f"c_some(r_inverse({AT}),{TRUCK})", "cells with a truck at them"),
        (f"c_all(r_inverse({AT}),c_not({EMPTY}))", "cells with no truck that is empty at them"),
        (f"c_some(r_diff({AT_G},{AT}),c_top)", "locatables that are away from their goal cell"),
        (f"c_some(r_and({AT},{AT_G}),c_top)", "locatables that are at their goal cell"),
        (f"c_not(c_subset({AT_G},{AT}))", "locatables that are away from their goal cell"),
        (f"c_subset({AT_G},{AT})", "locatables that are at their goal cell"),
        (f"c_not(c_equal({AT},{AT_G}))", "locatables that are away from their goal cell"),
        (f"b_empty(c_and({PACKAGE},c_not(c_equal({AT},{AT_G}))))", "every package is at its goal cell"),
        (f"c_some(r_diff({AT},{AT_G}),c_top)", "locatables with a current cell that is not their goal cell"),
        (f"n_count(r_diff({AT},{AT_G}))", "locatables with a current cell that is not their goal cell"),
        (f"n_count({AT_G})", f"`n_count({AT_G})`"),
        (f"n_count(r_diff({AT_G},{AT}))", "locatables that are away from their goal cell"),
        (f"n_count(r_and({AT_G},{AT}))", "locatables that are at their goal cell"),
        (f"b_empty(c_and({PACKAGE},c_not(c_primitive(at,0))))", "every package is at a cell"),
        (f"b_empty(c_not({EMPTY}))", "every object is empty"),
        (f"b_empty(c_and(c_not({TRUCK}),c_not({PACKAGE})))", "every object is a truck or is a package"),
        (f"b_empty({AT})", "no locatable is at a cell"),
        ("b_nonempty(c_bot)", "`b_nonempty(c_bot)` is above zero"),
    ],
)  # fmt: skip
def test_an_expression_reads_as_a_short_phrase(text: str, expected: str) -> None:
    assert told(parse(text), Words(VOCABULARY, PARAMETER_TYPES)) == expected


@pytest.mark.parametrize(
    ("text", "positive", "negative"),
    [
        (f"n_count({EMPTY})", "some truck is empty", "no truck is empty"),
        (f"b_empty({EMPTY})", "no truck is empty", "some truck is empty"),
        (f"n_count({PACKAGE})", "some package is there", "no package is there"),
    ],
)
def test_a_descriptor_reads_as_a_sentence(text: str, positive: str, negative: str) -> None:
    node = parse(text)
    assert Words(VOCABULARY, PARAMETER_TYPES).descriptor(StateDescriptor(node, True)) == positive
    assert Words(VOCABULARY, PARAMETER_TYPES).descriptor(StateDescriptor(node, False)) == negative


@pytest.mark.parametrize(
    ("text", "less", "more"),
    [
        (f"n_count({EMPTY})", "fewer trucks are empty", "more trucks are empty"),
        (f"n_count({PACKAGE})", "fewer packages are there", "more packages are there"),
        (f"b_nonempty({EMPTY})", f"`b_nonempty({EMPTY})` decreases", f"`b_nonempty({EMPTY})` increases"),
        (
            f"n_count(c_and({PACKAGE},c_some(r_diff({AT_G},{AT}),c_top)))",
            "fewer packages are away from their goal cell",
            "more packages are away from their goal cell",
        ),
    ],
)
def test_a_progressor_reads_as_a_sentence(text: str, less: str, more: str) -> None:
    node = parse(text)
    assert Words(VOCABULARY, PARAMETER_TYPES).progressor(StateProgressor(node, True)) == less
    assert Words(VOCABULARY, PARAMETER_TYPES).progressor(StateProgressor(node, False)) == more


OTHER = Vocabulary(
    (
        Symbol("room", 1, static=True),
        Symbol("lift-at", 1, static=False),
        Symbol("holding", 1, static=False),
        Symbol("contains", 2, static=False),
        Symbol("origin", 2, static=True),
        Symbol("loaded", 3, static=False),
        Symbol("raining", 0, static=False),
        Symbol("raining_g", 0, static=True, goal_of="raining"),
    ),
    constants=("depot",),
    functions=("total-cost",),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c_primitive(room,0)", "rooms"),
        ("c_primitive(lift-at,0)", 'objects that are "lift at"'),
        ("c_primitive(holding,0)", 'objects with "holding"'),
        ("c_some(r_primitive(contains,0,1),c_primitive(room,0))", "objects that contain a room"),
        ("c_some(r_primitive(contains,1,0),c_primitive(room,0))", "objects that are what a room contains"),
        ("c_some(r_primitive(origin,0,1),c_primitive(room,0))", "objects with a room as origin"),
        ("c_some(r_primitive(origin,1,0),c_primitive(room,0))", "objects that are the origin of a room"),
        ("c_all(r_primitive(origin,0,1),c_primitive(room,0))", "objects with nothing but rooms as origin"),
        (
            "c_all(r_primitive(origin,0,1),c_not(c_primitive(room,0)))",
            "objects with no room as origin",
        ),
        ("c_primitive(loaded,2)", "objects that are argument 3 of loaded"),
        ("c_one_of(depot)", "objects that are depot"),
        ("b_nullary(raining)", "raining holds"),
        ("n_function(total-cost)", "`n_function(total-cost)`"),
    ],
)
def test_names_of_any_shape_are_worded(text: str, expected: str) -> None:
    assert told(parse(text), Words(OTHER)) == expected


BAKING = Vocabulary(
    (
        *(
            Symbol(name, 1, static=False)
            for name in ("panhasegg", "paninoven", "soapconsumed", "pan-is-clean")
        ),
        *(Symbol(name, 1, static=False) for name in ("wantspaper", "ismixed")),
        *(Symbol(name, 1, static=True, is_type=True) for name in ("pan", "oven", "soap", "paper", "shop")),
        Symbol("pan-is-clean_g", 1, static=True, goal_of="pan-is-clean"),
    )
)
BAKING_TYPES = {
    "panhasegg": ("pan",), "paninoven": ("pan",), "soapconsumed": ("soap",), "pan-is-clean": ("pan",),
    "wantspaper": ("shop",), "ismixed": ("pan",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "positive", "negative"),
    [
        ("n_count(c_primitive(panhasegg,0))", "some pan has egg", "no pan has egg"),
        ("n_count(c_not(c_primitive(wantspaper,0)))", "some object does not want paper",
         "every object wants paper"),
        ("n_count(c_primitive(paninoven,0))", "some pan is in an oven", "no pan is in an oven"),
        ("n_count(c_primitive(soapconsumed,0))", "some soap is consumed", "no soap is consumed"),
        ("n_count(c_primitive(pan-is-clean_g,0))", "some pan has the goal to be clean",
         "no pan has the goal to be clean"),
        ("n_count(c_primitive(ismixed,0))", "some pan is ismixed", "no pan is ismixed"),
    ],
)  # fmt: skip
def test_a_name_of_words_run_together_reads_as_a_sentence(text: str, positive: str, negative: str) -> None:
    node = parse(text)
    assert Words(BAKING, BAKING_TYPES).descriptor(StateDescriptor(node, True)) == positive
    assert Words(BAKING, BAKING_TYPES).descriptor(StateDescriptor(node, False)) == negative


def test_a_goal_not_reached_yet_reads_as_still_to_be() -> None:
    node = parse("n_count(c_and(c_primitive(pan-is-clean_g,0),c_not(c_primitive(pan-is-clean,0))))")
    assert (
        Words(BAKING, BAKING_TYPES).progressor(StateProgressor(node, True))
        == "fewer pans are still to be clean"
    )
    assert Words(BAKING, BAKING_TYPES).value(node) == "the number of pans that are still to be clean"


def test_the_closest_type_names_the_objects() -> None:
    types = {
        **PARAMETER_TYPES,
        "at_g": ("package", "cell"),
        "truck": ("locatable",),
        "package": ("locatable",),
    }
    node = parse(f"c_some({AT_G},c_some(r_inverse({AT}),c_some(r_primitive(carrying,0,1),c_top)))")
    assert told(node, Words(VOCABULARY, types)) == (
        "packages with a goal cell with a truck that is carrying a package at it"
    )
    reached = parse(f"n_count(c_some(r_and({AT},{AT_G}),c_top))")
    assert (
        Words(VOCABULARY, types).descriptor(StateDescriptor(reached, True))
        == "some package is at its goal cell"
    )


@given(st.data())
def test_what_a_concept_is_taken_apart_into_means_the_same(data: st.DataObject) -> None:
    structure, state = data.draw(worlds())
    node = data.draw(expressions(structure.vocabulary, Kind.CONCEPT, depth=4))
    everything = set(range(len(structure.objects)))
    for positive in (True, False):
        inside = evaluate(node, structure, state)
        assert isinstance(inside, set)
        expected = inside if positive else everything - inside
        for word, join in (("and", set.intersection), ("or", set.union)):
            parts = [(evaluate(part, structure, state), sign) for part, sign in joined(node, positive, word)]
            assert join(*(set(part) if sign else everything - set(part) for part, sign in parts)) == expected


def sound(text: str) -> bool:
    """No blank, leftover of a template, or name of the logic."""
    leftovers = ["  ", "{", "}", "<", "|", "None", *(f"{name}(" for name in CONSTRUCTORS)]
    return bool(text) and text == text.strip() and not any(each in text for each in leftovers)


@given(vocabularies().flatmap(lambda v: st.tuples(st.just(v), expressions(v, depth=5))))
def test_every_expression_has_a_phrase(drawn: tuple[Vocabulary, Expression]) -> None:
    vocabulary, node = drawn
    types = {s.name: [f"t{n}" for n in range(s.arity)] for s in vocabulary.symbols if s.goal_of is None}
    for text in (
        Words().value(node),
        Words(vocabulary).value(node),
        Words(vocabulary, types).value(node),
    ):
        assert text == f"`{node}`" or sound(text)


@given(vocabularies().flatmap(lambda v: st.tuples(st.just(v), features(v, depth=4))))
def test_a_feature_and_its_negation_read_differently(drawn: tuple[Vocabulary, Expression]) -> None:
    vocabulary, node = drawn
    positive, negative = (Words(vocabulary).descriptor(StateDescriptor(node, sign)) for sign in (True, False))
    less, more = (Words(vocabulary).progressor(StateProgressor(node, sign)) for sign in (True, False))
    assert positive != negative
    assert less != more
    texts = (positive, negative, less, more)
    assert all(text.startswith(f"`{node}`") or sound(text) for text in texts)


def test_an_expression_too_large_for_a_phrase_is_shown_as_its_text() -> None:
    node = expression("c_primitive", "p", 0)
    for number in range(2000):
        node = expression("c_and", expression("c_primitive", f"p{number}", 0), node)
    assert Words().value(node) == f"`{node}`"
    count = expression("n_count", node)
    assert Words().descriptor(StateDescriptor(count, True)).endswith("is above zero")
    assert Words().progressor(StateProgressor(count, True)).endswith("decreases")


@pytest.mark.parametrize(
    ("noun", "many"),
    [("truck", "trucks"), ("city", "cities"), ("tray", "trays"), ("bus", "buses"), ("box", "boxes"),
     ("goods", "goods"), ("glass", "glasses"), ("match", "matches"), ("loaf", "loaves"), ("foot", "feet")],
)  # fmt: skip
def test_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many


def test_a_parameter_of_either_type_reads_as_both() -> None:
    types = {"at": ("truck/package", "cell")}
    node = parse("n_count(c_primitive(at,0))")
    assert Words(VOCABULARY, types).value(node) == "the number of trucks or packages that are at a cell"


def test_articles() -> None:
    assert with_article("oven") == "an oven"
    assert with_article("truck") == "a truck"


def test_a_type_of_several_words_reads_as_words() -> None:
    vocabulary = Vocabulary((Symbol("bread-portion", 1, static=True, is_type=True),))
    assert (
        Words(vocabulary).value(parse("n_count(c_primitive(bread-portion,0))"))
        == "the number of bread portions"
    )


if __name__ == "__main__":
    SNAPSHOT.write_text(snapshot(), encoding="utf-8")
