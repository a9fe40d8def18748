"""What a benchmark domain is: its size parameters, its instance generator and its presets; and the draws
that several generators share.

A generator is a function of a seeded `random.Random` and integer sizes that returns a `Problem`. It
draws only with `randrange`, `shuffle` and `sample`, whose sequences are the same on every supported
Python, so that a seed stands for one text, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from trailmark.errors import InputError
from trailmark.files import parse_toml

Atom = tuple[str, ...]
"""A predicate and its objects."""

Sizes = Mapping[str, int]
"""A value for some or all of a domain's parameters."""

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


@dataclass(frozen=True)
class Problem:
    """A generated instance. Objects come by type; in a domain without types that is ""."""

    objects: Mapping[str, Sequence[str]]
    init: Sequence[Atom]
    goal: Sequence[Atom]


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


Cell = tuple[int, int]
Edge = tuple[int, int]


def numbered(prefix: str, count: int, start: int = 0) -> list[str]:
    """`count` names that end in consecutive numbers."""
    return [f"{prefix}{index}" for index in range(start, start + count)]


def another(rng: Random, count: int, index: int) -> int:
    """One of `range(count)` other than `index`, all equally likely."""
    drawn = rng.randrange(count - 1)
    return drawn + 1 if drawn >= index else drawn


def random_connected_graph(rng: Random, nodes: int, extra: int) -> list[Edge]:
    """A random tree over `range(nodes)` plus `extra` further edges, as far as there are any."""
    order = list(range(nodes))
    rng.shuffle(order)
    tree = {_edge(order[rng.randrange(place)], order[place]) for place in range(1, nodes)}
    rest = [(low, high) for low in range(nodes) for high in range(low + 1, nodes) if (low, high) not in tree]
    return sorted(tree) + sorted(rng.sample(rest, min(extra, len(rest))))


def _edge(one: int, other: int) -> Edge:
    return (one, other) if one < other else (other, one)


def grid(width: int, height: int) -> dict[Cell, list[Cell]]:
    """The cells of a rectangle, each with its neighbours to the four sides."""
    cells = [(x, y) for x in range(width) for y in range(height)]
    present = set(cells)
    return {
        (x, y): [cell for cell in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)) if cell in present]
        for x, y in cells
    }


def without_holes(
    rng: Random, neighbours: Mapping[Cell, Sequence[Cell]], holes: int
) -> dict[Cell, list[Cell]]:
    """The grid less `holes` random cells, still connected.

    A random spanning tree loses one leaf after another: what is left of the tree always connects the
    cells that remain.
    """
    degree, parent = _random_spanning_tree(rng, neighbours)
    leaves = [cell for cell in neighbours if degree[cell] == 1]
    children: dict[Cell, list[Cell]] = {cell: [] for cell in neighbours}
    for cell, above in parent.items():
        children[above].append(cell)
    removed: set[Cell] = set()
    for _ in range(holes):
        place = rng.randrange(len(leaves))
        leaves[place], leaves[-1] = leaves[-1], leaves[place]
        leaf = leaves.pop()
        removed.add(leaf)
        linked = [*children[leaf], parent[leaf]] if leaf in parent else children[leaf]
        for cell in linked:
            if cell not in removed:
                degree[cell] -= 1
                if degree[cell] == 1:
                    leaves.append(cell)
    return {
        cell: [near for near in nears if near not in removed]
        for cell, nears in neighbours.items()
        if cell not in removed
    }


def _random_spanning_tree(
    rng: Random, neighbours: Mapping[Cell, Sequence[Cell]]
) -> tuple[dict[Cell, int], dict[Cell, Cell]]:
    """Every cell's degree in the tree, and the cell it hangs from (none for the root)."""
    cells = list(neighbours)
    root = cells[rng.randrange(len(cells))]
    degree = dict.fromkeys(cells, 0)
    parent: dict[Cell, Cell] = {}
    frontier = [(root, near) for near in neighbours[root]]
    while frontier:
        place = rng.randrange(len(frontier))
        frontier[place], frontier[-1] = frontier[-1], frontier[place]
        above, cell = frontier.pop()
        if cell in parent or cell == root:
            continue
        parent[cell] = above
        degree[above] += 1
        degree[cell] += 1
        frontier += [(cell, near) for near in neighbours[cell]]
    return degree, parent
