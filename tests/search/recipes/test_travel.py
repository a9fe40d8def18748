"""Moves that are repeated: what is one, and that ways are shortest or cheapest."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.search.recipes.worlds import training_task, world_of
from trailmark.features.text import parse
from trailmark.programs.program import Counter, Program
from trailmark.search.recipes.paths import Paths
from trailmark.search.recipes.travel import Move
from trailmark.search.recipes.world import World
from trailmark.task import Domain, Task

SIMPLE = Program((Counter((parse("n_count(c_top)"),)),))
PLACES = 7
ROADS = """(define (domain roads) (:requirements :strips :typing :negative-preconditions :action-costs)
 (:types place vehicle - object)
 (:predicates (road ?a ?b - place) (at ?v - vehicle ?a - place) (closed ?a - place)
  (may ?v - vehicle ?a - place) (seen ?a - place))
 (:functions (total-cost) - number (toll ?a ?b - place) - number)
 (:action drive :parameters (?v - vehicle ?a ?b - place) :precondition (and (at ?v ?a) (road ?a ?b))
  :effect (and (at ?v ?b) (not (at ?v ?a)) (increase (total-cost) (toll ?a ?b))))
 (:action pass :parameters (?v - vehicle ?a ?b - place)
  :precondition (and (at ?v ?a) (road ?a ?b) (not (closed ?b)))
  :effect (and (at ?v ?b) (not (at ?v ?a)) (increase (total-cost) 1)))
 (:action permitted :parameters (?v - vehicle ?a ?b - place)
  :precondition (and (at ?v ?a) (road ?b ?a) (may ?v ?b) (not (= ?a ?b)))
  :effect (and (at ?v ?b) (not (at ?v ?a)) (seen ?b) (increase (total-cost) 1)))
 (:action close :parameters (?a - place) :precondition (not (closed ?a)) :effect (closed ?a)))"""


def roads(edges: dict[tuple[int, int], int], closed: list[int], permitted: list[int]) -> World:
    facts = [f"(road p{a} p{b})" for a, b in edges]
    facts += [f"(= (toll p{a} p{b}) {toll})" for (a, b), toll in edges.items()]
    facts += [f"(closed p{each})" for each in closed] + [f"(may car p{each})" for each in permitted]
    places = " ".join(f"p{number}" for number in range(PLACES))
    task = Task.parse(
        Domain.parse(ROADS),
        f"(define (problem p) (:domain roads) (:objects {places} - place car - vehicle) (:init (at car p0)"
        f" (= (total-cost) 0) {' '.join(facts)}) (:goal (at car p1)) (:metric minimize (total-cost)))",
    )
    return world_of(task, SIMPLE)


def move_of(world: World, name: str) -> Move:
    move = world.actions.moves[world.actions.index[name]]
    assert move is not None
    return move


def distances(steps: dict[tuple[int, int], float]) -> list[float]:
    """From place 0, by Bellman and Ford."""
    found = [0.0] + [math.inf] * (PLACES - 1)
    for _ in range(PLACES):
        for (a, b), cost in steps.items():
            found[b] = min(found[b], found[a] + cost)
    return found


def assert_shortest(paths: Paths, steps: dict[tuple[int, int], float], first: int) -> None:
    wanted = distances(steps)
    order = [place - first for place in paths]
    assert order[0] == 0
    assert set(order) == {place for place in range(PLACES) if wanted[place] < math.inf}
    assert [wanted[place] for place in order] == sorted(wanted[place] for place in order)
    for place in range(PLACES):
        assert (place + first in paths) == (wanted[place] < math.inf)
        if wanted[place] < math.inf:
            way = [each - first for each in paths.to(place + first)]
            assert (way[0], way[-1]) == (0, place)
            assert sum(steps[step] for step in pairwise(way)) == wanted[place]


edges = st.dictionaries(
    st.tuples(st.integers(0, PLACES - 1), st.integers(0, PLACES - 1)),
    st.integers(0, 9),
    min_size=3,
    max_size=20,
)
some = st.lists(st.integers(0, PLACES - 1), max_size=4, unique=True)


@settings(max_examples=30)
@given(edges, some, some)
def test_ways_are_the_cheapest_and_nearest_places_come_first(
    tolls: dict[tuple[int, int], int], closed: list[int], permitted: list[int]
) -> None:
    world = roads(tolls, closed, permitted)
    objects = world.base.generator.structure.object_index
    first, car = objects["p0"], objects["car"]
    is_true = world.execution().is_true
    allowed = {
        "drive": dict(tolls),
        "pass": {(a, b): 1.0 for a, b in tolls if b not in closed},
        "permitted": {(b, a): 1.0 for a, b in tolls if b != a and a in permitted},
    }
    for name, steps in allowed.items():
        for _ in range(2):
            paths = world.travel.paths(move_of(world, name), [car, first, None], is_true)
            assert_shortest(paths, steps, first)  # type: ignore[arg-type]


@settings(max_examples=30)
@given(edges, some, some)
def test_a_journey_mixes_the_steps_of_several_schemas(
    tolls: dict[tuple[int, int], int], closed: list[int], permitted: list[int]
) -> None:
    world = roads(tolls, closed, permitted)
    objects = world.base.generator.structure.object_index
    first, car = objects["p0"], objects["car"]
    steps: dict[tuple[int, int], float] = {}
    for a, b in tolls:
        steps[a, b] = min(steps.get((a, b), math.inf), tolls[a, b], 1.0 if b not in closed else math.inf)
        if a != b and a in permitted:
            steps[b, a] = min(steps.get((b, a), math.inf), 1.0)
    journeys = [journey for journey in world.actions.journeys if journey is not None]
    assert [journey.is_another for journey in journeys] == [False, True, True]
    for journey in journeys:
        paths = world.travel.paths(journey, [car, first, None], world.execution().is_true)
        assert_shortest(paths, steps, first)
        for place in paths:
            state = world.execution()
            assert state.travelled(journey, [car, first, place])
            assert state.is_true(world.actions.structure.encode(journey.reaches.symbol, (car, place)))
            assert len(state.way) == len(paths.to(place)) - 1
            assert world.replayed(state.way).way == state.way, "each step is applicable"


def test_a_move_that_other_facts_block_is_asked_for_anew_and_one_that_none_do_is_kept() -> None:
    world = roads({(0, 1): 1, (1, 2): 1, (0, 3): 1, (3, 4): 1, (4, 2): 1}, [], [1, 2])
    structure = world.base.generator.structure
    first, car = structure.object_index["p0"], structure.object_index["car"]
    is_true = world.execution().is_true
    arguments = [car, first, None]
    moves = [move_of(world, name) for name in ("drive", "pass")]
    assert [move.is_static for move in moves] == [True, False]
    before = [world.travel.paths(move, arguments, is_true) for move in moves]
    assert [len(paths.to(first + 2)) for paths in before if first + 2 in paths] == [3, 3]
    world.base.commit(world.replayed([(world.actions.index["close"], first + 1)]))
    after = [world.travel.paths(move, arguments, is_true) for move in moves]
    assert [len(paths.to(first + 2)) for paths in after if first + 2 in paths] == [3, 4]
    assert after[0] is before[0]


def test_a_way_ends_even_where_a_step_costs_less_than_nothing() -> None:
    steps = {0: [(1, 1.0)], 1: [(0, -5.0), (2, 1.0)], 2: [(1, -3.0)]}
    paths = Paths(0, lambda here: steps[here])
    assert list(paths) == [0, 1, 2]
    assert paths.to(2) == [0, 1, 2]


def schema(parameters: str, precondition: str, effect: str) -> Task:
    domain = Domain.parse(
        "(define (domain d) (:requirements :strips :typing) (:types place thing - object stop - place)"
        " (:constants a b - place) (:predicates (road ?a ?b - object) (at ?x ?y - object) (here ?a - object)"
        " (between ?a ?b ?c - object) (link ?a ?b - object) (shut ?a - object))"
        f" (:action go :parameters ({parameters}) :precondition (and {precondition}) :effect (and {effect}))"
        " (:action other :parameters (?a ?b - place) :precondition () :effect (and (link ?a ?b) (shut ?a))))"
    )
    return Task.parse(
        domain,
        "(define (problem p) (:domain d) (:objects s - stop x - thing)"
        " (:init (road a b) (road b a) (at x a)) (:goal (at x b)))",
    )


XAB = "?x - thing ?a ?b - place"
GOES = "(at ?x ?b) (not (at ?x ?a))"


@pytest.mark.parametrize(
    ("parameters", "precondition", "effect", "is_move"),
    [
        (XAB, "(at ?x ?a) (road ?a ?b)", GOES, True),
        (XAB, "(at ?x ?a) (road ?b ?a)", GOES, True),
        ("?a ?b - place", "(here ?a) (road ?a ?b)", "(here ?b) (not (here ?a))", True),
        (XAB, "(at ?x ?a) (between a ?a ?b)", GOES, True),
        # No static relation says where a step leads to, or one that changes does.
        (XAB, "(at ?x ?a)", GOES, False),
        (XAB, "(at ?x ?a) (link ?a ?b)", GOES, False),
        # It stays where it was, or needs not be there, or goes to a place that is always the same.
        (XAB, "(at ?x ?a) (road ?a ?b)", "(at ?x ?b)", False),
        (XAB, "(road ?a ?b)", GOES, False),
        ("?x - thing ?a - place", "(at ?x ?a) (road ?a b)", "(at ?x b) (not (at ?x ?a))", False),
        # Another object takes part and stays as it is, as a driver does.
        (XAB + " ?y - thing", "(at ?x ?a) (road ?a ?b) (shut ?y)", GOES, True),
        # It is changed, or matters at one of the places, or says nothing.
        (XAB + " ?y - thing", "(at ?x ?a) (road ?a ?b) (shut ?y)", GOES + " (not (shut ?y))", False),
        (XAB + " ?y - thing", "(at ?x ?a) (road ?a ?b) (link ?a ?y)", GOES, False),
        (XAB + " ?y - thing", "(at ?x ?a) (road ?a ?b)", GOES, False),
        # The thing is another one afterwards, or becomes something else.
        (XAB + " ?y - thing", "(at ?x ?a) (road ?a ?b)", "(at ?y ?b) (not (at ?x ?a))", False),
        (XAB, "(at ?x ?a) (road ?a ?b)", "(link ?x ?b) (not (at ?x ?a))", False),
        # A step does not end in what the next one begins with.
        ("?a ?b - place", "(at ?a ?a) (road ?a ?b)", "(at ?b ?a) (not (at ?a ?a))", False),
        ("?a ?b - place", "(at ?a ?b) (road ?a ?b)", "(at ?b ?b) (not (at ?a ?b))", False),
    ],
)  # fmt: skip
def test_a_move_takes_one_thing_along_a_static_relation(
    parameters: str, precondition: str, effect: str, is_move: bool
) -> None:
    world = world_of(schema(parameters, precondition, effect), SIMPLE)
    assert (world.actions.moves[world.actions.index["go"]] is not None) == is_move


def test_a_way_leads_only_through_places_that_the_schema_allows() -> None:
    """A stop can be reached, but a step begins at a stop only where its type allows that."""
    domain = Domain.parse(
        "(define (domain d) (:requirements :strips :typing) (:types place thing - object stop plain - place)"
        " (:predicates (road ?a ?b - place) (at ?x - thing ?y - place))"
        " (:action go :parameters (?x - thing ?a - plain ?b - place)"
        " :precondition (and (at ?x ?a) (road ?a ?b)) :effect (and (at ?x ?b) (not (at ?x ?a)))))"
    )
    task = Task.parse(
        domain,
        "(define (problem p) (:domain d) (:objects a b c - plain s - stop x - thing)"
        " (:init (road a s) (road s c) (road a b) (at x a)) (:goal (at x c)))",
    )
    world = world_of(task, SIMPLE)
    objects = world.base.generator.structure.object_index
    arguments = [objects["x"], objects["a"], None]
    paths = world.travel.paths(move_of(world, "go"), arguments, world.execution().is_true)
    assert set(paths) == {objects["a"], objects["s"], objects["b"]}


def test_the_moves_of_the_domains() -> None:
    found = {}
    for name in ("barman", "blocksworld", "delivery", "driverlog", "ferry", "visitall"):
        moves = world_of(training_task(name)).actions.moves
        found[name] = [move.schema.name for move in moves if move is not None]
    assert found["delivery"] == ["move"]
    assert found["driverlog"] == ["walk", "drive-truck"], "the driver of a truck stays the same"
    assert found["ferry"] == ["sail"]
    assert found["visitall"] == ["move"]
    assert found["blocksworld"] == found["barman"] == []


def test_a_detour_that_costs_less_is_the_way() -> None:
    world = roads({(0, 1): 9, (0, 2): 1, (2, 1): 1}, [], [])
    objects = world.base.generator.structure.object_index
    arguments = [objects["car"], objects["p0"], None]
    paths = world.travel.paths(move_of(world, "drive"), arguments, world.execution().is_true)
    assert list(paths) == [objects["p0"], objects["p2"], objects["p1"]]
    assert paths.to(objects["p1"]) == [objects["p0"], objects["p2"], objects["p1"]]
