"""Larger tasks made of training tasks: what holds in all training states holds in them; they have plans."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from trailmark import domains
from trailmark.learning import trials
from trailmark.learning.invariants import invariants
from trailmark.learning.trials import LONGER, glue, glued_tasks, plain_plan
from trailmark.limits import UNLIMITED
from trailmark.search.lazy import lazy_greedy
from trailmark.search.shorten import shorten
from trailmark.task import Domain, Plan, Task, Trajectory, trajectory, validate
from trailmark.task.lifted.generator import ground_actions
from trailmark.task.model import Atom
from trailmark.task.states import prepare_preferring

NAMES = ["blocksworld", "delivery", "ferry", "floortile", "grid", "gripper", "logistics", "miconic", "tpp"]

Training = tuple[list[Task], list[Trajectory]]


@cache
def training(name: str) -> Training:
    """The five training tasks of a domain with plans."""
    domain = Domain.parse(domains.domain_text(name))
    tasks = [Task.parse(domain, text) for text in domains.train_problems(name)]
    paths = []
    for task in tasks:
        steps = lazy_greedy(task, prepare_preferring(task)).steps
        assert steps
        paths.append(trajectory(task, Plan(shorten(task, steps))))
    return tasks, paths


def facts(task: Task, atoms: frozenset[int]) -> list[Atom]:
    names, objects = task.domain.vocabulary.symbols, task.structure.objects
    decoded = [task.structure.decode(atom) for atom in atoms | task.structure.static_atoms]
    found = [Atom(names[symbol].name, tuple(objects[o] for o in arguments)) for symbol, arguments in decoded]
    predicates = {each.name for each in task.domain.model.predicates}
    return [each for each in found if each.predicate in predicates]


def differ_in(first: Atom, second: Atom) -> list[int]:
    """The places at which two facts of one predicate differ."""
    return [place for place in range(len(first.terms)) if first.terms[place] != second.terms[place]]


def conflicts(known: list[Atom]) -> set[tuple[str, int]]:
    """The places with two values for the same other arguments, by comparing any two facts."""
    found = set()
    for first, second in combinations(known, 2):
        if first.predicate == second.predicate and len(differ_in(first, second)) == 1:
            found.add((first.predicate, *differ_in(first, second)))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_place_with_one_value_in_every_training_state_has_one_in_the_union(name: str) -> None:
    tasks, paths = training(name)
    seen: set[tuple[str, int]] = set()
    for task, path in zip(tasks, paths, strict=True):
        for state in path.states:
            seen |= conflicts(facts(task, state.atoms))
    for number in range(5):
        task = glue(tasks[3:], invariants(tasks, paths), Random(number), "union")
        assert conflicts(facts(task, task.initial_atoms)) <= seen


@pytest.mark.parametrize("name", NAMES)
def test_the_arguments_of_all_facts_are_of_their_types(name: str) -> None:
    tasks, paths = training(name)
    for task, _ in glued_tasks(tasks, paths, 0, 2):
        types = {each.name: each.parameters for each in task.domain.model.predicates}
        for fact in (*task.model.initial_atoms, *task.model.goal.parts):  # type: ignore[union-attr]
            for term, parameter in zip(fact.terms, types[fact.predicate], strict=True):
                assert task.object_types[term] & set(parameter.types)


@pytest.mark.parametrize("name", NAMES)
def test_unions_are_solvable_and_longer_than_training_plans(name: str) -> None:
    tasks, paths = training(name)
    longest = max(len(path.plan) for path in paths)
    found = glued_tasks(tasks, paths, 0, 2)
    assert found
    for task, plan in found:
        assert validate(task, plan)
        assert len(plan) >= LONGER * longest


def test_the_same_seed_makes_the_same_tasks_and_another_seed_others() -> None:
    tasks, paths = training("ferry")
    first, again, other = ([task.model for task, _ in glued_tasks(tasks, paths, s, 2)] for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_hands_are_shared_and_hold_one_thing() -> None:
    tasks, paths = training("gripper")
    known = invariants(tasks, paths)
    for path in paths[3:]:
        for state in path.states:
            task = glue([tasks[paths.index(path)], tasks[4]], known, Random(0), "union", state.atoms)
            held = facts(task, task.initial_atoms)
            free = {fact.terms[0] for fact in held if fact.predicate == "free"}
            assert not free & {fact.terms[1] for fact in held if fact.predicate == "carry"}
            assert sum(fact.predicate == "gripper" for fact in held) == 2


def test_any_two_ports_stay_connected() -> None:
    tasks, paths = training("ferry")
    task = glue(tasks[3:], invariants(tasks, paths), Random(0), "union")
    ports = [fact.terms[0] for fact in task.model.initial_atoms if fact.predicate == "location"]
    pairs = {fact.terms for fact in task.model.initial_atoms if fact.predicate == "not-eq"}
    assert len(ports) > 5
    assert pairs >= set(permutations(ports, 2))


def test_an_order_of_floors_stays_an_order() -> None:
    tasks, paths = training("miconic")
    task = glue([*tasks[3:], tasks[3]], invariants(tasks, paths), Random(0), "union")
    above = {fact.terms for fact in task.model.initial_atoms if fact.predicate == "above"}
    floors = {floor for pair in above for floor in pair}
    assert len(above) == len(floors) * (len(floors) - 1) // 2
    assert all((a, d) in above for a, b in above for c, d in above if b == c)


def test_goals_that_are_no_conjunctions_are_left_alone() -> None:
    text = domains.domain_text("gripper")
    domain = Domain.parse(text)
    problem = domains.generate("gripper", 1, balls=1)
    goal = problem[problem.index("(:goal") :]
    task = Task.parse(domain, problem.replace(goal, "(:goal (exists (?b) (at ?b roomb))))"))
    plan = lazy_greedy(task, prepare_preferring(task)).steps
    assert plan is not None
    assert glued_tasks([task], [trajectory(task, Plan(plan))], 0, 1) == []


def test_a_plain_search_ends_after_work_that_grows_with_the_ground_actions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tasks, _ = training("ferry")
    task = tasks[-1]
    actions = ground_actions(task, 1e6, lambda: None)
    assert actions is not None
    assert plain_plan(task, UNLIMITED) is not None
    monkeypatch.setattr(trials, "SOLVABLE_WORK", 3 * actions)
    assert plain_plan(task, UNLIMITED) is None


def test_tasks_with_too_many_ground_actions_are_not_even_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    larger = training("ferry")[0][-1]
    task = larger.starting_from(larger.initial_atoms, "not grounded yet")
    monkeypatch.setattr(trials, "GROUND_ACTIONS", 3)
    assert plain_plan(task, UNLIMITED) is None
    assert not task.engine.is_grounded
