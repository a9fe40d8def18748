"""The ASP text builder: facts for any training data are a program of numbers, and clingo's optimum is ours.

The input's bytes are read as training data: how many trajectories, states and features, then values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from random import Random

import numpy as np

from tests.discovery.clingo_checks import chain, landmark_costs, loop_costs
from tests.fuzz.checks import Wrong, outcome, same
from trailmark.discovery.asp import (
    landmark_facts,
    loop_facts,
    solve_landmark,
    solve_loop,
)
from trailmark.discovery.functions import StateFunctions, UserFunctions, state_functions
from trailmark.discovery.loops import LoopCondition, find_loop, next_landmark
from trailmark.features.states import Valuations
from trailmark.features.syntax import INFINITE, Expression, expression
from trailmark.landmarks.functions import OPERATORS, StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph

WORDS = ("\x00", "\x01", "\x02", "\x03", "\x07", "\x7f")

NAMES = ("a", "].", "#script", '"', "%*", ":-x.")
"""Predicates of the features: none of these texts may be in the program."""
VALUES = (0, 0, 1, 1, 2, 3, INFINITE, 2**30)
_FACT = re.compile(r"(?:[a-z_]+\((?:[a-z_]+\([0-9.,]+\)|[0-9a-z.,-])+\)\.\s*)+")


def one(data: bytes) -> str:
    return outcome(lambda: _check(_functions(iter(data)), data))


def _check(functions: StateFunctions, data: bytes) -> None:
    previous = np.zeros(functions.trajectories, dtype=np.int64)
    _is_program(landmark_facts(functions, previous))
    while True:
        ours, theirs = next_landmark(functions, previous), solve_landmark(functions, previous)
        same(ours is None, theirs is None, "whether there is a landmark")
        if ours is None or theirs is None:
            break
        total, size = int(theirs.indices.sum()), len(theirs.literals)
        same((int(ours.indices.sum()), len(ours.literals)), (total, size), "the objectives of a landmark")
        same(landmark_costs(functions, previous, ours), (total, -size), "what our landmark costs clingo")
        previous = ours.indices
    _check_loops(functions, list(LoopCondition)[len(data) % 2])


def _check_loops(functions: StateFunctions, condition: LoopCondition) -> None:
    landmarks: list[Landmark] = []
    for step in chain(functions)[:4]:
        landmarks.append(Landmark(tuple(functions.literal(number) for number in step.literals)))
        graph = LandmarkGraph(tuple(landmarks))
        _is_program(loop_facts(graph, functions, condition))
        ours, theirs = find_loop(graph, functions, condition), solve_loop(graph, functions, condition)
        same(ours is None, theirs is None, "whether there is a loop")
        if ours is not None and theirs is not None:
            same(ours[0].target, theirs[0].target, "where the loop leads")
            costs = [loop_costs(graph, functions, each, condition) for each in (ours[0], theirs[0])]
            same(costs[0], costs[1], "what the loops cost")


def _is_program(facts: Iterator[str]) -> None:
    for fact in facts:
        if not _FACT.fullmatch(fact):
            raise Wrong(f"not facts of numbers: {fact!r}")


def _functions(numbers: Iterator[int]) -> StateFunctions:
    def take(least: int, most: int) -> int:
        return least + next(numbers, 0) % (most - least + 1)

    lengths = [take(1, 6) for _ in range(take(1, 4))]
    features = [_feature(number, take(0, 3)) for number in range(take(1, 5))]
    states = sum(lengths)
    values = np.array([[VALUES[take(0, 7)] for _ in range(states)] for _ in features], dtype=np.int32)
    offsets = tuple(accumulate(lengths, initial=0))
    table = Valuations(tuple(features), values, offsets)
    if take(0, 1):
        return state_functions(table)
    chosen = features[take(0, len(features) - 1)]
    given = UserFunctions(
        (StateDescriptor(chosen, bool(take(0, 1)), list(OPERATORS)[take(0, 5)], take(0, 3)),),
        (StateProgressor(chosen, bool(take(0, 1))),),
        (StateValue(chosen, take(0, 2)),),
        table,
    )
    return state_functions(table, table, given)


def _feature(number: int, deeper: int) -> Expression:
    concept = expression("c_primitive", f"{NAMES[number]}{number}", 0)
    for _ in range(deeper):
        concept = expression("c_not", concept)
    return expression("n_count", concept)


def seeds() -> list[bytes]:
    chance = Random(0)
    return [make(chance) for _ in range(10)]


def make(chance: Random) -> bytes:
    return bytes(chance.choices(range(8), k=chance.randint(10, 150)))
