"""Landmark graphs of one or two landmarks written by hand, for tests and benchmarks of leap search."""

from __future__ import annotations

from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.graphtext import parse_graph

GOALS_LEFT = "n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))"
WAITING = "n_count(c_and(c_primitive(at,0),c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top)))"
"""Things that lie somewhere else than at their goal."""
UNSERVED = "n_count(c_diff(c_primitive(served_g,0),c_primitive(served,0)))"
UNVISITED = "n_count(c_diff(c_primitive(visited_g,0),c_primitive(visited,0)))"


def one_more(counter: str, *before: str) -> LandmarkGraph:
    """A loop over "the counter drops", after a landmark with the lines `before` where there are any."""
    last = 2 if before else 1
    lines = ["landmark", *before] if before else []
    lines += ["landmark", f"decreases {counter}", f"loop {last} -> 1", f"exit {counter} = 0"]
    return parse_graph("\n".join([*lines, f"progress decreases {counter}", f"counter {counter}"]))


GRAPHS = {
    # A package that waits is carried; one more is at its goal.
    "delivery": one_more(GOALS_LEFT, "n_count(c_primitive(carrying,1))", f"decreases {WAITING}"),
    # A car that waits is on board; one more is at its goal.
    "ferry": one_more(GOALS_LEFT, "n_count(c_primitive(on,0))", f"decreases {WAITING}"),
    # Someone not yet served is on board; one more is served.
    "miconic": one_more(UNSERVED, "n_count(c_diff(c_primitive(boarded,0),c_primitive(served,0)))"),
    "gripper": one_more(GOALS_LEFT),
    "visitall": one_more(UNVISITED),
}
