"""Delivery: trucks that hold one package each bring packages to their cells on an open grid.

Solvable: the grid is connected and has no walls, so a truck fetches one package after the other.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import another, grid, numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require


def build(rng: Random, *, width: int, height: int, packages: int, trucks: int) -> Problem:
    """Trucks and packages on random cells; every package wants to be on another one."""
    require("width * height", width * height, 2, because="a package needs somewhere to go")
    neighbours = grid(width, height)
    names = {cell: f"c_{cell[0]}_{cell[1]}" for cell in neighbours}
    cells = list(names.values())
    package_names = numbered("p", packages, start=1)
    truck_names = numbered("t", trucks, start=1)
    init: list[Atom] = [
        ("adjacent", names[cell], names[near]) for cell, nears in neighbours.items() for near in nears
    ]
    for truck in truck_names:
        init += [("at", truck, cells[rng.randrange(len(cells))]), ("empty", truck)]
    goal: list[Atom] = []
    for package in package_names:
        start = rng.randrange(len(cells))
        init.append(("at", package, cells[start]))
        goal.append(("at", package, cells[another(rng, len(cells), start)]))
    return Problem([(cells, "cell"), (package_names, "package"), (truck_names, "truck")], init, goal)


DELIVERY = DomainSpec(
    name="delivery",
    description="A truck that holds one package at a time delivers packages on a grid.",
    pddl_name="delivery",
    parameters=(
        Parameter("width", 4, 1, 200, "columns of the grid"),
        Parameter("height", 4, 1, 200, "rows of the grid"),
        Parameter("packages", 3, 1, 5000, "packages to deliver"),
        Parameter("trucks", 1, 1, 50, "trucks"),
    ),
    build=build,
    train=(
        {"width": 2, "height": 2, "packages": 1},
        {"width": 2, "height": 2, "packages": 2},
        {"width": 3, "height": 3, "packages": 1},
        {"width": 3, "height": 3, "packages": 2},
        {"width": 3, "height": 3, "packages": 3},
    ),
    test=ramp({"width": 3, "height": 3, "packages": 4}, {"width": 20, "height": 20, "packages": 60}),
)
