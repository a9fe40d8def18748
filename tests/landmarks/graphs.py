"""Random landmark graphs over a few features, and random trajectories for them."""

from __future__ import annotations

from hypothesis import strategies as st

from trailmark.features.syntax import Expression, expression
from trailmark.landmarks.functions import OPERATORS, StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop

NUMBERS = tuple(expression("n_count", expression("c_primitive", f"p{n}-{n}", n)) for n in range(4))
FEATURES: tuple[Expression, ...] = (*NUMBERS, expression("b_empty", expression("c_primitive", "q", 0)))

features = st.sampled_from(FEATURES)
descriptors = st.one_of(
    st.builds(StateDescriptor, features, st.booleans()),
    st.builds(StateDescriptor, features, st.booleans(), st.sampled_from(list(OPERATORS)), st.integers(0, 2)),
)
progressors = st.builds(StateProgressor, features, st.booleans())
values = st.builds(StateValue, st.sampled_from(NUMBERS), st.integers(0, 1))


def conditions(least: int) -> st.SearchStrategy[tuple[StateDescriptor, ...]]:
    """Sets of descriptors without contradictions."""
    return st.lists(
        descriptors,
        min_size=least,
        max_size=2,
        unique_by=lambda each: (each.feature, each.operator, each.threshold),
    ).map(tuple)


def some(
    strategy: st.SearchStrategy[object], least: int, most: int = 2
) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(strategy, min_size=least, max_size=most, unique=True).map(tuple)


@st.composite
def graphs(draw: st.DrawFn) -> LandmarkGraph:
    chain = tuple(draw(st.lists(st.builds(Landmark, conditions(1)), min_size=1, max_size=4)))
    loops = []
    for source in range(1, len(chain)):
        if draw(st.booleans()):
            condition = draw(conditions(1)), draw(some(progressors, 1)), draw(some(values, 1))
            loops.append(Loop(source, draw(st.integers(0, source - 1)), *condition))
    return LandmarkGraph(chain, tuple(loops))


def trajectories(graph: LandmarkGraph) -> st.SearchStrategy[list[list[int]]]:
    width = len(graph.features)
    state = st.lists(st.integers(0, 3), min_size=width, max_size=width)
    return st.lists(state, min_size=1, max_size=25)
