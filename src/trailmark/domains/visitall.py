"""Visitall: a robot visits places of a grid with holes.

Solvable: the places that remain are connected, both ways.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import grid, without_holes
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, Sizes, ramp, require


def build(rng: Random, *, width: int, height: int, holes: int, goals: int) -> Problem:
    """The robot on a random place; `goals` percent of the places, at least one, are to be visited."""
    require("width * height", width * height, 2, because="the robot needs somewhere to go")
    require("holes", holes, 0, width * height - 2, "two places must remain")
    neighbours = without_holes(rng, grid(width, height), holes)
    names = {cell: f"loc-x{cell[0]}-y{cell[1]}" for cell in neighbours}
    places = list(names.values())
    start = places[rng.randrange(len(places))]
    others = [place for place in places if place != start]
    wanted = set(rng.sample(others, max(1, len(others) * goals // 100)))
    if goals == 100:
        wanted.add(start)
    init: list[Atom] = [
        ("connected", names[cell], names[near]) for cell, nears in neighbours.items() for near in nears
    ]
    init += [("at-robot", start), ("visited", start)]
    goal: list[Atom] = [("visited", place) for place in places if place in wanted]
    return Problem([(places, "place")], init, goal)


def _growing() -> tuple[Sizes, ...]:
    """Every third grid has a tenth of its cells left out, every second asks for half of the places."""
    return tuple(
        {
            **size,
            "holes": size["width"] * size["height"] // 10 if step % 3 == 2 else 0,
            "goals": 50 if step % 2 == 1 else 100,
        }
        for step, size in enumerate(ramp({"width": 4, "height": 4}, {"width": 50, "height": 50}))
    )


VISITALL = DomainSpec(
    name="visitall",
    description="A robot visits the places of a grid.",
    pddl_name="grid-visit-all",
    parameters=(
        Parameter("width", 4, 1, 300, "columns of the grid"),
        Parameter("height", 4, 1, 300, "rows of the grid"),
        Parameter("holes", 0, 0, 90000, "cells left out, at most width * height - 2"),
        Parameter("goals", 100, 1, 100, "percentage of places to visit"),
    ),
    build=build,
    train=(
        {"width": 3, "height": 3, "holes": 1, "goals": 15},
        {"width": 2, "height": 2, "holes": 1, "goals": 100},
        {"width": 3, "height": 3, "holes": 2, "goals": 80},
        {"width": 3, "height": 3, "holes": 1, "goals": 100},
        {"width": 4, "height": 3, "holes": 1, "goals": 100},
    ),
    test=_growing(),
)
