"""Carrying things and people to their places: Delivery, Driverlog, Ferry, Gripper, Logistics, the Miconic
lifts, Newspapers, TPP.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from string import ascii_lowercase

from trailmark.domains.spec import (
    Atom,
    Edge,
    Problem,
    another,
    grid,
    numbered,
    random_connected_graph,
    require,
)


def build_delivery(rng: Random, *, width: int, height: int, packages: int, trucks: int) -> Problem:
    """Trucks and packages on random cells; every package wants to be on another one.

    Solvable: the grid is connected and has no walls, so a truck fetches one package after the other.
    """
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
    return Problem({"cell": cells, "package": package_names, "truck": truck_names}, init, goal)


def build_ferry(rng: Random, *, locations: int, cars: int) -> Problem:
    """Cars and the ferry at random ports; every car wants to be at another one.

    Solvable: the boat sails between any two ports, so it brings one car after the other.
    """
    ports = numbered("l", locations)
    car_names = numbered("c", cars)
    init: list[Atom] = [("location", port) for port in ports]
    init += [("not-eq", port, other) for port in ports for other in ports if port != other]
    init += [("car", car) for car in car_names]
    init += [("at-ferry", ports[rng.randrange(locations)]), ("empty-ferry", "ferry")]
    goal: list[Atom] = []
    for car in car_names:
        start = rng.randrange(locations)
        init.append(("at", car, ports[start]))
        goal.append(("at", car, ports[another(rng, locations, start)]))
    return Problem({"obj": [*car_names, *ports], "ferry": ["ferry"]}, init, goal)


GRIPPERS = ("left", "right")


def build_gripper(rng: Random, *, balls: int, rooms: int) -> Problem:
    """All balls and the robot in the first room; every ball wants to be in a random other room.

    Solvable: every room is one step from every other and nothing blocks the robot.
    """
    room_names = [f"room{letter}" for letter in ascii_lowercase[:rooms]]
    first, others = room_names[0], room_names[1:]
    ball_names = numbered("ball", balls, start=1)
    init: list[Atom] = [("room", room) for room in room_names]
    init += [("ball", ball) for ball in ball_names]
    init += [("gripper", gripper) for gripper in GRIPPERS]
    init += [("free", gripper) for gripper in GRIPPERS]
    init.append(("at-robby", first))
    init += [("at", ball, first) for ball in ball_names]
    goal: list[Atom] = [("at", ball, others[rng.randrange(len(others))]) for ball in ball_names]
    return Problem({"": [*room_names, *ball_names, *GRIPPERS]}, init, goal)


def build_logistics(rng: Random, *, cities: int, sites: int, packages: int, planes: int) -> Problem:
    """Vehicles and packages at random sites; every package wants to be at another site of any city.

    Solvable: every city has an airport and a truck that reaches all its sites, and there is an airplane.
    """
    require("cities * sites", cities * sites, 2, because="a package needs somewhere to go")
    city_names = numbered("c", cities)
    truck_names = numbered("t", cities)
    plane_names = numbered("a", planes)
    package_names = numbered("p", packages)
    locations = [f"l{city}-{site}" for city in range(cities) for site in range(sites)]
    airports = locations[::sites]
    init: list[Atom] = [("city", city) for city in city_names]
    init += [("truck", truck) for truck in truck_names]
    init += [("airplane", plane) for plane in plane_names]
    init += [("obj", package) for package in package_names]
    for index, location in enumerate(locations):
        init += [("location", location), ("in-city", location, city_names[index // sites])]
    init += [("airport", airport) for airport in airports]
    init += [
        ("at", truck, locations[city * sites + rng.randrange(sites)])
        for city, truck in enumerate(truck_names)
    ]
    init += [("at", plane, airports[rng.randrange(cities)]) for plane in plane_names]
    goal: list[Atom] = []
    for package in package_names:
        start = rng.randrange(len(locations))
        init.append(("at", package, locations[start]))
        goal.append(("at", package, locations[another(rng, len(locations), start)]))
    names = [*plane_names, *city_names, *truck_names, *locations, *package_names]
    return Problem({"": names}, init, goal)


def build_newspapers(rng: Random, *, customers: int, spare_papers: int) -> Problem:
    """Start at a random home base; every other location wants a paper.

    Solvable: there is a paper for every customer, and one can go from any place to any other.
    """
    locations = numbered("loc-", customers + 1)
    papers = numbered("paper-", customers + spare_papers)
    base = locations[rng.randrange(len(locations))]
    waiting = [location for location in locations if location != base]
    init: list[Atom] = [("at", base), ("ishomebase", base)]
    init += [("unpacked", paper) for paper in papers]
    init += [("wantspaper", location) for location in waiting]
    goal: list[Atom] = [("satisfied", location) for location in waiting]
    return Problem({"loc": locations, "paper": papers}, init, goal)


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
    objects = {kind: names for kind, names, _ in fleet}
    return Problem({**objects, "location": [*sites, *halfway]}, init, goal)


def _halfway(path: Edge) -> str:
    """The place a driver passes on foot between two junctions."""
    return f"p{path[0]}-{path[1]}"


def _both_ways(predicate: str, here: str, there: str) -> list[Atom]:
    return [(predicate, here, there), (predicate, there, here)]


def build_miconic(
    rng: Random, *, floors: int, passengers: int, upwards: bool = False, one_at_a_time: bool = False
) -> Problem:
    """The lift at a random floor; every passenger wants to go from a random floor to another, or only to
    one above; the lift may have room for one.

    Solvable: the lift goes from any floor to any other, so it can serve one passenger after the other.
    """
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
    init += [("lift-empty",)] if one_at_a_time else []
    goal: list[Atom] = [("served", person) for person in people]
    return Problem({"passenger": people, "floor": floor_names}, init, goal)


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
        init += _both_ways("connected", market_names[one], market_names[other])
    for depot in depot_names:
        init += _both_ways("connected", depot, market_names[rng.randrange(markets)])
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
    objects = {
        "goods": goods_names,
        "truck": truck_names,
        "market": market_names,
        "depot": depot_names,
        "level": levels,
    }
    return Problem(objects, init, goal)
