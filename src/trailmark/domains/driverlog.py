"""Driverlog: drivers walk along paths, drive trucks along links, and trucks carry packages.

Solvable: the links alone and the paths alone each connect all junctions, so a driver can reach any
truck on foot, deliver every package, bring every truck to its place, and then walk to his own.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import Edge, another, numbered, random_connected_graph
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require


def build(
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
    """Everything at random junctions; whatever has a goal has it at another junction."""
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


def _sizes(
    drivers: int, trucks: int, packages: int, junctions: int, driver_goals: int, truck_goals: int
) -> dict[str, int]:
    return {
        "drivers": drivers,
        "trucks": trucks,
        "packages": packages,
        "junctions": junctions,
        "driver_goals": driver_goals,
        "truck_goals": truck_goals,
    }


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
    build=build,
    train=(
        _sizes(1, 1, 1, 2, 0, 0),
        _sizes(1, 1, 1, 3, 1, 0),
        _sizes(1, 1, 2, 3, 1, 0),
        _sizes(2, 1, 2, 4, 1, 1),
        _sizes(2, 2, 3, 4, 1, 1),
    ),
    test=ramp(_sizes(1, 1, 4, 8, 1, 0), _sizes(6, 6, 140, 150, 3, 3)),
)
