"""Landmark graphs refuse what makes no sense, and print to text that reads back."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks import running_example as example
from tests.landmarks.graphs import FEATURES, NUMBERS, graphs
from tests.landmarks.written import print_graph
from trailmark.errors import InputError, TrailmarkError
from trailmark.features.syntax import expression
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop
from trailmark.landmarks.text import parse_graph

A, B = StateDescriptor(NUMBERS[0]), StateDescriptor(NUMBERS[1])
DOWN, COUNT = StateProgressor(NUMBERS[0]), StateValue(NUMBERS[0])
CHAIN = (Landmark((A,)), Landmark((B,)))


TWO = 2 * "landmark\n n_count(c_top)\n"


def loop(source: int, target: int) -> Loop:
    return Loop(source, target, (A,), (DOWN,), (COUNT,))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LandmarkGraph(()), "at least one landmark"),
        (lambda: Landmark(()), "at least one state descriptor"),
        (lambda: Landmark((A, A.negated)), "its negation"),
        (lambda: Landmark((A, A)), "twice"),
        (lambda: loop(0, 1), "cannot lead"),
        (lambda: loop(1, -1), "cannot lead"),
        (lambda: LandmarkGraph(CHAIN, (loop(2, 0),)), "but there are 2"),
        (lambda: loop(1, 1), "cannot lead"),
        (lambda: LandmarkGraph(CHAIN, (loop(1, 0), loop(1, 0))), "more than one loop"),
        (lambda: Loop(1, 0, (A,), (), (COUNT,)), "progression condition"),
        (lambda: Loop(1, 0, (), (DOWN,), (COUNT,)), "exit condition"),
        (lambda: Loop(1, 0, (A,), (DOWN,), ()), "counter"),
        (lambda: StateValue(FEATURES[-1]), "not numerical"),
        (lambda: StateDescriptor(expression("c_top")), "not a feature"),
        (lambda: StateDescriptor(NUMBERS[0], True, "==", 1), "unknown comparison"),
        (lambda: StateDescriptor(NUMBERS[0], True, "<", -1), "never -1"),
    ],
)
def test_a_senseless_graph_is_refused(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]


def test_features_are_distinct_and_in_order_of_appearance() -> None:
    assert example.PAPER_GRAPH.features == (
        example.D2,
        example.D1,
        example.D3,
        example.D4,
        example.D5,
        example.UNDELIVERED,
    )


@given(graphs())
def test_a_graph_prints_to_text_that_parses_to_the_same_graph(graph: LandmarkGraph) -> None:
    text = print_graph(graph)
    assert parse_graph(text) == graph
    assert print_graph(parse_graph(text)) == text


def test_the_running_example_can_be_written_by_hand() -> None:
    truck_alone = (
        "n_count(c_diff(c_some(r_primitive(at,1,0),c_primitive(truck,0)),"
        "c_some(r_primitive(at,1,0),c_primitive(package,0))))"
    )
    waiting = "c_diff(c_primitive(at_g,0),c_equal(r_primitive(at,0,1),r_primitive(at_g,0,1)))"
    text = f"""
    # Delivery, Section "Full Example"
    landmark 1    # at a package
        not {truck_alone}
    landmark 2
        not n_count(c_primitive(empty, 0))
        {truck_alone}
    landmark
        n_count(c_and(c_some(r_primitive(at,1,0),c_primitive(truck,0)),c_primitive(at_g,1))) > 0
    landmark 4
        n_count(c_primitive(empty,0))
        n_count(c_and(c_some(r_primitive(at,1,0),c_primitive(empty,0)),c_primitive(at_g,1)))
    loop 4 -> 1
        exit b_empty({waiting})
        progress decreases n_count({waiting})
        counter n_count({waiting})
    """
    assert parse_graph(text) == example.PAPER_GRAPH


def test_a_hash_inside_a_name_begins_no_comment() -> None:
    (landmark,) = parse_graph("#\nlandmark # 1\n n_count(c_primitive(box#1,0)) # > 1").landmarks
    assert str(landmark) == "{n_count(c_primitive(box#1,0))}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no landmark"),
        ("landmark\n n_count(c_top)\nguard n_count(c_top)", "<text>:3:1: .*no guards.*program"),
        ("landmark\n decreases n_count(c_top)", "<text>:2:2: .*descriptors alone.*'counter n_count"),
        ("exit n_count(c_top)", "expected 'landmark' first"),
        ("landmark 2\n n_count(c_top)", "<text>:1:1: expected landmark 1"),
        ("landmark 1\n n_count(c_top)\nlandmark 1", "<text>:3:1: expected landmark 2"),
        ("landmark\nlandmark", "at least one"),
        ("landmark\n  n_count(c_tpo)", "<text>:2:11: "),
        ("landmark\n  not  n_count(c_top) >> 2", r"<text>:2:23: expected a comparison"),
        ("landmark\n  n_count(c_top) > -1", "expected a comparison"),
        ("landmark\n  n_count(c_top) > 99999999999", "expected a comparison"),
        ("landmark\n  n_count(c_top) > 9999999999", "<text>:2:3: a feature is never"),
        ("landmark\n  c_top", "is a concept, not a feature"),
        (f"{TWO}loop 2 -> 1\n exit n_count(c_top)", "<text>:5:1: .*progression"),
        (f"{TWO}loop 2 -> 2\n exit n_count(c_top)", "<text>:5:1: .*cannot lead"),
        (f"{TWO}loop 2 -> 1\n progress decreases n_count(c_top) 3", "expected the end"),
        (
            f"{TWO}loop 2 -> 1\n progress decreases n_count(c_top) then decreases n_count(c_bot)",
            "<text>:6:36: .*one feature.*'counter n_count",
        ),
        (
            "landmark\n  n_count(c_top)\nloop 1 -> 1\n leave n_count(c_top)",
            "expected exit, progress or counter",
        ),
        ("landmark\n  n_count(c_top)\nloop 1 -> 1\n counter n_count(c_top) + 1", "expected - and a number"),
        (
            "landmark\n  n_count(c_top)\nloop 1 -> 1\n progress n_count(c_top)",
            "expected decreases or increases",
        ),
    ],
)
def test_a_wrong_line_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_graph(text)


@given(st.text(alphabet="landmrkopexit coug_ns(,)->#\n0123456789<=", max_size=200))
def test_any_text_gives_a_graph_or_a_clear_error(text: str) -> None:
    with suppress(TrailmarkError):
        parse_graph("landmark\n" + text)
