"""TPP, the travelling purchaser: trucks buy goods at markets and store them at depots.

Solvable: of every good the markets together sell at least what is asked for, no amount exceeds the
highest level, and roads connect all markets with each other and every depot with one of them, so one
truck buys, loads and stores unit by unit.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.layout import numbered, random_connected_graph
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp


def build(rng: Random, *, goods: int, trucks: int, markets: int, depots: int, supply: int) -> Problem:
    """Every good is sold in 1 to `supply` units, spread over the markets, of which some are wanted."""
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


def _sizes(goods: int, trucks: int, markets: int, depots: int, supply: int) -> dict[str, int]:
    return {"goods": goods, "trucks": trucks, "markets": markets, "depots": depots, "supply": supply}


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
    build=build,
    train=(
        _sizes(1, 1, 1, 1, 1),
        _sizes(1, 1, 1, 2, 2),
        _sizes(2, 1, 2, 1, 2),
        _sizes(2, 2, 2, 2, 3),
        _sizes(3, 2, 2, 2, 3),
    ),
    test=ramp(_sizes(2, 2, 1, 2, 3), _sizes(32, 3, 3, 6, 14)),
)
