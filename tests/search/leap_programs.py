"""Programs of one counter written by hand, for tests and benchmarks of leap search."""

from __future__ import annotations

from trailmark.programs.program import Program, parse_program

GOALS_LEFT = "n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))"
WAITING = "n_count(c_and(c_primitive(at,0),c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top)))"
"""Things that lie somewhere else than at their goal."""
UNSERVED = "n_count(c_diff(c_primitive(served_g,0),c_primitive(served,0)))"
OUTSIDE = "n_count(c_diff(c_diff(c_primitive(served_g,0),c_primitive(served,0)),c_primitive(boarded,0)))"
UNVISITED = "n_count(c_diff(c_primitive(visited_g,0),c_primitive(visited,0)))"


def counting(*features: str) -> Program:
    """One counter: its first feature falls pass by pass, the others inside a pass."""
    return parse_program("counter " + "\nthen ".join(features))


PROGRAMS = {
    # One more is at its goal; before that, one less lies where it does not belong.
    "delivery": counting(GOALS_LEFT, WAITING),
    "ferry": counting(GOALS_LEFT, WAITING),
    # One more is served; before that, someone boards.
    "miconic": counting(UNSERVED, OUTSIDE),
    "gripper": counting(GOALS_LEFT),
    "visitall": counting(UNVISITED),
}
