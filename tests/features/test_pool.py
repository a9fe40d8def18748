"""Pool generation against a plain enumeration, and what every pool promises."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features.test_batch import DOMAINS, batches, states_of, training_states
from tests.oracles import bruteforce
from trailmark.errors import InputError
from trailmark.features.batch import evaluate
from trailmark.features.grammar import CONFIGS, NOT_GENERATED, PAPER, RICH, Grammar, PoolOptions
from trailmark.features.pool import PoolEnd, generate_pool
from trailmark.features.states import StateBatch, state_batch
from trailmark.features.syntax import CONSTRUCTORS, Expression, Kind, expression
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

EVERYTHING = Grammar(
    frozenset(CONSTRUCTORS) - NOT_GENERATED - {"r_identity"},
    distance_roles=frozenset(name for name in CONSTRUCTORS if name.startswith("r_")),
    any_position=True,
)


class Enumeration:
    """A pool the plain way: one expression after the other, brute force, sets of tuples."""

    def __init__(self, batch: StateBatch, grammar: Grammar, complexity: int) -> None:
        self.batch, self.grammar = batch, grammar
        self.kept: dict[Kind, list[Expression]] = {kind: [] for kind in Kind}
        self.known: dict[Kind, set[object]] = {kind: set() for kind in Kind}
        versions = batch.goal_versions()
        self.predicates = [
            symbol for symbol in batch.vocabulary.symbols if symbol.goal_of is None or symbol.name in versions
        ]
        for size in range(1, complexity + 1):
            new = [
                node
                for name, rule in CONSTRUCTORS.items()
                if grammar.allows(name, size)
                for node in (self._leaves(name) if size == 1 else self._combine(name, rule.takes, size))
            ]
            for kind in (Kind.CONCEPT, Kind.ROLE, Kind.NUMERICAL, Kind.BOOLEAN):
                for node in new:
                    if node.kind is kind:
                        self._keep(node)

    @property
    def valuations(self) -> set[object]:
        return {*self.known[Kind.BOOLEAN], *self.known[Kind.NUMERICAL]}

    def _keep(self, node: Expression) -> None:
        denotation = self._denotation(node)
        if denotation not in self.known[node.kind]:
            self.known[node.kind].add(denotation)
            self.kept[node.kind].append(node)

    def _denotation(self, node: Expression) -> object:
        values = [bruteforce.evaluate(node, *state) for state in states_of(self.batch)]
        return tuple(frozenset(each) if isinstance(each, set) else int(each) for each in values)

    def _leaves(self, name: str) -> Iterator[Expression]:
        wide = self.grammar.any_position
        if name in ("c_top", "c_bot"):
            yield expression(name)
        elif name == "c_one_of":
            yield from (expression(name, each) for each in self.batch.vocabulary.constants)
        elif name == "n_function":
            yield from (expression(name, each) for each in self.batch.vocabulary.functions)
        for symbol in self.predicates:
            if name == "b_nullary" and symbol.arity == 0:
                yield expression(name, symbol.name)
            elif name == "c_primitive" and (symbol.arity == 1 or wide):
                yield from (expression(name, symbol.name, place) for place in range(symbol.arity))
            elif name == "r_primitive" and (symbol.arity == 2 or wide):
                for left in range(symbol.arity):
                    yield from (expression(name, symbol.name, left, x) for x in range(left + 1, symbol.arity))

    def _combine(self, name: str, takes: tuple[object, ...], size: int) -> Iterator[Expression]:
        for arguments in self._arguments(takes, size - 1):
            if arguments and self._fits(name, arguments):
                yield expression(name, *arguments)

    def _arguments(self, takes: tuple[object, ...], size: int) -> Iterator[tuple[Expression, ...]]:
        if not takes:
            if size == 0:
                yield ()
            return
        kinds = takes[0] if isinstance(takes[0], tuple) else (takes[0],)
        for kind in kinds:
            for node in self.kept[kind] if isinstance(kind, Kind) else ():
                for rest in (
                    self._arguments(takes[1:], size - node.complexity) if node.complexity <= size else ()
                ):
                    yield (node, *rest)

    def _fits(self, name: str, arguments: tuple[Expression, ...]) -> bool:
        if name == "n_concept_distance":
            start, role, _ = arguments
            single = all(len(each) == 1 for each in self._denotation(start))  # type: ignore[attr-defined]
            return single and role.constructor.name in self.grammar.distance_roles
        if name in ("c_equal", "c_subset", "r_and", "r_diff"):
            left, right = (each.arguments[0] for each in arguments)
            versions = {symbol.name: symbol.goal_of for symbol in self.batch.vocabulary.symbols}
            if not isinstance(left, str) or not isinstance(right, str):
                return False
            return versions[right] == left or (name in ("c_subset", "r_diff") and versions[left] == right)
        return True


def rows(batch: StateBatch, options: PoolOptions) -> set[object]:
    return {tuple(row) for row in generate_pool(batch, options).valuations.values.tolist()}


@given(batches())
@settings(max_examples=30)
def test_a_pool_has_the_valuations_of_the_paper_s_grammar(batch: StateBatch) -> None:
    assert rows(batch, PoolOptions(complexity=4)) == Enumeration(batch, PAPER, 4).valuations


@given(batches())
@settings(max_examples=15)
def test_a_pool_has_the_valuations_of_the_whole_grammar(batch: StateBatch) -> None:
    assert (
        rows(batch, PoolOptions(complexity=3, grammar=EVERYTHING))
        == Enumeration(batch, EVERYTHING, 3).valuations
    )


@pytest.mark.slow
@given(batches())
@settings(max_examples=60)
def test_a_deeper_pool_has_the_valuations_of_the_paper_s_grammar(batch: StateBatch) -> None:
    assert rows(batch, PoolOptions(complexity=6)) == Enumeration(batch, PAPER, 6).valuations


@given(batches(), st.sampled_from([PAPER, RICH, EVERYTHING]))
@settings(max_examples=30)
def test_values_are_those_of_evaluation_and_pairwise_different(batch: StateBatch, grammar: Grammar) -> None:
    pool = generate_pool(
        batch, PoolOptions(complexity=4 if grammar is EVERYTHING else 6, grammar=grammar, features=300)
    )
    values = pool.valuations.values
    assert np.array_equal(values, evaluate(pool.features, batch).values)
    assert len(np.unique(values, axis=0)) == len(values)
    complexities = [feature.complexity for feature in pool.features]
    assert complexities == sorted(complexities)


@given(batches(), st.integers(1, 60), st.integers(1, 6))
@settings(max_examples=20)
def test_a_limited_pool_is_the_beginning_of_the_whole(
    batch: StateBatch, features: int, complexity: int
) -> None:
    whole = generate_pool(batch, PoolOptions(complexity=6))
    few = generate_pool(batch, PoolOptions(complexity=6, features=features))
    simple = generate_pool(batch, PoolOptions(complexity=complexity))
    assert few.features == whole.features[:features]
    assert few.end is (PoolEnd.FEATURES if len(whole.features) > features else PoolEnd.COMPLETE)
    assert simple.features == tuple(each for each in whole.features if each.complexity <= complexity)


def towers(*heights: int) -> StateBatch:
    """Blocks on one another, the lowest pulled out at each step; the goal is the tower of the beginning."""
    vocabulary = Vocabulary(
        (
            Symbol("block", 1, static=True, is_type=True),
            Symbol("on", 2, static=False),
            Symbol("clear", 1, static=False),
            Symbol("held", 0, static=False),
            Symbol("on_g", 2, static=True, goal_of="on"),
            Symbol("clear_g", 1, static=True, goal_of="clear"),
        )
    )
    trajectories = []
    for height in heights:
        names = tuple(f"b{number}" for number in range(height))
        bare = Structure(vocabulary, names)
        static = {bare.atom("block", name) for name in names}
        static |= {bare.atom("on_g", *pair) for pair in pairwise(names)}
        if height == heights[0]:
            static.add(bare.atom("clear_g", names[-1]))
        structure = Structure(vocabulary, names, frozenset(static))
        states = []
        for taken in range(height):
            left = names[: height - taken]
            atoms = {bare.atom("on", *pair) for pair in pairwise(left)}
            atoms |= {bare.atom("clear", name) for name in names[: taken + 1]}
            states.append(Interpretation(frozenset(atoms | ({bare.atom("held")} if taken % 2 else set()))))
        trajectories.append((structure, states))
    return state_batch(trajectories)


def names(batch: StateBatch, options: PoolOptions) -> str:
    return " ".join(str(feature) for feature in generate_pool(batch, options).features)


def test_a_goal_version_needs_goals_in_two_instances() -> None:
    text = names(towers(3, 4, 5), PoolOptions(complexity=4))
    assert "on_g" in text
    assert "clear_g" not in text


def test_one_instance_is_enough_for_a_goal_version_where_there_is_only_one() -> None:
    assert "clear_g" in names(towers(4), PoolOptions(complexity=4))


def test_the_rich_grammar_compares_closures_with_the_goal_and_subtracts_roles() -> None:
    text = names(towers(3, 4, 5), PoolOptions(complexity=6, grammar=RICH))
    assert "r_diff(r_primitive(on_g,0,1),r_primitive(on,0,1))" in text
    assert (
        "r_diff(r_transitive_closure(r_primitive(on_g,0,1)),r_transitive_closure(r_primitive(on,0,1)))"
        in text
    )


def test_progress_tells_complexity_and_features() -> None:
    told: list[tuple[int, int]] = []
    pool = generate_pool(towers(3, 4), PoolOptions(complexity=6), lambda *news: told.append(news))
    assert told == sorted(told)
    assert {complexity for complexity, _ in told} == set(range(1, 7))
    assert told[-1][1] == len(pool.features)


@pytest.mark.parametrize("looks", [1, 5, 20, 80])
def test_a_stopped_pool_has_what_was_found(looks: int) -> None:
    whole = generate_pool(towers(3, 4, 5), PoolOptions(complexity=7))
    left = iter(range(looks))
    stopped = generate_pool(towers(3, 4, 5), PoolOptions(complexity=7), stop=lambda: next(left, None) is None)
    assert stopped.end is PoolEnd.STOPPED
    assert stopped.features == whole.features[: len(stopped.features)]
    assert len(stopped.valuations.values) == len(stopped.features)


def interrupting_after(calls: int) -> Callable[[int, int], None]:
    left = iter(range(calls))

    def progress(complexity: int, features: int) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return progress


def test_an_interrupt_from_the_keyboard_leaves_what_was_found() -> None:
    whole = generate_pool(towers(3, 4, 5), PoolOptions(complexity=7))
    stopped = generate_pool(towers(3, 4, 5), PoolOptions(complexity=7), interrupting_after(60))
    assert stopped.end is PoolEnd.STOPPED
    assert 0 < len(stopped.features) < len(whole.features)
    assert stopped.features == whole.features[: len(stopped.features)]


def test_the_time_and_memory_limits_end_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.features.pool.MOST_BYTES", 1 << 20)
    batch = towers(5, 6, 7)
    assert generate_pool(batch, PoolOptions(complexity=15, seconds=1e-9)).end is PoolEnd.SECONDS
    rich = generate_pool(batch, PoolOptions(complexity=15, features=10**9, grammar=RICH))
    assert rich.end is PoolEnd.MEMORY


SCRIPT = """
from tests.features.test_pool import names, towers
from trailmark.features.grammar import RICH, PoolOptions
print(names(towers(3, 4, 5), PoolOptions(complexity=6, grammar=RICH)))
"""


def test_the_order_does_not_depend_on_the_hash_seed() -> None:
    root = os.path.join(os.path.dirname(__file__), "..", "..")
    paths = os.pathsep.join([root, os.path.join(root, "src")])
    texts = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert texts == {names(towers(3, 4, 5), PoolOptions(complexity=6, grammar=RICH)) + "\n"}


def test_instances_without_objects_give_a_pool() -> None:
    structure = Structure(Vocabulary((Symbol("done", 0, static=False), Symbol("at", 2, static=False))), ())
    states = [Interpretation(frozenset()), Interpretation(frozenset({structure.atom("done")}))]
    text = names(state_batch([(structure, states)]), PoolOptions(complexity=5))
    assert "b_nullary(done)" in text


def test_a_function_without_a_value_in_some_state_is_left_out() -> None:
    structure = Structure(Vocabulary((), functions=("cost", "time")), ("a",))
    states = [
        Interpretation(frozenset(), {"cost": 1.0, "time": 2.0}),
        Interpretation(frozenset(), {"time": 3.0}),
    ]
    text = names(state_batch([(structure, states)]), PoolOptions(complexity=2))
    assert "n_function(time)" in text
    assert "n_function(cost)" not in text


@pytest.mark.slow
@pytest.mark.skipif(not DOMAINS, reason="the shared benchmarks are not there")
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_pool_has_the_valuations_of_dlplan_s_generator(domain: str) -> None:
    pytest.importorskip("dlplan")
    from tests.oracles.dlplan_pool import dlplan_valuations

    batch = training_states(domain)
    assert rows(batch, PoolOptions(complexity=6)) == dlplan_valuations(batch, 6)


def test_the_five_configurations_are_the_paper_s() -> None:
    table = {name: (each.complexity, each.seconds, each.features) for name, each in CONFIGS.items()}
    assert table == {
        "b1": (7, 3600, 1000),
        "b2": (9, 3600, 4000),
        "b3": (11, 3600, 5000),
        "b4": (11, 3600, 10000),
        "b5": (15, 3600, 10000),
    }


def test_bad_options_are_refused() -> None:
    with pytest.raises(InputError, match="'features'"):
        PoolOptions(features=0)
    with pytest.raises(InputError, match="'c_xor'"):
        Grammar(frozenset({"c_xor"}))
