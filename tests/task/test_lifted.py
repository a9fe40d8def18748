"""The lifted generator against the engine and against brute force over all bindings."""

from __future__ import annotations

import random
from collections.abc import Set
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.task.lifted_tasks import tasks
from trailmark.domains import domain_text, generate, names, train_problems
from trailmark.task import Domain, State, Task
from trailmark.task.lifted import Action, LiftedGenerator, supports, unsupported
from trailmark.task.lifted.generator import NO_LIMIT
from trailmark.task.lifted.state import Read, Statistics, operations

SHARED = Path(__file__).parents[2] / ".." / "shared"
WIDE = sorted(each.name for each in (SHARED / "benchmarks-wide").glob("*") if each.is_dir())
BENCHMARKS = SHARED / "benchmarks"
DOMAINS = sorted(each.name for each in BENCHMARKS.iterdir() if each.is_dir()) if BENCHMARKS.is_dir() else []


def walk(task: Task, steps: int, seed: int) -> list[State]:
    chance, states = random.Random(seed), [task.initial_state]
    for _ in range(steps):
        reached = [state for _, state, _ in task.successors(states[-1])]
        if not reached:
            break
        states.append(chance.choice(reached))
    return states


def successors(generator: LiftedGenerator, atoms: frozenset[int]) -> dict[object, frozenset[int]]:
    generator.reset(atoms)
    actions = generator.applicable()
    assert len(set(actions)) == len(actions)
    reached = {}
    for action in actions:
        adds, deletes = generator.effects(action)
        reached[generator.step(action)] = (atoms - frozenset(deletes)) | frozenset(adds)
    return reached


def triggered(generator: LiftedGenerator, added: Set[int], deleted: Set[int]) -> set[Action]:
    """The applicable actions that need an atom of `added` to hold or one of `deleted` not to."""
    found: list[Action] = []
    for atoms, starts in ((added, generator.joins.needed), (deleted, generator.joins.excluded)):
        for trigger in (each for atom in sorted(atoms) for each in starts[atom]):
            trigger.every(found, NO_LIMIT, None, *trigger.objects)
    return set(found)


def check_against_engine(task: Task, steps: int, seed: int) -> None:
    generator = LiftedGenerator(task)
    before: State | None = None
    for state in walk(task, steps, seed):
        expected = {action.step: reached.atoms for action, reached, _ in task.successors(state)}
        assert successors(generator, state.atoms) == expected
        if before is not None:
            added, deleted = state.atoms - before.atoms, before.atoms - state.atoms
            old = {action.step for action, _, _ in task.successors(before)}
            new = {generator.step(each) for each in triggered(generator, added, deleted)}
            assert new <= expected.keys()
            assert expected.keys() - old <= new
        before = state


@pytest.mark.skipif(not DOMAINS, reason="the benchmark instances are not here")
@pytest.mark.parametrize("name", DOMAINS or ["none"])
def test_equals_the_engine_on_random_walks_of_the_benchmarks(name: str) -> None:
    problems = [*sorted((BENCHMARKS / name / "train").glob("*.pddl"))[:3]]
    problems += sorted((BENCHMARKS / name / "test").glob("*.pddl"))[:2]
    domain = Domain.load(BENCHMARKS / name / "domain.pddl")
    assert problems
    for seed, problem in enumerate(problems):
        check_against_engine(Task.load(domain, problem), 12, seed)


@pytest.mark.parametrize("name", names())
def test_equals_the_engine_on_random_walks_of_the_own_instances(name: str) -> None:
    domain = Domain.parse(domain_text(name))
    for seed, problem in enumerate(train_problems(name)[1:4:2]):
        check_against_engine(Task.parse(domain, problem), 8, seed)


@settings(max_examples=60, deadline=None)
@given(tasks(), st.integers(0, 5))
def test_equals_the_engine_on_random_domains(task: Task, seed: int) -> None:
    assert supports(task)
    check_against_engine(task, 5, seed)


COSTS = """(define (domain lifts) (:requirements :typing :action-costs) (:types floor)
  (:predicates (at ?f - floor) (slow ?f - floor))
  (:functions (ride ?a ?b - floor) (toll ?f - floor) (total-cost))
  (:action move :parameters (?a ?b - floor) :precondition (at ?a)
           :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (+ (ride ?a ?b) (toll ?b)))))
  (:action slow-down :parameters (?f - floor) :precondition (at ?f)
           :effect (and (slow ?f) (increase (total-cost) 1))))"""


@settings(max_examples=40, deadline=None)
@given(st.sets(st.tuples(st.sampled_from("fghi"), st.sampled_from("fghi"))), st.sets(st.sampled_from("fghi")))
def test_an_action_whose_cost_has_no_value_is_not_applicable(
    rides: set[tuple[str, str]], tolls: set[str]
) -> None:
    values = [f"(= (ride {a} {b}) 2)" for a, b in sorted(rides)] + [
        f"(= (toll {a}) 1)" for a in sorted(tolls)
    ]
    task = Task.parse(
        Domain.parse(COSTS),
        f"(define (problem q) (:domain lifts) (:objects f g h i - floor) (:init (at f) {' '.join(values)})"
        "(:goal (at i)) (:metric minimize (total-cost)))",
    )
    check_against_engine(task, 4, 0)
    every = {
        step.arguments
        for step in successors(LiftedGenerator(task), task.initial_atoms)
        if step.action == "move"
    }
    assert every == {(a, b) for a, b in rides if a == "f" and b in tolls}
    for action, _, cost in task.successors(task.initial_state):
        assert cost == (3 if action.step.action == "move" else 1)


@pytest.mark.skipif(not WIDE, reason="the wide benchmark instances are not here")
@pytest.mark.parametrize("name", WIDE or ["none"])
def test_equals_the_engine_on_random_walks_of_the_wide_set(name: str) -> None:
    folder = SHARED / "benchmarks-wide" / name
    task = Task.load(folder / "domain.pddl", sorted((folder / "train").glob("*.pddl"))[0])
    check_against_engine(task, 8, 0)


def brute_force(generator: LiftedGenerator, state: frozenset[int]) -> dict[tuple[int, ...], set[int]]:
    """Every applicable action by trying all bindings, with the atoms its literals need or exclude."""
    structure = generator.task.structure
    found: dict[tuple[int, ...], set[int]] = {}
    holding = state | structure.static_atoms
    for schema in generator.schemas:
        for binding in product(*(sorted(each) for each in schema.allowed)):

            def ground(term: int, binding: tuple[int, ...] = binding) -> int:
                return binding[term] if term >= 0 else ~term

            positive = {structure.encode(each.symbol, [*map(ground, each.terms)]) for each in schema.positive}
            negative = {structure.encode(each.symbol, [*map(ground, each.terms)]) for each in schema.negative}
            if (
                positive <= holding
                and not negative & holding
                and all(ground(a) == ground(b) for a, b in schema.equal)
                and all(ground(a) != ground(b) for a, b in schema.different)
            ):
                found[(schema.index, *binding)] = positive | negative
    return found


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(tasks(), st.integers(0, 5))
def test_equals_the_engine_on_many_random_domains(task: Task, seed: int) -> None:
    check_against_engine(task, 5, seed)


@settings(max_examples=60, deadline=None)
@given(tasks(), st.data())
def test_triggered_actions_are_those_that_need_the_given_atoms(task: Task, data: st.DataObject) -> None:
    generator = LiftedGenerator(task)
    state = task.initial_atoms
    every = brute_force(generator, state)
    assert set(generator.applicable()) == set(every)
    symbols = task.structure.vocabulary.symbols
    relevant = sorted(
        atom
        for atom in {atom for atoms in every.values() for atom in atoms}
        if not symbols[task.structure.decode(atom)[0]].static
    )
    some = set(data.draw(st.lists(st.sampled_from(relevant), max_size=3))) if relevant else set()
    found = triggered(generator, some & state, some - state)
    assert found == {action for action, atoms in every.items() if atoms & some}


@settings(max_examples=40, deadline=None)
@given(tasks())
def test_novel_joins_find_the_actions_with_new_effects_once(task: Task) -> None:
    generator = LiftedGenerator(task)
    state = task.initial_atoms
    seen: set[int] = set()
    found: list[tuple[int, ...]] = []
    for whole in generator.joins.whole:
        if whole.novel is not None:
            whole.novel(found, 2**62, seen)
    reachable = {atom for action in generator.applicable() for atom in generator.effects(action)[0]}
    covered = {atom for action in found for atom in generator.effects(action)[0]}
    assert covered - state == reachable - state
    for action in found:
        assert set(generator.effects(action)[0]) - state


def test_what_is_beyond_strips_is_named() -> None:
    text = """(define (domain d) (:requirements :adl) (:predicates (p ?x))
      (:action a :parameters (?x) :precondition (forall (?y) (p ?y)) :effect (not (p ?x))))"""
    task = Task.parse(
        Domain.parse(text), "(define (problem q) (:domain d) (:objects o) (:init (p o)) (:goal (p o)))"
    )
    assert unsupported(task) == "the precondition of action 'a' is more than a conjunction of literals"


def test_the_state_returns_to_its_root_after_a_change() -> None:
    text = """(define (domain d) (:requirements :strips) (:predicates (at ?x) (e ?x ?y))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (e ?x ?y))
               :effect (and (at ?y) (not (at ?x)))))"""
    problem = "(define (problem q) (:domain d) (:objects k l) (:init (at k) (e k l) (e l k)) (:goal (at l)))"
    generator = LiftedGenerator(Task.parse(Domain.parse(text), problem))
    (go,) = generator.applicable()
    added, deleted = map(set, generator.effects(go))
    generator.state.visit(added, deleted)
    (back,) = generator.applicable()
    assert str(generator.step(back)) == "(go l k)"
    generator.state.visit(set(), set())
    assert generator.applicable() == [go]
    generator.commit(added, deleted)
    assert generator.state.root == generator.state.atoms == set(added)


def test_a_parameter_of_either_type_takes_objects_of_both() -> None:
    text = """(define (domain d) (:requirements :typing) (:types t v - object u - t) (:predicates (p ?x))
      (:action a :parameters (?x - (either u v)) :precondition (and) :effect (p ?x)))"""
    problem = "(define (problem q) (:domain d) (:objects k - u l - v m - t) (:init) (:goal (p k)))"
    generator = LiftedGenerator(Task.parse(Domain.parse(text), problem))
    assert [str(generator.step(each)) for each in generator.applicable()] == ["(a k)", "(a l)"]


def test_what_holds_of_nothing_at_the_start_is_not_expected_to_stay_rare() -> None:
    """Nobody is on board at first; later the few who want to leave are looked for before all who are."""
    text = generate("miconic", 1, floors=20, passengers=60)
    task = Task.parse(Domain.parse(domain_text("miconic")), text)
    schema = next(each for each in LiftedGenerator(task).schemas if each.name == "depart")
    symbols = task.structure.vocabulary.index
    trigger = next(each for each in schema.positive if each.symbol == symbols["lift-at"])
    statistics = Statistics(task.structure, task.initial_atoms)
    _, join = operations(schema, trigger, statistics, [frozenset()] * schema.arity)
    assert [each.literal.symbol for each in join if isinstance(each, Read)] == [symbols["destin"]]


def test_what_never_holds_is_asked_before_what_may_hold_later() -> None:
    """There are no fives, so that no five of all that is started are tried."""
    text = """(define (domain d) (:requirements :strips)
      (:predicates (started ?x) (five ?a ?b ?c ?d ?e) (made ?x))
      (:action pack :parameters (?a ?b ?c ?d ?e) :precondition (and (started ?a) (started ?b) (started ?c)
        (started ?d) (started ?e) (five ?a ?b ?c ?d ?e)) :effect (made ?a))
      (:action start :parameters (?x) :precondition (made ?x) :effect (started ?x)))"""
    problem = "(define (problem q) (:domain d) (:objects k l m n o p) (:init) (:goal (made k)))"
    task = Task.parse(Domain.parse(text), problem)
    schema = LiftedGenerator(task).schemas[0]
    statistics = Statistics(task.structure, task.initial_atoms)
    for trigger in (None, schema.positive[0]):
        _, join = operations(schema, trigger, statistics, [frozenset()] * schema.arity)
        reads = [each.literal.symbol for each in join if isinstance(each, Read)]
        assert reads == [task.structure.vocabulary.index["five"]]
