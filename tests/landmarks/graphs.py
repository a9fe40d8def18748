"""Random landmark graphs over a few features, and random trajectories for them."""

from __future__ import annotations

from hypothesis import strategies as st

from trailmark.features.syntax import Expression, expression
from trailmark.landmarks import Landmark, LandmarkGraph, Loop, StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.functions import OPERATORS

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


Units = list[list[list[Landmark]]]
"""A chain as units, each with its alternatives: one for a landmark outside of branches."""


@st.composite
def units(draw: st.DrawFn) -> Units:
    """Chains with possible landmarks and groups of two or three alternatives."""
    made: Units = []
    group = 0
    share = st.sampled_from([100, 100, 60, 20])
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.integers(0, 2)):
            made.append([[Landmark(draw(conditions(1)), share=draw(share))]])
            continue
        group += 1
        sizes = draw(st.lists(st.integers(1, 2), min_size=2, max_size=3))
        made.append(
            [
                [
                    Landmark(draw(conditions(1)), share=draw(share), branch=(group, number))
                    for _ in range(size)
                ]
                for number, size in enumerate(sizes, start=1)
            ]
        )
    return made


def flat(made: Units) -> tuple[Landmark, ...]:
    return tuple(landmark for unit in made for alternative in unit for landmark in alternative)


@st.composite
def looped(draw: st.DrawFn) -> tuple[Units, LandmarkGraph]:
    """The same with a loop where one may start and end."""
    made = draw(units())
    starts = [len(flat(made[:place])) for place in range(len(made))]
    sources = [
        place
        for place, unit in enumerate(made)
        if len(unit) == 1 and not unit[0][0].is_possible and starts[place] > 0
    ]
    loops = []
    for source in draw(st.lists(st.sampled_from(sources), max_size=2, unique=True)) if sources else ():
        target = starts[draw(st.integers(0, source - 1))]
        exit_, progress = draw(conditions(1)), StateProgressor(draw(st.sampled_from(FEATURES)))
        loops.append(Loop(starts[source], target, exit_, (progress,), (StateValue(NUMBERS[0]),)))
    return made, LandmarkGraph(flat(made), tuple(loops))


def choice_graphs() -> st.SearchStrategy[LandmarkGraph]:
    """Graphs with possible landmarks and branches."""
    return looped().map(lambda made: made[1])


def trajectories(graph: LandmarkGraph) -> st.SearchStrategy[list[list[int]]]:
    width = len(graph.features)
    state = st.lists(st.integers(0, 3), min_size=width, max_size=width)
    return st.lists(state, min_size=1, max_size=25)
