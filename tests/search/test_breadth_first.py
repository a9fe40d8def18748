"""Breadth-first search by a measure, against plain sets of pairs, by joins and by the engine's successors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.search.leap_programs import PROGRAMS
from tests.search.test_leap import task_of
from trailmark.domains import train_preset
from trailmark.programs.program import Program
from trailmark.search.leap import LeapOptions
from trailmark.search.leap.base import Base
from trailmark.search.leap.breadth_first import Atoms, Later, Pairs, breadth_first
from trailmark.search.leap.course import Course
from trailmark.search.leap.engine_explorer import EngineExplorer
from trailmark.task import Task
from trailmark.task.lifted import LiftedGenerator

ENDLESS = LeapOptions(novelty_two_limit=10**6)


@dataclass(eq=False)
class State:
    parent: State | None
    added: frozenset[int] = frozenset()
    deleted: frozenset[int] = frozenset()

    @property
    def literals(self) -> frozenset[int]:
        return self.added | {~atom for atom in self.deleted}


def path(changes: list[tuple[frozenset[int], frozenset[int]]]) -> list[State]:
    states = [State(None)]
    for added, deleted in changes:
        states.append(State(states[-1], added, deleted - added))
    return states


SETS = st.frozensets(st.integers(0, 5), max_size=3)


@given(st.lists(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=4), max_size=6))
def test_a_state_is_novel_if_one_of_its_pairs_was_in_none_before(
    ways: list[list[tuple[frozenset[int], frozenset[int]]]],
) -> None:
    pairs, seen = Pairs(), set[tuple[int, int]]()
    for state in (state for way in ways for state in path(way)[1:]):
        assert state.parent is not None
        now, before = state.literals, state.parent.literals
        changed = (now - before) | {~literal for literal in before - now}
        met = {
            pair
            for pair in combinations_with_replacement(sorted(now | changed), 2)
            if not changed.isdisjoint(pair)
        }
        assert pairs.novel(state) == bool(met - seen)
        seen |= met


@given(st.lists(SETS, max_size=8), SETS)
def test_a_state_is_novel_if_an_atom_holds_for_the_first_time(
    states: list[frozenset[int]], base: frozenset[int]
) -> None:
    atoms, seen = Atoms(base), set(base)
    for added in states:
        assert atoms.novel(State(None, added)) == bool(added - seen)
        seen |= added


class Tree:
    """Nodes have three children each, the last of them later; those of a given name end the search."""

    def __init__(self, wanted: str, forbidden: str) -> None:
        self.wanted, self.forbidden = wanted, forbidden
        self.seen: list[str] = []

    @dataclass(eq=False)
    class Node(State):
        name: str = ""

    def root(self) -> Node:
        return self.Node(None)

    def expand(self, node: Node) -> Iterator[Node | Later[Node]]:
        yield from self._children(node, "ab")
        yield Later(self._children(node, "c"))

    def _children(self, node: Node, letters: str) -> Iterator[Node]:
        return (self.Node(node, name=node.name + letter) for letter in letters if len(node.name) < 3)

    def ends(self, node: Node) -> bool:
        self.seen.append(node.name)
        return node.name == self.wanted

    def guarded(self, node: Node) -> bool:
        return node.name == self.forbidden


class Every:
    def novel(self, node: object) -> bool:
        return True


def course(task: Task, program: Program) -> Course:
    return Course(program, ENDLESS)


def test_what_comes_later_waits_for_the_nodes_before_it() -> None:
    tree = Tree("cb", "b")
    some = course(task_of("gripper"), PROGRAMS["gripper"])
    found = breadth_first(tree, Every(), some)
    assert found is not None
    assert found.name == "cb"
    assert tree.seen == ["a", "b", "aa", "ab", "c", "aaa", "aab", "aba", "abb", "ac", "ca", "cb"]


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_joins_and_the_engine_lead_to_ends_as_near_to_the_base(name: str) -> None:
    task, program = task_of(name, 1, **train_preset(name)[1]), PROGRAMS[name]
    base = Base(LiftedGenerator(task), course(task, program))
    explorer = EngineExplorer(task, course(task, program))
    for measure in (lambda: Atoms(task.initial_atoms), Pairs):
        depths = [_depth(breadth_first(one, measure(), base.course)) for one in (base, explorer)]
        assert depths[0] == depths[1]


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_state_of_the_engine_is_its_difference_to_the_base(name: str) -> None:
    task, rng = task_of(name, 1, **train_preset(name)[1]), random.Random(1)
    explorer, base = EngineExplorer(task, course(task, PROGRAMS[name])), task.initial_atoms
    node = explorer.root()
    for _ in range(30):
        node = rng.choice(list(explorer.expand(node)))
        assert (node.added, node.deleted) == (node.state.atoms - base, base - node.state.atoms)


def _depth(node: State | None) -> int | None:
    depth = 0
    while node is not None and node.parent is not None:
        node, depth = node.parent, depth + 1
    return depth if node is not None else None
