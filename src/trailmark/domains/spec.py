"""What a benchmark domain is: its size parameters, its instance generator and its presets; and what
generators fill, with the draws that several of them share.

A generator is a function of a seeded `random.Random` and integer sizes that returns a `Problem`. It
draws only with `randrange`, `shuffle` and `sample`, whose sequences are the same on every supported
Python, so that a seed stands for one text, byte for byte.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, TypeVar

from trailmark.errors import InputError
from trailmark.files import parse_toml

Atom = tuple[str, ...]
"""A predicate and its objects."""

Sizes = Mapping[str, int]
"""A value for some or all of a domain's parameters."""

Place = TypeVar("Place")

OBJECTS_PER_LINE = 12
TEST_STEPS = 30


@dataclass(frozen=True)
class Parameter:
    """A size of a domain's instances: whole numbers from `low` to `high`."""

    name: str
    default: int
    low: int
    high: int
    meaning: str


@dataclass
class Problem:
    """An instance, which its generator fills. Objects come by type; in a domain without types that is ""."""

    objects: dict[str, list[str]] = field(default_factory=dict)
    init: list[Atom] = field(default_factory=list)
    goal: list[Atom] = field(default_factory=list)

    def add(self, type_name: str, names: Iterable[str]) -> list[str]:
        """These objects are of this type, after those that are already."""
        added = list(names)
        self.objects.setdefault(type_name, []).extend(added)
        return added

    def new(self, type_name: str, count: int, prefix: str = "", start: int = 1) -> list[str]:
        """So many objects of this type, called by the prefix, or else the type, and consecutive numbers."""
        return self.add(type_name, numbered(prefix or type_name, count, start))

    def all_are(self, properties: Mapping[str, Iterable[str]]) -> None:
        """Facts of one object each: by predicate, of which it holds."""
        self.init += [(predicate, name) for predicate, names in properties.items() for name in names]

    def connect(self, predicate: str, neighbours: Mapping[str, Iterable[str]]) -> None:
        """A fact for each place and each of its neighbours."""
        self.init += [(predicate, place, near) for place, nears in neighbours.items() for near in nears]

    def both_ways(self, predicate: str, pairs: Iterable[tuple[str, str]]) -> None:
        """Two facts for each pair."""
        for here, there in pairs:
            self.init += [(predicate, here, there), (predicate, there, here)]

    def bring(self, rng: Random, predicate: str, name: str, places: Sequence[str]) -> None:
        """Something is at a random place and is to be at another one."""
        start = pick(rng, places)
        self.init.append((predicate, name, start))
        self.goal.append((predicate, name, another(rng, places, start)))


Generator = Callable[..., Problem]


@dataclass(frozen=True)
class DomainSpec:
    """A benchmark domain with its generator and presets."""

    name: str
    description: str
    pddl_name: str
    """The name inside the domain's PDDL, which every problem repeats."""
    parameters: tuple[Parameter, ...]
    build: Generator
    train: tuple[Sizes, ...]
    """Five small instances to learn from."""
    test: tuple[Sizes, ...]
    """Growing instances: thirty for a domain of the paper, ten for a further one."""

    def sizes(self, given: Sizes) -> dict[str, int]:
        """`given` with the defaults filled in; an `InputError` for a name or value that does not fit."""
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise InputError(
                    f"{self.name} has no parameter {name!r}", hint=f"it has {', '.join(sorted(known))}"
                )
        full = {parameter.name: given.get(parameter.name, parameter.default) for parameter in self.parameters}
        for parameter in self.parameters:
            require(parameter.name, full[parameter.name], parameter.low, parameter.high)
        return full


def require(name: str, value: object, low: int, high: int | None = None, because: str | None = None) -> None:
    """Raise an `InputError` unless `value` is a whole number from `low` to `high` (None: any above)."""
    if type(value) is int and value >= low and (high is None or value <= high):
        return
    span = f"of at least {low}" if high is None else f"from {low} to {high}"
    raise InputError(f"{name} must be a whole number {span}, not {value!r}", hint=because)


def read_specs(text: str, source: str, generators: Mapping[str, Generator]) -> list[dict[str, DomainSpec]]:
    """The domains of each group in the TOML text, which says how it is to be read."""
    document = parse_toml(text, source)
    return [
        {name: _spec(name, entry, generators) for name, entry in group.items()} for group in document.values()
    ]


def _spec(name: str, entry: Mapping[str, Any], generators: Mapping[str, Generator]) -> DomainSpec:
    tests, steps = entry["test"], entry.get("steps", TEST_STEPS)
    if len(tests) == 2:
        first, last = tests
        tests = [_between(first, last, step, steps - 1) for step in range(steps)]
    train, test = (
        tuple(dict(zip(entry["of"], row, strict=False)) for row in rows) for rows in (entry["train"], tests)
    )
    return DomainSpec(
        name,
        entry["about"],
        entry.get("pddl", name),
        tuple(Parameter(size, *told) for size, told in entry["sizes"].items()),
        partial(generators[entry.get("generator", name)], **entry.get("fixed", {})),
        train,
        test,
    )


def _between(first: Sequence[int], last: Sequence[int], step: int, steps: int) -> list[int]:
    """The sizes of one step on the way from the first to the last."""
    return [
        end * step // steps if start == 0 else round(start * float(end / start) ** (step / steps))
        for start, end in zip(first, last, strict=True)
    ]


def problem_text(title: str, pddl_name: str, problem: Problem) -> str:
    """`problem` as PDDL, one fact a line."""
    lines = [f"(define (problem {title})", f"  (:domain {pddl_name})", "  (:objects"]
    for type_name, names in problem.objects.items():
        rows = [
            "    " + " ".join(names[start : start + OBJECTS_PER_LINE])
            for start in range(0, len(names), OBJECTS_PER_LINE)
        ]
        if rows and type_name:
            rows[-1] += f" - {type_name}"
        lines += rows
    lines += ["  )", "  (:init"]
    lines += [f"    ({' '.join(atom)})" for atom in problem.init]
    lines += ["  )", "  (:goal (and"]
    lines += [f"    ({' '.join(atom)})" for atom in problem.goal]
    lines += ["  ))", ")", ""]
    return "\n".join(lines)


def numbered(prefix: str, count: int, start: int = 1) -> list[str]:
    """`count` names that end in consecutive numbers."""
    return [f"{prefix}{index}" for index in range(start, start + count)]


def pick(rng: Random, places: Sequence[Place]) -> Place:
    """One of them, all equally likely."""
    return places[rng.randrange(len(places))]


def another(rng: Random, places: Sequence[Place], place: Place) -> Place:
    """One of them other than this one, all equally likely."""
    drawn = rng.randrange(len(places) - 1)
    return places[drawn + 1 if drawn >= places.index(place) else drawn]


def random_roads(rng: Random, places: Sequence[Place], extra: int) -> list[tuple[Place, Place]]:
    """A random tree over the places, and `extra` further pairs of them as far as there are any."""
    count, order = len(places), list(range(len(places)))
    rng.shuffle(order)
    grown = [(order[rng.randrange(place)], order[place]) for place in range(1, count)]
    tree = sorted((min(edge), max(edge)) for edge in grown)
    known = set(tree)
    rest = [(low, high) for low in range(count) for high in range(low + 1, count) if (low, high) not in known]
    further = sorted(rng.sample(rest, min(extra, len(rest))))
    return [(places[low], places[high]) for low, high in (*tree, *further)]


def grid(width: int, height: int, form: str) -> dict[str, list[str]]:
    """The cells of a rectangle, named after their column and row, with their neighbours to the four sides."""
    cells = {(x, y): form.format(x, y) for x in range(width) for y in range(height)}
    sides = ((1, 0), (0, 1), (-1, 0), (0, -1))
    return {
        name: [cells[x + right, y + up] for right, up in sides if (x + right, y + up) in cells]
        for (x, y), name in cells.items()
    }


def steps_from(
    starts: Iterable[str], neighbours: Mapping[str, Iterable[str]], closed: Container[str] = ()
) -> dict[str, int]:
    """The places that can be reached without passing closed ones, with how many steps that takes."""
    steps = dict.fromkeys(starts, 0)
    waiting = deque(steps)
    while waiting:
        place = waiting.popleft()
        for near in neighbours[place]:
            if near not in steps and near not in closed:
                steps[near] = steps[place] + 1
                waiting.append(near)
    return steps


def without_holes(rng: Random, neighbours: Mapping[str, Sequence[str]], holes: int) -> dict[str, list[str]]:
    """The grid less `holes` random cells, still connected.

    A random spanning tree loses one leaf after another: what is left of the tree always connects the
    cells that remain.
    """
    tree = _random_spanning_tree(rng, neighbours)
    leaves = [cell for cell in neighbours if len(tree[cell]) == 1]
    removed: set[str] = set()
    for _ in range(holes):
        leaf = _drawn(rng, leaves)
        removed.add(leaf)
        for cell in tree[leaf]:
            tree[cell].remove(leaf)
            if len(tree[cell]) == 1:
                leaves.append(cell)
    return {
        cell: [near for near in nears if near not in removed]
        for cell, nears in neighbours.items()
        if cell not in removed
    }


def _random_spanning_tree(rng: Random, neighbours: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The neighbours of every cell in the tree."""
    root = pick(rng, list(neighbours))
    tree: dict[str, list[str]] = {cell: [] for cell in neighbours}
    frontier = [(root, near) for near in neighbours[root]]
    while frontier:
        above, cell = _drawn(rng, frontier)
        if cell != root and not tree[cell]:
            tree[above].append(cell)
            tree[cell].append(above)
            frontier += [(cell, near) for near in neighbours[cell]]
    return tree


def _drawn(rng: Random, items: list[Place]) -> Place:
    """One of them at random, taken out; the last one takes its place."""
    place = rng.randrange(len(items))
    items[place], items[-1] = items[-1], items[place]
    return items.pop()
