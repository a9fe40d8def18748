"""Miconic, Miconic-up (passengers only travel upwards) and Miconic-capacity (one passenger at a time).

Solvable: the lift goes from any floor to any other, so it can serve one passenger after the other.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import another, numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp


def build(rng: Random, *, floors: int, passengers: int) -> Problem:
    """The lift at a random floor; every passenger wants to go from a random floor to another."""
    return _problem(rng, floors, passengers, upwards=False)


def build_up(rng: Random, *, floors: int, passengers: int) -> Problem:
    """As `build`, with every destination above its origin."""
    return _problem(rng, floors, passengers, upwards=True)


def build_capacity(rng: Random, *, floors: int, passengers: int) -> Problem:
    """As `build`, with an empty lift that has room for one."""
    problem = _problem(rng, floors, passengers, upwards=False)
    return Problem(problem.objects, [*problem.init, ("lift-empty",)], problem.goal)


def _problem(rng: Random, floors: int, passengers: int, upwards: bool) -> Problem:
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


_PARAMETERS = (
    Parameter("floors", 5, 2, 1000, "floors"),
    Parameter("passengers", 4, 1, 10000, "passengers to serve"),
)
_LAST = {"floors": 100, "passengers": 300}

MICONIC = DomainSpec(
    name="miconic",
    description="A lift without limit takes passengers to their floors.",
    pddl_name="miconic",
    parameters=_PARAMETERS,
    build=build,
    train=(
        {"floors": 3, "passengers": 1},
        {"floors": 2, "passengers": 2},
        {"floors": 3, "passengers": 2},
        {"floors": 4, "passengers": 3},
        {"floors": 3, "passengers": 4},
    ),
    test=ramp({"floors": 4, "passengers": 4}, _LAST),
)

MICONIC_CAPACITY = DomainSpec(
    name="miconic-capacity",
    description="Miconic where the lift holds one passenger at a time.",
    pddl_name="miconic-capacity",
    parameters=_PARAMETERS,
    build=build_capacity,
    train=(
        {"floors": 3, "passengers": 1},
        {"floors": 2, "passengers": 2},
        {"floors": 3, "passengers": 2},
        {"floors": 4, "passengers": 3},
        {"floors": 4, "passengers": 4},
    ),
    test=ramp({"floors": 5, "passengers": 4}, _LAST),
)

MICONIC_UP = DomainSpec(
    name="miconic-up",
    description="Miconic where every passenger travels upwards.",
    pddl_name="miconic",
    parameters=_PARAMETERS,
    build=build_up,
    train=(
        {"floors": 3, "passengers": 1},
        {"floors": 3, "passengers": 2},
        {"floors": 4, "passengers": 2},
        {"floors": 4, "passengers": 3},
        {"floors": 5, "passengers": 4},
    ),
    test=ramp({"floors": 4, "passengers": 5}, _LAST),
)
