"""Grid and Grid-no-exchange: a robot opens locked cells with matching keys to bring keys to cells.

Solvable: the shapes have a random order, and the first key of each shape lies where the robot can get
with the shapes before it; in particular the first lies where no lock must be opened. A lock stays open
and a key is never used up, so the robot fetches these keys in order and opens all it can with each, until
the whole grid, which is connected, is open. It then carries any key to any cell, one at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from trailmark.domains.layout import Cell, another, grid, numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require


def build(
    rng: Random, *, width: int, height: int, shapes: int, keys: int, locked: int, goals: int
) -> Problem:
    """`locked` percent of the cells have a lock of a random shape; `goals` keys are to be moved."""
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


_PARAMETERS = (
    Parameter("width", 4, 1, 200, "columns of the grid"),
    Parameter("height", 4, 1, 200, "rows of the grid"),
    Parameter("shapes", 2, 1, 50, "shapes of keys and locks"),
    Parameter("keys", 3, 1, 500, "keys, at least as many as shapes"),
    Parameter("locked", 30, 0, 90, "locked cells in percent"),
    Parameter("goals", 2, 1, 500, "keys to move, at most all"),
)


def _sizes(width: int, height: int, shapes: int, keys: int, locked: int, goals: int) -> dict[str, int]:
    values = (width, height, shapes, keys, locked, goals)
    return {parameter.name: value for parameter, value in zip(_PARAMETERS, values, strict=True)}


_TRAIN = (
    _sizes(2, 3, 1, 1, 0, 1),
    _sizes(3, 3, 1, 1, 45, 1),
    _sizes(3, 3, 1, 2, 45, 2),
    _sizes(3, 4, 2, 2, 45, 2),
    _sizes(4, 4, 2, 3, 45, 3),
)
_TEST = ramp(_sizes(3, 3, 1, 3, 40, 2), _sizes(60, 60, 4, 8, 50, 5))

GRID = DomainSpec(
    name="grid",
    description="A robot opens locks with matching keys and moves keys; it may swap keys in place.",
    pddl_name="grid",
    parameters=_PARAMETERS,
    build=build,
    train=_TRAIN,
    test=_TEST,
)

GRID_NO_EXCHANGE = DomainSpec(
    name="grid-no-exchange",
    description="Grid without swapping the held key for one on the floor; the instances are Grid's.",
    pddl_name="grid",
    parameters=_PARAMETERS,
    build=build,
    train=_TRAIN,
    test=_TEST,
)
