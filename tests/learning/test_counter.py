"""Counter-first learning on the project's own domains."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from multiprocessing import get_context

import numpy as np
import pytest

from trailmark import domains
from trailmark.discovery.goalclasses import chained_roles, goal_counters, value_distances
from trailmark.executors import parallel
from trailmark.features.states import Valuations
from trailmark.features.text import parse
from trailmark.landmarks.text import parse_graph
from trailmark.learning import counter, selection, trials
from trailmark.learning.counter import CounterLearning, CounterOptions, _failures, _starts, learn_counters
from trailmark.learning.validation import NOT_TRIED, Score, StateLimit, Trial, Trials, score, try_on
from trailmark.limits import UNLIMITED, Budget, Stages
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap.course import CHECK_EVERY
from trailmark.search.leap.search import leap
from trailmark.task import Domain, Plan, Task, Trajectory, trajectory, validate
from trailmark.task.states import prepare_preferring

SMALL = CounterOptions(complexities=(4,))


@pytest.fixture(autouse=True)
def few_candidates_and_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {
        counter: {"FIRST": 2},
        selection: {"ROUNDS": 2, "BEAM": 1, "FURTHER": 2, "FINALISTS": 2},
        trials: {"STATES": 600, "WALK_STARTS": 1, "GLUED": 1},
    }
    for module, constants in few.items():
        for name, value in constants.items():
            monkeypatch.setattr(module, name, value)


def training(name: str) -> tuple[list[Task], list[Trajectory]]:
    """The training tasks of a domain with plans."""
    domain = Domain.parse(domains.domain_text(name))
    tasks = [Task.parse(domain, text) for text in domains.train_problems(name)]
    plans = [lazy_greedy(task, prepare_preferring(task)).steps for task in tasks]
    return tasks, [trajectory(task, Plan(plan or ())) for task, plan in zip(tasks, plans, strict=True)]


@cache
def learned(name: str, again: bool = False) -> tuple[Domain, CounterLearning]:
    tasks, paths = training(name)
    return tasks[0].domain, learn_counters(tasks, paths, SMALL)


@pytest.mark.parametrize("name", ["delivery", "gripper", "miconic"])
def test_a_learned_counter_solves_a_larger_instance(name: str) -> None:
    domain, found = learned(name)
    assert found.selection.best is not None
    assert found.selection.best.score.unsolved == 0
    graph = found.selection.best.program.guidance
    assert graph.counters
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


def _spin() -> None:
    while True:
        pass


@pytest.mark.parametrize("processes", [1, 2])
def test_neither_a_busy_machine_nor_more_processes_change_what_is_learned(processes: int) -> None:
    _, quiet = learned("gripper")
    busy = [get_context("spawn").Process(target=_spin, daemon=True) for _ in range(2)]
    for each in busy:
        each.start()
    try:
        tasks, paths = training("gripper")
        with parallel(processes) as executor:
            found = learn_counters(tasks, paths, SMALL, Budget(300), executor=executor)
    finally:
        for each in busy:
            each.kill()
            each.join()
    assert found.selection == quiet.selection


def test_every_rung_is_climbed_also_where_the_first_solves_all_trials() -> None:
    told: list[str] = []
    stages = Stages(lambda stage, _: told.append(stage))
    learn_counters(*training("gripper"), replace(SMALL, complexities=(3, 4)), stages=stages)
    assert {"graphs of complexity 3", "graphs of complexity 4"} <= set(told)


def test_validation_instances_and_failed_trials_are_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"WALK_STARTS": 0, "GLUED": 0, "VALIDATION_STATES": 40, "STATES": 1_000}.items():
        monkeypatch.setattr(trials, name, value)
    domain = Domain.parse(domains.domain_text("blocksworld"))
    tasks = [Task.parse(domain, text) for text in domains.train_problems("blocksworld")]
    found = [lazy_greedy(task, prepare_preferring(task)) for task in tasks[:2]]
    paths = [trajectory(task, Plan(each.steps or ())) for task, each in zip(tasks, found, strict=False)]
    stingy = replace(SMALL, complexities=(2, 3))
    result = learn_counters(tasks[:2], paths, stingy, validation=tasks[2:])
    assert [trial.task for trial in result.trials] == tasks
    best = learn_counters(tasks[:2], paths, stingy).selection.best
    assert best is not None
    failed = replace(best, score=Score((NOT_TRIED, NOT_TRIED)))
    more = _failures(failed, Trials((Trial(tasks[3], 10),), (Trial(tasks[4], 10),)), UNLIMITED)
    assert [path.structure for path in more] == [tasks[4].structure]


def test_after_more_failures_than_allowed_the_rest_is_not_tried() -> None:
    domain, found = learned("gripper")
    assert found.selection.best is not None
    graph = found.selection.best.program.guidance
    task = Task.parse(domain, domains.train_problems("gripper")[4])
    trials = [Trial(task, 1000)] * 3
    assert score(graph, trials).unsolved == 0
    useless = parse_graph("landmark\n n_count(c_primitive(free,0)) > 90")
    outcomes = score(useless, trials, failures=1).outcomes
    assert [each.generated > 0 for each in outcomes] == [True, True, False]
    assert not any(each.solved for each in outcomes)


def test_a_plan_longer_than_the_known_one_counts_as_more_effort() -> None:
    domain, found = learned("gripper")
    assert found.selection.best is not None
    graph = found.selection.best.program.guidance
    task = Task.parse(domain, domains.train_problems("gripper")[4])
    plain, longer = (try_on(Trial(task, 1000, known), graph, 1000) for known in (0, 5))
    assert longer.effort == plain.effort * plain.steps / 5


def test_time_ends_learning_with_what_there_is() -> None:
    stages = Stages()
    learn_counters(*training("gripper"), SMALL, Budget(0.001), stages)
    assert "graphs of complexity 4" in stages.cut_short


def test_a_state_limit_counts_what_leap_search_asks() -> None:
    limit = StateLimit(3 * CHECK_EVERY)
    assert [limit.expired() for _ in range(4)] == [False, False, False, True]
    assert StateLimit(10 * CHECK_EVERY, lambda: True).expired()


def test_goal_counters_are_made_for_every_class_of_objects() -> None:
    domain = Domain.parse(domains.domain_text("childsnack"))
    counters = goal_counters(domain.vocabulary, frozenset({"served"}))
    unserved = "c_and(c_primitive(served_g,0),c_not(c_primitive(served,0)))"
    allergic = f"n_count(c_and(c_primitive(allergic_gluten,0),{unserved}))"
    assert parse(allergic) in counters


PARCELS, OPEN, ACCIDENT = range(3)
TABLE = Valuations(
    tuple(parse(f"n_count(c_primitive({name},0))") for name in ("parcel", "open", "accident")),
    np.array([[1, 0, 0, 2, 1, 0, 0], [1, 1, 0, 2, 1, 2, 0], [1, 1, 0, 2, 2, 2, 0]], dtype=np.int32),
    (0, 3, 7),
)


def starts(goals: Collection[int]) -> list[list[int]]:
    """The rows of the programs that growth begins with."""
    return [[first.rows[0] for first in program] for program in _starts(TABLE, goals)]


def test_goals_that_do_not_stay_achieved_are_counted_last_and_nothing_beside_goals() -> None:
    assert starts({PARCELS, OPEN}) == [[PARCELS], [PARCELS, OPEN]]


def test_where_no_goals_reach_the_end_of_plans_other_counters_are_tried() -> None:
    assert starts({PARCELS}) == [[PARCELS], [ACCIDENT]]


def test_distances_are_along_roles_that_lead_on() -> None:
    goal = frozenset({"stored"})
    tasks, _ = training("tpp")
    chained = chained_roles(task.structure for task in tasks)
    assert chained == {"next", "connected"}
    found = list(map(str, value_distances(tasks[0].domain.vocabulary, goal, chained)))
    assert any("r_transitive_closure(r_primitive(next,0,1))" in each for each in found)
    tasks, _ = training("logistics")
    assert "in-city" not in chained_roles(task.structure for task in tasks)
    assert not list(value_distances(tasks[0].domain.vocabulary, frozenset({"at"}), ()))
