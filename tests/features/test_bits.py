"""Bit matrices against the Boolean arrays they stand for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.features.test_batch import batches
from trailmark.features import batch as meaning
from trailmark.features.bits import (
    apply,
    by_concept,
    by_node,
    counts,
    edges,
    pack,
    packed_width,
    transpose,
    unpack,
)
from trailmark.features.states import StateBatch
from trailmark.features.syntax import Kind


def matrix(seed: int, rows: int, columns: int) -> NDArray[np.bool_]:
    return np.random.default_rng(seed).random((rows, columns)) < 0.4


SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS, st.integers(0, 70), st.integers(0, 200))
def test_packed_rows_come_back(seed: int, rows: int, columns: int) -> None:
    members = matrix(seed, rows, columns)
    packed = pack(members)
    assert packed.shape == (rows, packed_width(columns))
    assert np.array_equal(unpack(packed, columns), members)


@given(SEEDS, st.integers(1, 4), st.integers(1, 12), st.integers(1, 12))
def test_transposing_exchanges_rows_and_columns(seed: int, stack: int, tall: int, wide: int) -> None:
    members = matrix(seed, stack * tall * 8, wide * 8).reshape(stack, tall * 8, wide * 8)
    packed = np.packbits(members, axis=2, bitorder="little")
    exchanged = np.unpackbits(transpose(packed), axis=2, bitorder="little")
    assert np.array_equal(exchanged, members.transpose(0, 2, 1))


@given(batches(), SEEDS, st.integers(1, 80), st.integers(1, 4))
def test_roles_apply_to_a_whole_stack_as_to_each_concept(
    batch: StateBatch, seed: int, concepts: int, roles: int
) -> None:
    nodes, pairs = int(batch.nodes[-1]), int(batch.pairs[-1])
    members, related = matrix(seed, concepts, nodes), matrix(seed + 1, roles, pairs)
    first = seed % roles
    some, every = apply(edges(pack(related), batch), first, roles, by_node(pack(members)))
    for words, negated in ((some, False), (every, True)):
        found = unpack(by_concept(words, concepts), nodes)
        expected = [
            meaning.some(batch, role, concept ^ negated) ^ negated
            for role in related[first:]
            for concept in members
        ]
        assert np.array_equal(found, np.array(expected))


@given(batches(), SEEDS)
def test_stacks_are_counted_state_by_state(batch: StateBatch, seed: int) -> None:
    members, related = matrix(seed, 3, int(batch.nodes[-1])), matrix(seed, 3, int(batch.pairs[-1]))
    assert np.array_equal(counts(pack(members), batch), [meaning.count(batch, each) for each in members])
    assert np.array_equal(
        counts(pack(related), batch, Kind.ROLE), [meaning.count(batch, each) for each in related]
    )
