"""Graphs from counters: one loop a counter, each with a landmark that carries its progressor.

The loop landmark is accepted where the counter is less than at its last acceptance; the loop is over
where the first counter is at its least value, which it has at the end of every training trajectory.
"""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.discovery.counters import Counter
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop


def loop_graph(
    features: Sequence[Expression],
    counters: Sequence[Counter],
    guards: tuple[StateDescriptor, ...] = (),
) -> LandmarkGraph:
    """The graph that runs these counters down, one after the other, and keeps clear of the guards."""
    landmarks: list[Landmark] = []
    loops: list[Loop] = []
    for counter in counters:
        progressor: StateProgressor | None = None
        for row in reversed(counter.rows):
            progressor = StateProgressor(features[row], True, progressor)
        assert progressor is not None
        landmarks.append(Landmark((), (progressor,)))
        first = features[counter.rows[0]]
        exit_condition = StateDescriptor(first, True, "<=", counter.least)
        source = len(landmarks) - 1
        loops.append(Loop(source, source, (exit_condition,), (), (StateValue(first, counter.least),)))
    return LandmarkGraph(tuple(landmarks), tuple(loops), guards)
