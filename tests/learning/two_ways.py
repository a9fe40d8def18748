"""Two small domains in which plans go one of two ways, with training plans of both kinds.

In `mixer` syrup and milk are poured in either order; in `courier` a parcel goes by
road or by air.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from trailmark.learning.training import TrainingInstance
from trailmark.task import Domain, Task, parse_plan

PDDL = Path(__file__).parent


def domain(name: str) -> Domain:
    return Domain.load(PDDL / name / "domain.pddl")


def mixer(places: int, table: int, syrup: int, milk: int, side: int = 1) -> str:
    """A row of places, or several beside each other, with everything in the first one."""
    rows = [[f"p{n}" if row == 0 else f"q{row}-{n}" for n in range(places)] for row in range(side)]
    pairs = [pair for row in rows for pair in pairwise(row)]
    pairs += [pair for before, after in pairwise(rows) for pair in zip(before, after, strict=True)]
    facts = [f"(next {a} {b}) (next {b} {a})" for a, b in pairs]
    facts += [f"(table p{table}) (here p{table}) (syrup-on p{syrup}) (milk-on p{milk})"]
    return _problem("mixer", f"{' '.join(place for row in rows for place in row)} - place", facts, "(served)")


def mixing(table: int, syrup: int, milk: int, syrup_first: bool) -> str:
    """A plan for it."""
    steps: list[str] = []
    order = [("syrup", syrup), ("milk", milk)]
    for what, place in order if syrup_first else reversed(order):
        steps += [*_way("go", table, place), f"(take-{what} p{place})"]
        steps += [*_way("go", place, table), f"(pour-{what} p{table})"]
    return "\n".join([*steps, f"(stir p{table})", f"(serve p{table})"])


def courier(
    places: int, truck: int, parcel: int, goal: int, airports: tuple[int, int], spare: int = 0
) -> str:
    """A road of places with two airports on or off it; spare parcels are not to be moved."""
    row, far = [f"p{n}" for n in range(places)], [f"p{n}" for n in airports if n >= places]
    facts = [f"(road {a} {b}) (road {b} {a})" for a, b in pairwise(row)]
    facts += [f"(airport p{n})" for n in airports]
    others = [f"y{n}" for n in range(spare)]
    facts += [f"(at {other} {row[n % places]})" for n, other in enumerate(others)]
    facts += [f"(truck-at p{truck}) (plane-at p{airports[1]}) (at x p{parcel}) (wanted x p{goal})"]
    return _problem(
        "courier", f"{' '.join(row + far)} - place x {' '.join(others)} - parcel", facts, "(signed x)"
    )


def by_road(truck: int, parcel: int, goal: int) -> str:
    steps = [*_way("drive", truck, parcel), f"(load-truck x p{parcel})", *_way("drive", parcel, goal)]
    return "\n".join([*steps, f"(unload-truck x p{goal})", f"(sign x p{goal})"])


def by_air(here: int, there: int) -> str:
    """From one airport to the other, where the plane is."""
    steps = [f"(fly p{there} p{here})", f"(load-plane x p{here})", f"(fly p{here} p{there})"]
    return "\n".join([*steps, f"(unload-plane x p{there})", f"(sign x p{there})"])


def training(name: str) -> list[TrainingInstance]:
    """Five instances with plans, three of one kind and two of the other."""
    if name == "mixer":
        sizes = [
            (4, 1, 0, 3, True),
            (5, 2, 0, 4, False),
            (5, 3, 2, 0, True),
            (6, 2, 5, 1, False),
            (6, 1, 3, 4, True),
        ]
        pairs = [(mixer(n, t, s, m, 2), mixing(t, s, m, first)) for n, t, s, m, first in sizes]
    else:
        pairs = [
            (courier(5, 0, 2, 4, (8, 9)), by_road(0, 2, 4)),
            (courier(6, 5, 3, 1, (8, 9)), by_road(5, 3, 1)),
            (courier(4, 0, 8, 9, (8, 9)), by_air(8, 9)),
            (courier(5, 1, 7, 8, (7, 8)), by_air(7, 8)),
            (courier(7, 3, 5, 0, (8, 9)), by_road(3, 5, 0)),
        ]
    known = domain(name)
    return [TrainingInstance(Task.parse(known, problem), parse_plan(plan)) for problem, plan in pairs]


def _way(action: str, start: int, end: int) -> list[str]:
    step = 1 if end > start else -1
    return [f"({action} p{n} p{n + step})" for n in range(start, end, step)]


def _problem(name: str, objects: str, facts: list[str], goal: str) -> str:
    start = f"(define (problem {name}-some) (:domain {name})\n(:objects {objects})\n(:init\n"
    return start + "\n".join(facts) + f")\n(:goal (and {goal})))\n"
