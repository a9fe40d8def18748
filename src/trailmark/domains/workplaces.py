"""Places where work is done: Garden, Warehouse, Workshop."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.spec import (
    Atom,
    Cell,
    DomainSpec,
    Parameter,
    Problem,
    another,
    grid,
    numbered,
    ramp,
    random_connected_graph,
    require,
    sized,
)


def build_garden(
    rng: Random, *, beds: int, plants: int, amounts: int, gardeners: int, wells: int, lawns: int
) -> Problem:
    """Beds, wells, lawns and one shed on random trails; tools lie and gardeners stand at random spots.

    Solvable: there are a spade, a can, a well and a shed, trails connect all spots, and no bed wants
    more than the highest amount. A gardener digs every bed, leaves the spade, sows one bed after the
    other from the shed, and then waters unit by unit, with the can filled whenever it is empty.
    """
    bed_names = numbered("bed", beds, start=1)
    well_names = numbered("well", wells, start=1)
    spots = ["shed", *well_names, *numbered("lawn", lawns, start=1), *bed_names]
    plant_names = numbered("plant", plants, start=1)
    gardener_names = numbered("gardener", gardeners, start=1)
    spades = numbered("spade", gardeners, start=1)
    cans = numbered("can", gardeners, start=1)
    levels = numbered("amount", amounts + 1)
    init: list[Atom] = [("a-bit-more", less, more) for less, more in pairwise(levels)]
    init.append(("brim", levels[-1]))
    for one, other in random_connected_graph(rng, len(spots), extra=len(spots) // 2):
        init += [("trail", spots[one], spots[other]), ("trail", spots[other], spots[one])]
    init.append(("shed", "shed"))
    init += [("well", well) for well in well_names]
    for gardener in gardener_names:
        init += [("stands-at", gardener, spots[rng.randrange(len(spots))])]
        init += [("hands-free", gardener), ("pocket-empty", gardener)]
    init += [("lies-at", tool, spots[rng.randrange(len(spots))]) for tool in [*spades, *cans]]
    init += [("filled", can, levels[0]) for can in cans]
    goal: list[Atom] = []
    for bed in bed_names:
        init += [("overgrown", bed), ("wet", bed, levels[0])]
        goal.append(("sown", bed, plant_names[rng.randrange(plants)]))
        goal.append(("wet", bed, levels[1 + rng.randrange(amounts)]))
    objects = [
        (spots[: -len(bed_names)], "spot"),
        (bed_names, "bed"),
        (plant_names, "plant"),
        (gardener_names, "gardener"),
        (spades, "spade"),
        (cans, "can"),
        (levels, "amount"),
    ]
    return Problem(objects, init, goal)


GARDEN = DomainSpec(
    name="garden",
    description="Beds are dug, sown and watered by gardeners who hold one tool at a time.",
    pddl_name="garden",
    parameters=(
        Parameter("beds", 3, 1, 1000, "beds"),
        Parameter("plants", 2, 1, 100, "kinds of plant"),
        Parameter("amounts", 2, 1, 100, "the most water a bed can want, which is what a can holds"),
        Parameter("gardeners", 1, 1, 50, "gardeners, each with a spade and a can"),
        Parameter("wells", 1, 1, 100, "wells"),
        Parameter("lawns", 1, 0, 1000, "spots that are nothing but on the way"),
    ),
    build=build_garden,
    train=sized(
        "beds plants amounts gardeners wells lawns",
        (1, 1, 1, 1, 1, 1),
        (1, 2, 2, 1, 1, 1),
        (2, 2, 1, 1, 1, 1),
        (2, 2, 2, 1, 1, 1),
        (3, 2, 2, 1, 1, 1),
    ),
    test=ramp(
        "beds plants amounts gardeners wells lawns", (3, 2, 2, 1, 1, 1), (60, 8, 5, 3, 4, 20), steps=10
    ),
)


def build_warehouse(
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
    """Full robots at random stations; every item belongs on a random desk and lies somewhere else.

    Solvable: with every spot at most `cover` steps from a station, the battery holds at least 2 * cover
    + 1 units. That is enough to go from a station to any spot near it and back. It is also enough to go
    from station to station: where two neighbouring spots belong to different stations, these are at most
    cover + 1 + cover steps apart, so the stations are connected. One robot then moves one item after the
    other.
    """
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
    build=build_warehouse,
    train=sized(
        "width height items robots stations desks",
        (2, 2, 1, 1, 1, 1),
        (3, 3, 1, 1, 1, 1),
        (3, 3, 2, 1, 2, 1),
        (3, 3, 3, 1, 2, 2),
        (4, 4, 3, 1, 2, 2),
    ),
    test=ramp(
        "width height items robots stations desks", (4, 4, 3, 1, 2, 2), (16, 16, 60, 4, 16, 6), steps=10
    ),
)


def build_workshop(
    rng: Random, *, parts: int, machines: int, jobs: int, steps: int, spare_tools: int
) -> Problem:
    """Every part has 1 to `steps` random jobs to pass; the tools are in the rack, some of them sharp.

    Solvable: for every job there is a tool, and every tool fits some machine. One part after the other
    is clamped in the machine of the next job's tool, which is ground and mounted for it, and unmounted
    afterwards.
    """
    part_names = numbered("part", parts, start=1)
    machine_names = numbered("machine", machines, start=1)
    job_names = numbered("job", jobs, start=1)
    tools = numbered("tool", jobs + spare_tools, start=1)
    stages = numbered("stage", steps + 1)
    init: list[Atom] = [("followed-by", stage, following) for stage, following in pairwise(stages)]
    for place, tool in enumerate(tools):
        job = job_names[place] if place < jobs else job_names[rng.randrange(jobs)]
        init += [("does", tool, job), ("in-rack", tool)]
        init += [("fits", tool, each) for each in rng.sample(machine_names, 1 + rng.randrange(machines))]
        if rng.randrange(2):
            init.append(("sharp", tool))
    for machine in machine_names:
        init += [("vacant", machine), ("bare", machine)]
    for part in part_names:
        length = 1 + rng.randrange(steps)
        init += [("asks", part, stage, job_names[rng.randrange(jobs)]) for stage in stages[:length]]
        init += [("final", part, stages[length]), ("reached", part, stages[0]), ("in-stock", part)]
    goal: list[Atom] = [("shipped", part) for part in part_names]
    objects = [
        (part_names, "part"),
        (machine_names, "machine"),
        (tools, "tool"),
        (job_names, "job"),
        (stages, "stage"),
    ]
    return Problem(objects, init, goal)


WORKSHOP = DomainSpec(
    name="workshop",
    description="Parts pass through sequences of jobs on machines with tools to change and to grind.",
    pddl_name="workshop",
    parameters=(
        Parameter("parts", 3, 1, 2000, "parts to make"),
        Parameter("machines", 2, 1, 100, "machines"),
        Parameter("jobs", 2, 1, 100, "kinds of job, each with a tool"),
        Parameter("steps", 2, 1, 100, "the most jobs a part passes through"),
        Parameter("spare_tools", 0, 0, 100, "tools beyond one for each kind of job"),
    ),
    build=build_workshop,
    train=sized(
        "parts machines jobs steps spare_tools",
        (1, 1, 1, 1, 0),
        (1, 2, 2, 3, 0),
        (2, 1, 2, 2, 0),
        (2, 2, 2, 3, 1),
        (3, 2, 2, 2, 0),
    ),
    test=ramp("parts machines jobs steps spare_tools", (3, 2, 3, 3, 0), (120, 12, 16, 10, 8), steps=10),
)
