"""Whole landmark graphs as text that people write and read.

    # comments start with a hash
    landmark 1
        not n_count(c_primitive(empty,0))
        n_count(c_primitive(at_g,0)) >= 2
    landmark 2
        n_count(c_primitive(served,0))
    loop 2 -> 1
        exit n_count(c_primitive(waiting,0)) = 0
        progress decreases n_count(c_primitive(waiting,0))
        counter n_count(c_primitive(waiting,0))

A landmark that may be skipped has a line `possible 60%`, its share of the training trajectories; one
in a group of alternatives has a line as `branch 1.2`, which is group 1 and alternative 2.

Landmarks are numbered from 1 in the order they are to be achieved; the number may be left out. A
line of a landmark is a state descriptor. Indentation is free. Counters and guards are written as a
program, see `trailmark.programs.programtext`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from trailmark.errors import InputError
from trailmark.features.text import shown
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.functiontext import (
    COUNTER_HINT,
    Line,
    is_progressor,
    located,
    read_descriptor,
    read_lines,
    read_progressor,
    read_value,
)
from trailmark.landmarks.graph import NECESSARY, Landmark, LandmarkGraph, Loop

_LANDMARK = re.compile(r"landmark(?:\s+([0-9]{1,6}))?\s*:?")
_LOOP = re.compile(r"loop\s+([0-9]{1,6})\s*->\s*([0-9]{1,6})\s*:?")
_GUARD = re.compile(r"guard\s+")
_POSSIBLE = re.compile(r"possible\s+([0-9]{1,3})\s*%")
_BRANCH = re.compile(r"branch\s+([0-9]{1,6})\.([0-9]{1,6})")
_PART = re.compile(r"(exit|progress|counter)\s+")


@dataclass
class _Landmark:
    head: Line
    descriptors: list[StateDescriptor] = field(default_factory=list)
    share: int = NECESSARY
    branch: tuple[int, int] | None = None


@dataclass
class _Loop:
    head: Line
    source: int
    target: int
    exit: list[StateDescriptor] = field(default_factory=list)
    progression: list[StateProgressor] = field(default_factory=list)
    counter: list[StateValue] = field(default_factory=list)


def parse_graph(text: str, source: str = "<text>") -> LandmarkGraph:
    """The graph this text describes; an error names the line and what was expected there."""
    landmarks: list[_Landmark] = []
    loops: list[_Loop] = []
    current: _Landmark | _Loop | None = None
    for line in read_lines(text, source):
        landmark, loop = _LANDMARK.fullmatch(line.text), _LOOP.fullmatch(line.text)
        if landmark:
            if landmark[1] and int(landmark[1]) != len(landmarks) + 1:
                raise line.error(f"expected landmark {len(landmarks) + 1}, found {shown(line.text)}")
            current = _Landmark(line)
            landmarks.append(current)
        elif loop:
            current = _Loop(line, int(loop[1]) - 1, int(loop[2]) - 1)
            loops.append(current)
        elif _GUARD.match(line.text):
            raise line.error("a landmark graph has no guards", "guards belong to a program of counters")
        elif current is None:
            raise line.error("expected 'landmark' first", "a graph is landmarks, then loops")
        elif isinstance(current, _Landmark):
            _read_landmark_line(current, line)
        else:
            _read_loop_line(current, line)
    if not landmarks:
        raise InputError(f"{source} describes no landmark", hint="start with a line 'landmark 1'")
    return _assemble(landmarks, loops)


def print_graph(graph: LandmarkGraph) -> str:
    """The graph as text that `parse_graph` reads back to the same graph."""
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: LandmarkGraph) -> Iterator[str]:
    for number, landmark in enumerate(graph.landmarks, start=1):
        yield f"landmark {number}"
        if landmark.is_possible:
            yield f"    possible {landmark.share}%"
        if landmark.branch is not None:
            yield f"    branch {landmark.branch[0]}.{landmark.branch[1]}"
        yield from (f"    {descriptor}" for descriptor in landmark.descriptors)
    for loop in graph.loops:
        yield f"loop {loop.source + 1} -> {loop.target + 1}"
        yield from (f"    exit {descriptor}" for descriptor in loop.exit)
        yield from (f"    progress {progressor}" for progressor in loop.progression)
        yield from (f"    counter {value}" for value in loop.counter)


def _read_landmark_line(landmark: _Landmark, line: Line) -> None:
    possible, branch = _POSSIBLE.fullmatch(line.text), _BRANCH.fullmatch(line.text)
    if possible:
        landmark.share = int(possible[1])
    elif branch:
        landmark.branch = int(branch[1]), int(branch[2])
    elif is_progressor(line):
        raise line.error("a landmark holds state descriptors alone", COUNTER_HINT)
    else:
        landmark.descriptors.append(read_descriptor(line))


def _read_loop_line(loop: _Loop, line: Line) -> None:
    part = _PART.match(line.text)
    if part is None:
        raise line.error(
            f"expected exit, progress or counter, found {shown(line.text.split()[0])}",
            "as in 'exit n_count(…) = 0', 'progress decreases n_count(…)', 'counter n_count(…)'",
        )
    rest = line.after(part.end())
    if part[1] == "exit":
        loop.exit.append(read_descriptor(rest))
    elif part[1] == "progress":
        loop.progression.append(read_progressor(rest))
    else:
        loop.counter.append(read_value(rest))


def _assemble(landmarks: list[_Landmark], loops: list[_Loop]) -> LandmarkGraph:
    """The graph, with what its own checks find wrong told at the line where that part starts."""
    made: list[Landmark] = []
    for landmark in landmarks:
        with located(landmark.head.error):
            made.append(Landmark(tuple(landmark.descriptors), landmark.share, landmark.branch))
    with located(landmarks[0].head.error):
        LandmarkGraph(tuple(made))
    edges: list[Loop] = []
    for loop in loops:
        conditions = tuple(loop.exit), tuple(loop.progression), tuple(loop.counter)
        with located(loop.head.error):
            edges.append(Loop(loop.source, loop.target, *conditions))
            LandmarkGraph(tuple(made), tuple(edges))
    return LandmarkGraph(tuple(made), tuple(edges))
