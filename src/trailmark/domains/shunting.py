"""Shunting: an engine sorts wagons onto dead-end tracks of limited length.

Solvable: the start is reached from a sorted yard by moving outermost wagons to tracks with room, and
every such move can be taken back.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require

ENGINE = "engine"
MOVES_PER_WAGON = 20
"""How many random moves mix the yard."""


def build(rng: Random, *, wagons: int, tracks: int, sidings: int, length: int) -> Problem:
    """Wagons belong on tracks that are not sidings; the order on a track does not matter."""
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


def _sizes(wagons: int, tracks: int, sidings: int, length: int) -> dict[str, int]:
    return {"wagons": wagons, "tracks": tracks, "sidings": sidings, "length": length}


SHUNTING = DomainSpec(
    name="shunting",
    description="An engine sorts wagons onto dead-end tracks of limited length.",
    pddl_name="shunting",
    parameters=(
        Parameter("wagons", 4, 1, 1000, "wagons, no more than fit on the tracks"),
        Parameter("tracks", 2, 1, 200, "tracks where wagons belong"),
        Parameter("sidings", 1, 1, 200, "further tracks"),
        Parameter("length", 3, 1, 100, "wagons that fit on a track"),
    ),
    build=build,
    train=(
        _sizes(2, 2, 1, 2),
        _sizes(3, 2, 1, 2),
        _sizes(4, 2, 1, 3),
        _sizes(5, 3, 1, 3),
        _sizes(6, 3, 1, 3),
    ),
    test=ramp(_sizes(5, 3, 1, 3), _sizes(120, 20, 3, 8), steps=10),
)
