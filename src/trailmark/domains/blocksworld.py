"""Blocksworld, with several goal towers, and Blocksworld-tower, with one.

Solvable: every block can be put on the table, and a goal of towers is then built from the bottom up.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require

HAND = "robot"


def build(rng: Random, *, blocks: int, goal_towers: int) -> Problem:
    """A random start and a goal of `goal_towers` towers, of which one at least is not standing yet."""
    require("goal_towers", goal_towers, 1, blocks - 1, "some block must have another one below")
    names = numbered("b", blocks, start=1)
    goal = _on(_split(rng, names, goal_towers))
    init = _standing(_random_towers(rng, names))
    while set(goal) <= set(init):
        init = _standing(_random_towers(rng, names))
    return Problem([(names, "block"), ([HAND], "robot")], [*init, ("handempty", HAND)], goal)


def build_tower(rng: Random, *, blocks: int) -> Problem:
    """A random start and the goal of one tower of all blocks."""
    return build(rng, blocks=blocks, goal_towers=1)


def _random_towers(rng: Random, names: list[str]) -> list[list[str]]:
    """Blocks in random order, each put on the table or on a tower, all with the same chance."""
    order = list(names)
    rng.shuffle(order)
    towers: list[list[str]] = []
    for block in order:
        place = rng.randrange(len(towers) + 1)
        if place == len(towers):
            towers.append([])
        towers[place].append(block)
    return towers


def _split(rng: Random, names: list[str], parts: int) -> list[list[str]]:
    """All blocks in random order, cut at random into `parts` towers."""
    order = list(names)
    rng.shuffle(order)
    cuts = [0, *sorted(rng.sample(range(1, len(order)), parts - 1)), len(order)]
    return [order[start:end] for start, end in pairwise(cuts)]


def _on(towers: list[list[str]]) -> list[Atom]:
    return [("on", above, below) for tower in towers for below, above in pairwise(tower)]


def _standing(towers: list[list[str]]) -> list[Atom]:
    bottoms: list[Atom] = [("ontable", tower[0]) for tower in towers]
    tops: list[Atom] = [("clear", tower[-1]) for tower in towers]
    return [*bottoms, *_on(towers), *tops]


_BLOCKS = Parameter("blocks", 5, 2, 2000, "blocks")

BLOCKSWORLD = DomainSpec(
    name="blocksworld",
    description="One hand restacks blocks into several given towers.",
    pddl_name="blocks",
    parameters=(
        _BLOCKS,
        Parameter("goal_towers", 1, 1, 1999, "towers of the goal, fewer than blocks"),
    ),
    build=build,
    train=(
        {"blocks": 3, "goal_towers": 2},
        {"blocks": 3, "goal_towers": 1},
        {"blocks": 5, "goal_towers": 2},
        {"blocks": 6, "goal_towers": 2},
        {"blocks": 6, "goal_towers": 3},
    ),
    test=ramp({"blocks": 5, "goal_towers": 1}, {"blocks": 100, "goal_towers": 12}),
)

BLOCKSWORLD_TOWER = DomainSpec(
    name="blocksworld-tower",
    description="Blocksworld where all blocks are to form one tower.",
    pddl_name="blocks",
    parameters=(_BLOCKS,),
    build=build_tower,
    train=tuple({"blocks": blocks} for blocks in (2, 3, 3, 4, 5)),
    test=ramp({"blocks": 5}, {"blocks": 100}),
)
