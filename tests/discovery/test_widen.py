"""Possible landmarks and branches against brute force, and what they leave as it was."""

from __future__ import annotations

import re
from itertools import combinations, pairwise, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.discovery.matrices import plain, repeating, table
from trailmark.discovery import DiscoveryOptions, StateFunctions, discover, state_functions
from trailmark.discovery.chain import MISSING, Pieces, chain, pieces_between, possible_chain, walks
from trailmark.discovery.widen import MOST_FOR_ALL_SPLITS, best_branch
from trailmark.errors import NoGraphError
from trailmark.landmarks import LandmarkGraph

Rows = list[list[tuple[bool, ...]]]
"""For each piece its states, each with the truth of every descriptor."""


@st.composite
def rows(draw: st.DrawFn, pieces: int = 4, states: int = 5, descriptors: int = 4) -> Rows:
    width = draw(st.integers(1, descriptors))
    state = st.tuples(*[st.booleans()] * width)
    piece = st.lists(state, min_size=1, max_size=states)
    return draw(st.lists(piece, min_size=1, max_size=pieces))


def cut(made: Rows) -> Pieces:
    offsets = [0]
    for each in made:
        offsets.append(offsets[-1] + len(each))
    truth = np.array([state for each in made for state in each], dtype=np.bool_).T
    return Pieces(truth, tuple(offsets))


def holds(state: tuple[bool, ...], literal: int) -> bool:
    return state[literal // 2] is not bool(literal % 2)


def flips(piece: list[tuple[bool, ...]], literal: int, index: int) -> bool:
    return holds(piece[index], literal) and not holds(piece[index - 1], literal)


def best_possible(
    made: Rows, previous: list[int], least: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """By trying every vector of states, with the end of a piece for a landmark it does not have."""
    best: tuple[tuple[int, int, tuple[int, ...]], tuple[int, ...]] | None = None
    ranges = [range(first + 1, len(piece) + 1) for first, piece in zip(previous, made, strict=True)]
    for indices in product(*ranges):
        there = [(piece, index) for piece, index in zip(made, indices, strict=True) if index < len(piece)]
        if len(there) < least:
            continue
        literals = tuple(
            literal
            for literal in range(2 * len(made[0][0]))
            if all(flips(piece, literal, index) for piece, index in there)
        )
        key = (sum(indices), -len(literals), indices)
        if literals and (best is None or key < best[0]):
            best = key, literals
    return None if best is None else (best[0][2], best[1])


@given(rows(), st.sampled_from([1, 40, 50, 60, 75, 100]))
def test_a_possible_landmark_is_the_best_of_all_by_brute_force(made: Rows, per_cent: int) -> None:
    pieces = cut(made)
    least = max(2, -(-per_cent * len(made) // 100))
    previous = [0] * len(made)
    for step in [*possible_chain(pieces, per_cent), None]:
        expected = best_possible(made, previous, least)
        if step is None:
            assert expected is None
            continue
        indices = step.indices.tolist()
        ends = tuple(len(p) if i == MISSING else i for p, i in zip(made, indices, strict=True))
        assert expected == (ends, step.literals)
        previous = [old if new == MISSING else new for old, new in zip(previous, indices, strict=True)]


@given(plain(trajectories=4).filter(lambda functions: functions.trajectories > 1))
def test_what_all_trajectories_achieve_is_the_chain(functions: StateFunctions) -> None:
    found = possible_chain(Pieces(functions.truth, functions.offsets), 100)
    expected = chain(functions)
    assert [(each.literals, each.indices.tolist()) for each in found] == [
        (each.literals, each.indices.tolist()) for each in expected
    ]


def chain_by_force(made: Rows) -> list[tuple[int, ...]]:
    found, previous = [], [0] * len(made)
    while (best := best_possible(made, previous, len(made))) is not None:
        previous = list(best[0])
        found.append(best[1])
    return found


def accepted(piece: list[tuple[bool, ...]], chains: tuple[list[tuple[int, ...]], ...]) -> tuple[int, int]:
    """Which alternative a piece takes, state by state, and how many of its landmarks it achieves."""
    taken, count = -1, 0
    for state in piece[1:]:
        for number in range(len(chains)) if taken < 0 else [taken]:
            landmarks = chains[number]
            if count < len(landmarks) and all(holds(state, literal) for literal in landmarks[count]):
                taken, count = number, count + 1
                break
    return taken, count


def best_by_force(made: Rows) -> int:
    """How many landmarks the pieces achieve with the best of all splits and all ends of their chains."""
    best = 0
    numbers = range(len(made))
    for size in range(2, len(made) - 1):
        for group in combinations(numbers, size):
            if 0 not in group:
                continue
            sides = [number in group for number in numbers]
            first = chain_by_force([made[n] for n in numbers if sides[n]])
            second = chain_by_force([made[n] for n in numbers if not sides[n]])
            for i, j in product(range(len(first)), range(len(second))):
                chains = first[i:], second[j:]
                walks = [accepted(made[n], chains) for n in numbers]
                if all(
                    walk == ((0, len(chains[0])) if side else (1, len(chains[1])))
                    for walk, side in zip(walks, sides, strict=True)
                ):
                    best = max(best, sum(count for _, count in walks))
    return best


@settings(max_examples=60)
@given(rows(pieces=5, states=4, descriptors=3))
def test_a_branch_covers_as_many_landmarks_as_the_best_split_by_brute_force(made: Rows) -> None:
    found = best_branch(cut(made))
    assert (0 if found is None else found.covered) == best_by_force(made)


@settings(max_examples=60)
@given(st.one_of(plain(trajectories=6), repeating()), st.sampled_from([20, 50, 80, 100]), st.booleans())
def test_a_trajectory_that_satisfies_a_chain_satisfies_the_wider_graph(
    functions: StateFunctions, possible: int, branches: bool
) -> None:
    try:
        narrow = discover(functions, DiscoveryOptions(satisfied_loops=possible < 100 or branches))
    except NoGraphError:
        return
    wide = discover(functions, DiscoveryOptions(possible=possible, branches=branches))
    for before, after in zip(narrow.satisfaction, wide.satisfaction, strict=True):
        if before:
            assert after, str(after)
    if not branches:
        assert set(narrow.graph.landmarks) <= set(wide.graph.landmarks)
    assert (wide.indices, wide.occurrences) == (narrow.indices, narrow.occurrences)
    if possible == 100 and not branches:
        assert wide.graph == narrow.graph


@given(repeating())
def test_pieces_lie_strictly_between_the_landmarks_of_the_chain(functions: StateFunctions) -> None:
    try:
        found = discover(functions)
    except NoGraphError:
        return
    graph = found.graph
    walked = walks(graph, functions)
    for before in range(-1, len(graph.landmarks)):
        pieces = pieces_between(functions, walked, before, before + 1)
        in_loop = any(loop.target <= before < loop.source for loop in graph.loops)
        assert in_loop or pieces.count <= functions.trajectories
        assert all(stop > start for start, stop in pairwise(pieces.offsets))


def two_ways() -> StateFunctions:
    """Something begins (0), then 1 and 2 happen in either order, and then the end (3)."""
    one_first = [[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    two_first = [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    return state_functions(table([one_first, one_first, two_first, two_first, one_first]))


def names(graph: LandmarkGraph) -> list[tuple[str, int, tuple[int, int] | None]]:
    """Each landmark by the number of its descriptor."""
    return [(re.findall(r"d(\d)", str(each))[0], each.share, each.branch) for each in graph.landmarks]


def test_two_things_in_either_order_are_two_alternatives() -> None:
    assert names(discover(two_ways()).graph) == [("0", 100, None), ("1", 100, None), ("3", 100, None)]
    found = discover(two_ways(), DiscoveryOptions(branches=True))
    assert found.satisfied
    assert names(found.graph) == [
        ("0", 100, None),
        ("1", 100, (1, 1)),
        ("2", 100, (1, 1)),
        ("2", 100, (1, 2)),
        ("1", 100, (1, 2)),
        ("3", 100, None),
    ]


def test_things_in_either_order_are_told_apart_where_the_chain_has_a_landmark_for_both() -> None:
    one_first = [[0, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    two_first = [[state[0], state[2], state[1], state[3]] for state in one_first]
    functions = state_functions(table([one_first, one_first, two_first, two_first]))
    chained = discover(functions)
    assert [each for each, _, _ in names(chained.graph)] == ["0", "0", "0", "3"]
    found = discover(functions, DiscoveryOptions(branches=True))
    assert found.satisfied
    assert [each.branch for each in found.graph.landmarks] == [(1, 1)] * 3 + [(1, 2)] * 3 + [None]
    features = [[each for each in "12" if f"d{each}" in str(landmark)] for landmark in found.graph.landmarks]
    assert features == [["1"], [], ["2"], ["2"], [], ["1"], []]


def test_what_comes_before_in_some_and_after_in_others_is_possible_twice() -> None:
    found = discover(two_ways(), DiscoveryOptions(possible=40))
    assert found.satisfied
    assert names(found.graph) == [
        ("0", 100, None),
        ("2", 40, None),
        ("1", 100, None),
        ("2", 60, None),
        ("3", 100, None),
    ]
    more = discover(two_ways(), DiscoveryOptions(possible=50)).graph
    assert [each for each in names(more) if each[1] < 100] == [("2", 60, None)]


def test_of_many_pieces_splits_are_made_by_literals() -> None:
    up, down = [[0, 0], [1, 0], [1, 0]], [[0, 0], [0, 1], [0, 1]]
    states = [up, down] * MOST_FOR_ALL_SPLITS
    made = [[tuple(bool(value) for value in state) for state in piece] for piece in states]
    found = best_branch(cut(made))
    assert found is not None
    assert [[step.literals for step in each] for each in found.chains] == [[(0,)], [(2,)]]
    assert found.first == tuple(range(0, 2 * MOST_FOR_ALL_SPLITS, 2))
