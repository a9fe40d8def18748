"""All training states laid out for NumPy: one line of nodes and one line of pairs.

A node is an object in a state; a pair is two objects in the same state. Concepts are sets of nodes
and roles sets of pairs, so that instances of different sizes lie side by side without padding, and
one array operation treats every state at once. `Valuations` are the values of features in these states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.relational import Interpretation, Structure, Vocabulary

Trajectory = tuple[Structure, Sequence[Interpretation]]
"""An instance and the states a plan visits in it."""


GOAL_INSTANCES = 2
"""In how many training instances a predicate must be a goal for its goal version to be used; in all where
there are fewer."""


@dataclass(frozen=True)
class Block:
    """Consecutive states with the same number of objects: a slice that reshapes to a cube."""

    states: slice
    nodes: slice
    pairs: slice
    objects: int

    @property
    def count(self) -> int:
        """The number of states."""
        return int(self.states.stop - self.states.start)


@dataclass(frozen=True)
class StateBatch:
    """The states of all trajectories, in order. Make one with `state_batch`."""

    vocabulary: Vocabulary
    trajectories: tuple[Trajectory, ...] = field(repr=False)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """The first state of each trajectory, and one past the last state at the end."""
        ends = np.cumsum([len(states) for _, states in self.trajectories], dtype=np.int64)
        return (0, *(int(end) for end in ends))

    @property
    def states(self) -> int:
        return self.offsets[-1]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of objects of every state."""
        objects = [len(structure.objects) for structure, _ in self.trajectories]
        return np.repeat(np.array(objects, np.int64), [len(states) for _, states in self.trajectories])

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The first node of every state, and the number of nodes at the end."""
        return _starts(self.sizes)

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """The first pair of every state, and the number of pairs at the end."""
        return _starts(self.sizes**2)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The states cut where the number of objects changes."""
        cuts = [0, *(np.flatnonzero(np.diff(self.sizes)) + 1), self.states]
        return tuple(
            Block(
                slice(first, last),
                slice(int(self.nodes[first]), int(self.nodes[last])),
                slice(int(self.pairs[first]), int(self.pairs[last])),
                int(self.sizes[first]),
            )
            for first, last in zip(map(int, cuts[:-1]), map(int, cuts[1:]), strict=True)
            if first < last
        )

    @cached_property
    def pair_nodes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The node at the left and at the right of every pair. Block by block: all pairs at once would take
        three times the memory, gigabytes where guards are sought."""
        total = int(self.pairs[-1])
        left, right = np.empty(total, np.int64), np.empty(total, np.int64)
        for block in self.blocks:
            n = block.objects
            nodes = np.arange(block.nodes.start, block.nodes.stop).reshape(block.count, n)
            left[block.pairs] = np.repeat(nodes, n, axis=1).ravel()
            right[block.pairs] = np.tile(nodes, (1, n)).ravel()
        return left, right

    @cached_property
    def diagonal(self) -> NDArray[np.int64]:
        """For every node the pair of it with itself."""
        where = np.empty(int(self.nodes[-1]), np.int64)
        for block in self.blocks:
            n = block.objects
            starts = self.pairs[block.states, None]
            where[block.nodes] = (starts + np.arange(n) * (n + 1)).ravel()
        return where

    @cached_property
    def inverse(self) -> NDArray[np.int64]:
        """For every pair the pair with left and right exchanged."""
        where = np.empty(int(self.pairs[-1]), np.int64)
        for block in self.blocks:
            n = block.objects
            cube = np.arange(block.pairs.start, block.pairs.stop).reshape(block.count, n, n)
            where[block.pairs] = cube.transpose(0, 2, 1).ravel()
        return where

    @cached_property
    def atoms(self) -> Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """For every predicate the state and the objects (one row an atom) of all that holds."""
        columns: list[tuple[list[int], list[tuple[int, ...]]]] = [([], []) for _ in self.vocabulary.symbols]
        for (structure, states), first in zip(self.trajectories, self.offsets[:-1], strict=True):
            static = [structure.decode(atom) for atom in structure.static_atoms]
            for number, state in enumerate(states, first):
                for symbol, arguments in (*static, *map(structure.decode, state.atoms)):
                    columns[symbol][0].append(number)
                    columns[symbol][1].append(arguments)
        return {
            symbol.name: (
                np.array(where, np.int64),
                np.array(arguments, np.int64).reshape(len(where), symbol.arity),
            )
            for symbol, (where, arguments) in zip(self.vocabulary.symbols, columns, strict=True)
        }

    def goal_versions(self) -> frozenset[str]:
        """The goal versions of which enough instances have such a goal (Definition 1)."""
        symbols, needed = self.vocabulary.symbols, min(GOAL_INSTANCES, len(self.instances))
        uses = Counter(symbol for structure in self.instances for symbol in structure.static_tuples)
        return frozenset(
            symbol.name for place, symbol in enumerate(symbols) if symbol.goal_of and uses[place] >= needed
        )

    @cached_property
    def instances(self) -> tuple[Structure, ...]:
        """The different instances of the trajectories."""
        distinct: list[Structure] = []
        for structure, _ in self.trajectories:
            if not any(structure is known or structure == known for known in distinct):
                distinct.append(structure)
        return tuple(distinct)

    def parts(self, most_pairs: int) -> Iterator[StateBatch]:
        """The same states in order as batches of at most so many pairs (but one state at least)."""
        collected: list[Trajectory] = []
        room = most_pairs
        for structure, states in self.trajectories:
            cost, first = max(1, len(structure.objects) ** 2), 0
            while first < len(states):
                if room < cost and collected:
                    yield StateBatch(self.vocabulary, tuple(collected))
                    collected, room = [], most_pairs
                last = min(len(states), first + max(1, room // cost))
                collected.append((structure, states[first:last]))
                room -= cost * (last - first)
                first = last
        if collected:
            yield StateBatch(self.vocabulary, tuple(collected))


def state_batch(trajectories: Sequence[Trajectory]) -> StateBatch:
    """The batch of these trajectories, which must share one vocabulary."""
    if not trajectories:
        raise InputError("there is no training trajectory")
    vocabulary = trajectories[0][0].vocabulary
    for number, (structure, states) in enumerate(trajectories, 1):
        if structure.vocabulary is not vocabulary and structure.vocabulary != vocabulary:
            raise InputError(
                f"training trajectory {number} has other predicates than the first",
                hint="all training instances must be of one domain",
            )
        if not states:
            raise InputError(f"training trajectory {number} has no state")
    return StateBatch(vocabulary, tuple((structure, tuple(states)) for structure, states in trajectories))


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)


@dataclass(frozen=True)
class Valuations:
    """The value of each feature (row) in each training state (column).

    Booleans are 0 and 1; a distance without a path is `INFINITE`. The states of trajectory `t` are
    the columns `offsets[t]` to `offsets[t + 1]`, in the order the plan visits them.
    """

    features: tuple[Expression, ...]
    values: NDArray[np.int32]
    offsets: tuple[int, ...]

    @property
    def trajectories(self) -> int:
        return len(self.offsets) - 1
