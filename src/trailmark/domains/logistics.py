"""Logistics: trucks carry packages within their city, airplanes between airports.

Solvable: every city has an airport and a truck that reaches all its sites, and there is an airplane.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import another, numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require


def build(rng: Random, *, cities: int, sites: int, packages: int, planes: int) -> Problem:
    """Vehicles and packages at random sites; every package wants to be at another site of any city."""
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


def _sizes(cities: int, sites: int, packages: int, planes: int) -> dict[str, int]:
    return {"cities": cities, "sites": sites, "packages": packages, "planes": planes}


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
    build=build,
    train=(
        _sizes(2, 1, 1, 1),
        _sizes(1, 3, 1, 1),
        _sizes(2, 2, 1, 1),
        _sizes(2, 2, 2, 1),
        _sizes(3, 2, 3, 2),
    ),
    test=ramp(_sizes(2, 2, 4, 1), _sizes(30, 4, 80, 10)),
)
