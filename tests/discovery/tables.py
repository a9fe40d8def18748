"""Small random valuations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from trailmark.features.states import Valuations
from trailmark.features.text import parse

MOST = 4


@st.composite
def valuations(draw: st.DrawFn, *, falling: bool = False) -> Valuations:
    """A few features on a few trajectories; where `falling`, the first feature never rises in one."""
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    offsets = (0, *np.cumsum(lengths).tolist())
    count = draw(st.integers(1, 5))
    rows = st.lists(st.integers(0, MOST), min_size=offsets[-1], max_size=offsets[-1])
    table = np.array(draw(st.lists(rows, min_size=count, max_size=count)), dtype=np.int32)
    for start, stop in pairwise(offsets) if falling else ():
        table[0, start:stop] = sorted(table[0, start:stop], reverse=True)
    features = tuple(parse(f"n_count(c_primitive(p{number},0))") for number in range(count))
    return Valuations(features, table, offsets)
