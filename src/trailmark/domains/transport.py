"""Carrying things to their places: Delivery, Ferry, Gripper, Logistics, Newspapers."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase

from trailmark.domains.spec import (
    Atom,
    DomainSpec,
    Parameter,
    Problem,
    another,
    grid,
    numbered,
    ramp,
    require,
    sized,
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
    return Problem([(cells, "cell"), (package_names, "package"), (truck_names, "truck")], init, goal)


DELIVERY = DomainSpec(
    name="delivery",
    description="A truck that holds one package at a time delivers packages on a grid.",
    pddl_name="delivery",
    parameters=(
        Parameter("width", 4, 1, 200, "columns of the grid"),
        Parameter("height", 4, 1, 200, "rows of the grid"),
        Parameter("packages", 3, 1, 5000, "packages to deliver"),
        Parameter("trucks", 1, 1, 50, "trucks"),
    ),
    build=build_delivery,
    train=sized("width height packages", (2, 2, 1), (2, 2, 2), (3, 3, 1), (3, 3, 2), (3, 3, 3)),
    test=ramp("width height packages", (3, 3, 4), (20, 20, 60)),
)


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
    return Problem([([*car_names, *ports], "obj"), (["ferry"], "ferry")], init, goal)


FERRY = DomainSpec(
    name="ferry",
    description="A ferry that holds one car at a time brings cars to their ports.",
    pddl_name="ferry",
    parameters=(
        Parameter("locations", 4, 2, 2000, "ports"),
        Parameter("cars", 4, 1, 20000, "cars to ship"),
    ),
    build=build_ferry,
    train=sized("locations cars", (2, 1), (3, 1), (3, 2), (4, 3), (5, 4)),
    test=ramp("locations cars", (4, 5), (50, 400)),
)


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
    return Problem([([*room_names, *ball_names, *GRIPPERS], None)], init, goal)


GRIPPER = DomainSpec(
    name="gripper",
    description="A robot with two grippers carries balls to another room.",
    pddl_name="gripper-strips",
    parameters=(
        Parameter("balls", 4, 1, 50000, "balls to move"),
        Parameter("rooms", 2, 2, len(ascii_lowercase), "rooms; with two, every ball has the same goal"),
    ),
    build=build_gripper,
    train=sized("balls", (1,), (2,), (3,), (4,), (5,)),
    test=ramp("balls", (6,), (600,)),
)


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
    return Problem([(names, None)], init, goal)


LOGISTICS = DomainSpec(
    name="logistics",
    description="Trucks within cities and airplanes between them deliver packages.",
    pddl_name="logistics-strips",
    parameters=(
        Parameter("cities", 2, 1, 500, "cities, each with one truck and one airport"),
        Parameter("sites", 2, 1, 100, "sites of each city, the airport among them"),
        Parameter("packages", 3, 1, 5000, "packages to deliver"),
        Parameter("planes", 1, 1, 200, "airplanes"),
    ),
    build=build_logistics,
    train=sized(
        "cities sites packages planes", (2, 1, 1, 1), (1, 3, 1, 1), (2, 2, 1, 1), (2, 2, 2, 1), (3, 2, 3, 2)
    ),
    test=ramp("cities sites packages planes", (2, 2, 4, 1), (30, 4, 80, 10)),
)


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
    return Problem([(locations, "loc"), (papers, "paper")], init, goal)


NEWSPAPERS = DomainSpec(
    name="newspapers",
    description="Papers from a home base are delivered to every customer.",
    pddl_name="newspapers",
    parameters=(
        Parameter("customers", 4, 1, 5000, "locations that want a paper"),
        Parameter("spare_papers", 2, 0, 5000, "papers beyond one for each customer"),
    ),
    build=build_newspapers,
    train=sized("customers spare_papers", (1, 0), (2, 1), (2, 7), (3, 2), (4, 5)),
    test=ramp("customers spare_papers", (5, 5), (150, 10)),
)
