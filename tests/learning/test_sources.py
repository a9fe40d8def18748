"""Where training plans come from."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PROBLEMS
from trailmark.domains import domain_text, generate
from trailmark.errors import InputError, MissingExtraError
from trailmark.learning import sources
from trailmark.learning.sources import (
    EmbeddedSearch,
    FastDownward,
    PlanFile,
    SourcedPlan,
    UnifiedPlanning,
    collect_plans,
    sources_named,
)
from trailmark.search import fast_downward
from trailmark.task import Domain, Plan, Step, Task, read_plan, validate


def tasks(problems: Sequence[str | Path], domain: str | Path = DOMAIN) -> list[Task]:
    known = Domain.load(domain)
    return [Task.load(known, problem) for problem in problems]


def valid(found: SourcedPlan) -> bool:
    return found.plan is not None and bool(validate(Task.load(DOMAIN, found.problem), found.plan))


def test_plans_are_read_from_the_files_given() -> None:
    given = [PlanFile(path) for path in FD_PLANS]
    found = collect_plans(given, tasks(PROBLEMS))
    assert [each.plan for each in found] == [read_plan(path) for path in FD_PLANS]


@pytest.mark.parametrize("suffix", sources.PLAN_SUFFIXES)
def test_a_plan_beside_its_problem_is_found_by_name(tmp_path: Path, suffix: str) -> None:
    problem = tmp_path / "p.pddl"
    shutil.copy(PROBLEMS[0], problem)
    shutil.copy(FD_PLANS[0], tmp_path / f"p{suffix}")
    (found,) = collect_plans(PlanFile(), tasks([problem]))
    assert found.plan == read_plan(FD_PLANS[0])


def test_one_problem_may_come_with_several_plans() -> None:
    twice = [PROBLEMS[1], PROBLEMS[1]]
    plans = [FD_PLANS[1], FD_PLANS[1].replace(".fd.", ".plus24.")]
    found = collect_plans(sources_named("files", 2, plans), tasks(twice))
    assert [each.plan for each in found] == [read_plan(path) for path in plans]
    assert found[0].plan != found[1].plan


def test_the_embedded_search_finds_valid_plans_in_the_order_of_the_problems() -> None:
    seen: list[str] = []
    found = collect_plans(EmbeddedSearch(), tasks(PROBLEMS), progress=lambda each: seen.append(each.problem))
    assert [each.problem for each in found] == seen == PROBLEMS
    assert all(valid(each) for each in found)


def test_seeds_give_different_valid_plans_and_the_same_seed_the_same() -> None:
    runs = [
        collect_plans(EmbeddedSearch(seed=seed, noise=20.0), tasks(PROBLEMS[3:])) for seed in (1, 1, 2, 3, 4)
    ]
    assert all(valid(each) for run in runs for each in run)
    plans = [tuple(each.plan for each in run) for run in runs]
    assert plans[0] == plans[1]
    assert len(set(plans)) > 1


def test_the_time_limit_is_shared_by_the_instances(tmp_path: Path) -> None:
    domain, hard = tmp_path / "domain.pddl", tmp_path / "hard.pddl"
    domain.write_text(domain_text("delivery"))
    hard.write_text(generate("delivery", seed=1, width=12, height=12, packages=40))
    found = collect_plans(EmbeddedSearch("hmax", seed=1), tasks([hard, PROBLEMS[0]], domain), seconds=0.3)
    assert found[0].plan is None
    assert "time limit of 0.1 s" in found[0].reason or "time limit of 0.2 s" in found[0].reason
    assert found[1].plan is not None


@dataclass(frozen=True)
class Hasty:
    """A source that gives up at once, and tells the time it had."""

    def solve(self, task: Task, seconds: float) -> Plan:
        raise InputError(f"{seconds:.2f}")


def test_what_one_instance_leaves_the_others_have() -> None:
    shares = [float(each.reason) for each in collect_plans(Hasty(), tasks(PROBLEMS[:4]), seconds=100)]
    assert shares == pytest.approx([25, 100 / 3, 50, 100], rel=0.1)
    shares = [float(each.reason) for each in collect_plans(Hasty(), tasks(PROBLEMS[:4]), seconds=1e-9)]
    assert shares == [sources.LEAST_SECONDS] * 4


def test_where_the_time_of_astar_is_up_lazy_greedy_search_finds_the_plan(tmp_path: Path) -> None:
    domain, hard = tmp_path / "domain.pddl", tmp_path / "hard.pddl"
    domain.write_text(domain_text("delivery"))
    hard.write_text(generate("delivery", seed=1, width=6, height=6, packages=12))
    (found,) = collect_plans(EmbeddedSearch(astar_share=1e-6), tasks([hard], domain))
    assert found.plan is not None
    assert validate(tasks([hard], domain)[0], found.plan)


@dataclass(frozen=True)
class Liar:
    """A source whose plan does nothing."""

    steps: tuple[Step, ...] = ()

    def solve(self, task: Task, seconds: float) -> Plan:
        return Plan(self.steps)


def test_a_plan_that_is_not_valid_is_no_plan() -> None:
    (found,) = collect_plans(Liar(), tasks(PROBLEMS[:1]))
    assert found.plan is None
    assert "the goal is open" in found.reason


def test_sources_are_known_by_name() -> None:
    assert sources_named("embedded", 5) == [EmbeddedSearch()] * 5
    assert sources_named("fast-downward", 1) == [FastDownward()]
    assert sources_named("fast-downward:astar(lmcut())", 1) == [FastDownward("astar(lmcut())")]
    assert sources_named("up:tamer", 1) == [UnifiedPlanning("tamer")]
    assert sources_named("files", 2) == [PlanFile()] * 2
    for name, plans, complaint in (
        ("oracle", [], "unknown plan source"),
        ("files", FD_PLANS[:1], "5 problems but 1 plans"),
        ("embedded", FD_PLANS, "plans are to come from 'embedded'"),
    ):
        with pytest.raises(InputError, match=complaint):
            sources_named(name, 5, plans)


@pytest.mark.parametrize(
    ("source", "extra"), [(FastDownward(), "trailmark[fd]"), (UnifiedPlanning(), "trailmark[up]")]
)
def test_a_missing_extra_is_named(
    source: sources.PlanSource, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (fast_downward, sources):
        monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as raised:
        collect_plans(source, tasks(PROBLEMS[:1]))
    assert extra in str(raised.value)
    assert raised.value.exit_code == 2


@pytest.mark.slow
def test_fast_downward_gives_valid_plans_or_says_that_time_is_up() -> None:
    if not fast_downward.is_installed():
        pytest.skip("Fast Downward is not installed (extra `fd`)")
    found = collect_plans(FastDownward(), tasks(PROBLEMS[:2]))
    assert all(valid(each) for each in found)
    (late,) = collect_plans(FastDownward(), tasks(PROBLEMS[:1]), seconds=0.01)
    assert (late.plan, late.reason) == (None, "Fast Downward found no plan: time limit")


@pytest.mark.slow
def test_the_paper_s_delivery_plans_are_those_of_lama_first() -> None:
    """Step by step, but for t02, where another way is as short; an optimal search has shorter ones."""
    if not fast_downward.is_installed():
        pytest.skip("Fast Downward is not installed (extra `fd`)")
    paper = [read_plan(path) for path in FD_PLANS]
    found = [each.plan for each in collect_plans(FastDownward(), tasks(PROBLEMS))]
    assert [each == plan for each, plan in zip(found, paper, strict=True)] == [True, False, True, True, True]
    for search in ("seq-opt-lmcut", "astar(lmcut())"):
        best = collect_plans(FastDownward(search), tasks(PROBLEMS[3:]))
        assert [len(each.plan or ()) for each in best] == [11, 18] < [len(each) for each in paper[3:]]
    (unknown,) = collect_plans(FastDownward("guess"), tasks(PROBLEMS[:1]))
    assert unknown.reason == "Fast Downward found no plan by 'guess': no plan found"


@pytest.mark.slow
def test_unified_planning_gives_valid_plans() -> None:
    pytest.importorskip("unified_planning", reason="Unified Planning is not installed (extra `up`)")
    pytest.importorskip("up_fast_downward", reason="Fast Downward is not installed (extra `fd`)")
    found = collect_plans(UnifiedPlanning(), tasks(PROBLEMS[:2]))
    assert all(valid(each) for each in found), [each.reason for each in found]
