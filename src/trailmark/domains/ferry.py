"""Ferry: a boat that holds one car brings every car to its port.

Solvable: the boat sails between any two ports, so it brings one car after the other.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import another, numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp


def build(rng: Random, *, locations: int, cars: int) -> Problem:
    """Cars and the ferry at random ports; every car wants to be at another one."""
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
        Parameter("locations", 4, 2, 500, "ports"),
        Parameter("cars", 4, 1, 10000, "cars to ship"),
    ),
    build=build,
    train=(
        {"locations": 2, "cars": 1},
        {"locations": 3, "cars": 1},
        {"locations": 3, "cars": 2},
        {"locations": 4, "cars": 3},
        {"locations": 5, "cars": 4},
    ),
    test=ramp({"locations": 4, "cars": 5}, {"locations": 50, "cars": 400}),
)
