"""Barman: cocktails of two ingredients are mixed in one shaker and served in shots.

Solvable: beside the shots to be served there is a spare one. For each cocktail it carries the two
ingredients to the empty, clean shaker, washed in between; the shaker is then shaken, poured into the
shot to be served, which nothing else has used, and emptied and cleaned. A shot of a plain ingredient
is filled at its dispenser.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp

SHAKER = "shaker1"
HANDS = ("left", "right")
LEVELS = ("l0", "l1", "l2")


def build(rng: Random, *, cocktails: int, plain_shots: int, ingredients: int, spare_shots: int) -> Problem:
    """Every cocktail, of two random ingredients, in one shot; a random ingredient in each plain shot."""
    shots = numbered("shot", cocktails + plain_shots + spare_shots, start=1)
    cocktail_names = numbered("cocktail", cocktails, start=1)
    ingredient_names = numbered("ingredient", ingredients, start=1)
    dispensers = numbered("dispenser", ingredients, start=1)
    containers = [SHAKER, *shots]
    init: list[Atom] = [("ontable", container) for container in containers]
    init += [("clean", container) for container in containers]
    init += [("empty", container) for container in containers]
    init += [("handempty", hand) for hand in HANDS]
    init += [
        ("dispenses", dispenser, ingredient)
        for dispenser, ingredient in zip(dispensers, ingredient_names, strict=True)
    ]
    init += [("shaker-empty-level", SHAKER, LEVELS[0]), ("shaker-level", SHAKER, LEVELS[0])]
    init += [("next", LEVELS[0], LEVELS[1]), ("next", LEVELS[1], LEVELS[2])]
    for cocktail in cocktail_names:
        first, second = rng.sample(ingredient_names, 2)
        init += [("cocktail-part1", cocktail, first), ("cocktail-part2", cocktail, second)]
    drinks = list(cocktail_names)
    rng.shuffle(drinks)
    drinks += [ingredient_names[rng.randrange(ingredients)] for _ in range(plain_shots)]
    goal: list[Atom] = [
        ("contains", shot, drink) for shot, drink in zip(shots[: len(drinks)], drinks, strict=True)
    ]
    objects = [
        ([SHAKER], "shaker"),
        (HANDS, "hand"),
        (shots, "shot"),
        (ingredient_names, "ingredient"),
        (cocktail_names, "cocktail"),
        (dispensers, "dispenser"),
        (LEVELS, "level"),
    ]
    return Problem(objects, init, goal)


BARMAN = DomainSpec(
    name="barman",
    description="A barman with two hands and one shaker serves cocktails of two ingredients.",
    pddl_name="barman",
    parameters=(
        Parameter("cocktails", 2, 1, 1000, "cocktails, each served once"),
        Parameter("plain_shots", 0, 0, 1000, "further shots, served with an ingredient alone"),
        Parameter("ingredients", 2, 2, 100, "ingredients, each with a dispenser"),
        Parameter("spare_shots", 1, 1, 100, "shots that are not served"),
    ),
    build=build,
    train=(
        {"cocktails": 1, "plain_shots": 0, "ingredients": 2},
        {"cocktails": 1, "plain_shots": 0, "ingredients": 4},
        {"cocktails": 1, "plain_shots": 1, "ingredients": 2},
        {"cocktails": 2, "plain_shots": 0, "ingredients": 2},
        {"cocktails": 2, "plain_shots": 1, "ingredients": 2},
    ),
    test=ramp(
        {"cocktails": 2, "plain_shots": 0, "ingredients": 2},
        {"cocktails": 80, "plain_shots": 10, "ingredients": 5},
    ),
)
