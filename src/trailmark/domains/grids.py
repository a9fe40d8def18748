"""Robots on a grid: Grid, Visitall, Floortile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from trailmark.domains.spec import (
    Atom,
    Cell,
    Problem,
    another,
    grid,
    numbered,
    require,
    without_holes,
)


def build_grid(
    rng: Random, *, width: int, height: int, shapes: int, keys: int, locked: int, goals: int
) -> Problem:
    """`locked` percent of the cells have a lock of a random shape; `goals` keys are to be moved.

    Solvable: the shapes have a random order, and the first key of each shape lies where the robot can
    get with the shapes before it; in particular the first lies where no lock must be opened. A lock
    stays open and a key is never used up, so the robot fetches these keys in order and opens all it can
    with each, until the whole grid, which is connected, is open. It then carries any key to any cell,
    one at a time.
    """
    require("width * height", width * height, 2, because="a key needs somewhere to go")
    require("keys", keys, shapes, because="every shape has a key")
    require("goals", goals, 1, keys, "a key has at most one")
    neighbours = grid(width, height)
    cells = list(neighbours)
    names = {cell: f"pos{cell[0]}-{cell[1]}" for cell in cells}
    shape_names = numbered("shape", shapes)
    key_names = numbered("key", keys)
    start = cells[rng.randrange(len(cells))]
    lockable = [cell for cell in cells if cell != start]
    locks = {cell: rng.randrange(shapes) for cell in sorted(rng.sample(lockable, len(cells) * locked // 100))}
    placed = _key_places(rng, neighbours, locks, start, shapes)
    placed += [(rng.randrange(shapes), cells[rng.randrange(len(cells))]) for _ in range(keys - shapes)]
    rng.shuffle(placed)

    init: list[Atom] = [("place", name) for name in names.values()]
    init += [("shape", shape) for shape in shape_names]
    init += [("key", key) for key in key_names]
    init += [("conn", names[cell], names[near]) for cell, nears in neighbours.items() for near in nears]
    init += [("open", names[cell]) for cell in cells if cell not in locks]
    for cell, shape in locks.items():
        init += [("locked", names[cell]), ("lock-shape", names[cell], shape_names[shape])]
    for key, (shape, cell) in zip(key_names, placed, strict=True):
        init += [("key-shape", key, shape_names[shape]), ("at", key, names[cell])]
    init += [("at-robot", names[start]), ("arm-empty",)]
    goal: list[Atom] = []
    for index in sorted(rng.sample(range(keys), goals)):
        target = cells[another(rng, len(cells), cells.index(placed[index][1]))]
        goal.append(("at", key_names[index], names[target]))
    return Problem([([*names.values(), *shape_names, *key_names], None)], init, goal)


def _key_places(
    rng: Random,
    neighbours: Mapping[Cell, Sequence[Cell]],
    locks: Mapping[Cell, int],
    start: Cell,
    shapes: int,
) -> list[tuple[int, Cell]]:
    """One key of every shape, each where the keys before it lead."""
    order = list(range(shapes))
    rng.shuffle(order)
    placed: list[tuple[int, Cell]] = []
    for shape in order:
        owned = {earlier for earlier, _ in placed}
        closed = {cell for cell, lock in locks.items() if lock not in owned}
        region = sorted(_reachable(neighbours, start, closed))
        placed.append((shape, region[rng.randrange(len(region))]))
    return placed


def _reachable(neighbours: Mapping[Cell, Sequence[Cell]], start: Cell, closed: set[Cell]) -> set[Cell]:
    seen = {start}
    stack = [start]
    while stack:
        for near in neighbours[stack.pop()]:
            if near not in seen and near not in closed:
                seen.add(near)
                stack.append(near)
    return seen


def build_visitall(rng: Random, *, width: int, height: int, holes: int, goals: int) -> Problem:
    """The robot on a random place; `goals` percent of the places, at least one, are to be visited.

    Solvable: the places that remain are connected, both ways.
    """
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


COLORS = ("white", "black")


def build_floortile(rng: Random, *, rows: int, columns: int, robots: int) -> Problem:
    """Robots of random colours on random tiles of a floor of `rows` painted rows and one more.

    The floor has a row 0 that stays unpainted below the painted rows. Solvable: robots can all take
    every colour, so they are interchangeable, and interchangeable robots on a connected floor reach any
    arrangement, for example all on row 0, which has room as there are at most as many robots as columns.
    A robot on row 0 climbs its column and paints it from the top down, always the tile above it, until
    it is back on row 0. When all columns with a robot are done, the nearest robot moves along row 0 to
    the next column; no other robot stands between.
    """
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
