"""Sets as rows of bits, many at a time: what pool generation computes with, and of which it keeps
one of each denotation, the simplest.

A stack of concepts is a matrix of bits with one row a concept and one column a node of the batch.
Eight columns share a byte, and rows are filled up to whole 64-bit words. The same stack transposed
has one row a node: then one bitwise operation on two rows treats every concept of the stack, and
applying a role to all of them is a gathering of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trailmark.features.states import StateBatch
from trailmark.features.syntax import Expression, Kind

Bits = NDArray[np.uint8]
Words = NDArray[np.uint64]

WORD = 64
_SWAPS = (
    (np.uint64(7), np.uint64(0x00AA00AA00AA00AA)),
    (np.uint64(14), np.uint64(0x0000CCCC0000CCCC)),
    (np.uint64(28), np.uint64(0x00000000F0F0F0F0)),
)
"""The three exchanges that transpose a word read as eight bytes of eight bits."""


def packed_width(members: int) -> int:
    """The bytes of a row of so many possible members: whole words, and one at least."""
    return max(1, -(-members // WORD)) * WORD // 8


def pack(rows: NDArray[np.bool_]) -> Bits:
    """A stack of sets, one row a set, eight members a byte."""
    packed = np.zeros((len(rows), packed_width(rows.shape[1])), np.uint8)
    packed[:, : -(-rows.shape[1] // 8)] = np.packbits(rows, axis=1, bitorder="little")
    return packed


def unpack(packed: Bits, members: int) -> Bits:
    """The rows again, one byte (0 or 1) a possible member."""
    return np.unpackbits(packed, axis=1, count=members, bitorder="little")


def transpose(packed: Bits) -> Bits:
    """Stacks of bits (…, rows, bytes) with rows and columns exchanged; both are multiples of eight."""
    *stack, rows, width = packed.shape
    tiles = packed.reshape(*stack, rows // 8, 8, width)
    words = np.ascontiguousarray(np.swapaxes(tiles, -1, -2)).view(np.uint64)[..., 0]
    for shift, mask in _SWAPS:
        change = (words ^ (words >> shift)) & mask
        words = words ^ change ^ (change << shift)
    columns = words.view(np.uint8).reshape(*stack, rows // 8, width * 8)
    return np.ascontiguousarray(np.swapaxes(columns, -1, -2))


def by_node(packed: Bits) -> Words:
    """The transposed stack: one row a node (and filling), 64 concepts a word."""
    filled = np.zeros((-(-len(packed) // WORD) * WORD, packed.shape[1]), np.uint8)
    filled[: len(packed)] = packed
    return transpose(filled).view(np.uint64)


def by_concept(words: Words, concepts: int) -> Bits:
    """Stacks (roles, nodes, words) back to one row a concept: the first role's concepts first."""
    packed = transpose(words.view(np.uint8))[:, :concepts]
    return np.ascontiguousarray(packed).reshape(-1, packed.shape[-1])


@dataclass(frozen=True)
class Edges:
    """Roles as lists of edges between nodes, sorted by role and then by the node they start from."""

    target: NDArray[np.int64]
    """The node each edge leads to."""
    first: NDArray[np.int64]
    """The first edge of each (role, node) that has one."""
    row: NDArray[np.int64]
    """Role · (rows of a transposed stack) + node, of each such first edge."""
    role_edges: NDArray[np.int64]
    """The first edge of each role, and the number of edges at the end."""
    role_rows: NDArray[np.int64]
    """The first entry in `row` of each role, and their number at the end."""

    @property
    def roles(self) -> int:
        return len(self.role_edges) - 1


def edges(packed: Bits, batch: StateBatch, *, backwards: bool = False) -> Edges:
    """The edges of a stack of roles; `backwards` exchanges the ends of each."""
    left, right = batch.pair_nodes
    rows = packed_width(int(batch.nodes[-1])) * 8
    none = np.empty(0, np.int64)
    targets, keys, role_edges = [none], [none], [0]
    for role, bits in enumerate(packed):
        members = unpack(bits[None], int(batch.pairs[-1]))[0]
        pair = np.flatnonzero(members[batch.inverse] if backwards else members)
        targets.append(right[pair])
        keys.append(role * rows + left[pair])
        role_edges.append(role_edges[-1] + len(pair))
    key = np.concatenate(keys)
    first = np.flatnonzero(np.diff(key, prepend=-1))
    starts = np.arange(len(packed) + 1) * rows
    return Edges(
        np.concatenate(targets),
        first,
        key[first],
        np.array(role_edges, np.int64),
        np.searchsorted(key[first], starts),
    )


def apply(roles: Edges, first: int, last: int, concepts: Words) -> tuple[Words, Words]:
    """`c_some` and `c_all` of the roles first … last-1 with every concept of a transposed stack.

    Both results are (roles, nodes, words); a node without successors is in no `c_some` and in every `c_all`.
    """
    begin, end = roles.role_edges[first], roles.role_edges[last]
    low, high = roles.role_rows[first], roles.role_rows[last]
    shape = (last - first, *concepts.shape)
    some = np.zeros(shape, np.uint64)
    every = np.full(shape, ~np.uint64(0))
    gathered = concepts.take(roles.target[begin:end], axis=0)
    rows = roles.row[low:high] - first * len(concepts)
    flat = (last - first) * len(concepts), concepts.shape[1]
    if high - low == end - begin:
        some.reshape(flat)[rows] = gathered
        every.reshape(flat)[rows] = gathered
    else:
        starts = roles.first[low:high] - begin
        some.reshape(flat)[rows] = np.bitwise_or.reduceat(gathered, starts, axis=0)
        every.reshape(flat)[rows] = np.bitwise_and.reduceat(gathered, starts, axis=0)
    return some, every


def counts(packed: Bits, batch: StateBatch, kind: Kind = Kind.CONCEPT) -> NDArray[np.int32]:
    """How many nodes of each state are in each concept of the stack, or how many pairs in each role."""
    of_nodes = kind is Kind.CONCEPT
    members = unpack(packed, int((batch.nodes if of_nodes else batch.pairs)[-1]))
    result = np.empty((len(packed), batch.states), np.int32)
    for block in batch.blocks:
        part, size = (block.nodes, block.objects) if of_nodes else (block.pairs, block.objects**2)
        cube = members[:, part].reshape(len(packed), block.count, size)
        result[:, block.states] = cube.sum(axis=2, dtype=np.int32)
    return result


Derivation = tuple[str | Expression, int, int]
"""How an element is made: a constructor and the numbers of its parts (the second may be unused), or an
expression without parts. Most elements are never printed, so their expressions are made when needed."""

IMPLIES = "implies"
"""The derivation of `c_all(r_identity(C),D)`, for which no role is stored."""

BYTES_AN_ELEMENT = 300
"""About what Python needs for a derivation, a key and their places in tables, besides the bits."""


@dataclass
class Elements:
    """The elements of one kind, numbered in the order in which they were found."""

    kind: Kind
    width: int
    """The bytes of a denotation."""
    numbers: dict[bytes, int] = field(default_factory=dict)
    derivations: list[Derivation] = field(default_factory=list)
    complexities: list[int] = field(default_factory=list)
    levels: dict[int, Bits] = field(default_factory=dict)
    """The denotations of each complexity, from the element `first[complexity]` on."""
    first: dict[int, int] = field(default_factory=dict)
    _open: list[Bits] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.derivations)

    @property
    def bytes(self) -> int:
        return len(self.derivations) * (2 * self.width + BYTES_AN_ELEMENT)

    def level(self, complexity: int) -> Bits:
        known = self.levels.get(complexity)
        return np.empty((0, self.width), np.uint8) if known is None else known

    def row(self, number: int) -> Bits:
        """The denotation of one element of a closed level."""
        complexity = self.complexities[number]
        row: Bits = self.levels[complexity][number - self.first[complexity]]
        return row

    def add(
        self, complexity: int, candidates: Bits, derivation: Callable[[int], Derivation]
    ) -> NDArray[np.intp]:
        """Keep the candidates with a new denotation, and say which they are."""
        keys: list[bytes] = candidates.view(f"V{self.width}").ravel().tolist()
        numbers, next_number = self.numbers, len(self.numbers)
        fresh: list[int] = []
        for index, key in enumerate(keys):
            if numbers.setdefault(key, next_number) == next_number:
                fresh.append(index)
                next_number += 1
        if fresh:
            self._open.append(candidates[fresh])
            self.derivations.extend(derivation(index) for index in fresh)
            self.complexities.extend([complexity] * len(fresh))
        return np.array(fresh, np.intp)

    def close(self, complexity: int) -> None:
        """No more elements of this complexity will come."""
        self.first[complexity] = len(self.derivations) - sum(map(len, self._open))
        self.levels[complexity] = np.concatenate([np.empty((0, self.width), np.uint8), *self._open])
        self._open.clear()


def pairing(
    name: str | Expression, first: int, second: int = 0, seconds: int = 1
) -> Callable[[int], Derivation]:
    """The derivation of each row of a product: all second parts of the first one, then of the next. With one
    second part that is one row for each first part."""
    return lambda index: (name, first + index // seconds, second + index % seconds)
