"""Baking: cakes and souffles are baked in pans that must be washed before they are used again.

Solvable: there is an egg and a piece of soap for every dish and flour for every cake, so with one pan
and one oven the dishes can be baked one after the other, each time washing the pan and emptying the oven.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require


def build(
    rng: Random,
    *,
    cakes: int,
    souffles: int,
    pans: int,
    ovens: int,
    spare_ingredients: int,
    spare_soap: int,
) -> Problem:
    """All pans clean and all ovens empty; which of the dishes become cakes is random."""
    dishes = cakes + souffles
    require("cakes + souffles", dishes, 1, because="there must be something to bake")
    eggs = numbered("egg-", dishes + spare_ingredients)
    flours = numbered("flour-", cakes + spare_ingredients)
    dish_names = numbered("new-", dishes)
    soaps = numbered("soap-", dishes + spare_soap)
    pan_names = numbered("pan-", pans)
    oven_names = numbered("oven-", ovens)
    kinds = ["iscake"] * cakes + ["issouffle"] * souffles
    rng.shuffle(kinds)
    init: list[Atom] = [("isegg", egg) for egg in eggs]
    init += [("isflour", flour) for flour in flours]
    init += [("hypothetical", dish) for dish in dish_names]
    init += [("panisclean", pan) for pan in pan_names]
    init += [("ovenisempty", oven) for oven in oven_names]
    goal: list[Atom] = list(zip(kinds, dish_names, strict=True))
    goal += [("ovenisempty", oven) for oven in oven_names]
    objects = [
        (oven_names, "oven"),
        ([*eggs, *flours, *dish_names], "ingredient"),
        (soaps, "soap"),
        (pan_names, "pan"),
    ]
    return Problem(objects, init, goal)


def _sizes(cakes: int, souffles: int, pans: int, ovens: int, spare_ingredients: int) -> dict[str, int]:
    return {
        "cakes": cakes,
        "souffles": souffles,
        "pans": pans,
        "ovens": ovens,
        "spare_ingredients": spare_ingredients,
    }


BAKING = DomainSpec(
    name="baking",
    description="Cakes and souffles are baked in pans that are washed in between.",
    pddl_name="baking",
    parameters=(
        Parameter("cakes", 2, 0, 1000, "cakes to bake"),
        Parameter("souffles", 2, 0, 1000, "souffles to bake"),
        Parameter("pans", 1, 1, 200, "pans"),
        Parameter("ovens", 1, 1, 200, "ovens"),
        Parameter("spare_ingredients", 1, 0, 1000, "eggs, and portions of flour, beyond what is needed"),
        Parameter("spare_soap", 0, 0, 1000, "pieces of soap beyond one for each dish"),
    ),
    build=build,
    train=(
        _sizes(1, 0, 1, 1, 0),
        _sizes(0, 1, 1, 1, 0),
        _sizes(1, 1, 2, 2, 0),
        _sizes(2, 0, 1, 1, 0),
        _sizes(1, 2, 1, 1, 1),
    ),
    test=ramp(_sizes(2, 1, 1, 1, 0), _sizes(24, 24, 8, 6, 29)),
)
