"""Draws that several generators share: another index, random trees and rectangular grids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

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
