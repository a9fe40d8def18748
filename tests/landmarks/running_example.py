"""The paper's running example, computed by hand: Delivery on small grids, state by state.

The state functions d1 to d5 and the number of undelivered packages are plain Python here; the
description-logic expressions only name them (that both agree is tested apart).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trailmark.features.states import Valuations
from trailmark.features.syntax import Expression, expression
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop

Cell = tuple[int, int]
MOVES = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


@dataclass(frozen=True)
class World:
    """One truck, packages at cells (None while carried), one goal cell for all."""

    truck: Cell
    packages: tuple[Cell | None, ...]
    goal: Cell

    def do(self, action: str) -> World:
        if action in MOVES:
            dx, dy = MOVES[action]
            return World((self.truck[0] + dx, self.truck[1] + dy), self.packages, self.goal)
        package = int(action[-1])
        packages = list(self.packages)
        if action.startswith("pick"):
            assert self.empty
            assert packages[package] == self.truck
            packages[package] = None
        else:
            assert packages[package] is None
            packages[package] = self.truck
        return World(self.truck, tuple(packages), self.goal)

    @property
    def empty(self) -> bool:
        return None not in self.packages

    @property
    def undelivered(self) -> int:
        return sum(cell != self.goal for cell in self.packages)

    @property
    def values(self) -> list[int]:
        """d1, d2, d3, d4, d5 and the undelivered packages."""
        at_goal = self.truck == self.goal
        return [
            int(self.empty),
            int(self.truck not in self.packages),
            int(at_goal),
            int(at_goal and self.empty),
            int(self.undelivered == 0),
            self.undelivered,
        ]


def trajectory(world: World, plan: Sequence[str]) -> list[World]:
    worlds = [world]
    for action in plan:
        worlds.append(worlds[-1].do(action))
    return worlds


def _words(*lines: str) -> list[str]:
    return " ".join(lines).split()


def _c(name: str, *arguments: Expression | str | int) -> Expression:
    return expression(name, *arguments)


_truck_cells = _c("c_some", _c("r_primitive", "at", 1, 0), _c("c_primitive", "truck", 0))
_package_cells = _c("c_some", _c("r_primitive", "at", 1, 0), _c("c_primitive", "package", 0))
_empty_truck_cells = _c("c_some", _c("r_primitive", "at", 1, 0), _c("c_primitive", "empty", 0))
_goal_cells = _c("c_primitive", "at_g", 1)
_delivered = _c("c_equal", _c("r_primitive", "at", 0, 1), _c("r_primitive", "at_g", 0, 1))
_waiting = _c("c_diff", _c("c_primitive", "at_g", 0), _delivered)

D1 = _c("n_count", _c("c_primitive", "empty", 0))
D2 = _c("n_count", _c("c_diff", _truck_cells, _package_cells))
D3 = _c("n_count", _c("c_and", _truck_cells, _goal_cells))
D4 = _c("n_count", _c("c_and", _empty_truck_cells, _goal_cells))
D5 = _c("b_empty", _waiting)
UNDELIVERED = _c("n_count", _waiting)
FEATURES = (D1, D2, D3, D4, D5, UNDELIVERED)

d1, d2, d3, d4, d5 = (StateDescriptor(feature) for feature in (D1, D2, D3, D4, D5))
progress = StateProgressor(UNDELIVERED, decreases=True)
packages_left = StateValue(UNDELIVERED)

PAPER_GRAPH = LandmarkGraph(
    (Landmark((d2.negated,)), Landmark((d1.negated, d2)), Landmark((d3,)), Landmark((d1, d4))),
    (Loop(3, 0, (d5,), (progress,), (packages_left,)),),
)
"""The hand-written graph of the paper's Section "Full Example"."""

# Appendix "Example of Discovery Process": three instances and their plans.
FIRST = ["right", "pick0", "down", "drop0"]
SECOND = [*FIRST, "left", "pick1", "right", "drop1"]
THIRD = [*SECOND, "right", "pick2", "left", "drop2"]
APPENDIX = [
    trajectory(World((0, 1), ((1, 1),), (1, 0)), FIRST),
    trajectory(World((0, 1), ((1, 1), (0, 0)), (1, 0)), SECOND),
    trajectory(World((0, 1), ((1, 1), (0, 0), (2, 0)), (1, 0)), THIRD),
]

# Figure "Instance with three packages": p1, p2, p3 are numbers 0, 1, 2.
THREE_PACKAGES = World((0, 1), ((2, 1), (1, 2), (2, 0)), (0, 0))
HEURISTIC_EXAMPLE = trajectory(
    THREE_PACKAGES,
    _words(
        "right right pick0 left left down drop0 right right pick2 left left drop2",
        "right up up pick1 down down left drop1",
    ),
)
FULL_EXAMPLE = trajectory(
    THREE_PACKAGES,
    _words(
        "right up pick1 left down down drop1 right right up pick0 left left down drop0",
        "right right pick2 left left drop2",
    ),
)


def valuations(worlds: Sequence[Sequence[World]]) -> Valuations:
    """The values of `FEATURES` along these trajectories."""
    offsets = np.cumsum([0, *(len(each) for each in worlds)]).tolist()
    states = [world.values for each in worlds for world in each]
    return Valuations(FEATURES, np.array(states, dtype=np.int32).T.copy(), tuple(offsets))


def graph_states(graph: LandmarkGraph, worlds: Sequence[World]) -> list[list[int]]:
    """One valuation a state in the order of the graph's features."""
    places = [FEATURES.index(feature) for feature in graph.features]
    return [[world.values[place] for place in places] for world in worlds]
