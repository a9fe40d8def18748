"""What must be done in the right order: Blocksworld, Footwear, Shunting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from trailmark.domains.spec import Atom, Problem, numbered, require

HAND = "robot"


def build_blocksworld(rng: Random, *, blocks: int, goal_towers: int) -> Problem:
    """A random start and a goal of `goal_towers` towers, of which one at least is not standing yet.

    Solvable: every block can be put on the table, and a goal of towers is then built from the bottom up.
    """
    require("goal_towers", goal_towers, 1, blocks - 1, "some block must have another one below")
    names = numbered("b", blocks, start=1)
    goal = _on(_split(rng, names, goal_towers))
    init = _standing(_random_towers(rng, names))
    while set(goal) <= set(init):
        init = _standing(_random_towers(rng, names))
    return Problem([(names, "block"), ([HAND], "robot")], [*init, ("handempty", HAND)], goal)


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


def build_footwear(rng: Random, *, places: int, shoe_pairs: int, sock_pairs: int, goals: int) -> Problem:
    """At home with bare feet; `goals` of the tasks are to be done.

    Solvable: there is a pair of shoes of every kind and a matching pair of socks, home can be reached
    from everywhere in any shoes, and socks and shoes can be taken off there again.
    """
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
    goal = _footwear_tasks(rng, place_names, goals)
    all_places = [HOME, *(place for names in place_names.values() for place in names)]
    return Problem([(FEET, "foot"), (all_places, "place"), (shoes, "shoe"), (socks, "sock")], init, goal)


def _footwear_tasks(rng: Random, place_names: Mapping[str, Sequence[str]], goals: int) -> list[Atom]:
    """`goals` tasks at different places, spread evenly over the kinds in random order."""
    kinds = list(place_names)
    rng.shuffle(kinds)
    tasks: list[Atom] = []
    for turn, kind in enumerate(kinds):
        share = len(range(turn, goals, len(kinds)))
        tasks += [(TASKS[kind][1], place) for place in rng.sample(place_names[kind], share)]
    return sorted(tasks)


ENGINE = "engine"
MOVES_PER_WAGON = 20
"""How many random moves mix the yard."""


def build_shunting(rng: Random, *, wagons: int, tracks: int, sidings: int, length: int) -> Problem:
    """Wagons belong on tracks that are not sidings; the order on a track does not matter.

    Solvable: the start is reached from a sorted yard by moving outermost wagons to tracks with room, and
    every such move can be taken back.
    """
    require("wagons", wagons, 1, tracks * length, "all of them must fit on the tracks")
    wagon_names = numbered("wagon", wagons, start=1)
    yard_names = [*numbered("track", tracks, start=1), *numbered("siding", sidings, start=1)]
    rng.shuffle(yard_names)
    goal_tracks = [name for name in yard_names if name.startswith("track")]
    order = list(wagon_names)
    rng.shuffle(order)
    belongs = {wagon: goal_tracks[place % tracks] for place, wagon in enumerate(order)}
    yard: dict[str, list[str]] = {name: [] for name in yard_names}
    for wagon, track in belongs.items():
        yard[track].append(wagon)
    _mix(rng, yard, MOVES_PER_WAGON * wagons, length)
    while all(wagon in yard[track] for wagon, track in belongs.items()):
        _mix(rng, yard, 1, length)
    places = numbered("places", length + 1)
    init: list[Atom] = [("one-fewer", more, fewer) for fewer, more in pairwise(places)]
    for left, right in pairwise(yard_names):
        init += [("switch", left, right), ("switch", right, left)]
    init += [("before", ENGINE, yard_names[rng.randrange(len(yard_names))]), ("light", ENGINE)]
    for track, row in yard.items():
        init.append(("room", track, places[length - len(row)]))
        init += [("stands-on", wagon, track) for wagon in row]
        init += [("behind", inner, outer) for inner, outer in pairwise(row)]
        init += [("innermost", row[0], track), ("outermost", row[-1], track)] if row else [("empty", track)]
    goal: list[Atom] = [("stands-on", wagon, belongs[wagon]) for wagon in wagon_names]
    objects = [([ENGINE], "engine"), (wagon_names, "wagon"), (yard_names, "track"), (places, "places")]
    return Problem(objects, init, goal)


def _mix(rng: Random, yard: dict[str, list[str]], moves: int, length: int) -> None:
    """Move the outermost wagon of a random track to a random other one with room, so many times."""
    for _ in range(moves):
        taken = [row for row in yard.values() if row]
        origin = taken[rng.randrange(len(taken))]
        roomy = [row for row in yard.values() if row is not origin and len(row) < length]
        if roomy:
            roomy[rng.randrange(len(roomy))].append(origin.pop())
