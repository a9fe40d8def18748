"""Lazy greedy search with preferred actions is complete, and its plans are valid."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import assume, given, settings

from tests.search.cards import CARDS_LEFT, deal
from tests.search.tasks import cheapest, domain, small_task
from tests.task.lifted_tasks import tasks
from trailmark.domains import generate, names
from trailmark.errors import SearchStatus
from trailmark.limits import Budget
from trailmark.search.guide import goals_and_passes
from trailmark.search.lazy import lazy_greedy
from trailmark.task import Plan, Task, validate
from trailmark.task.states import prepare, prepare_preferring


def check(task: Task, most: int = 150) -> None:
    try:
        solvable = cheapest(task, most) is not None
    except OverflowError:
        assume(False)
    result = lazy_greedy(task, prepare_preferring(task))
    assert result.status is (SearchStatus.SOLVED if solvable else SearchStatus.UNSOLVABLE)
    if result.steps is not None:
        verdict = validate(task, Plan(result.steps))
        assert verdict
        assert verdict.cost == pytest.approx(result.cost)


@settings(max_examples=20)
@given(tasks())
def test_verdicts_are_those_of_exhaustive_search(task: Task) -> None:
    check(task)


@pytest.mark.slow
@settings(max_examples=300)
@given(tasks())
def test_many_verdicts_are_those_of_exhaustive_search(task: Task) -> None:
    check(task)


@pytest.mark.parametrize("name", names())
def test_the_domains_smallest_instances_are_solved(name: str) -> None:
    chance = random.Random(name)
    task = small_task(name, chance)
    result = lazy_greedy(task, prepare_preferring(task))
    if result.steps is not None:
        assert validate(task, Plan(result.steps))
    else:
        assert cheapest(task, 5000) is None


def test_nothing_follows_a_state_that_the_estimate_calls_a_dead_end() -> None:
    task = small_task("delivery", random.Random(1))
    result = lazy_greedy(task, lambda state: (math.inf, []))
    assert result.status is SearchStatus.UNSOLVABLE
    assert (result.statistics.evaluated, result.statistics.expanded, result.statistics.generated) == (1, 0, 0)


def test_runs_repeat_on_tasks_loaded_anew() -> None:
    text = generate("delivery", 5, width=5, height=5, packages=5)
    plans = set()
    for _ in range(3):
        task = Task.parse(domain("delivery"), text)
        plans.add(lazy_greedy(task, prepare_preferring(task)).steps)
    assert len(plans) == 1


@pytest.mark.parametrize(
    ("budget", "status"),
    [(Budget(1e-9), SearchStatus.TIME_LIMIT), (Budget(megabytes=1), SearchStatus.MEMORY_LIMIT)],
)
def test_limits_end_the_search(budget: Budget, status: SearchStatus) -> None:
    task = Task.parse(domain("delivery"), generate("delivery", 1, width=8, height=8, packages=8))
    assert lazy_greedy(task, prepare_preferring(task), budget).status is status


@pytest.mark.parametrize("seed", [0, 1])
def test_counting_open_goals_leaves_the_plateaus_of_relaxed_plans(seed: int) -> None:
    text = generate("barman", seed, cocktails=5, ingredients=3)
    status = []
    for counts in ((), None):
        task = Task.parse(domain("barman"), text)
        status.append(lazy_greedy(task, prepare_preferring(task), max_states=3_000, counts=counts).status)
    assert status == [SearchStatus.NO_PLAN_FOUND, SearchStatus.SOLVED]


@pytest.mark.parametrize("seed", [0, 1])
def test_a_count_that_misleads_leaves_the_open_goals_their_turn(seed: int) -> None:
    text = generate("barman", seed, cocktails=5, ingredients=3)
    status = []
    for beside in (False, True):
        task = Task.parse(domain("barman"), text)
        goals = prepare(task, "goalcount")
        counts = [*([goals] if beside else []), lambda state, goals=goals: -goals(state)]
        status.append(lazy_greedy(task, prepare_preferring(task), max_states=6_000, counts=counts).status)
    assert status == [SearchStatus.NO_PLAN_FOUND, SearchStatus.SOLVED]


def test_passes_lead_where_few_goals_stand_for_many() -> None:
    states = {"goals": 0, "goals and passes": 0}
    for seed in range(8):
        task = deal(seed)
        for name, count in (
            ("goals", prepare(task, "goalcount")),
            ("goals and passes", goals_and_passes(task, CARDS_LEFT)),
        ):
            result = lazy_greedy(task, prepare_preferring(task), max_states=2_000, counts=(count,))
            states[name] += result.statistics.evaluated
    assert states["goals and passes"] < 0.8 * states["goals"]
