"""Incremental evaluation against brute force from the definitions, on random worlds and walks."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.bruteforce import evaluate
from tests.oracles.strategies import Successor, features, interpretations, structures, vocabularies, walks
from trailmark.errors import FeatureError
from trailmark.features.incremental.evaluation import Relevance, bind
from trailmark.features.incremental.kernel import write
from trailmark.features.incremental.normal_form import normal_form
from trailmark.features.syntax import CONSTRUCTORS, INFINITE, Expression, Kind, expression
from trailmark.features.text import parse
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

Search = tuple[Structure, list[Expression], Interpretation, list[Successor]]


@st.composite
def searches(draw: st.DrawFn, steps: int = 5) -> Search:
    """An instance, some features and a walk through its states."""
    structure = draw(structures(draw(vocabularies())))
    chosen = draw(st.lists(features(structure.vocabulary), min_size=1, max_size=6))
    first, path = draw(walks(structure, steps=steps))
    return structure, chosen, first, path


def expected(chosen: list[Expression], structure: Structure, state: Interpretation) -> tuple[int, ...]:
    return tuple(int(evaluate(each, structure, state)) for each in chosen)


@given(searches())
@settings(max_examples=120)
def test_values_along_a_walk_are_those_of_brute_force(search: Search) -> None:
    structure, chosen, first, path = search
    evaluation = bind(chosen, structure).start(first)
    assert evaluation.values == expected(chosen, structure, first)
    for step in path:
        evaluation = evaluation.after(step.added, step.deleted, step.interpretation.values)
        assert evaluation.values == expected(chosen, structure, step.interpretation)


@given(searches())
@settings(max_examples=80)
def test_values_after_net_changes_of_one_root_are_those_of_brute_force(search: Search) -> None:
    structure, chosen, first, path = search
    root = bind(chosen, structure).start(first)
    for step in path:
        state = step.interpretation
        values = root.values_after(state.atoms - first.atoms, first.atoms - state.atoms, state.values)
        assert values == expected(chosen, structure, state)


@pytest.mark.slow
@given(searches(steps=8))
@settings(max_examples=4000)
def test_long_walks_are_exact(search: Search) -> None:
    structure, chosen, first, path = search
    root = evaluation = bind(chosen, structure).start(first)
    for step in path:
        state = step.interpretation
        evaluation = evaluation.after(step.added, step.deleted, state.values)
        right = expected(chosen, structure, state)
        assert evaluation.values == right
        assert root.values_after(state.atoms - first.atoms, first.atoms - state.atoms, state.values) == right


@given(st.data())
@settings(max_examples=40)
def test_a_parent_is_never_changed_by_its_children(data: st.DataObject) -> None:
    structure, chosen, first, _ = data.draw(searches())
    states = [data.draw(interpretations(structure)) for _ in range(3)]
    family = [(first, bind(chosen, structure).start(first))]
    for state in states:
        parent, evaluation = data.draw(st.sampled_from(family))
        child = evaluation.after(state.atoms - parent.atoms, parent.atoms - state.atoms, state.values)
        family.append((state, child))
    for (state, evaluation), (other, _) in itertools.product(family, family):
        assert evaluation.values == expected(chosen, structure, state)
        difference = (other.atoms - state.atoms, state.atoms - other.atoms, other.values)
        assert evaluation.values_after(*difference) == expected(chosen, structure, other)


VOCABULARY = Vocabulary(
    (
        Symbol("kind", 1, static=True, is_type=True),
        Symbol("marked", 1, static=False),
        Symbol("held", 1, static=False),
        Symbol("near", 2, static=True),
        Symbol("on", 2, static=False),
        Symbol("by", 2, static=False),
        Symbol("via", 3, static=False),
        Symbol("done", 0, static=False),
        Symbol("sure", 0, static=True),
    ),
    constants=("a",),
    functions=("total",),
)

CONCEPTS = [
    "c_top",
    "c_bot",
    "c_one_of(a)",
    "c_primitive(kind,0)",
    "c_not(c_primitive(kind,0))",
    "c_primitive(marked,0)",
    "c_not(c_primitive(held,0))",
    "c_primitive(via,1)",
]
ROLES = [
    "r_top",
    "r_primitive(near,0,1)",
    "r_not(r_primitive(near,1,0))",
    "r_primitive(on,0,1)",
    "r_inverse(r_primitive(by,0,1))",
    "r_not(r_primitive(on,1,0))",
    "r_not(r_primitive(by,0,1))",
    "r_primitive(via,2,0)",
    "r_primitive(on,1,1)",
]


def every_use_of(name: str) -> Iterator[Expression]:
    """The constructor with every combination of static, fluent, complemented and turned parts."""
    rule = CONSTRUCTORS[name]
    shared: list[list[str]] = [CONCEPTS, ROLES]
    leaves: dict[object, list[object]] = {Kind.CONCEPT: [*CONCEPTS], Kind.ROLE: [*ROLES]}
    for generic in shared if any(isinstance(takes, tuple) for takes in rule.takes) else shared[:1]:
        choices: list[list[object]] = []
        for takes in rule.takes:
            if isinstance(takes, tuple):
                choices.append([*generic])
            elif isinstance(takes, Kind):
                choices.append(leaves[takes])
            else:
                choices.append({"object": ["a"], "position": [0, 1]}[LEAF[takes.name]])
        for arguments in itertools.product(*choices):
            parts = [parse(each) if isinstance(each, str) and "_" in each else each for each in arguments]
            yield expression(name, *parts)  # type: ignore[arg-type]


LEAF = {"OBJECT": "object", "POSITION": "position"}
COMPOUND = [
    rule.name
    for rule in CONSTRUCTORS.values()
    if any(isinstance(takes, (Kind, tuple)) for takes in rule.takes)
]


def random_structure(chance: random.Random, objects: int = 5) -> Structure:
    structure = Structure(VOCABULARY, ("a", *(f"o{number}" for number in range(1, objects))))
    return Structure(VOCABULARY, structure.objects, random_atoms(structure, chance, static=True))


def random_atoms(structure: Structure, chance: random.Random, *, static: bool) -> frozenset[int]:
    atoms: set[int] = set()
    for position, symbol in enumerate(VOCABULARY.symbols):
        if symbol.static == static:
            low, high = structure.bases[position], structure.bases[position + 1]
            atoms.update(chance.sample(range(low, high), min(high - low, chance.randint(0, 6))))
    return frozenset(atoms)


def random_walk(structure: Structure, chance: random.Random, steps: int) -> list[Interpretation]:
    """States that differ from the one before in a few atoms; one change in four is a large one."""
    states = [Interpretation(random_atoms(structure, chance, static=False), {"total": 3})]
    for number in range(steps):
        other, atoms = random_atoms(structure, chance, static=False), states[-1].atoms
        differing = sorted(other ^ atoms)
        few = differing if number % 4 == 3 else chance.sample(differing, min(2, len(differing)))
        states.append(Interpretation(atoms ^ frozenset(few), {"total": float(number)}))
    return states


@pytest.mark.parametrize("name", COMPOUND)
def test_every_constructor_is_exact_with_every_kind_of_part(name: str) -> None:
    chance = random.Random(name)
    uses = list(every_use_of(name))
    uses = chance.sample(uses, min(len(uses), 160))
    features = [
        feature
        for use in uses
        for feature in (
            [use]
            if use.kind in (Kind.BOOLEAN, Kind.NUMERICAL)
            else [expression("n_count", use), expression("b_empty", use)]
        )
    ]
    structure = random_structure(chance)
    evaluator = bind(features, structure)
    states = random_walk(structure, chance, 6)
    evaluation = root = evaluator.start(states[0])
    for before, after in itertools.pairwise(states):
        right = expected(features, structure, after)
        evaluation = evaluation.after(after.atoms - before.atoms, before.atoms - after.atoms, after.values)
        found = root.values_after(after.atoms - states[0].atoms, states[0].atoms - after.atoms, after.values)
        wrong = [
            str(f)
            for f, a, b, c in zip(features, evaluation.values, found, right, strict=True)
            if not a == b == c
        ]
        assert not wrong


def test_distances_follow_their_sources_targets_and_steps() -> None:
    """A line of six objects along a static role, and a fluent copy of it."""
    vocabulary = Vocabulary(
        (
            Symbol("next", 2, static=True),
            Symbol("link", 2, static=False),
            Symbol("here", 1, static=False),
            Symbol("there", 1, static=False),
        )
    )
    bare = Structure(vocabulary, tuple("abcdef"))
    line = list(itertools.pairwise("abcdef"))
    structure = Structure(vocabulary, bare.objects, frozenset(bare.atom("next", x, y) for x, y in line))
    chosen = [
        parse(f"n_concept_distance(c_primitive(here,0),r_primitive({role},0,1),c_primitive(there,0))")
        for role in ("next", "link")
    ]
    links = frozenset(structure.atom("link", x, y) for x, y in line)

    def at(name: str, *objects: str) -> frozenset[int]:
        return frozenset(structure.atom(name, each) for each in objects)

    root = bind(chosen, structure).start(Interpretation(links | at("here", "a") | at("there", "d", "f")))
    assert root.values == (3, 3)
    assert root.values_after(at("here", "d"), ()) == (0, 0)
    assert root.values_after((), at("there", "d")) == (5, 5)
    assert root.values_after(at("here", "e"), at("here", "a")) == (1, 1)
    assert root.values_after((), at("here", "a")) == (INFINITE, INFINITE)
    assert root.values_after((), {structure.atom("link", "b", "c")}) == (3, INFINITE)
    assert root.values_after({structure.atom("link", "b", "d")}, ()) == (3, 2)
    moved = root.after(at("here", "e"), at("here", "a")).after((), at("there", "f"))
    assert moved.values == (INFINITE, INFINITE)


def test_a_change_that_no_feature_reads_gives_the_same_values_back() -> None:
    structure = random_structure(random.Random(1))
    evaluator = bind([parse("n_count(c_primitive(marked,0))")], structure)
    root = evaluator.start(Interpretation(frozenset()))
    assert root.values_after([structure.atom("on", "a", "o1"), structure.atom("done")], ()) is root.values
    assert Relevance(evaluator).symbols == {VOCABULARY.index["marked"]}


def test_functions_keep_their_value_until_a_change_gives_another() -> None:
    structure = random_structure(random.Random(1))
    evaluator = bind([parse("n_function(total)"), parse("b_nullary(done)")], structure)
    root = evaluator.start(Interpretation(frozenset(), {"total": 4.0}))
    done = structure.atom("done")
    changed = root.after([done], (), {"total": 6.0})
    assert (root.values, changed.values) == ((4, 0), (6, 1))
    assert root.values_after([done], ()) == (4, 1)
    assert changed.after((), [done]).values == (6, 0)
    assert changed.values_after((), [done]) == (6, 0)


def test_an_instance_without_objects_is_evaluated() -> None:
    vocabulary = Vocabulary((Symbol("p", 1, static=False), Symbol("r", 2, static=False)))
    chosen = [parse("n_count(c_all(r_primitive(r,0,1),c_primitive(p,0)))"), parse("b_empty(r_top)")]
    root = bind(chosen, Structure(vocabulary, ())).start(Interpretation(frozenset()))
    assert root.values == root.values_after((), ()) == (0, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n_count(c_primitive(unknown,0))", "unknown"),
        ("n_count(c_primitive(on,2))", "no argument 2"),
        ("n_count(c_one_of(nobody))", "nobody"),
        ("c_primitive(marked,0)", "has no value"),
    ],
)
def test_a_feature_that_does_not_fit_is_refused(text: str, message: str) -> None:
    with pytest.raises(FeatureError, match=message):
        bind([parse(text)], random_structure(random.Random(1)))


def test_a_state_without_the_value_of_a_function_is_refused() -> None:
    evaluator = bind([parse("n_function(total)")], random_structure(random.Random(1)))
    with pytest.raises(FeatureError, match="total"):
        evaluator.start(Interpretation(frozenset()))


def test_generated_code_contains_no_name_of_the_input() -> None:
    name = "import"
    vocabulary = Vocabulary(
        (Symbol(name, 2, static=False), Symbol("still", 1, static=True)), constants=(name,)
    )
    structure = Structure(vocabulary, (name, "other"))
    role = expression("r_primitive", name, 0, 1)
    fills = expression("n_count", expression("c_fills", role, name))
    assert name not in write(normal_form((fills,), structure)).functions()
    root = bind([fills], structure).start(Interpretation(frozenset()))
    assert root.values_after([structure.atom(name, "other", name)], ()) == (1,)


PRINT_SOURCE = """
import random
from tests.features.test_incremental import *
uses = [use for name in ("c_some", "r_compose", "r_diff", "n_concept_distance") for use in every_use_of(name)]
chosen = [use if use.kind is Kind.NUMERICAL else expression("n_count", use) for use in uses[::3]]
structure = random_structure(random.Random(5))
print(write(normal_form(tuple(chosen), structure)).functions())
"""


def test_generated_code_does_not_depend_on_the_hash_seed() -> None:
    def printed(seed: int) -> str:
        return subprocess.run(
            [sys.executable, "-c", PRINT_SOURCE],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    first = printed(1)
    assert "def values_after" in first
    assert first == printed(2)
