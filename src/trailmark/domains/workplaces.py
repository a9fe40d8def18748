"""Places where work is done: Baking, Barman, Childsnack, Garden, Warehouse, Workshop."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.spec import (
    Atom,
    Cell,
    Problem,
    another,
    grid,
    numbered,
    random_connected_graph,
    require,
)


def build_baking(
    rng: Random, *, cakes: int, souffles: int, pans: int, ovens: int, spare_ingredients: int, spare_soap: int
) -> Problem:
    """All pans clean and all ovens empty; which of the dishes become cakes is random.

    Solvable: there is an egg and a piece of soap for every dish and flour for every cake, so with one
    pan and one oven the dishes can be baked one after the other, each time washing the pan and emptying
    the oven.
    """
    dishes = cakes + souffles
    require("cakes + souffles", dishes, 1, because="there must be something to bake")
    eggs = numbered("egg-", dishes + spare_ingredients)
    flours = numbered("flour-", cakes + spare_ingredients)
    dish_names = numbered("new-", dishes)
    soaps = numbered("soap-", dishes + spare_soap)
    pan_names = numbered("pan-", pans)
    oven_names = numbered("oven-", ovens)
    kinds = ["iscake"] * cakes + ["issouffle"] * souffles
    rng.shuffle(kinds)
    init: list[Atom] = [("isegg", egg) for egg in eggs]
    init += [("isflour", flour) for flour in flours]
    init += [("hypothetical", dish) for dish in dish_names]
    init += [("panisclean", pan) for pan in pan_names]
    init += [("ovenisempty", oven) for oven in oven_names]
    goal: list[Atom] = list(zip(kinds, dish_names, strict=True))
    goal += [("ovenisempty", oven) for oven in oven_names]
    objects = {
        "oven": oven_names,
        "ingredient": [*eggs, *flours, *dish_names],
        "soap": soaps,
        "pan": pan_names,
    }
    return Problem(objects, init, goal)


SHAKER = "shaker1"
HANDS = ("left", "right")
LEVELS = ("l0", "l1", "l2")


def build_barman(
    rng: Random, *, cocktails: int, plain_shots: int, ingredients: int, spare_shots: int
) -> Problem:
    """Every cocktail, of two random ingredients, in one shot; a random ingredient in each plain shot.

    Solvable: beside the shots to be served there is a spare one. For each cocktail it carries the two
    ingredients to the empty, clean shaker, washed in between; the shaker is then shaken, poured into the
    shot to be served, which nothing else has used, and emptied and cleaned. A shot of a plain ingredient
    is filled at its dispenser.
    """
    shots = numbered("shot", cocktails + plain_shots + spare_shots, start=1)
    cocktail_names = numbered("cocktail", cocktails, start=1)
    ingredient_names = numbered("ingredient", ingredients, start=1)
    dispensers = numbered("dispenser", ingredients, start=1)
    containers = [SHAKER, *shots]
    init: list[Atom] = [("ontable", container) for container in containers]
    init += [("clean", container) for container in containers]
    init += [("empty", container) for container in containers]
    init += [("handempty", hand) for hand in HANDS]
    init += [
        ("dispenses", dispenser, ingredient)
        for dispenser, ingredient in zip(dispensers, ingredient_names, strict=True)
    ]
    init += [("shaker-empty-level", SHAKER, LEVELS[0]), ("shaker-level", SHAKER, LEVELS[0])]
    init += [("next", LEVELS[0], LEVELS[1]), ("next", LEVELS[1], LEVELS[2])]
    for cocktail in cocktail_names:
        first, second = rng.sample(ingredient_names, 2)
        init += [("cocktail-part1", cocktail, first), ("cocktail-part2", cocktail, second)]
    drinks = list(cocktail_names)
    rng.shuffle(drinks)
    drinks += [ingredient_names[rng.randrange(ingredients)] for _ in range(plain_shots)]
    goal: list[Atom] = [
        ("contains", shot, drink) for shot, drink in zip(shots[: len(drinks)], drinks, strict=True)
    ]
    objects = {
        "shaker": [SHAKER],
        "hand": HANDS,
        "shot": shots,
        "ingredient": ingredient_names,
        "cocktail": cocktail_names,
        "dispenser": dispensers,
        "level": LEVELS,
    }
    return Problem(objects, init, goal)


def build_childsnack(
    rng: Random, *, children: int, allergic: int, trays: int, tables: int, spare_sandwiches: int
) -> Problem:
    """Who is allergic, who waits where and which portions are gluten-free is random.

    Solvable: there is bread, content and a sandwich for every child, and gluten-free bread and content
    for exactly those who need it. Making these sandwiches first leaves enough for everybody else.
    """
    require("allergic", allergic, 0, children, "these are some of the children")
    child_names = numbered("child", children, start=1)
    breads = numbered("bread", children, start=1)
    contents = numbered("content", children, start=1)
    tray_names = numbered("tray", trays, start=1)
    table_names = numbered("table", tables, start=1)
    sandwiches = numbered("sandw", children + spare_sandwiches, start=1)
    sensitive = set(rng.sample(child_names, allergic))
    init: list[Atom] = [("at", tray, "kitchen") for tray in tray_names]
    init += [("at_kitchen_bread", bread) for bread in breads]
    init += [("at_kitchen_content", content) for content in contents]
    init += [("no_gluten_bread", bread) for bread in rng.sample(breads, allergic)]
    init += [("no_gluten_content", content) for content in rng.sample(contents, allergic)]
    init += [
        ("allergic_gluten" if child in sensitive else "not_allergic_gluten", child) for child in child_names
    ]
    init += [("waiting", child, table_names[rng.randrange(tables)]) for child in child_names]
    init += [("notexist", sandwich) for sandwich in sandwiches]
    goal: list[Atom] = [("served", child) for child in child_names]
    objects = {
        "child": child_names,
        "bread-portion": breads,
        "content-portion": contents,
        "tray": tray_names,
        "place": table_names,
        "sandwich": sandwiches,
    }
    return Problem(objects, init, goal)


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
    objects = {
        "spot": spots[: -len(bed_names)],
        "bed": bed_names,
        "plant": plant_names,
        "gardener": gardener_names,
        "spade": spades,
        "can": cans,
        "amount": levels,
    }
    return Problem(objects, init, goal)


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
    objects = {
        "spot": [name[cell] for cell in cells],
        "robot": robot_names,
        "item": item_names,
        "charge": charges,
    }
    return Problem(objects, init, goal)


def _cover(aisles: dict[Cell, list[Cell]], stations: list[Cell]) -> int:
    """The largest number of steps from a spot to its nearest station."""
    seen, border, steps = set(stations), list(stations), -1
    while border:
        steps += 1
        border = sorted({near for cell in border for near in aisles[cell]} - seen)
        seen.update(border)
    return steps


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
        init += [
            ("fits", tool, machine) for machine in rng.sample(machine_names, 1 + rng.randrange(machines))
        ]
        if rng.randrange(2):
            init.append(("sharp", tool))
    for machine in machine_names:
        init += [("vacant", machine), ("bare", machine)]
    for part in part_names:
        length = 1 + rng.randrange(steps)
        init += [("asks", part, stage, job_names[rng.randrange(jobs)]) for stage in stages[:length]]
        init += [("final", part, stages[length]), ("reached", part, stages[0]), ("in-stock", part)]
    goal: list[Atom] = [("shipped", part) for part in part_names]
    objects = {"part": part_names, "machine": machine_names, "tool": tools, "job": job_names, "stage": stages}
    return Problem(objects, init, goal)
