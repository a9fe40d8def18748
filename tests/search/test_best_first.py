"""Best-first search against Dijkstra's algorithm, and what pruning forgets."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings

from tests.search.tasks import cheapest, domain
from tests.task.lifted_tasks import tasks
from tests.task.places import small_task
from tests.task.random_pddl import random_task
from trailmark.domains import generate
from trailmark.errors import InputError, SearchStatus
from trailmark.learning.sources import disturbed
from trailmark.programs.program import parse_program
from trailmark.search.best_first import (
    BestFirstOptions,
    Pruning,
    astar_key,
    best_first,
    greedy_key,
    weighted_astar_key,
)
from trailmark.search.guide import LandmarkGuide
from trailmark.search.result import SearchResult
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.states import prepare

MOST = 150


def known_cost(task: Task) -> float | None:
    try:
        return cheapest(task, MOST)
    except OverflowError:
        assume(False)
        raise


def assert_fits(task: Task, result: SearchResult, cost: float | None, *, optimal: bool) -> None:
    if cost is None:
        assert result.status is SearchStatus.UNSOLVABLE
        assert result.steps is None
        return
    assert result.status is SearchStatus.SOLVED
    assert result.steps is not None
    assert result.cost is not None
    verdict = validate(task, Plan(result.steps))
    assert verdict
    assert verdict.cost == pytest.approx(result.cost)
    assert result.cost == pytest.approx(cost) if optimal else result.cost >= cost - 1e-9


@settings(max_examples=25)
@given(tasks())
def test_astar_finds_cheapest_plans_and_proves_that_there_is_none(task: Task) -> None:
    cost = known_cost(task)
    for heuristic in ("blind", "hmax"):
        assert_fits(task, best_first(task, prepare(task, heuristic)), cost, optimal=True)


@settings(max_examples=20)
@given(tasks())
def test_greedy_and_weighted_search_find_valid_plans_wherever_there_is_one(task: Task) -> None:
    cost = known_cost(task)
    for key in (greedy_key, weighted_astar_key(3.0)):
        options = BestFirstOptions(key=key)
        assert_fits(task, best_first(task, prepare(task, "hadd"), None, options), cost, optimal=False)


def random_tasks(count: int) -> Iterator[Task]:
    """Tasks over all of PDDL, those with few states."""
    seed = 0
    while count:
        seed += 1
        domain_text, problem_text = random_task(random.Random(seed))
        if "(+ (pool)" in problem_text:
            # Its metric counts what the initial state has too, which no search decides on.
            continue
        try:
            task = Task.parse(Domain.parse(domain_text), problem_text)
            cheapest(task, 300)
        except (InputError, OverflowError):
            continue
        count -= 1
        yield task


def test_blind_astar_is_optimal_beyond_strips_and_with_action_costs() -> None:
    costs = set()
    for task in random_tasks(30):
        cost = cheapest(task, 300)
        costs.add(cost)
        assert_fits(task, best_first(task, prepare(task, "blind")), cost, optimal=True)
    assert None in costs
    assert len(costs) >= 3


def test_action_costs_decide_between_plans() -> None:
    task = small_task("costs")
    cost = cheapest(task, 5000)
    assert cost is not None
    assert_fits(task, best_first(task, prepare(task, "blind")), cost, optimal=True)


DETOUR = """(define (domain detour) (:requirements :strips :action-costs)
  (:predicates (at ?x) (road ?x ?y)) (:functions (total-cost) - number (far ?x ?y) - number)
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (far ?x ?y)))))"""


def detour() -> Task:
    """From s to g by m: at once for 10, or by a and b for 1 each; then on to the goal."""
    roads = {("s", "m"): 10, ("s", "a"): 1, ("a", "b"): 1, ("b", "m"): 1, ("m", "n"): 1, ("n", "g"): 9}
    facts = " ".join(f"(road {x} {y}) (= (far {x} {y}) {cost})" for (x, y), cost in roads.items())
    return Task.parse(
        Domain.parse(DETOUR),
        f"(define (problem p) (:domain detour) (:objects s a b m n g) (:init (at s)"
        f"(= (total-cost) 0) {facts}) (:goal (at g)) (:metric minimize (total-cost)))",
    )


def test_a_cheaper_path_to_an_expanded_state_reopens_it_unless_the_search_is_greedy() -> None:
    task = detour()
    places = {each: task.structure.atom("at", each) for each in "sabmng"}
    misleading = {"s": 0.0, "a": 9.5, "b": 9.5, "m": 0.0, "n": 0.0, "g": 0.0}

    def estimate(state: object) -> float:
        atoms = state.atoms  # type: ignore[attr-defined]
        return next(misleading[name] for name, atom in places.items() if atom in atoms)

    reopening = best_first(task, estimate, None, BestFirstOptions())
    assert reopening.cost == 13
    assert reopening.statistics.reopened >= 1
    staying = best_first(task, estimate, None, BestFirstOptions(greedy_key))
    assert staying.status is SearchStatus.SOLVED
    assert staying.statistics.reopened == 0
    assert staying.cost is not None
    assert staying.cost >= 13


LINE = """(define (domain line) (:requirements :strips) (:predicates (at ?x) (next ?x ?y) (bait ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
    :effect (and (at ?y) (not (at ?x)))))"""


def fork(back: bool, middle: str = "m") -> Task:
    """From s to a trap or, by m, to the goal; with `back` there is a way out of the trap to m."""
    ways = [("s", "trap"), ("s", middle), (middle, "g")] + ([("trap", middle)] if back else [])
    facts = " ".join(f"(next {x} {y})" for x, y in ways)
    return Task.parse(
        Domain.parse(LINE),
        f"(define (problem p) (:domain line) (:objects s trap {middle} g) (:init (at s) (bait trap) {facts})"
        "(:goal (at g)))",
    )


MISLEADING = parse_program("counter n_count(c_not(c_and(c_primitive(at,0),c_primitive(bait,0))))")
"""A program that takes the trap for progress: being in it ends a pass."""


@pytest.mark.parametrize("pruning", [Pruning.CLEAR, Pruning.FORGET])
def test_pruning_that_drops_the_only_way_proves_nothing(pruning: Pruning) -> None:
    task = fork(back=False)
    guide = LandmarkGuide(task, MISLEADING)
    options = BestFirstOptions(prune=pruning, ordered=True)
    pruned = best_first(task, prepare(task, "blind"), guide, options)
    assert pruned.status is SearchStatus.NO_PLAN_FOUND
    assert pruned.statistics.pruned == 1
    whole = best_first(task, prepare(task, "blind"), guide, BestFirstOptions())
    assert whole.status is SearchStatus.SOLVED
    assert whole.statistics.pruned == 0


def pruned_steps(task: Task, pruning: Pruning) -> int | None:
    """The length of the plan of a search that prunes once and takes successors in order of their names."""
    options = BestFirstOptions(prune=pruning, ordered=True)
    result = best_first(task, prepare(task, "blind"), LandmarkGuide(task, MISLEADING), options)
    assert result.statistics.pruned == 1
    return None if result.steps is None else len(result.steps)


def test_a_dropped_state_can_be_reached_again_only_where_it_is_forgotten() -> None:
    assert pruned_steps(fork(back=True), Pruning.FORGET) == 3
    assert pruned_steps(fork(back=True), Pruning.CLEAR) is None


def test_pruning_goes_on_with_the_other_successors_unless_it_forgets() -> None:
    assert pruned_steps(fork(back=False, middle="z"), Pruning.CLEAR) == 2
    assert pruned_steps(fork(back=False, middle="z"), Pruning.FORGET) is None


@settings(max_examples=20)
@given(tasks())
def test_noise_keeps_plans_valid_and_searches_complete(task: Task) -> None:
    cost = known_cost(task)
    options, estimate = (
        BestFirstOptions(key=weighted_astar_key(2.0)),
        disturbed(prepare(task, "hadd"), 4.0, 7),
    )
    assert_fits(task, best_first(task, estimate, None, options), cost, optimal=False)


def test_runs_repeat_on_tasks_loaded_anew() -> None:
    text = generate("delivery", 5, width=5, height=5, packages=5)
    counts = set()
    for _ in range(4):
        task = Task.parse(domain("delivery"), text)
        counts.add(best_first(task, prepare(task, "hadd")).statistics.expanded)
    assert len(counts) == 1


def test_a_limit_of_known_states_ends_the_search_without_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.search.best_first.CHECK_EVERY", 1)
    task = Task.parse(domain("delivery"), generate("delivery", 1, width=6, height=6, packages=5))
    options = BestFirstOptions(key=astar_key, max_states=100)
    result = best_first(task, prepare(task, "blind"), None, options)
    assert result.status is SearchStatus.NO_PLAN_FOUND
    assert result.statistics.evaluated < 200


def test_a_limit_of_states_holds_within_one_expansion() -> None:
    """A hub with a hundred roads: after five states no more are looked at."""
    names = " ".join(f"r{number}" for number in range(100))
    roads = " ".join(f"(road s {name})" for name in names.split())
    text = """(define (domain d) (:predicates (at ?x) (road ?x ?y)) (:action go :parameters (?x ?y)
      :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
    problem = f"(define (problem p) (:domain d) (:objects s g {names}) (:init (at s) {roads}) (:goal (at g)))"
    task = Task.parse(Domain.parse(text), problem)
    result = best_first(task, prepare(task, "blind"), options=BestFirstOptions(max_states=5))
    assert (result.status, result.statistics.evaluated) == (SearchStatus.NO_PLAN_FOUND, 6)
