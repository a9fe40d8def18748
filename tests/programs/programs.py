"""Random programs over a few features."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.landmarks.graphs import NUMBERS, conditions
from trailmark.programs import Counter, Program

chains = st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=3, unique=True).map(tuple)
counters = st.builds(Counter, chains, st.integers(0, 2))


def programs() -> st.SearchStrategy[Program]:
    return st.builds(Program, st.lists(counters, min_size=1, max_size=3).map(tuple), conditions(0))
