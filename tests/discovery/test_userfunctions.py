"""State functions that a user writes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.discovery.matrices import feature, table
from tests.landmarks import running_example as example
from trailmark.discovery.discover import discover
from trailmark.discovery.functions import parse_functions, state_functions
from trailmark.errors import InputError
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark

TEXT = """
# what matters in Delivery
n_count(c_primitive(d0,0))
loaded: descriptor n_count(c_primitive(d1,0)) >= 2
progressor increases n_count(c_primitive(d1,0))
left: value n_count(c_primitive(d1,0)) - 1   # one stays
"""
D0, D1 = feature("d0"), feature("d1")


def test_each_line_makes_its_state_functions() -> None:
    functions = parse_functions(TEXT)
    loaded = StateDescriptor(D1, True, ">=", 2)
    assert functions.descriptors == (StateDescriptor(D0), loaded)
    assert functions.progressors == (
        StateProgressor(D0),
        StateProgressor(D0, False),
        StateProgressor(D1, False),
    )
    assert functions.values == (StateValue(D0), StateValue(D1, 1))
    assert functions.features == (D0, D1)


def test_a_comparison_becomes_a_landmark_without_any_pool() -> None:
    states = [[1, 0], [1, 1], [1, 2], [1, 3]]
    given = replace(
        parse_functions("descriptor n_count(c_primitive(d1,0)) >= 2"), valuations=table([states, states[1:]])
    )
    found = discover(state_functions(given=given))
    assert found.graph.landmarks == (Landmark((StateDescriptor(D1, True, ">=", 2),)),)
    assert found.indices == ((2, 1),)
    assert found.satisfied


def test_given_functions_stand_beside_the_pool_and_come_first() -> None:
    data = table([[[0, 0], [1, 2]], [[0, 0], [1, 2]]])
    given = replace(parse_functions("descriptor n_count(c_primitive(d1,0)) >= 2"), valuations=data)
    functions = state_functions(data, data, given)
    assert [str(each) for each in functions.descriptors] == [
        "n_count(c_primitive(d1,0)) >= 2",
        "n_count(c_primitive(d0,0))",
        "n_count(c_primitive(d1,0))",
    ]
    assert len(discover(functions).graph.landmarks[0].descriptors) == 3


def test_the_running_example_is_found_from_its_own_functions_alone() -> None:
    lines = [str(each) for each in (example.D1, example.D2, example.D3, example.D4, example.D5)]
    lines += [f"descriptor {line}" for line in lines]
    lines += [f"progressor decreases {example.UNDELIVERED}", f"value {example.UNDELIVERED}"]
    given = replace(parse_functions("\n".join(lines)), valuations=example.valuations(example.APPENDIX))
    found = discover(state_functions(given=given))
    assert found.satisfied
    loop = found.graph.loops[0]
    assert (loop.source, loop.target) == (3, 0)
    assert loop.exit == (example.d5,)
    assert loop.counter == (example.packages_left,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing", "lists no state function"),
        ("\nvalue b_empty(c_top)", "f:2:7: b_empty\\(c_top\\) is not numerical"),
        ("a: n_count(c_top)\na: n_count(c_bot)", "already used in line 1"),
        ("value c_top", "is a concept"),
        ("progressor n_count(c_top)", "expected decreases or increases"),
        ("progressor decreases n_count(c_top) then decreases n_count(c_bot)", "f:1:37: .*one feature"),
        ("descriptor n_count(c_top) ~ 2", "expected a comparison"),
        ("n_conut(c_top)", "f:1:1"),
    ],
)
def test_a_wrong_line_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_functions(text, "f")
