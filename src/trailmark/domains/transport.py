"""Carrying things and people to their places: Delivery, Driverlog, Ferry, Gripper, Logistics, the Miconic
lifts, Newspapers, TPP.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random
from string import ascii_lowercase

from trailmark.domains.spec import Problem, another, grid, pick, random_roads, require


def build_delivery(rng: Random, *, width: int, height: int, packages: int, trucks: int) -> Problem:
    """Trucks and packages on random cells; every package wants to be on another one.

    Solvable: the grid is connected and has no walls, so a truck fetches one package after the other.
    """
    require("width * height", width * height, 2, because="a package needs somewhere to go")
    problem = Problem()
    neighbours = grid(width, height, "c_{}_{}")
    cells = problem.add("cell", neighbours)
    package_names = problem.new("package", packages, "p")
    truck_names = problem.new("truck", trucks, "t")
    problem.connect("adjacent", neighbours)
    for truck in truck_names:
        problem.init += [("at", truck, pick(rng, cells)), ("empty", truck)]
    for package in package_names:
        problem.bring(rng, "at", package, cells)
    return problem


def build_ferry(rng: Random, *, locations: int, cars: int) -> Problem:
    """Cars and the ferry at random ports; every car wants to be at another one.

    Solvable: the boat sails between any two ports, so it brings one car after the other.
    """
    problem = Problem()
    car_names = problem.new("obj", cars, "c", start=0)
    ports = problem.new("obj", locations, "l", start=0)
    problem.add("ferry", ["ferry"])
    problem.all_are({"location": ports})
    problem.init += [("not-eq", port, other) for port in ports for other in ports if port != other]
    problem.all_are({"car": car_names, "at-ferry": [pick(rng, ports)], "empty-ferry": ["ferry"]})
    for car in car_names:
        problem.bring(rng, "at", car, ports)
    return problem


GRIPPERS = ("left", "right")


def build_gripper(rng: Random, *, balls: int, rooms: int) -> Problem:
    """All balls and the robot in the first room; every ball wants to be in a random other room.

    Solvable: every room is one step from every other and nothing blocks the robot.
    """
    problem = Problem()
    first, *others = problem.add("", [f"room{letter}" for letter in ascii_lowercase[:rooms]])
    ball_names = problem.new("", balls, "ball")
    problem.add("", GRIPPERS)
    problem.all_are({"room": [first, *others], "ball": ball_names, "gripper": GRIPPERS, "free": GRIPPERS})
    problem.init.append(("at-robby", first))
    problem.init += [("at", ball, first) for ball in ball_names]
    problem.goal += [("at", ball, pick(rng, others)) for ball in ball_names]
    return problem


def build_logistics(rng: Random, *, cities: int, sites: int, packages: int, planes: int) -> Problem:
    """Vehicles and packages at random sites; every package wants to be at another site of any city.

    Solvable: every city has an airport and a truck that reaches all its sites, and there is an airplane.
    """
    require("cities * sites", cities * sites, 2, because="a package needs somewhere to go")
    problem = Problem()
    plane_names = problem.new("", planes, "a", start=0)
    city_names = problem.new("", cities, "c", start=0)
    truck_names = problem.new("", cities, "t", start=0)
    parts = [[f"l{city}-{site}" for site in range(sites)] for city in range(cities)]
    locations = problem.add("", [location for part in parts for location in part])
    package_names = problem.new("", packages, "p", start=0)
    airports = [part[0] for part in parts]
    problem.all_are({"city": city_names, "truck": truck_names, "airplane": plane_names, "obj": package_names})
    for city, part in zip(city_names, parts, strict=True):
        for location in part:
            problem.init += [("location", location), ("in-city", location, city)]
    problem.all_are({"airport": airports})
    problem.init += [("at", truck, pick(rng, part)) for truck, part in zip(truck_names, parts, strict=True)]
    problem.init += [("at", plane, pick(rng, airports)) for plane in plane_names]
    for package in package_names:
        problem.bring(rng, "at", package, locations)
    return problem


def build_newspapers(rng: Random, *, customers: int, spare_papers: int) -> Problem:
    """Start at a random home base; every other location wants a paper.

    Solvable: there is a paper for every customer, and one can go from any place to any other.
    """
    problem = Problem()
    locations = problem.new("loc", customers + 1, "loc-", start=0)
    papers = problem.new("paper", customers + spare_papers, "paper-", start=0)
    base = pick(rng, locations)
    waiting = [location for location in locations if location != base]
    problem.all_are({"at": [base], "ishomebase": [base], "unpacked": papers, "wantspaper": waiting})
    problem.goal += [("satisfied", location) for location in waiting]
    return problem


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
    problem = Problem()
    fleet = [
        (problem.new("driver", drivers), driver_goals),
        (truck_names := problem.new("truck", trucks), truck_goals),
        (problem.new("obj", packages, "package"), packages),
    ]
    sites = problem.new("location", junctions, "s", start=0)
    extra = junctions * extra_roads // 100
    problem.both_ways("link", random_roads(rng, sites, extra))
    for one, other in random_roads(rng, range(junctions), extra):
        # The place a driver passes on foot between two junctions.
        (halfway,) = problem.add("location", [f"p{one}-{other}"])
        problem.both_ways("path", [(sites[one], halfway), (sites[other], halfway)])
    problem.all_are({"empty": truck_names})
    for names, goals in fleet:
        bound = set(rng.sample(names, goals))
        for name in names:
            if name in bound:
                problem.bring(rng, "at", name, sites)
            else:
                problem.init.append(("at", name, pick(rng, sites)))
    return problem


def build_miconic(
    rng: Random, *, floors: int, passengers: int, upwards: bool = False, one_at_a_time: bool = False
) -> Problem:
    """The lift at a random floor; every passenger wants to go from a random floor to another, or only to
    one above; the lift may have room for one.

    Solvable: the lift goes from any floor to any other, so it can serve one passenger after the other.
    """
    problem = Problem()
    people = problem.new("passenger", passengers, "p", start=0)
    floor_names = problem.new("floor", floors, "f", start=0)
    problem.init += [("above", low, high) for low, high in combinations(floor_names, 2)]
    for person in people:
        origin = pick(rng, floor_names)
        destination = another(rng, floor_names, origin)
        if upwards:
            origin, destination = sorted((origin, destination), key=floor_names.index)
        problem.init += [("origin", person, origin), ("destin", person, destination)]
    problem.init.append(("lift-at", pick(rng, floor_names)))
    problem.init += [("lift-empty",)] if one_at_a_time else []
    problem.goal += [("served", person) for person in people]
    return problem


def build_tpp(rng: Random, *, goods: int, trucks: int, markets: int, depots: int, supply: int) -> Problem:
    """Every good is sold in 1 to `supply` units, spread over the markets, of which some are wanted.

    Solvable: of every good the markets together sell at least what is asked for, no amount exceeds the
    highest level, and roads connect all markets with each other and every depot with one of them, so one
    truck buys, loads and stores unit by unit.
    """
    problem = Problem()
    goods_names = problem.new("goods", goods)
    truck_names = problem.new("truck", trucks)
    market_names = problem.new("market", markets)
    depot_names = problem.new("depot", depots)
    levels = problem.new("level", supply + 1, start=0)
    problem.init += [("next", more, less) for less, more in pairwise(levels)]
    problem.both_ways("connected", random_roads(rng, market_names, extra=0))
    problem.both_ways("connected", [(depot, pick(rng, market_names)) for depot in depot_names])
    problem.init += [("at", truck, pick(rng, depot_names)) for truck in truck_names]
    for good in goods_names:
        total = 1 + rng.randrange(supply)
        sold = [rng.randrange(markets) for _ in range(total)]
        for place, market in enumerate(market_names):
            problem.init.append(("on-sale", good, market, levels[sold.count(place)]))
            problem.init.append(("ready-to-load", good, market, levels[0]))
        problem.init += [("loaded", good, truck, levels[0]) for truck in truck_names]
        problem.init.append(("stored", good, levels[0]))
        problem.goal.append(("stored", good, levels[1 + rng.randrange(total)]))
    return problem
