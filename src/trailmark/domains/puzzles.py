"""What must be done in the right order, and robots on a grid: Blocksworld, Floortile, Footwear, Grid,
Shunting, Visitall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from trailmark.domains.spec import Atom, Cell, Problem, another, grid, numbered, require, without_holes


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
    neighbours = grid(width, height)
    cells = list(neighbours)
    names = {cell: f"pos{cell[0]}-{cell[1]}" for cell in cells}
    shape_names = numbered("shape", shapes)
    key_names = numbered("key", keys)
    start = cells[rng.randrange(len(cells))]
    lockable = [cell for cell in cells if cell != start]
    locks = {cell: rng.randrange(shapes) for cell in sorted(rng.sample(lockable, len(cells) * locked // 100))}
    placed = _key_places(rng, neighbours, locks, start, shapes)
    placed += [(rng.randrange(shapes), cells[rng.randrange(len(cells))]) for _ in range(keys - shapes)]
    rng.shuffle(placed)

    init: list[Atom] = [("place", name) for name in names.values()]
    init += [("shape", shape) for shape in shape_names]
    init += [("key", key) for key in key_names]
    init += [("conn", names[cell], names[near]) for cell, nears in neighbours.items() for near in nears]
    init += [("open", names[cell]) for cell in cells if cell not in locks]
    for cell, shape in locks.items():
        init += [("locked", names[cell]), ("lock-shape", names[cell], shape_names[shape])]
    for key, (shape, cell) in zip(key_names, placed, strict=True):
        init += [("key-shape", key, shape_names[shape]), ("at", key, names[cell])]
    init += [("at-robot", names[start]), ("arm-empty",)]
    goal: list[Atom] = []
    for index in sorted(rng.sample(range(keys), goals)):
        target = cells[another(rng, len(cells), cells.index(placed[index][1]))]
        goal.append(("at", key_names[index], names[target]))
    return Problem({"": [*names.values(), *shape_names, *key_names]}, init, goal)


def _key_places(
    rng: Random,
    neighbours: Mapping[Cell, Sequence[Cell]],
    locks: Mapping[Cell, int],
    start: Cell,
    shapes: int,
) -> list[tuple[int, Cell]]:
    """One key of every shape, each where the keys before it lead."""
    order = list(range(shapes))
    rng.shuffle(order)
    placed: list[tuple[int, Cell]] = []
    for shape in order:
        owned = {earlier for earlier, _ in placed}
        closed = {cell for cell, lock in locks.items() if lock not in owned}
        region = sorted(_reachable(neighbours, start, closed))
        placed.append((shape, region[rng.randrange(len(region))]))
    return placed


def _reachable(neighbours: Mapping[Cell, Sequence[Cell]], start: Cell, closed: set[Cell]) -> set[Cell]:
    seen = {start}
    stack = [start]
    while stack:
        for near in neighbours[stack.pop()]:
            if near not in seen and near not in closed:
                seen.add(near)
                stack.append(near)
    return seen


def build_visitall(rng: Random, *, width: int, height: int, holes: int, goals: int) -> Problem:
    """The robot on a random place; `goals` percent of the places, at least one, are to be visited.

    Solvable: the places that remain are connected, both ways.
    """
    require("width * height", width * height, 2, because="the robot needs somewhere to go")
    require("holes", holes, 0, width * height - 2, "two places must remain")
    neighbours = without_holes(rng, grid(width, height), holes)
    names = {cell: f"loc-x{cell[0]}-y{cell[1]}" for cell in neighbours}
    places = list(names.values())
    start = places[rng.randrange(len(places))]
    others = [place for place in places if place != start]
    wanted = set(rng.sample(others, max(1, len(others) * goals // 100)))
    if goals == 100:
        wanted.add(start)
    init: list[Atom] = [
        ("connected", names[cell], names[near]) for cell, nears in neighbours.items() for near in nears
    ]
    init += [("at-robot", start), ("visited", start)]
    goal: list[Atom] = [("visited", place) for place in places if place in wanted]
    return Problem({"place": places}, init, goal)


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
    robot_names = numbered("robot", robots, start=1)
    tiles = [[f"tile_{row}-{column + 1}" for column in range(columns)] for row in range(rows + 1)]
    flat = [tile for row in tiles for tile in row]
    taken = rng.sample(flat, robots)
    init: list[Atom] = []
    for robot, tile in zip(robot_names, taken, strict=True):
        init += [("robot-at", robot, tile), ("robot-has", robot, COLORS[rng.randrange(len(COLORS))])]
    init += [("available-color", color) for color in COLORS]
    init += [("clear", tile) for tile in flat if tile not in taken]
    for row in range(rows + 1):
        for column in range(columns):
            here = tiles[row][column]
            if row < rows:
                init += [("up", tiles[row + 1][column], here), ("down", here, tiles[row + 1][column])]
            if column + 1 < columns:
                init += [("right", tiles[row][column + 1], here), ("left", here, tiles[row][column + 1])]
    first = rng.randrange(len(COLORS))
    goal: list[Atom] = [
        ("painted", tiles[row][column], COLORS[(row + column + first) % len(COLORS)])
        for row in range(1, rows + 1)
        for column in range(columns)
    ]
    return Problem({"tile": flat, "robot": robot_names, "color": COLORS}, init, goal)


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
    return Problem({"block": names, "robot": [HAND]}, [*init, ("handempty", HAND)], goal)


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
    return Problem({"foot": FEET, "place": all_places, "shoe": shoes, "sock": socks}, init, goal)


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
    objects = {"engine": [ENGINE], "wagon": wagon_names, "track": yard_names, "places": places}
    return Problem(objects, init, goal)


def _mix(rng: Random, yard: dict[str, list[str]], moves: int, length: int) -> None:
    """Move the outermost wagon of a random track to a random other one with room, so many times."""
    for _ in range(moves):
        taken = [row for row in yard.values() if row]
        origin = taken[rng.randrange(len(taken))]
        roomy = [row for row in yard.values() if row is not origin and len(row) < length]
        if roomy:
            roomy[rng.randrange(len(roomy))].append(origin.pop())
