"""Programs in text print and parse back, and a wrong line is named."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks.graphs import graphs
from tests.landmarks.written import print_graph, print_program
from tests.programs.programs import programs
from trailmark.errors import InputError, TrailmarkError
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.programs.program import Counter, Program, parse_guidance, parse_program

TOP, BOT = "n_count(c_top)", "n_count(c_bot)"


@given(programs())
def test_a_program_prints_to_text_that_parses_to_the_same_program(program: Program) -> None:
    text = print_program(program)
    assert parse_program(text) == parse_guidance(text) == program


@given(graphs())
def test_a_landmark_graph_is_told_from_a_program(graph: LandmarkGraph) -> None:
    assert parse_guidance(print_graph(graph)) == graph


def test_a_program_can_be_written_by_hand() -> None:
    program = parse_program(
        f"""
        guard {BOT} >= 9     # guards stand anywhere
        counter {TOP} - 1    # until one is left
            then {BOT}
        counter {BOT}
        """
    )
    top, bot = program.features
    assert program.counters == (Counter((top, bot), 1), Counter((bot,)))
    assert [str(guard) for guard in program.guards] == [f"{BOT} >= 9"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing", "no counter"),
        (f"then {TOP}", "<text>:1:1: expected 'counter' before"),
        (f"counter {TOP}\nlandmark", "<text>:2:1: expected counter, then or guard, found 'landmark'"),
        (f"counter {TOP} + 1", "expected - and a number"),
        (f"counter {TOP}\n then {BOT} - 1", "<text>:2:22: expected the end"),
        (f"counter {TOP}\n then {TOP}", "<text>:1:1: .*twice"),
        ("counter b_empty(c_top)", "<text>:1:9: .*not numerical"),
        (f"counter {TOP}\nthen b_empty(c_top)", "<text>:1:1: .*not numerical"),
        (f"counter {TOP}\nguard {TOP}\nguard not {TOP}", "its negation"),
        ("counter n_count(c_tpo)", "<text>:1:17"),
    ],
)
def test_a_wrong_line_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_program(text)


@given(st.text(alphabet="counter then guard_s(,)-#\n0123456789<=", max_size=200))
def test_any_text_gives_a_program_or_a_clear_error(text: str) -> None:
    with suppress(TrailmarkError):
        parse_guidance(f"counter {TOP}\n" + text)
