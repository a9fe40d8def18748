"""Random training data: matrices of feature values, plain and with repetitions in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from hypothesis import strategies as st

from trailmark.discovery.functions import StateFunctions, UserFunctions, state_functions
from trailmark.features.states import Valuations
from trailmark.features.syntax import Expression, expression
from trailmark.landmarks.functions import OPERATORS, StateDescriptor, StateProgressor, StateValue

LARGEST_VALUE = 3


def feature(name: str, complexity: int = 2) -> Expression:
    """A numerical feature with this complexity; only its identity matters here."""
    concept = expression("c_primitive", name, 0)
    for _ in range(complexity - 2):
        concept = expression("c_not", concept)
    return expression("n_count", concept)


def table(rows: Sequence[Sequence[Sequence[int]]], names: str = "d") -> Valuations:
    """Valuations from values by trajectory, state and feature."""
    offsets = tuple(accumulate((len(states) for states in rows), initial=0))
    width = len(rows[0][0])
    values = np.array([state for states in rows for state in states], dtype=np.int32)
    features = tuple(feature(f"{names}{number}") for number in range(width))
    return Valuations(features, values.reshape(-1, width).T.copy(), offsets)


@st.composite
def plain(draw: st.DrawFn, trajectories: int = 4, states: int = 7, features: int = 6) -> StateFunctions:
    """Any small matrix."""
    width = draw(st.integers(1, features))
    state = st.lists(st.integers(0, draw(st.integers(1, LARGEST_VALUE))), min_size=width, max_size=width)
    trajectory = st.lists(state, min_size=1, max_size=states)
    return state_functions(table(draw(st.lists(trajectory, min_size=1, max_size=trajectories))))


@st.composite
def repeating(draw: st.DrawFn) -> StateFunctions:
    """Trajectories that go through one pattern again and again, with noise, and with counters.

    Some come with functions a user could have written: comparisons, negations,
    progressors and values less a constant.
    """
    width = draw(st.integers(1, 4))
    bits = st.lists(st.integers(0, 1), min_size=width, max_size=width)
    pattern = draw(st.lists(bits, min_size=2, max_size=5))
    prefix = draw(st.lists(bits, min_size=1, max_size=2))
    suffix = draw(st.lists(bits, max_size=2))
    rows, counters = [], []
    for passes in draw(st.lists(st.integers(1, 3), min_size=2, max_size=4)):
        states = [*prefix, *(pattern * passes), *suffix]
        left = [passes] * len(prefix)
        for remaining in range(passes, 0, -1):
            left += [remaining] * (len(pattern) - 1) + [remaining - 1]
        left += [0] * len(suffix)
        rows.append([list(state) for state in states])
        shift = draw(st.integers(0, 1))
        counters.append([[count, max(0, count - shift), passes - count] for count in left])
    for _ in range(draw(st.integers(0, 2))):
        trajectory = draw(st.sampled_from(rows))
        state = draw(st.sampled_from(trajectory))
        place = draw(st.integers(0, width - 1))
        state[place] = 1 - state[place]
    numbers = table(counters, "n")
    descriptors = table(
        [[[*a, *b] for a, b in zip(x, y, strict=True)] for x, y in zip(rows, counters, strict=True)]
    )
    return state_functions(descriptors, numbers, draw(st.none() | given_functions(numbers)))


@st.composite
def given_functions(draw: st.DrawFn, numbers: Valuations) -> UserFunctions:
    features = st.sampled_from(numbers.features)
    compared = st.builds(
        StateDescriptor, features, st.booleans(), st.sampled_from(list(OPERATORS)), st.integers(0, 2)
    )
    progressors = st.builds(StateProgressor, features, st.booleans())
    values = st.builds(StateValue, features, st.integers(0, 1))
    return UserFunctions(
        tuple(draw(st.lists(compared, max_size=2))),
        tuple(draw(st.lists(progressors, max_size=2))),
        tuple(draw(st.lists(values, max_size=2))),
        numbers,
    )
