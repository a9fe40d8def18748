"""What must be done in the right order, and robots on a grid: Blocksworld, Floortile, Footwear, Grid,
Shunting, Visitall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from trailmark.domains.spec import (
    Atom,
    Problem,
    another,
    grid,
    numbered,
    pick,
    require,
    steps_from,
    without_holes,
)


def build_grid(
    rng: Random, *, width: int, height: int, shapes: int, keys: int, locked: int, goals: int
) -> Problem:
    """`locked` percent of the cells have a lock of a random shape; `goals` keys are to be moved.

    Solvable: the shapes have a random order, and the first key of each shape lies where the robot can
    get with the shapes before it; in particular the first lies where no lock must be opened. A lock
    stays open and a key is never used up, so the robot fetches these keys in order and opens all it can
    with each, until the whole grid, which is connected, is open. It then carries any key to any cell,
    one at a time.
    """
    require("width * height", width * height, 2, because="a key needs somewhere to go")
    require("keys", keys, shapes, because="every shape has a key")
    require("goals", goals, 1, keys, "a key has at most one")
    problem = Problem()
    neighbours = grid(width, height, "pos{}-{}")
    cells = problem.add("", neighbours)
    shape_names = problem.new("", shapes, "shape", start=0)
    key_names = problem.new("", keys, "key", start=0)
    start = pick(rng, cells)
    lockable = [cell for cell in cells if cell != start]
    chosen = set(rng.sample(lockable, len(cells) * locked // 100))
    locks = {cell: pick(rng, shape_names) for cell in cells if cell in chosen}
    placed = _key_places(rng, neighbours, locks, start, shape_names)
    placed += [(pick(rng, shape_names), pick(rng, cells)) for _ in range(keys - shapes)]
    rng.shuffle(placed)

    problem.all_are({"place": cells, "shape": shape_names, "key": key_names})
    problem.connect("conn", neighbours)
    problem.all_are({"open": [cell for cell in cells if cell not in locks]})
    for cell, shape in locks.items():
        problem.init += [("locked", cell), ("lock-shape", cell, shape)]
    for key, (shape, cell) in zip(key_names, placed, strict=True):
        problem.init += [("key-shape", key, shape), ("at", key, cell)]
    problem.init += [("at-robot", start), ("arm-empty",)]
    for index in sorted(rng.sample(range(keys), goals)):
        _, cell = placed[index]
        problem.goal.append(("at", key_names[index], another(rng, cells, cell)))
    return problem


def _key_places(
    rng: Random,
    neighbours: Mapping[str, Sequence[str]],
    locks: Mapping[str, str],
    start: str,
    shapes: Sequence[str],
) -> list[tuple[str, str]]:
    """One key of every shape, each where the keys before it lead."""
    order = list(shapes)
    rng.shuffle(order)
    placed: list[tuple[str, str]] = []
    for shape in order:
        owned = {earlier for earlier, _ in placed}
        closed = {cell for cell, lock in locks.items() if lock not in owned}
        reached = steps_from([start], neighbours, closed)
        placed.append((shape, pick(rng, [cell for cell in neighbours if cell in reached])))
    return placed


def build_visitall(rng: Random, *, width: int, height: int, holes: int, goals: int) -> Problem:
    """The robot on a random place; `goals` percent of the places, at least one, are to be visited.

    Solvable: the places that remain are connected, both ways.
    """
    require("width * height", width * height, 2, because="the robot needs somewhere to go")
    require("holes", holes, 0, width * height - 2, "two places must remain")
    problem = Problem()
    neighbours = without_holes(rng, grid(width, height, "loc-x{}-y{}"), holes)
    places = problem.add("place", neighbours)
    start = pick(rng, places)
    others = [place for place in places if place != start]
    wanted = set(rng.sample(others, max(1, len(others) * goals // 100)))
    if goals == 100:
        wanted.add(start)
    problem.connect("connected", neighbours)
    problem.init += [("at-robot", start), ("visited", start)]
    problem.goal += [("visited", place) for place in places if place in wanted]
    return problem


COLORS = ("white", "black")


def build_floortile(rng: Random, *, rows: int, columns: int, robots: int) -> Problem:
    """Robots of random colours on random tiles of a floor of `rows` painted rows and one more.

    The floor has a row 0 that stays unpainted below the painted rows. Solvable: robots can all take
    every colour, so they are interchangeable, and interchangeable robots on a connected floor reach any
    arrangement, for example all on row 0, which has room as there are at most as many robots as columns.
    A robot on row 0 climbs its column and paints it from the top down, always the tile above it, until
    it is back on row 0. When all columns with a robot are done, the nearest robot moves along row 0 to
    the next column; no other robot stands between.
    """
    require("robots", robots, 1, columns, "all robots must find room on the lowest row")
    problem = Problem()
    tiles = [[f"tile_{row}-{column + 1}" for column in range(columns)] for row in range(rows + 1)]
    flat = problem.add("tile", [tile for row in tiles for tile in row])
    robot_names = problem.new("robot", robots)
    problem.add("color", COLORS)
    taken = rng.sample(flat, robots)
    for robot, tile in zip(robot_names, taken, strict=True):
        problem.init += [("robot-at", robot, tile), ("robot-has", robot, pick(rng, COLORS))]
    problem.all_are({"available-color": COLORS, "clear": [tile for tile in flat if tile not in taken]})
    for row in range(rows + 1):
        for column in range(columns):
            here = tiles[row][column]
            if row < rows:
                above = tiles[row + 1][column]
                problem.init += [("up", above, here), ("down", here, above)]
            if column + 1 < columns:
                beside = tiles[row][column + 1]
                problem.init += [("right", beside, here), ("left", here, beside)]
    first = rng.randrange(len(COLORS))
    problem.goal += [
        ("painted", tiles[row][column], COLORS[(row + column + first) % len(COLORS)])
        for row in range(1, rows + 1)
        for column in range(columns)
    ]
    return problem


HAND = "robot"


def build_blocksworld(rng: Random, *, blocks: int, goal_towers: int) -> Problem:
    """A random start and a goal of `goal_towers` towers, of which one at least is not standing yet.

    Solvable: every block can be put on the table, and a goal of towers is then built from the bottom up.
    """
    require("goal_towers", goal_towers, 1, blocks - 1, "some block must have another one below")
    problem = Problem()
    names = problem.new("block", blocks, "b")
    problem.add("robot", [HAND])
    problem.goal += _on(_split(rng, names, goal_towers))
    init = _standing(_random_towers(rng, names))
    while set(problem.goal) <= set(init):
        init = _standing(_random_towers(rng, names))
    problem.init += [*init, ("handempty", HAND)]
    return problem


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
    problem = Problem()
    problem.add("foot", FEET)
    problem.add("place", [HOME])
    place_names = {kind: problem.new("place", places, kind, start=0) for kind in TASKS}
    shoe_kinds = [shoe for shoe, _ in TASKS.values()] * shoe_pairs
    rng.shuffle(shoe_kinds)
    shoes = problem.new("shoe", 2 * len(shoe_kinds), start=0)
    socks = problem.new("sock", 2 * sock_pairs, start=0)
    problem.all_are({"at": [HOME], "home": [HOME], "isbare": FEET, **place_names})
    problem.init += [(shoe_kinds[index // 2], shoe) for index, shoe in enumerate(shoes)]
    problem.all_are({"shoefree": shoes})
    problem.init += [("shoeseq", shoe, shoe) for shoe in shoes]
    for left, right in zip(socks[::2], socks[1::2], strict=True):
        look = (pick(rng, SOCK_COLORS), pick(rng, SOCK_PATTERNS))
        problem.init += [(predicate, sock) for sock in (left, right) for predicate in look]
        problem.both_ways("socksmatch", [(left, right)])
    problem.all_are({"sockfree": socks})
    problem.goal += _footwear_tasks(rng, place_names, goals)
    return problem


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
    problem = Problem()
    problem.add("engine", [ENGINE])
    wagon_names = problem.new("wagon", wagons)
    yard_names = [*numbered("track", tracks), *numbered("siding", sidings)]
    rng.shuffle(yard_names)
    problem.add("track", yard_names)
    places = problem.new("places", length + 1, start=0)
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
    problem.init += [("one-fewer", more, fewer) for fewer, more in pairwise(places)]
    problem.both_ways("switch", pairwise(yard_names))
    problem.init += [("before", ENGINE, pick(rng, yard_names)), ("light", ENGINE)]
    for track, row in yard.items():
        problem.init.append(("room", track, places[length - len(row)]))
        problem.init += [("stands-on", wagon, track) for wagon in row]
        problem.init += [("behind", inner, outer) for inner, outer in pairwise(row)]
        ends = [("innermost", row[0], track), ("outermost", row[-1], track)] if row else [("empty", track)]
        problem.init += ends
    problem.goal += [("stands-on", wagon, belongs[wagon]) for wagon in wagon_names]
    return problem


def _mix(rng: Random, yard: dict[str, list[str]], moves: int, length: int) -> None:
    """Move the outermost wagon of a random track to a random other one with room, so many times."""
    for _ in range(moves):
        origin = pick(rng, [row for row in yard.values() if row])
        roomy = [row for row in yard.values() if row is not origin and len(row) < length]
        if roomy:
            pick(rng, roomy).append(origin.pop())
