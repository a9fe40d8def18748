"""Estimates behind `prepare`, and the engine's own searches."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from math import inf, isinf
from random import Random

import pytest

from tests.enginesearch import ALGORITHMS, SearchStatus, embedded_search
from tests.task.places import PDDL, SMALL, needs_benchmarks, small_task, training_task
from tests.task.random_pddl import random_task
from trailmark.errors import InputError
from trailmark.limits import Budget
from trailmark.task import Domain, State, Task, validate
from trailmark.task.executor import Executor
from trailmark.task.states import HEURISTICS, prepare, prepare_admissible

RELAXED = ("hadd", "hmax", "ff")


def optimal_costs(task: Task, limit: int = 400) -> dict[State, float]:
    """Blind search from the initial state: the cost to reach each state, up to so many."""
    best = {task.initial_state: 0.0}
    order = count()
    waiting = [(0.0, next(order), task.initial_state)]
    while waiting and len(best) < limit:
        cost, _, state = heappop(waiting)
        if cost > best[state]:
            continue
        for _, reached, step in task.successors(state):
            if cost + step < best.get(reached, inf):
                best[reached] = cost + step
                heappush(waiting, (cost + step, next(order), reached))
    return best


def cheapest_goal(task: Task) -> float:
    """Over the first 2000 states, which hold all of most small tasks and the goal of each."""
    costs = optimal_costs(task, 2000)
    return min((cost for state, cost in costs.items() if task.is_goal(state)), default=inf)


@pytest.mark.parametrize("name", SMALL)
def test_hmax_is_at_most_the_cost_of_a_cheapest_plan(name: str) -> None:
    task = small_task(name)
    cheapest = cheapest_goal(task)
    assert cheapest < inf
    assert 0 <= prepare_admissible(task, "hmax")(task.initial_state) <= cheapest


@pytest.mark.parametrize("name", SMALL)
def test_estimates_are_finite_where_the_goal_can_be_reached(name: str) -> None:
    task = small_task(name)
    hmax, hadd, ff = (prepare(task, each)(task.initial_state) for each in ("hmax", "hadd", "ff"))
    assert 0 <= hmax <= hadd < inf
    assert 0 <= ff < inf


@pytest.mark.parametrize("name", RELAXED)
def test_estimates_are_infinite_where_the_relaxed_goal_is_out_of_reach(name: str) -> None:
    domain = Domain.load(PDDL / "delivery" / "domain.pddl")
    text = (PDDL / "delivery" / "problem.pddl").read_text().replace("(road s2 s3)", "")
    task = Task.parse(domain, text)
    assert isinf(prepare(task, name)(task.initial_state))


@pytest.mark.parametrize("seed", range(0, 60, 4))
def test_no_estimate_calls_a_solvable_random_task_a_dead_end(seed: int) -> None:
    domain, problem = random_task(Random(seed))
    task = Task.parse(Domain.parse(domain), problem)
    if any(task.is_goal(state) for state in optimal_costs(task, 60)):
        assert all(prepare(task, name)(task.initial_state) < inf for name in HEURISTICS)


@pytest.mark.parametrize("name", SMALL)
def test_goal_count_is_the_number_of_open_goal_parts(name: str) -> None:
    task = small_task(name)
    executor, count_open = Executor(task), prepare(task, "goalcount")
    for state in list(optimal_costs(task, 40)):
        open_parts = len(executor.unmet(task.model.goal, {}, executor.world(state)))
        assert count_open(state) == open_parts
        assert (open_parts == 0) == task.is_goal(state)


def test_the_blind_estimate_is_zero() -> None:
    task = small_task("delivery")
    assert prepare(task, "blind")(task.initial_state) == 0


def test_every_heuristic_is_prepared_once_and_called_with_a_state() -> None:
    task = small_task("delivery")
    for name in HEURISTICS:
        estimate = prepare(task, name)
        assert isinstance(float(estimate(task.initial_state)), float)
    assert task.engine.heuristic("hadd") is task.engine.heuristic("hadd")


def test_an_unknown_heuristic_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown heuristic 'lmcut' \(use one of hadd, hmax"):
        prepare(small_task("delivery"), "lmcut")


# The engine's searches


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", SMALL)
def test_embedded_plans_are_valid(name: str, algorithm: str) -> None:
    task = small_task(name)
    result = embedded_search(task, algorithm, "hadd", Budget(20))
    assert result.status is SearchStatus.SOLVED
    assert result.plan is not None
    assert validate(task, result.plan)


@pytest.mark.parametrize("name", ["delivery", "either", "constants", "upper-case", "odd-names"])
def test_blind_embedded_astar_is_optimal(name: str) -> None:
    task = small_task(name)
    result = embedded_search(task, "astar", "blind")
    assert result.plan is not None
    assert validate(task, result.plan).cost == cheapest_goal(task)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("heuristic", ["blind", "hadd", "hmax", "ff"])
def test_an_unsolvable_task_is_unsolvable(algorithm: str, heuristic: str) -> None:
    domain = Domain.load(PDDL / "delivery" / "domain.pddl")
    text = (PDDL / "delivery" / "problem.pddl").read_text().replace("(road s2 s1)", "")
    task = Task.parse(domain, text)
    result = embedded_search(task, algorithm, heuristic)
    assert (result.status, result.plan) == (SearchStatus.UNSOLVABLE, None)


def test_a_goal_that_already_holds_has_the_empty_plan() -> None:
    domain = Domain.load(PDDL / "delivery" / "domain.pddl")
    text = (PDDL / "delivery" / "problem.pddl").read_text().replace("(lies p1 s1) (lies p2 s1)", "(free v1)")
    result = embedded_search(Task.parse(domain, text))
    assert result.status is SearchStatus.SOLVED
    assert result.plan is not None
    assert len(result.plan) == 0


@needs_benchmarks
def test_a_search_ends_at_its_time_limit() -> None:
    task = training_task("grid", "t05")
    budget = Budget(0.05)
    result = embedded_search(task, "astar", "blind", budget)
    assert result.status is SearchStatus.TIME_LIMIT
    assert result.plan is None
    assert budget.elapsed() < 5


def test_a_limit_beyond_the_engines_clock_is_none() -> None:
    for seconds in (1e12, float("inf")):
        assert embedded_search(small_task("delivery"), budget=Budget(seconds)).plan is not None


def test_unknown_algorithms_are_input_errors() -> None:
    with pytest.raises(InputError, match="unknown algorithm 'dfs'"):
        embedded_search(small_task("delivery"), "dfs")
