"""Distances in pools: from a concept with one object in every state, along a role, to any concept.

The distances from the start to every node (a field) are computed once for each start and role, and
only different fields are kept. The distance to a concept is then the least value of the field on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trailmark.features.bits import Bits, Edges, by_node, edges, unpack
from trailmark.features.growth import CHUNK_BYTES, Growth
from trailmark.features.states import StateBatch
from trailmark.features.syntax import INFINITE, Expression

Field = NDArray[np.int32]


@dataclass(frozen=True)
class DistanceField:
    """The distance of every node from a start concept along a role."""

    start: int
    role: int
    steps: Field


class Fields:
    """The different distance fields of each complexity (of start and role together)."""

    def __init__(self, growth: Growth) -> None:
        self._growth = growth
        self._known: set[bytes] = set()
        self._levels: dict[int, list[DistanceField]] = {}
        self.starts: dict[int, NDArray[np.intp]] = {}
        """Which concepts of a complexity (their places in the level) have one object in every state."""

    def level(self, complexity: int) -> list[DistanceField]:
        if complexity not in self._levels:
            self._levels[complexity] = [
                field
                for start_complexity in range(1, complexity)
                for field in self._fields(start_complexity, complexity - start_complexity)
            ]
        return self._levels[complexity]

    def _fields(self, start_complexity: int, role_complexity: int) -> Iterator[DistanceField]:
        growth = self._growth
        starts = self.starts[start_complexity]
        first = growth.roles.first.get(role_complexity, 0)
        chosen = [
            index
            for index in range(len(growth.roles.level(role_complexity)))
            if _outermost(growth.roles.derivations[first + index][0]) in growth.grammar.distance_roles
        ]
        if not len(starts) or not chosen:
            return
        sources = growth.concepts.level(start_complexity)[starts]
        backwards = edges(growth.roles.level(role_complexity)[chosen], growth.batch, backwards=True)
        for position, role in enumerate(chosen):
            for start, steps in zip(starts, _spread(sources, backwards, position, growth.batch), strict=True):
                key = steps.tobytes()
                if key not in self._known:
                    self._known.add(key)
                    yield DistanceField(
                        growth.concepts.first[start_complexity] + int(start), first + role, steps
                    )


def _outermost(derivation: str | Expression) -> str:
    return derivation.constructor.name if isinstance(derivation, Expression) else derivation


def _spread(sources: Bits, backwards: Edges, role: int, batch: StateBatch) -> Field:
    """The field of every source along one role, by breadth-first search of all at once."""
    nodes, count = int(batch.nodes[-1]), len(sources)
    low, high = backwards.role_rows[role], backwards.role_rows[role + 1]
    begin, end = backwards.role_edges[role], backwards.role_edges[role + 1]
    reached = by_node(sources)
    rows, starts = backwards.row[low:high] - role * len(reached), backwards.first[low:high] - begin
    steps = np.full((count, nodes), INFINITE, np.int32)
    distance, news = 0, reached
    while news.any():
        new_nodes, who = np.nonzero(unpack(news.view(np.uint8)[:nodes], count))
        steps[who, new_nodes] = distance
        if begin == end:
            break
        wider = reached.copy()
        wider[rows] |= np.bitwise_or.reduceat(
            reached.take(backwards.target[begin:end], axis=0), starts, axis=0
        )
        distance, news, reached = distance + 1, wider & ~reached, wider
    return steps


def distance_values(
    fields: list[DistanceField], goals: Bits, batch: StateBatch
) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """Chunks of the distances in every state, goals of the first field first; with the first field's index.

    The number of balls around the start that miss the goal is the distance.
    """
    finite = [int(each.steps[each.steps < INFINITE].max(initial=0)) for each in fields]
    members = unpack(goals, int(batch.nodes[-1]))
    radii = max(finite, default=0) + 1
    step = max(1, CHUNK_BYTES // (4 * radii * batch.states * max(1, len(goals))))
    for first in range(0, len(fields), step):
        some = fields[first : first + step]
        values = np.empty((len(some), len(goals), batch.states), np.int32)
        for block in batch.blocks:
            steps = np.stack([each.steps[block.nodes] for each in some])
            balls = steps[:, None] <= np.arange(radii)[:, None]
            around = balls.reshape(-1, block.count, block.objects).transpose(1, 2, 0).astype(np.float32)
            inside = members[:, block.nodes].reshape(len(goals), block.count, block.objects)
            hits = inside.transpose(1, 0, 2).astype(np.float32) @ around > 0
            met = hits.reshape(block.count, len(goals), len(some), radii).sum(axis=3, dtype=np.int32)
            distance = np.where(met == 0, INFINITE, radii - met)
            values[:, :, block.states] = distance.transpose(2, 1, 0)
        yield first, values.reshape(-1, batch.states)
