"""Conjunctions that separate bad states from good ones, against all subsets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trailmark.discovery.conjunctions import Conjunctions, cheapest_cover, kinds

CONCEPTS, PARTS = 5, 3


@st.composite
def members(draw: st.DrawFn) -> tuple[np.ndarray, int, np.ndarray, int]:
    """Members of some concepts among objects, the number of good objects, and the others' states."""
    good, bad = draw(st.integers(1, 8)), draw(st.integers(1, 6))
    rows = draw(arrays(np.bool_, (CONCEPTS, good + bad)))
    states = draw(st.integers(1, 3))
    return rows, good, draw(arrays(np.int64, bad, elements=st.integers(0, states - 1))), states


@given(members(), arrays(np.int64, CONCEPTS, elements=st.integers(1, 4)))
def test_all_separating_sets_are_found_and_each_has_its_cheapest_conjunction(
    drawn: tuple[np.ndarray, int, np.ndarray, int], complexities: np.ndarray
) -> None:
    rows, good, state_of, states = drawn
    complexities = np.sort(complexities)
    search = Conjunctions(kinds(rows, good, state_of, states), complexities, lambda: False)
    search.search(PARTS)
    cheapest: dict[tuple[bool, ...], int] = {}
    for size in range(1, PARTS + 1):
        for parts in combinations(range(CONCEPTS), size):
            inside = rows[list(parts)].all(axis=0)
            if inside[:good].any() or not inside[good:].any():
                continue
            if any(not rows[list(fewer), :good].all(axis=0).any() for fewer in combinations(parts, size - 1)):
                continue  # a part can be left out
            cost = int(complexities[list(parts)].sum()) + size - 1
            key = tuple(inside[good:].tolist())
            cheapest[key] = min(cost, cheapest.get(key, cost))
    found: dict[tuple[bool, ...], int] = {}
    for cost, parts, cover in search.covers():
        inside = rows[list(parts)].all(axis=0)
        assert not inside[:good].any()
        assert cost == complexities[list(parts)].sum() + len(parts) - 1
        assert set(np.flatnonzero(cover)) == set(state_of[inside[good:]])
        found[tuple(inside[good:].tolist())] = cost
    assert found == cheapest


@given(st.lists(st.tuples(st.integers(1, 5), arrays(np.bool_, 6)), max_size=6), st.integers(1, 2), st.data())
def test_the_cover_is_greedy_among_what_is_admitted(
    drawn: list[tuple[int, np.ndarray]], least: int, data: st.DataObject
) -> None:
    candidates = [(cost, (number,), cover) for number, (cost, cover) in enumerate(drawn)]
    admitted = data.draw(st.sets(st.integers(0, 5)))
    chosen = cheapest_cover(candidates, least, 3, lambda parts: parts[0] in admitted)
    covered = np.zeros(6, np.bool_)
    for (number,) in chosen:
        worth = {
            each: (cover & ~covered).sum() / cost
            for cost, (each,), cover in candidates
            if each in admitted and (cover & ~covered).sum() >= least
        }
        assert worth[number] == max(worth.values())
        covered |= drawn[number][1]
    if len(chosen) < 3:
        assert not any((drawn[each][1] & ~covered).sum() >= least for each in admitted if each < len(drawn))


def test_a_search_that_is_stopped_has_found_single_concepts_only() -> None:
    rows = np.array([[True, False, True], [False, True, True], [False, False, True]])
    search = Conjunctions(kinds(rows, 2, np.array([0]), 1), np.array([1, 1, 3]), lambda: True)
    search.search(PARTS)
    assert [parts for _, parts, _ in search.covers()] == [(2,)]
