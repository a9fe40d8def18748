"""Footwear: tasks at four kinds of places, each kind with its own shoes, which are changed at home.

Solvable: there is a pair of shoes of every kind and a matching pair of socks, home can be reached from
everywhere in any shoes, and socks and shoes can be taken off there again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require

TASKS = {
    "office": ("isdressshoe", "presentationdoneat"),
    "gym": ("issneaker", "workedoutat"),
    "forest": ("isboot", "hikedat"),
    "beach": ("issandle", "swamat"),
}
"""Each kind of place with the shoes it asks for and the predicate of its task."""
SOCK_COLORS = ("isblue", "isred")
SOCK_PATTERNS = ("isplain", "isstriped")
HOME = "home"
FEET = ("foot1", "foot2")


def build(rng: Random, *, places: int, shoe_pairs: int, sock_pairs: int, goals: int) -> Problem:
    """At home with bare feet; `goals` of the tasks are to be done."""
    require("goals", goals, 1, len(TASKS) * places, "every place has one task")
    place_names = {kind: numbered(kind, places) for kind in TASKS}
    shoe_kinds = [shoe for shoe, _ in TASKS.values()] * shoe_pairs
    rng.shuffle(shoe_kinds)
    shoes = numbered("shoe", 2 * len(shoe_kinds))
    socks = numbered("sock", 2 * sock_pairs)
    init: list[Atom] = [("at", HOME), ("home", HOME)]
    init += [("isbare", foot) for foot in FEET]
    init += [(kind, place) for kind, names in place_names.items() for place in names]
    init += [(shoe_kinds[index // 2], shoe) for index, shoe in enumerate(shoes)]
    init += [("shoefree", shoe) for shoe in shoes]
    init += [("shoeseq", shoe, shoe) for shoe in shoes]
    for left, right in zip(socks[::2], socks[1::2], strict=True):
        look = (SOCK_COLORS[rng.randrange(2)], SOCK_PATTERNS[rng.randrange(2)])
        init += [(predicate, sock) for sock in (left, right) for predicate in look]
        init += [("socksmatch", left, right), ("socksmatch", right, left)]
    init += [("sockfree", sock) for sock in socks]
    goal = _tasks(rng, place_names, goals)
    all_places = [HOME, *(place for names in place_names.values() for place in names)]
    return Problem([(FEET, "foot"), (all_places, "place"), (shoes, "shoe"), (socks, "sock")], init, goal)


def _tasks(rng: Random, place_names: Mapping[str, Sequence[str]], goals: int) -> list[Atom]:
    """`goals` tasks at different places, spread evenly over the kinds in random order."""
    kinds = list(place_names)
    rng.shuffle(kinds)
    tasks: list[Atom] = []
    for turn, kind in enumerate(kinds):
        share = len(range(turn, goals, len(kinds)))
        tasks += [(TASKS[kind][1], place) for place in rng.sample(place_names[kind], share)]
    return sorted(tasks)


def _sizes(places: int, shoe_pairs: int, sock_pairs: int, goals: int) -> dict[str, int]:
    return {"places": places, "shoe_pairs": shoe_pairs, "sock_pairs": sock_pairs, "goals": goals}


FOOTWEAR = DomainSpec(
    name="footwear",
    description="Socks and shoes are changed at home to do tasks that ask for certain shoes.",
    pddl_name="footwear",
    parameters=(
        Parameter("places", 2, 1, 200, "places of each of the four kinds"),
        Parameter("shoe_pairs", 1, 1, 50, "pairs of shoes of each of the four kinds"),
        Parameter("sock_pairs", 2, 1, 100, "matching pairs of socks"),
        Parameter("goals", 2, 1, 800, "tasks to do, at most 4 * places"),
    ),
    build=build,
    train=(
        _sizes(1, 1, 1, 1),
        _sizes(1, 1, 1, 2),
        _sizes(1, 1, 2, 3),
        _sizes(2, 1, 2, 3),
        _sizes(2, 1, 3, 4),
    ),
    test=ramp(_sizes(2, 1, 2, 4), _sizes(12, 2, 6, 44)),
)
