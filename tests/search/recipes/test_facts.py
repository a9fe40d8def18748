"""What recipes are matched against equals brute force over the atoms, whatever was committed."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.bruteforce import evaluate
from tests.search.recipes.worlds import actions_of, commit, training_task, wander, world_of
from tests.task.lifted_tasks import tasks
from trailmark.features.text import parse
from trailmark.programs.program import Counter, Program
from trailmark.relational import Interpretation
from trailmark.search.recipes.facts import Restriction, Row
from trailmark.search.recipes.world import World
from trailmark.task import Task

Tuples = set[tuple[int, ...]]
MOST_BINDINGS = 60


def tuples(world: World, key: int) -> Tuples:
    """Those of a predicate, or of its open goals, from the atoms alone."""
    structure, root = world.base.generator.structure, world.base.state.root
    atoms = world.base.goals.positive - root if key < 0 else structure.static_atoms | root
    decoded = map(structure.decode, atoms)
    return {arguments for symbol, arguments in decoded if symbol == (~key if key < 0 else key)}


def assert_equal_to_brute_force(world: World, key: int, arity: int, wanted: Tuples) -> None:
    facts, objects = world.facts, range(len(world.base.generator.structure.objects))
    for place, bound in product(range(arity), objects):
        found = list(facts.about(key, place, bound))
        assert len(found) == len(set(found))
        assert set(found) == {arguments for arguments in wanted if arguments[place] == bound}
    bindings = list(product([None, *objects], repeat=arity))
    for binding in random.Random(0).sample(bindings, min(len(bindings), MOST_BINDINGS)):
        row = facts.row(key, range(arity), list(binding))
        assert row is not None
        fitting = [
            {arguments for arguments in wanted if binding[place] in (None, arguments[place])}
            for place in range(arity)
        ]
        meeting = wanted.intersection(*fitting)
        assert meeting <= set(row) <= wanted
        if key in world.base.generator.structure.static_tuples:
            assert set(row) == meeting
        assert len(row) == len(set(row)) <= min([len(wanted), *map(len, fitting)])


SIMPLE = Program((Counter((parse("n_count(c_top)"),)),))


@settings(max_examples=25)
@given(tasks(), st.integers(0, 8), st.integers(0, 1000))
def test_rows_equal_brute_force_after_random_commits(task: Task, steps: int, seed: int) -> None:
    world = world_of(task, SIMPLE)
    wander(world, steps, random.Random(seed))
    for number, symbol in enumerate(task.domain.vocabulary.symbols):
        for key in (number, ~number):
            assert_equal_to_brute_force(world, key, symbol.arity, tuples(world, key))


@settings(max_examples=12)
@given(tasks(), st.integers(0, 1000))
def test_restrictions_equal_brute_force_while_facts_and_objects_change(task: Task, seed: int) -> None:
    chance = random.Random(seed)
    world = world_of(task, SIMPLE)
    objects = range(len(task.structure.objects))
    admitted = set(chance.sample(objects, len(objects) // 2))
    others = set(chance.sample(objects, len(objects) // 2))
    symbols = [(n, each.arity) for n, each in enumerate(task.domain.vocabulary.symbols) if each.arity]
    known = []
    for number, arity in symbols:
        for of in (number, ~number):
            place, second = chance.randrange(arity), chance.randrange(arity)
            inner = Restriction(of, place, admitted.__contains__)
            key = world.facts.restrict(inner)
            outer = Restriction(key, second, others.__contains__)
            known.append((of, arity, place, second, key, inner, world.facts.restrict(outer), outer))
    for _ in range(4):
        wander(world, 2, chance)
        changed = set(chance.sample(objects, 3))
        admitted ^= changed
        others ^= changed
        for _, _, _, _, key, inner, nested, outer in known:
            world.facts.objects_changed(key, inner, changed)
            world.facts.objects_changed(nested, outer, changed)
        for of, arity, place, second, key, _, nested, _ in known:
            wanted = {each for each in tuples(world, of) if each[place] in admitted}
            assert_equal_to_brute_force(world, key, arity, wanted)
            both = {each for each in wanted if each[second] in others}
            assert_equal_to_brute_force(world, nested, arity, both)


@pytest.mark.parametrize("name", ["blocksworld", "delivery", "ferry", "logistics"])
@pytest.mark.parametrize("holds", [True, False])
def test_facts_restricted_to_a_concept_follow_the_commits(name: str, holds: bool) -> None:
    chance = random.Random(1)
    task = training_task(name, 1)
    world = world_of(task)
    structure = task.structure
    concepts = list(world.concepts._places)
    symbols = [(n, each.arity) for n, each in enumerate(task.domain.vocabulary.symbols) if each.arity == 2]
    keys = {
        (number, place, concept): world.concepts.restricted(world.facts, number, place, concept, holds)
        for number, _ in symbols
        for place in range(2)
        for concept in concepts
    }
    for _ in range(6):
        wander(world, 2, chance)
        interpretation = Interpretation(frozenset(world.base.state.root))
        for (number, place, concept), key in keys.items():
            members = evaluate(concept, structure, interpretation)
            assert isinstance(members, frozenset | set)
            for each in range(len(structure.objects)):
                assert world.concepts.contains(concept, each) == (each in members)
            wanted = {each for each in tuples(world, number) if (each[place] in members) == holds}
            found = {
                each for bound in range(len(structure.objects)) for each in world.facts.about(key, 0, bound)
            }
            assert found == wanted


@given(st.lists(st.integers(0, 30), max_size=200))
def test_a_row_keeps_its_order_and_is_made_anew_before_gaps_prevail(numbers: list[int]) -> None:
    """Each number is inserted, or dropped where it is there."""
    row, wanted, gaps = Row(), list[tuple[int, ...]](), 0
    for number in numbers:
        if (number,) in wanted:
            wanted.remove((number,))
            gaps += 1
            anew = row.drop((number,))
            assert anew == (gaps > len(wanted) + 8)
            if anew:
                row, gaps = Row(row), 0
        else:
            wanted.append((number,))
            row[number,] = None
        assert list(row) == wanted


def test_rows_of_the_base_are_made_anew() -> None:
    """A truck that goes to and fro leaves no gaps behind: the first tuple of its row is found at once."""
    world = world_of(training_task("delivery"))
    structure = world.base.generator.structure
    truck, at = structure.object_index["t1"], structure.vocabulary.index["at"]
    for _ in range(100):
        here = next(arguments[1] for arguments in world.facts.about(at, 0, truck))
        there = next(pair[1] for pair in world.facts.about(structure.vocabulary.index["adjacent"], 0, here))
        world.facts.commit({structure.encode(at, (truck, there))}, {structure.encode(at, (truck, here))})
    row = world.facts.about(at, 0, truck)
    assert isinstance(row, Row)
    assert row._gaps <= len(row) + 8
    assert len(row) == 1


def test_the_order_of_rows_is_that_of_commits_and_atoms_and_not_of_sets() -> None:
    """The same changes as other sets, of which each has its own order."""
    task = training_task("logistics", 2)
    first, second = world_of(task), world_of(task)
    wander(first, 12, random.Random(3))
    wander(second, 12, random.Random(3))
    atoms = sorted(first.base.state.root)[:8]
    first.facts.commit((), set(atoms))
    second.facts.commit((), list(reversed(atoms)))
    first.facts.commit(set(atoms), ())
    second.facts.commit(list(reversed(atoms)), ())
    for number, symbol in enumerate(task.domain.vocabulary.symbols):
        terms = list(range(symbol.arity))
        rows = [list(each.facts.row(number, terms, [None] * symbol.arity) or ()) for each in (first, second)]
        assert rows[0] == rows[1]


def test_a_goal_is_open_until_it_holds_and_again_when_it_does_not() -> None:
    world = world_of(training_task("delivery"))
    at = world.base.generator.structure.vocabulary.index["at"]
    way = actions_of(
        world,
        "(move t1 c_0_1 c_0_0) (pick-package t1 p1 c_0_0) (move t1 c_0_0 c_1_0) (drop-package t1 p1 c_1_0)"
        " (pick-package t1 p1 c_1_0)",
    )
    numbers = []
    for action in way:
        commit(world, action)
        assert_equal_to_brute_force(world, ~at, 2, tuples(world, ~at))
        numbers.append(len(tuples(world, ~at)))
    assert numbers == [1, 1, 1, 0, 1]
