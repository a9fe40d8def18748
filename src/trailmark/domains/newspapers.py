"""Newspapers: papers are fetched at the home base and delivered to every customer.

Solvable: there is a paper for every customer, and one can go from any place to any other.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp


def build(rng: Random, *, customers: int, spare_papers: int) -> Problem:
    """Start at a random home base; every other location wants a paper."""
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
    build=build,
    train=(
        {"customers": 1, "spare_papers": 0},
        {"customers": 2, "spare_papers": 1},
        {"customers": 2, "spare_papers": 7},
        {"customers": 3, "spare_papers": 2},
        {"customers": 4, "spare_papers": 5},
    ),
    test=ramp({"customers": 5, "spare_papers": 5}, {"customers": 150, "spare_papers": 10}),
)
