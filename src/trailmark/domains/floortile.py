"""Floortile: robots paint a floor like a chessboard; Floortile-single has one robot.

The floor has a row 0 that stays unpainted below the painted rows. Solvable: robots can all take every
colour, so they are interchangeable, and interchangeable robots on a connected floor reach any
arrangement, for example all on row 0, which has room as there are at most as many robots as columns. A
robot on row 0 climbs its column and paints it from the top down, always the tile above it, until it is
back on row 0. When all columns with a robot are done, the nearest robot moves along row 0 to the next
column; no other robot stands between.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require

COLORS = ("white", "black")


def build(rng: Random, *, rows: int, columns: int, robots: int) -> Problem:
    """Robots of random colours on random tiles of a floor of `rows` painted rows and one more."""
    require("robots", robots, 1, columns, "all robots must find room on the lowest row")
    robot_names = numbered("robot", robots, start=1)
    tiles = [[f"tile_{row}-{column + 1}" for column in range(columns)] for row in range(rows + 1)]
    flat = [tile for row in tiles for tile in row]
    taken = rng.sample(flat, robots)
    init: list[Atom] = []
    for robot, tile in zip(robot_names, taken, strict=True):
        init += [("robot-at", robot, tile), ("robot-has", robot, COLORS[rng.randrange(len(COLORS))])]
    init += [("available-color", color) for color in COLORS]
    init += [("clear", tile) for tile in flat if tile not in taken]
    for row in range(rows + 1):
        for column in range(columns):
            here = tiles[row][column]
            if row < rows:
                init += [("up", tiles[row + 1][column], here), ("down", here, tiles[row + 1][column])]
            if column + 1 < columns:
                init += [("right", tiles[row][column + 1], here), ("left", here, tiles[row][column + 1])]
    first = rng.randrange(len(COLORS))
    goal: list[Atom] = [
        ("painted", tiles[row][column], COLORS[(row + column + first) % len(COLORS)])
        for row in range(1, rows + 1)
        for column in range(columns)
    ]
    return Problem([(flat, "tile"), (robot_names, "robot"), (COLORS, "color")], init, goal)


def build_single(rng: Random, *, rows: int, columns: int) -> Problem:
    """As `build`, with one robot."""
    return build(rng, rows=rows, columns=columns, robots=1)


_FLOOR = (
    Parameter("rows", 3, 1, 300, "painted rows; one more below stays unpainted"),
    Parameter("columns", 3, 1, 300, "columns"),
)

FLOORTILE = DomainSpec(
    name="floortile",
    description="Robots paint a floor in two colours and must not wall themselves in.",
    pddl_name="floor-tile",
    parameters=(*_FLOOR, Parameter("robots", 2, 1, 100, "robots, at most as many as columns")),
    build=build,
    train=(
        {"rows": 2, "columns": 1, "robots": 1},
        {"rows": 1, "columns": 2, "robots": 2},
        {"rows": 2, "columns": 2, "robots": 2},
        {"rows": 2, "columns": 3, "robots": 2},
        {"rows": 3, "columns": 2, "robots": 2},
    ),
    test=ramp({"rows": 3, "columns": 2, "robots": 2}, {"rows": 33, "columns": 28, "robots": 4}),
)

FLOORTILE_SINGLE = DomainSpec(
    name="floortile-single",
    description="Floortile with one robot.",
    pddl_name="floor-tile",
    parameters=_FLOOR,
    build=build_single,
    train=(
        {"rows": 2, "columns": 1},
        {"rows": 1, "columns": 2},
        {"rows": 2, "columns": 2},
        {"rows": 3, "columns": 2},
        {"rows": 2, "columns": 3},
    ),
    test=ramp({"rows": 3, "columns": 2}, {"rows": 33, "columns": 28}),
)
