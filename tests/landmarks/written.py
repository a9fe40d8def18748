"""Graphs and programs as the text that they are read from."""

from __future__ import annotations

from trailmark.landmarks.graph import LandmarkGraph
from trailmark.programs.program import Program


def print_graph(graph: LandmarkGraph) -> str:
    """The graph as text that `parse_graph` reads back to the same graph."""
    lines: list[str] = []
    for number, landmark in enumerate(graph.landmarks, start=1):
        lines += [f"landmark {number}", *(f"    {descriptor}" for descriptor in landmark.descriptors)]
    for loop in graph.loops:
        lines.append(f"loop {loop.source + 1} -> {loop.target + 1}")
        lines += [f"    exit {descriptor}" for descriptor in loop.exit]
        lines += [f"    progress {progressor}" for progressor in loop.progression]
        lines += [f"    counter {value}" for value in loop.counter]
    return "\n".join(lines) + "\n"


def print_program(program: Program) -> str:
    """The program as text that `parse_program` reads back to the same program."""
    lines: list[str] = []
    for counter in program.counters:
        lines += [f"counter {counter.value}", *(f"    then {feature}" for feature in counter.features[1:])]
    return "\n".join([*lines, *(f"guard {guard}" for guard in program.guards)]) + "\n"
