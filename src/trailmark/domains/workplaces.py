"""Places where work is done: Baking, Barman, Childsnack, Garden, Warehouse, Workshop."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.spec import Problem, another, grid, pick, random_roads, require, steps_from


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
    problem = Problem()
    oven_names = problem.new("oven", ovens, "oven-", start=0)
    eggs = problem.new("ingredient", dishes + spare_ingredients, "egg-", start=0)
    flours = problem.new("ingredient", cakes + spare_ingredients, "flour-", start=0)
    dish_names = problem.new("ingredient", dishes, "new-", start=0)
    problem.new("soap", dishes + spare_soap, "soap-", start=0)
    pan_names = problem.new("pan", pans, "pan-", start=0)
    problem.all_are({"isegg": eggs, "isflour": flours, "hypothetical": dish_names})
    problem.all_are({"panisclean": pan_names, "ovenisempty": oven_names})
    kinds = ["iscake"] * cakes + ["issouffle"] * souffles
    rng.shuffle(kinds)
    problem.goal += zip(kinds, dish_names, strict=True)
    problem.goal += [("ovenisempty", oven) for oven in oven_names]
    return problem


SHAKER = "shaker1"
HANDS = ("left", "right")


def build_barman(
    rng: Random, *, cocktails: int, plain_shots: int, ingredients: int, spare_shots: int
) -> Problem:
    """Every cocktail, of two random ingredients, in one shot; a random ingredient in each plain shot.

    Solvable: beside the shots to be served there is a spare one. For each cocktail it carries the two
    ingredients to the empty, clean shaker, washed in between; the shaker is then shaken, poured into the
    shot to be served, which nothing else has used, and emptied and cleaned. A shot of a plain ingredient
    is filled at its dispenser.
    """
    problem = Problem()
    problem.add("shaker", [SHAKER])
    problem.add("hand", HANDS)
    shots = problem.new("shot", cocktails + plain_shots + spare_shots)
    ingredient_names = problem.new("ingredient", ingredients)
    cocktail_names = problem.new("cocktail", cocktails)
    dispensers = problem.new("dispenser", ingredients)
    levels = problem.new("level", 3, "l", start=0)
    containers = [SHAKER, *shots]
    problem.all_are({"ontable": containers, "clean": containers, "empty": containers, "handempty": HANDS})
    problem.init += [("dispenses", *both) for both in zip(dispensers, ingredient_names, strict=True)]
    problem.init += [("shaker-empty-level", SHAKER, levels[0]), ("shaker-level", SHAKER, levels[0])]
    problem.init += [("next", less, more) for less, more in pairwise(levels)]
    for cocktail in cocktail_names:
        first, second = rng.sample(ingredient_names, 2)
        problem.init += [("cocktail-part1", cocktail, first), ("cocktail-part2", cocktail, second)]
    drinks = list(cocktail_names)
    rng.shuffle(drinks)
    drinks += [pick(rng, ingredient_names) for _ in range(plain_shots)]
    problem.goal += [("contains", *both) for both in zip(shots, drinks, strict=False)]
    return problem


def build_childsnack(
    rng: Random, *, children: int, allergic: int, trays: int, tables: int, spare_sandwiches: int
) -> Problem:
    """Who is allergic, who waits where and which portions are gluten-free is random.

    Solvable: there is bread, content and a sandwich for every child, and gluten-free bread and content
    for exactly those who need it. Making these sandwiches first leaves enough for everybody else.
    """
    require("allergic", allergic, 0, children, "these are some of the children")
    problem = Problem()
    child_names = problem.new("child", children)
    breads = problem.new("bread-portion", children, "bread")
    contents = problem.new("content-portion", children, "content")
    tray_names = problem.new("tray", trays)
    table_names = problem.new("place", tables, "table")
    sandwiches = problem.new("sandwich", children + spare_sandwiches, "sandw")
    sensitive = set(rng.sample(child_names, allergic))
    problem.init += [("at", tray, "kitchen") for tray in tray_names]
    problem.all_are({"at_kitchen_bread": breads, "at_kitchen_content": contents})
    problem.all_are({"no_gluten_bread": rng.sample(breads, allergic)})
    problem.all_are({"no_gluten_content": rng.sample(contents, allergic)})
    for child in child_names:
        problem.init.append(("allergic_gluten" if child in sensitive else "not_allergic_gluten", child))
    problem.init += [("waiting", child, pick(rng, table_names)) for child in child_names]
    problem.all_are({"notexist": sandwiches})
    problem.goal += [("served", child) for child in child_names]
    return problem


def build_garden(
    rng: Random, *, beds: int, plants: int, amounts: int, gardeners: int, wells: int, lawns: int
) -> Problem:
    """Beds, wells, lawns and one shed on random trails; tools lie and gardeners stand at random spots.

    Solvable: there are a spade, a can, a well and a shed, trails connect all spots, and no bed wants
    more than the highest amount. A gardener digs every bed, leaves the spade, sows one bed after the
    other from the shed, and then waters unit by unit, with the can filled whenever it is empty.
    """
    problem = Problem()
    (shed,) = problem.add("spot", ["shed"])
    well_names = problem.new("spot", wells, "well")
    lawn_names = problem.new("spot", lawns, "lawn")
    bed_names = problem.new("bed", beds)
    plant_names = problem.new("plant", plants)
    gardener_names = problem.new("gardener", gardeners)
    tools = [*problem.new("spade", gardeners), *(cans := problem.new("can", gardeners))]
    levels = problem.new("amount", amounts + 1, start=0)
    spots = [shed, *well_names, *lawn_names, *bed_names]
    problem.init += [("a-bit-more", less, more) for less, more in pairwise(levels)]
    problem.init.append(("brim", levels[-1]))
    problem.both_ways("trail", random_roads(rng, spots, extra=len(spots) // 2))
    problem.all_are({"shed": [shed], "well": well_names})
    for gardener in gardener_names:
        problem.init.append(("stands-at", gardener, pick(rng, spots)))
        problem.init += [("hands-free", gardener), ("pocket-empty", gardener)]
    problem.init += [("lies-at", tool, pick(rng, spots)) for tool in tools]
    problem.init += [("filled", can, levels[0]) for can in cans]
    for bed in bed_names:
        problem.init += [("overgrown", bed), ("wet", bed, levels[0])]
        problem.goal.append(("sown", bed, pick(rng, plant_names)))
        problem.goal.append(("wet", bed, pick(rng, levels[1:])))
    return problem


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
    problem = Problem()
    aisles = grid(width, height, "spot-{}-{}")
    spots = problem.add("spot", aisles)
    robot_names = problem.new("robot", robots, "robot-")
    item_names = problem.new("item", items, "item-")
    station_spots, desk_spots = rng.sample(spots, stations), rng.sample(spots, desks)
    cover = max(steps_from(station_spots, aisles).values())
    charges = problem.new("charge", 2 * cover + 2 + spare_charge, "charge-", start=0)
    problem.connect("aisle", aisles)
    problem.all_are({"station": [spot for spot in spots if spot in station_spots]})
    problem.init += [("one-less", more, less) for less, more in pairwise(charges)]
    problem.init.append(("full", charges[-1]))
    for robot in robot_names:
        problem.init.append(("robot-in", robot, pick(rng, station_spots)))
        problem.init += [("charged", robot, charges[-1]), ("unladen", robot)]
    for item in item_names:
        desk = pick(rng, desk_spots)
        problem.init.append(("item-in", item, another(rng, spots, desk)))
        problem.goal.append(("item-in", item, desk))
    return problem


def build_workshop(
    rng: Random, *, parts: int, machines: int, jobs: int, steps: int, spare_tools: int
) -> Problem:
    """Every part has 1 to `steps` random jobs to pass; the tools are in the rack, some of them sharp.

    Solvable: for every job there is a tool, and every tool fits some machine. One part after the other
    is clamped in the machine of the next job's tool, which is ground and mounted for it, and unmounted
    afterwards.
    """
    problem = Problem()
    part_names = problem.new("part", parts)
    machine_names = problem.new("machine", machines)
    tools = problem.new("tool", jobs + spare_tools)
    job_names = problem.new("job", jobs)
    stages = problem.new("stage", steps + 1, start=0)
    problem.init += [("followed-by", stage, following) for stage, following in pairwise(stages)]
    for place, tool in enumerate(tools):
        job = job_names[place] if place < jobs else pick(rng, job_names)
        problem.init += [("does", tool, job), ("in-rack", tool)]
        fitting = rng.sample(machine_names, 1 + rng.randrange(machines))
        problem.init += [("fits", tool, machine) for machine in fitting]
        if rng.randrange(2):
            problem.init.append(("sharp", tool))
    for machine in machine_names:
        problem.init += [("vacant", machine), ("bare", machine)]
    for part in part_names:
        length = 1 + rng.randrange(steps)
        problem.init += [("asks", part, stage, pick(rng, job_names)) for stage in stages[:length]]
        problem.init += [("final", part, stages[length]), ("reached", part, stages[0]), ("in-stock", part)]
    problem.goal += [("shipped", part) for part in part_names]
    return problem
