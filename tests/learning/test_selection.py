"""Which program is preferred: bodies are tried, and taken only where they plan far better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from trailmark.discovery.bodies import bodies
from trailmark.discovery.counterfirst import loop_graph
from trailmark.discovery.counters import Counter, extended
from trailmark.features.text import parse
from trailmark.features.valuations import Valuations
from trailmark.learning.selection import BODY_WEIGHT, Program, SelectionOptions, Tried, _rank, select
from trailmark.learning.validation import Score

FEATURES = tuple(parse(f"n_count(c_primitive({name},0))") for name in ("left", "carried"))
TABLE = Valuations(FEATURES, np.array([[2, 2, 1, 1, 0], [0, 1, 0, 1, 0]], dtype=np.int32), (0, 5))


def tried(counter: Counter, effort: float) -> Tried:
    graph = loop_graph(FEATURES, [counter])
    return Tried(Program((counter,), graph, 4, counter.effort, True), Score(0, effort))


def test_a_body_must_plan_far_better_than_a_counter_without() -> None:
    plain = extended(TABLE, (0,), 0)
    (body,) = bodies(TABLE, plain, 1)
    assert body.body == ((1, True),)
    assert _rank(tried(plain, 100.0)) < _rank(tried(body, 101.0 / BODY_WEIGHT))
    assert _rank(tried(body, 99.0 / BODY_WEIGHT)) < _rank(tried(plain, 100.0))


@pytest.mark.parametrize("most", [0, 1])
def test_bodies_are_tried_up_to_their_number_of_landmarks(most: int) -> None:
    options = replace(SelectionOptions(), body_landmarks=most)
    found = select(TABLE, [(extended(TABLE, (0,), 0),)], easy=(), options=options)
    lengths = {len(each.program.counters[0].body) for each in found.tried}
    assert lengths == set(range(most + 1))
