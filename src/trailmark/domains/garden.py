"""Garden: overgrown beds are dug, sown with given plants and watered to given amounts.

Solvable: there are a spade, a can, a well and a shed, trails connect all spots, and no bed wants more
than the highest amount. A gardener digs every bed, leaves the spade, sows one bed after the other from
the shed, and then waters unit by unit, with the can filled whenever it is empty.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.layout import numbered, random_connected_graph
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp


def build(
    rng: Random, *, beds: int, plants: int, amounts: int, gardeners: int, wells: int, lawns: int
) -> Problem:
    """Beds, wells, lawns and one shed on random trails; tools lie and gardeners stand at random spots."""
    bed_names = numbered("bed", beds, start=1)
    well_names = numbered("well", wells, start=1)
    spots = ["shed", *well_names, *numbered("lawn", lawns, start=1), *bed_names]
    plant_names = numbered("plant", plants, start=1)
    gardener_names = numbered("gardener", gardeners, start=1)
    spades = numbered("spade", gardeners, start=1)
    cans = numbered("can", gardeners, start=1)
    levels = numbered("amount", amounts + 1)
    init: list[Atom] = [("a-bit-more", less, more) for less, more in pairwise(levels)]
    init.append(("brim", levels[-1]))
    for one, other in random_connected_graph(rng, len(spots), extra=len(spots) // 2):
        init += [("trail", spots[one], spots[other]), ("trail", spots[other], spots[one])]
    init.append(("shed", "shed"))
    init += [("well", well) for well in well_names]
    for gardener in gardener_names:
        init += [("stands-at", gardener, spots[rng.randrange(len(spots))])]
        init += [("hands-free", gardener), ("pocket-empty", gardener)]
    init += [("lies-at", tool, spots[rng.randrange(len(spots))]) for tool in [*spades, *cans]]
    init += [("filled", can, levels[0]) for can in cans]
    goal: list[Atom] = []
    for bed in bed_names:
        init += [("overgrown", bed), ("wet", bed, levels[0])]
        goal.append(("sown", bed, plant_names[rng.randrange(plants)]))
        goal.append(("wet", bed, levels[1 + rng.randrange(amounts)]))
    objects = [
        (spots[: -len(bed_names)], "spot"),
        (bed_names, "bed"),
        (plant_names, "plant"),
        (gardener_names, "gardener"),
        (spades, "spade"),
        (cans, "can"),
        (levels, "amount"),
    ]
    return Problem(objects, init, goal)


def _sizes(
    beds: int, plants: int, amounts: int, gardeners: int = 1, wells: int = 1, lawns: int = 1
) -> dict[str, int]:
    return {
        "beds": beds,
        "plants": plants,
        "amounts": amounts,
        "gardeners": gardeners,
        "wells": wells,
        "lawns": lawns,
    }


GARDEN = DomainSpec(
    name="garden",
    description="Beds are dug, sown and watered by gardeners who hold one tool at a time.",
    pddl_name="garden",
    parameters=(
        Parameter("beds", 3, 1, 1000, "beds"),
        Parameter("plants", 2, 1, 100, "kinds of plant"),
        Parameter("amounts", 2, 1, 100, "the most water a bed can want, which is what a can holds"),
        Parameter("gardeners", 1, 1, 50, "gardeners, each with a spade and a can"),
        Parameter("wells", 1, 1, 100, "wells"),
        Parameter("lawns", 1, 0, 1000, "spots that are nothing but on the way"),
    ),
    build=build,
    train=(
        _sizes(1, 1, 1),
        _sizes(1, 2, 2),
        _sizes(2, 2, 1),
        _sizes(2, 2, 2),
        _sizes(3, 2, 2),
    ),
    test=ramp(_sizes(3, 2, 2), _sizes(60, 8, 5, 3, 4, 20), steps=10),
)
