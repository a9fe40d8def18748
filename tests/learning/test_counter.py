"""Counter-first learning on the project's own domains."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from trailmark import domains
from trailmark.features.text import parse
from trailmark.landmarks import parse_graph
from trailmark.learning.counter import CounterLearning, CounterOptions, _failures, learn_counters
from trailmark.learning.selection import SelectionOptions
from trailmark.learning.validation import Score, StateLimit, Trial, score
from trailmark.limits import UNLIMITED
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap import leap
from trailmark.search.leap.course import CHECK_EVERY
from trailmark.task import Domain, Plan, Task, trajectory, validate
from trailmark.task.heuristics import prepare_preferring

FEW = SelectionOptions(rounds=2, beam=1, further=2, finalists=2)
SMALL = CounterOptions(
    complexities=(4,), first=2, hard_starts=1, easy_states=600, hard_states=1200, selection=FEW
)


@cache
def learned(name: str, again: bool = False) -> tuple[Domain, CounterLearning]:
    domain = Domain.parse(domains.domain_text(name))
    tasks = [Task.parse(domain, text) for text in domains.train_problems(name)]
    found = [lazy_greedy(task, prepare_preferring(task)) for task in tasks]
    paths = [trajectory(task, Plan(each.steps)) for task, each in zip(tasks, found, strict=True)]
    return domain, learn_counters(tasks, paths, SMALL)


@pytest.mark.parametrize("name", ["delivery", "gripper", "miconic"])
def test_a_learned_counter_solves_a_larger_instance(name: str) -> None:
    domain, found = learned(name)
    assert found.selection.best is not None
    assert found.selection.best.score.unsolved == 0
    graph = found.selection.best.program.graph
    assert graph.loops
    task = Task.parse(domain, domains.test_problem(name, 12))
    result = leap(task, graph)
    assert result.solved
    assert validate(task, Plan(result.steps))


def test_learning_is_the_same_for_the_same_seed() -> None:
    (_, first), (_, second) = learned("gripper"), learned("gripper", again=True)
    assert [str(each.program) for each in first.selection.tried] == [
        str(each.program) for each in second.selection.tried
    ]
    assert first.selection.best is not None
    assert second.selection.best is not None
    assert first.selection.best.score == second.selection.best.score


def test_the_number_of_processes_does_not_change_what_is_learned() -> None:
    _, first = learned("gripper")
    domain = Domain.parse(domains.domain_text("gripper"))
    tasks = [Task.parse(domain, text) for text in domains.train_problems("gripper")]
    found = [lazy_greedy(task, prepare_preferring(task)) for task in tasks]
    paths = [trajectory(task, Plan(each.steps or ())) for task, each in zip(tasks, found, strict=True)]
    second = learn_counters(tasks, paths, replace(SMALL, processes=2))
    assert [(str(each.program), each.score) for each in first.selection.tried] == [
        (str(each.program), each.score) for each in second.selection.tried
    ]


def test_validation_instances_and_failed_trials_are_learned_from() -> None:
    domain = Domain.parse(domains.domain_text("blocksworld"))
    tasks = [Task.parse(domain, text) for text in domains.train_problems("blocksworld")]
    found = [lazy_greedy(task, prepare_preferring(task)) for task in tasks[:2]]
    paths = [trajectory(task, Plan(each.steps or ())) for task, each in zip(tasks, found, strict=False)]
    stingy = replace(SMALL, complexities=(2, 3), hard_starts=0, validation_states=40)
    result = learn_counters(tasks[:2], paths, stingy, validation=tasks[2:])
    assert [trial.task for trial in result.trials] == tasks
    again = learn_counters(tasks[:2], paths, stingy)
    assert again.failures == 0
    graph = parse_graph("landmark\n n_count(c_primitive(on,0)) > 90")
    more = _failures(graph, [Trial(tasks[4], 10, 3)], stingy, UNLIMITED)
    assert [path.structure for path in more] == [tasks[4].structure]


def test_the_chosen_program_is_within_the_margin_of_the_best() -> None:
    _, found = learned("delivery")
    best = found.selection.best
    assert best is not None
    least = min(each.score.unsolved for each in found.selection.tried)
    assert best.score.unsolved <= least + len(found.trials)


def test_a_score_past_the_bound_counts_the_rest_as_unsolved() -> None:
    domain, found = learned("gripper")
    assert found.selection.best is not None
    graph = found.selection.best.program.graph
    task = Task.parse(domain, domains.train_problems("gripper")[4])
    trials = [Trial(task, 1000, 300)] * 3
    assert score(graph, trials).unsolved == 0
    assert score(graph, trials, Score(0, 0.0)).unsolved == 2


def test_a_state_limit_counts_what_leap_search_asks() -> None:
    limit = StateLimit(3 * CHECK_EVERY)
    assert [limit.expired() for _ in range(4)] == [False, False, False, True]
    assert StateLimit(10 * CHECK_EVERY, lambda: True).expired()


def test_goal_counters_are_made_for_every_class_of_objects() -> None:
    from trailmark.discovery.goalclasses import goal_counters, value_distances

    domain = Domain.parse(domains.domain_text("childsnack"))
    counters = goal_counters(domain.vocabulary, frozenset({"served"}))
    unserved = "c_and(c_primitive(served_g,0),c_not(c_primitive(served,0)))"
    allergic = f"n_count(c_and(c_primitive(allergic_gluten,0),{unserved}))"
    assert parse(allergic) in counters
    trade = Domain.parse(domains.domain_text("tpp"))
    assert any("next" in str(each) for each in value_distances(trade.vocabulary, frozenset({"stored"})))
