"""Vehicles with drivers, passengers or purchases: Driverlog, the Miconic lifts, TPP."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.spec import (
    Atom,
    DomainSpec,
    Edge,
    Parameter,
    Problem,
    another,
    numbered,
    ramp,
    random_connected_graph,
    require,
    sized,
)


def build_driverlog(
    rng: Random,
    *,
    drivers: int,
    trucks: int,
    packages: int,
    junctions: int,
    extra_roads: int,
    driver_goals: int,
    truck_goals: int,
) -> Problem:
    """Everything at random junctions; whatever has a goal has it at another junction.

    Solvable: the links alone and the paths alone each connect all junctions, so a driver can reach any
    truck on foot, deliver every package, bring every truck to its place, and then walk to his own.
    """
    require("driver_goals", driver_goals, 0, drivers, "a driver has at most one")
    require("truck_goals", truck_goals, 0, trucks, "a truck has at most one")
    sites = numbered("s", junctions)
    extra = junctions * extra_roads // 100
    links = random_connected_graph(rng, junctions, extra)
    paths = random_connected_graph(rng, junctions, extra)
    halfway = [_halfway(path) for path in paths]
    fleet = [
        ("driver", numbered("driver", drivers, start=1), driver_goals),
        ("truck", numbered("truck", trucks, start=1), truck_goals),
        ("obj", numbered("package", packages, start=1), packages),
    ]
    init: list[Atom] = []
    for one, other in links:
        init += _both_ways("link", sites[one], sites[other])
    for path in paths:
        init += _both_ways("path", sites[path[0]], _halfway(path))
        init += _both_ways("path", sites[path[1]], _halfway(path))
    init += [("empty", truck) for truck in fleet[1][1]]
    goal: list[Atom] = []
    for _, names, goals in fleet:
        bound = set(rng.sample(names, goals))
        for name in names:
            start = rng.randrange(junctions)
            init.append(("at", name, sites[start]))
            if name in bound:
                goal.append(("at", name, sites[another(rng, junctions, start)]))
    objects = [(names, kind) for kind, names, _ in fleet]
    return Problem([*objects, ([*sites, *halfway], "location")], init, goal)


def _halfway(path: Edge) -> str:
    """The place a driver passes on foot between two junctions."""
    return f"p{path[0]}-{path[1]}"


def _both_ways(predicate: str, here: str, there: str) -> list[Atom]:
    return [(predicate, here, there), (predicate, there, here)]


DRIVERLOG = DomainSpec(
    name="driverlog",
    description="Drivers board trucks to deliver packages; drivers and trucks may have goals too.",
    pddl_name="driverlog",
    parameters=(
        Parameter("drivers", 2, 1, 100, "drivers"),
        Parameter("trucks", 2, 1, 100, "trucks"),
        Parameter("packages", 3, 1, 2000, "packages to deliver"),
        Parameter("junctions", 4, 2, 1000, "junctions, where links and paths meet"),
        Parameter("extra_roads", 50, 0, 400, "links, and paths, beyond a tree, in percent of junctions"),
        Parameter("driver_goals", 1, 0, 100, "drivers with a goal, at most all"),
        Parameter("truck_goals", 0, 0, 100, "trucks with a goal, at most all"),
    ),
    build=build_driverlog,
    train=sized(
        "drivers trucks packages junctions driver_goals truck_goals",
        (1, 1, 1, 2, 0, 0),
        (1, 1, 1, 3, 1, 0),
        (1, 1, 2, 3, 1, 0),
        (2, 1, 2, 4, 1, 1),
        (2, 2, 3, 4, 1, 1),
    ),
    test=ramp(
        "drivers trucks packages junctions driver_goals truck_goals",
        (1, 1, 4, 8, 1, 0),
        (6, 6, 140, 150, 3, 3),
    ),
)


def build_miconic(rng: Random, *, floors: int, passengers: int) -> Problem:
    """The lift at a random floor; every passenger wants to go from a random floor to another.

    Solvable: the lift goes from any floor to any other, so it can serve one passenger after the other.
    """
    return _miconic_problem(rng, floors, passengers, upwards=False)


def build_miconic_up(rng: Random, *, floors: int, passengers: int) -> Problem:
    """As `build_miconic`, with every destination above its origin."""
    return _miconic_problem(rng, floors, passengers, upwards=True)


def build_miconic_capacity(rng: Random, *, floors: int, passengers: int) -> Problem:
    """As `build_miconic`, with an empty lift that has room for one."""
    problem = _miconic_problem(rng, floors, passengers, upwards=False)
    return Problem(problem.objects, [*problem.init, ("lift-empty",)], problem.goal)


def _miconic_problem(rng: Random, floors: int, passengers: int, upwards: bool) -> Problem:
    floor_names = numbered("f", floors)
    people = numbered("p", passengers)
    init: list[Atom] = [
        ("above", low, high) for place, low in enumerate(floor_names) for high in floor_names[place + 1 :]
    ]
    for person in people:
        origin = rng.randrange(floors)
        destination = another(rng, floors, origin)
        if upwards:
            origin, destination = sorted((origin, destination))
        init += [("origin", person, floor_names[origin]), ("destin", person, floor_names[destination])]
    init.append(("lift-at", floor_names[rng.randrange(floors)]))
    goal: list[Atom] = [("served", person) for person in people]
    return Problem([(people, "passenger"), (floor_names, "floor")], init, goal)


_MICONIC_SIZES = (
    Parameter("floors", 5, 2, 1000, "floors"),
    Parameter("passengers", 4, 1, 10000, "passengers to serve"),
)


MICONIC = DomainSpec(
    name="miconic",
    description="A lift without limit takes passengers to their floors.",
    pddl_name="miconic",
    parameters=_MICONIC_SIZES,
    build=build_miconic,
    train=sized("floors passengers", (3, 1), (2, 2), (3, 2), (4, 3), (3, 4)),
    test=ramp("floors passengers", (4, 4), (100, 300)),
)

MICONIC_CAPACITY = DomainSpec(
    name="miconic-capacity",
    description="Miconic where the lift holds one passenger at a time.",
    pddl_name="miconic-capacity",
    parameters=_MICONIC_SIZES,
    build=build_miconic_capacity,
    train=sized("floors passengers", (3, 1), (2, 2), (3, 2), (4, 3), (4, 4)),
    test=ramp("floors passengers", (5, 4), (100, 300)),
)

MICONIC_UP = DomainSpec(
    name="miconic-up",
    description="Miconic where every passenger travels upwards.",
    pddl_name="miconic",
    parameters=_MICONIC_SIZES,
    build=build_miconic_up,
    train=sized("floors passengers", (3, 1), (3, 2), (4, 2), (4, 3), (5, 4)),
    test=ramp("floors passengers", (4, 5), (100, 300)),
)


def build_tpp(rng: Random, *, goods: int, trucks: int, markets: int, depots: int, supply: int) -> Problem:
    """Every good is sold in 1 to `supply` units, spread over the markets, of which some are wanted.

    Solvable: of every good the markets together sell at least what is asked for, no amount exceeds the
    highest level, and roads connect all markets with each other and every depot with one of them, so one
    truck buys, loads and stores unit by unit.
    """
    goods_names = numbered("goods", goods, start=1)
    truck_names = numbered("truck", trucks, start=1)
    market_names = numbered("market", markets, start=1)
    depot_names = numbered("depot", depots, start=1)
    levels = numbered("level", supply + 1)
    init: list[Atom] = [("next", more, less) for less, more in pairwise(levels)]
    for one, other in random_connected_graph(rng, markets, extra=0):
        init += _road(market_names[one], market_names[other])
    for depot in depot_names:
        init += _road(depot, market_names[rng.randrange(markets)])
    init += [("at", truck, depot_names[rng.randrange(depots)]) for truck in truck_names]
    goal: list[Atom] = []
    for good in goods_names:
        total = 1 + rng.randrange(supply)
        sold = [0] * markets
        for _ in range(total):
            sold[rng.randrange(markets)] += 1
        for market, amount in zip(market_names, sold, strict=True):
            init += [("on-sale", good, market, levels[amount]), ("ready-to-load", good, market, levels[0])]
        init += [("loaded", good, truck, levels[0]) for truck in truck_names]
        init.append(("stored", good, levels[0]))
        goal.append(("stored", good, levels[1 + rng.randrange(total)]))
    objects = [
        (goods_names, "goods"),
        (truck_names, "truck"),
        (market_names, "market"),
        (depot_names, "depot"),
        (levels, "level"),
    ]
    return Problem(objects, init, goal)


def _road(here: str, there: str) -> list[Atom]:
    return [("connected", here, there), ("connected", there, here)]


TPP = DomainSpec(
    name="tpp",
    description="Trucks buy wanted amounts of goods at markets and store them at depots.",
    pddl_name="tpp-propositional",
    parameters=(
        Parameter("goods", 2, 1, 500, "goods to store"),
        Parameter("trucks", 1, 1, 50, "trucks"),
        Parameter("markets", 2, 1, 100, "markets"),
        Parameter("depots", 1, 1, 100, "depots"),
        Parameter("supply", 2, 1, 100, "the most units sold of one good, which is the highest level"),
    ),
    build=build_tpp,
    train=sized(
        "goods trucks markets depots supply",
        (1, 1, 1, 1, 1),
        (1, 1, 1, 2, 2),
        (2, 1, 2, 1, 2),
        (2, 2, 2, 2, 3),
        (3, 2, 2, 2, 3),
    ),
    test=ramp("goods trucks markets depots supply", (2, 2, 1, 2, 3), (32, 3, 3, 6, 14)),
)
