"""Warehouse: robots with batteries bring items to desks and call at charging stations on the way.

Solvable: with every spot at most `cover` steps from a station, the battery holds at least 2 * cover + 1
units. That is enough to go from a station to any spot near it and back. It is also enough to go from
station to station: where two neighbouring spots belong to different stations, these are at most
cover + 1 + cover steps apart, so the stations are connected. One robot then moves one item after the other.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.layout import Cell, another, grid, numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require


def build(
    rng: Random,
    *,
    width: int,
    height: int,
    items: int,
    robots: int,
    stations: int,
    desks: int,
    spare_charge: int,
) -> Problem:
    """Full robots at random stations; every item belongs on a random desk and lies somewhere else."""
    require("width * height", width * height, 2, because="an item must lie somewhere else than its goal")
    require("stations", stations, 1, width * height, "a spot is a station or not")
    require("desks", desks, 1, width * height, "every desk has a spot of its own")
    aisles = grid(width, height)
    cells = list(aisles)
    name = {cell: f"spot-{cell[0]}-{cell[1]}" for cell in cells}
    station_cells = rng.sample(cells, stations)
    desk_cells = rng.sample(cells, desks)
    charges = numbered("charge-", 2 * _cover(aisles, station_cells) + 2 + spare_charge)
    item_names = numbered("item-", items, start=1)
    robot_names = numbered("robot-", robots, start=1)
    init: list[Atom] = [("aisle", name[cell], name[near]) for cell in cells for near in aisles[cell]]
    init += [("station", name[cell]) for cell in sorted(station_cells)]
    init += [("one-less", more, less) for less, more in pairwise(charges)]
    init.append(("full", charges[-1]))
    for robot in robot_names:
        start = station_cells[rng.randrange(stations)]
        init += [("robot-in", robot, name[start]), ("charged", robot, charges[-1]), ("unladen", robot)]
    goal: list[Atom] = []
    for item in item_names:
        desk = desk_cells[rng.randrange(desks)]
        origin = cells[another(rng, len(cells), cells.index(desk))]
        init.append(("item-in", item, name[origin]))
        goal.append(("item-in", item, name[desk]))
    objects = [
        ([name[cell] for cell in cells], "spot"),
        (robot_names, "robot"),
        (item_names, "item"),
        (charges, "charge"),
    ]
    return Problem(objects, init, goal)


def _cover(aisles: dict[Cell, list[Cell]], stations: list[Cell]) -> int:
    """The largest number of steps from a spot to its nearest station."""
    seen, border, steps = set(stations), list(stations), -1
    while border:
        steps += 1
        border = sorted({near for cell in border for near in aisles[cell]} - seen)
        seen.update(border)
    return steps


def _sizes(side: int, items: int, robots: int, stations: int, desks: int) -> dict[str, int]:
    return {
        "width": side,
        "height": side,
        "items": items,
        "robots": robots,
        "stations": stations,
        "desks": desks,
    }


WAREHOUSE = DomainSpec(
    name="warehouse",
    description="Robots bring items to desks and must recharge on the way.",
    pddl_name="warehouse",
    parameters=(
        Parameter("width", 4, 1, 100, "columns of spots"),
        Parameter("height", 4, 1, 100, "rows of spots"),
        Parameter("items", 3, 1, 2000, "items to bring to desks"),
        Parameter("robots", 1, 1, 100, "robots"),
        Parameter("stations", 2, 1, 1000, "charging stations"),
        Parameter("desks", 2, 1, 1000, "spots where items belong"),
        Parameter("spare_charge", 0, 0, 1000, "units of battery beyond what is needed"),
    ),
    build=build,
    train=(
        _sizes(2, 1, 1, 1, 1),
        _sizes(3, 1, 1, 1, 1),
        _sizes(3, 2, 1, 2, 1),
        _sizes(3, 3, 1, 2, 2),
        _sizes(4, 3, 1, 2, 2),
    ),
    test=ramp(_sizes(4, 3, 1, 2, 2), _sizes(16, 60, 4, 16, 6), steps=10),
)
