"""The planner under fire: its verdicts are those of exhaustive search, whatever the landmark graph says."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.search.corridor import BOTH_WAYS, SWEEPING, corridor
from tests.search.leap_programs import PROGRAMS
from tests.search.recipes.worlds import learned
from tests.search.tasks import cheapest, domain, random_guidance, small_task
from trailmark.domains import domain_text, generate, names
from trailmark.errors import InputError, SearchStatus
from trailmark.landmarks.functions import Status
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.sources import EmbeddedSearch
from trailmark.limits import UNLIMITED, Budget
from trailmark.search import leaping, planner
from trailmark.search.leap import LeapOptions, LeapResult, LeapStatistics, LeapStatus, Level
from trailmark.search.leap.course import Report
from trailmark.search.leap.options import Limits
from trailmark.search.leap.search import LeapRun, leap
from trailmark.search.leaping import WHOLE_PASSES
from trailmark.search.patience import Patience, PatientRun
from trailmark.search.planner import PlannerOptions, plan
from trailmark.search.result import SearchResult
from trailmark.search.standing import Furthest
from trailmark.task import Domain, Plan, Step, Task, validate
from trailmark.task.states import Heuristic

COMPLETE = [
    PlannerOptions(search="auto"),
    PlannerOptions(search="auto", heuristic="goalcount"),
    PlannerOptions(search="astar"),
    PlannerOptions(search="astar", prune=False),
    PlannerOptions(search="astar", heuristic="none"),
    PlannerOptions(search="gbfs"),
    PlannerOptions(search="gbfs", heuristic="ff", prune=False),
]


def check_verdicts(task: Task, graph: LandmarkGraph, solvable: bool) -> None:
    for options in COMPLETE:
        result = plan(task, graph, options)
        expected = SearchStatus.SOLVED if solvable else SearchStatus.UNSOLVABLE
        assert result.status is expected, (options.search, options.heuristic, result.strategy)
        assert (result.steps is not None) == solvable
        if result.steps is not None:
            assert validate(task, Plan(result.steps))
    leaping = plan(task, graph, PlannerOptions(search="leap"))
    if leaping.steps is not None:
        assert solvable
        assert validate(task, Plan(leaping.steps))
    else:
        assert leaping.status is SearchStatus.NO_PLAN_FOUND


def fire(name: str, seed: int) -> bool | None:
    """One task of a domain with one graph; whether it is solvable, None where it is too large."""
    chance = random.Random(f"{name} {seed}")
    task = small_task(name, chance)
    try:
        solvable = cheapest(task) is not None
    except OverflowError:
        return None
    check_verdicts(task, random_guidance(task, chance), solvable)
    return solvable


@pytest.mark.parametrize("name", names())
def test_verdicts_agree_with_exhaustive_search(name: str) -> None:
    for seed in range(2):
        fire(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_many_verdicts_agree_with_exhaustive_search(name: str) -> None:
    verdicts = [fire(name, seed) for seed in range(2, 30)]
    assert len(verdicts) - verdicts.count(None) >= 3


def test_both_verdicts_are_met_under_fire() -> None:
    assert {fire(name, seed) for name in ("delivery", "gripper") for seed in range(4)} >= {True, False}


def delivery(seed: int = 1, **sizes: int) -> Task:
    return Task.parse(domain("delivery"), generate("delivery", seed, **sizes))


def test_leap_search_without_a_graph_is_bad_input() -> None:
    with pytest.raises(InputError, match="needs a landmark graph"):
        plan(delivery(width=2, height=2, packages=1), None, PlannerOptions(search="leap"))


@pytest.mark.parametrize("options", [{"search": "best"}, {"heuristic": "h7"}])
def test_unknown_options_are_bad_input(options: dict[str, str]) -> None:
    with pytest.raises(InputError, match="unknown"):
        PlannerOptions(**options)  # type: ignore[arg-type]


def test_auto_tells_which_strategy_solved_and_what_of_the_graph_was_achieved() -> None:
    task = delivery(width=4, height=3, packages=3)
    result = plan(task, PROGRAMS["delivery"])
    assert result.strategy == "leap"
    assert result.landmarks is not None
    assert (result.landmarks.total, result.landmarks.loops) == (3, 2)
    assert result.landmarks.accepted == 3
    assert plan(task, None, PlannerOptions(complete="lazy")).strategy == "lazy greedy"
    assert plan(task).landmarks is None


@pytest.mark.parametrize("search", ["auto", "astar", "gbfs", "leap"])
def test_a_spent_time_limit_is_said(search: str) -> None:
    task = delivery(width=9, height=9, packages=9)
    budget = Budget(1e-6)
    result = plan(task, PROGRAMS["delivery"], PlannerOptions(search=search), budget)
    assert result.status is SearchStatus.TIME_LIMIT
    assert result.steps is None


def test_a_memory_limit_is_said() -> None:
    task = delivery(width=9, height=9, packages=9)
    result = plan(task, None, PlannerOptions(search="astar"), Budget(megabytes=1))
    assert result.status is SearchStatus.MEMORY_LIMIT


def test_anytime_plans_get_cheaper_and_the_last_one_is_returned() -> None:
    task = delivery(3, width=4, height=4, packages=4)
    told: list[tuple[tuple[Step, ...], float]] = []
    result = plan(
        task,
        PROGRAMS["delivery"],
        PlannerOptions(anytime=True),
        Budget(20),
        on_plan=lambda steps, cost: told.append((steps, cost)),
    )
    costs = [cost for _, cost in told]
    assert costs == sorted(set(costs), reverse=True)
    assert (result.steps, result.cost) == told[-1]
    assert all(validate(task, Plan(steps)) for steps, _ in told)


def test_seeds_give_several_different_valid_plans_of_one_instance(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(domain_text("delivery"))
    (tmp_path / "problem.pddl").write_text(generate("delivery", 1, width=4, height=4, packages=3))
    paths = str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")
    task = Task.load(*paths)
    plans = [EmbeddedSearch(seed=seed).solve(task, 30) for seed in range(6)]
    assert len(set(plans)) >= 3
    assert all(validate(task, each) for each in plans)
    assert EmbeddedSearch(seed=4).solve(Task.load(*paths), 30) == plans[4]


FREE_WAY = """(define (domain ways) (:requirements :strips :action-costs)
  (:predicates (at ?x) (road ?x ?y)) (:functions (total-cost) - number (toll ?x ?y) - number)
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (toll ?x ?y)))))"""


@pytest.mark.parametrize(("far", "near", "cost"), [("0", "1", 0), ("0.2", "1", 0.8), ("1", "3", 3)])
def test_astar_with_hmax_is_optimal_where_steps_cost_less_than_one(far: str, near: str, cost: float) -> None:
    """From s to g at once, or by three other places: h_max counts their steps."""
    ways = {("s", "g"): near, ("s", "a"): far, ("a", "b"): far, ("b", "c"): far, ("c", "g"): far}
    facts = " ".join(f"(road {x} {y}) (= (toll {x} {y}) {toll})" for (x, y), toll in ways.items())
    task = Task.parse(
        Domain.parse(FREE_WAY),
        f"(define (problem p) (:domain ways) (:objects s a b c g) (:init (at s) (= (total-cost) 0) {facts})"
        "(:goal (at g)) (:metric minimize (total-cost)))",
    )
    for heuristic in ("none", "hmax"):
        found = plan(task, None, PlannerOptions(search="astar", heuristic=heuristic))
        assert found.cost == pytest.approx(cost)


def test_a_second_run_by_whole_passes_makes_the_plan_shorter() -> None:
    task = corridor(f"{BOTH_WAYS} (next a e)", "(there t e) (dust b)", "(got t)")
    once = plan(task, SWEEPING, PlannerOptions(improve=False))
    twice = plan(task, SWEEPING)
    assert (once.cost, once.strategy) == (4, "leap")
    assert (twice.cost, twice.strategy) == (3, "leap by whole passes")


def test_where_the_nearest_progress_stalls_whole_passes_have_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeping is near, and leads where there is no way out. Without that turn another search is needed."""
    trap = corridor("(next c b) (next c d) (next d e)", "(there t e) (dust b)", "(got t)")
    found = plan(trap, SWEEPING, PlannerOptions(complete="lazy"))
    assert (found.strategy, found.cost, list(found.times)) == ("leap", 3, ["leap"])
    monkeypatch.setattr(leaping.Leaps, "has_other_order", False)
    assert list(plan(trap, SWEEPING, PlannerOptions(complete="lazy")).times) != ["leap"]


def test_whole_passes_that_stall_too_have_the_first_run_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it stood, with what it has done."""
    ran = list[tuple[bool, LeapStatus, int]]()

    class Watched(LeapRun):
        def run(self, budget: Limits = UNLIMITED, *, until_stalled: bool = False) -> LeapResult:
            found = super().run(budget, until_stalled=until_stalled)
            ran.append((until_stalled, found.status, found.statistics.leaps))
            return found

    monkeypatch.setattr(leaping, "LeapRun", Watched)
    stuck = corridor("(next c b) (next c d)", "(there t e) (dust b) (dust d)", "(got t)")
    plan(stuck, SWEEPING, PlannerOptions(search="leap", fallback=False))
    assert ran[:3] == [
        (True, LeapStatus.STALLED, 1),
        (True, LeapStatus.STALLED, 1),
        (False, LeapStatus.EXHAUSTED, 1),
    ]


def test_recipes_that_got_stuck_far_on_are_tried_by_whole_passes_before_they_are_left_out() -> None:
    program = replace(SWEEPING, recipes=learned("ferry").recipes)
    leaps = leaping.Leaps(corridor(BOTH_WAYS, "(there t e)", "(got t)"), program, PlannerOptions(), None)
    assert leaps.has_recipes
    for far, expected in (
        (False, ["leap", "leap without recipes"]),
        (True, ["leap", "leap by whole passes", "leap without recipes"]),
    ):
        leaps.came_far = far
        assert [strategy.name for strategy in leaps.strategies(Budget(20))] == expected


def test_a_second_run_has_the_first_level_and_those_that_gave_leaps_without_relaxed_plans(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = list[LeapOptions]()

    class Watched(LeapRun):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            given.append(arguments[2])

        def run(self, budget: Limits = UNLIMITED, *, until_stalled: bool = False) -> LeapResult:
            found = super().run(budget, until_stalled=until_stalled)
            found.statistics.by_level[Level.NOVELTY_TWO] += 1
            found.statistics.by_level[Level.RELAXED] += 1
            return found

    monkeypatch.setattr(leaping, "LeapRun", Watched)
    plan(corridor(f"{BOTH_WAYS} (next a e)", "(there t e) (dust b)", "(got t)"), SWEEPING)
    assert [options.levels for options in given] == [
        leaping.LEAP.levels,
        (Level.NOVELTY_ONE, Level.NOVELTY_TWO),
    ]


def test_plans_of_few_steps_are_improved_by_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal from run to run; neither longer plans nor those of the paper's searches are touched."""
    task = Task.parse(domain("gripper"), generate("gripper", seed=0))
    program = PROGRAMS["gripper"]
    before, once, again = (
        plan(task, program, options)
        for options in (PlannerOptions(improve=False), PlannerOptions(), PlannerOptions())
    )
    assert once.steps == again.steps
    assert (before.cost, once.cost) == (15, 11)
    assert "windows" in once.times
    assert "windows" not in before.times
    assert "windows" not in plan(task, program, PlannerOptions(search="gbfs")).times
    monkeypatch.setattr(planner, "POLISH_STEPS", range(10))
    assert "windows" not in plan(task, program).times


@pytest.mark.parametrize("more", [leaping.SECOND_EFFORT, -(10**6)])
def test_a_second_run_may_cost_what_the_first_did_and_a_little_more(
    monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    limits, efforts = list[int | None](), list[int]()

    class Watched(LeapRun):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            limits.append(arguments[2].max_effort)

        def run(self, budget: Limits = UNLIMITED, *, until_stalled: bool = False) -> LeapResult:
            found = super().run(budget, until_stalled=until_stalled)
            efforts.append(found.statistics.effort)
            return found

    monkeypatch.setattr(leaping, "LeapRun", Watched)
    monkeypatch.setattr(leaping, "SECOND_EFFORT", more)
    task = corridor(f"{BOTH_WAYS} (next a e)", "(there t e) (dust b)", "(got t)")
    assert plan(task, SWEEPING).strategy == ("leap by whole passes" if more > 0 else "leap")
    assert limits == [None, efforts[0] + more]
    assert efforts[0] > 0


def test_no_clock_decides_which_plan_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where a second run ends nor how long windows are looked for."""
    passes = corridor(f"{BOTH_WAYS} (next a e)", "(there t e) (dust b)", "(got t)")
    balls = Task.parse(domain("gripper"), generate("gripper", seed=0))
    tasks = [(passes, SWEEPING), (balls, PROGRAMS["gripper"])]
    before = [plan(*task).steps for task in tasks]
    minutes = count(0.0, 60.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(minutes))
    assert [plan(*task).steps for task in tasks] == before


def test_a_second_run_is_left_out_for_long_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    task = corridor(f"{BOTH_WAYS} (next a e)", "(there t e) (dust b)", "(got t)")
    monkeypatch.setattr("trailmark.search.leaping.SECOND_STEPS", 1)
    monkeypatch.setattr("trailmark.search.leaping.ground_actions", None)  # nothing is prepared behind it
    assert plan(task, SWEEPING).strategy == "leap"


def test_a_second_run_ends_where_its_plan_is_no_shorter() -> None:
    task = corridor(f"{BOTH_WAYS} (next a e)", "(there t e) (dust b)", "(got t)")
    whole = LeapOptions(whole_passes=WHOLE_PASSES)
    steps = len(leap(task, SWEEPING, whole).steps)
    assert leap(task, SWEEPING, replace(whole, max_steps=steps)).solved
    assert leap(task, SWEEPING, replace(whole, max_steps=steps - 1)).status is LeapStatus.OUT_OF_BUDGET


def test_the_search_of_the_paper_has_no_fallback_and_keeps_its_plan() -> None:
    dead_end = corridor("(next c b) (next c d) (next d e)", "(there s b) (there t e)", "(got t)")
    options = PlannerOptions(search="astar", heuristic="goalcount")
    assert plan(dead_end, SWEEPING, options).strategy == "astar"
    alone = plan(dead_end, SWEEPING, replace(options, fallback=False))
    assert alone.status is SearchStatus.NO_PLAN_FOUND
    leaped = plan(dead_end, SWEEPING, PlannerOptions(fallback=False))
    assert leaped.status is SearchStatus.NO_PLAN_FOUND
    assert plan(dead_end, SWEEPING).status is SearchStatus.SOLVED
    detour = corridor(BOTH_WAYS, "(there t e) (dust b)", "(got t)")
    once = PlannerOptions(search="leap", improve=False, shorten=False)
    assert plan(detour, SWEEPING, once).cost == 6


def test_the_complete_search_counts_the_passes_that_a_program_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = corridor("(next c b) (next c d) (next d e)", "(there s b) (there t e)", "(got t)")
    asked: list[list[float]] = []

    def note(task: Task, *_: object, counts: Sequence[Heuristic]) -> SearchResult:
        asked.append([count(task.initial_state) for count in counts])
        return SearchResult(SearchStatus.NO_PLAN_FOUND)

    monkeypatch.setattr(planner, "lazy_greedy", note)
    for guidance in (SWEEPING, None):
        plan(stuck, guidance, PlannerOptions(complete="lazy"))
    # One goal is open, and of five places and two things none is got.
    assert asked == [[1, 1 + 7], [1]]


def standing(accepted: int) -> LeapStatistics:
    """Where so many landmarks were reached."""
    return LeapStatistics(leaps=1, status=Status(0, accepted, (), (), ()))


@pytest.mark.parametrize(("promised", "hopeless"), [(3, False), (1000, True)])
def test_leaping_is_given_up_where_the_landmarks_left_would_take_far_too_long(
    promised: int, hopeless: bool
) -> None:
    budget = Budget(10, started=time.monotonic() - 5)
    patience = Patience(budget, lambda: promised)
    patience.note(standing(0))
    assert not patience.expired()
    patience = Patience(budget, lambda: promised)
    patience.note(standing(1))
    assert patience.expired() == hopeless
    assert patience.expired() == hopeless
    without = Patience(Budget(), lambda: promised)
    without.note(standing(1))
    assert not without.expired()


def test_leaping_makes_way_for_a_search_that_waits_as_soon_as_it_would_not_end_in_time() -> None:
    def expired(elapsed: float, reached: int, waited_for: bool = True, since: float = 0.0) -> bool:
        budget = Budget(10, started=time.monotonic() - elapsed)
        patience = Patience(budget, lambda: 10, waited_for=waited_for)
        patience.note(standing(reached))
        patience.done_after -= since
        return patience.expired()

    assert not expired(1.5, 0)
    assert expired(2.5, 0)
    assert not expired(2.5, 0, waited_for=False)
    assert not expired(3, 1)  # the first leaps take longest
    assert expired(4, 1)
    assert not expired(4, 3)
    assert not expired(8, 9)
    assert expired(8, 3)
    assert not expired(8, 7, waited_for=False)
    assert not expired(8, 9, since=3)
    assert expired(8, 9, since=5)
    assert not expired(8, 9, since=5, waited_for=False)
    assert not Patience(
        Budget(10, started=time.monotonic() - 8), lambda: 10, waited_for=True, endless=True
    ).expired()


def test_a_run_is_not_given_up_for_what_others_took_before_it_and_meanwhile() -> None:
    budget = Budget(10, started=time.monotonic() - 4)
    assert Patience(budget, lambda: 10, waited_for=True).expired()
    patience = Patience(budget, lambda: 10, waited_for=True)
    patience.resume()
    assert not patience.expired()
    assert patience.elapsed < 1
    patience.pause()
    patience.budget = Budget(12, started=budget.started - 3)
    patience.resume()
    assert patience.elapsed < 1
    patience.budget = Budget(12, started=budget.started - 6)
    assert 2 < patience.elapsed < 4
    assert patience.expired()


def test_an_interrupted_run_has_patience_of_its_own_when_it_goes_on() -> None:
    stuck = corridor("(next c b) (next c d)", "(there t e) (dust b) (dust d)", "(got t)")
    patience = Patience(Budget(10, started=time.monotonic() - 4), lambda: 1, waited_for=True)

    def begun(report: Report) -> LeapRun:
        return LeapRun(stuck, SWEEPING, leaping.LEAP, report=report)

    run = PatientRun("leap", begun, patience, Furthest(stuck, SWEEPING), None)
    assert run.go_on(until_stalled=True).status is LeapStatus.STALLED
    patience.budget = Budget(10, started=patience.budget.started - 4)
    assert run.go_on().status is LeapStatus.EXHAUSTED
    assert patience.elapsed < 1


def test_goals_that_are_closed_after_the_last_landmark_are_progress() -> None:
    """Counters may cover a part of the goal."""
    for goals, hopeless in ((5, False), (9, True)):
        budget = Budget(10, started=time.monotonic() - 1)
        patience = Patience(budget, lambda: 4, waited_for=True)
        for left in (10, 9):
            patience.note(replace(standing(4), open_goals=left))
        patience.budget = Budget(10, started=budget.started - 4)
        patience.note(replace(standing(4), open_goals=goals))
        assert patience.expired() == hopeless


def test_goals_that_are_closed_count_as_much_as_landmarks() -> None:
    for left, hopeless in ((7, True), (4, False)):
        patience = Patience(Budget(10, started=time.monotonic() - 8), lambda: 10, waited_for=True)
        for goals in (10, left):
            patience.note(replace(standing(2), open_goals=goals))
        assert patience.expired() == hopeless
