"""Trailmark as an engine of Unified Planning, on Unified Planning's own problems."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("unified_planning", reason="needs the extra `up`")
pytestmark = pytest.mark.slow

import unified_planning as up  # noqa: E402
from unified_planning.engines import PlanGenerationResultStatus as Status  # noqa: E402
from unified_planning.io import PDDLReader  # noqa: E402
from unified_planning.shortcuts import (  # noqa: E402
    OneshotPlanner,
    OptimalityGuarantee,
    PlanValidator,
    get_environment,
)
from unified_planning.test.examples import get_example_problems  # noqa: E402

import trailmark  # noqa: E402
from trailmark import domains  # noqa: E402
from trailmark.errors import InputError  # noqa: E402
from trailmark.integrations.up_engine import TrailmarkEngine, learn_from, register  # noqa: E402

SECONDS = 60
HARD = {"numeric-block_grouping_5_5_1_1"}
"""Numerical cases that plain search does not solve in a minute."""


@pytest.fixture(autouse=True, scope="module")
def registered() -> None:
    get_environment().credits_stream = None
    register()


def own_cases() -> Iterator[tuple[str, Any]]:
    """The example and test problems of Unified Planning whose kind the engine supports."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = dict(get_example_problems())
        for package in ("classical", "numeric"):
            for name, case in _packaged(f"up_test_cases.builtin.{package}").items():
                cases[f"{package}-{name}"] = case
    for name, case in cases.items():
        fits = isinstance(case.problem, up.model.Problem) and TrailmarkEngine.supports(case.problem.kind)
        if fits and name not in HARD:
            yield name, case


def _packaged(name: str) -> dict[str, Any]:
    """The cases of a package of tests; modules whose PDDL files are not installed have none."""
    cases: dict[str, Any] = {}
    spec = importlib.util.find_spec("up_test_cases")
    if spec is None or not spec.submodule_search_locations:
        return cases
    # Its modules import a neighbour by its bare name, as scripts in one folder do.
    sys.path.append(spec.submodule_search_locations[0])
    package = importlib.import_module(name)
    for module in pkgutil.iter_modules(package.__path__):
        try:
            cases.update(importlib.import_module(f"{name}.{module.name}").get_test_cases())
        except (AssertionError, AttributeError, ImportError):
            continue
    return cases


CASES = dict(own_cases())


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_engine_solves_unified_plannings_own_problems(name: str) -> None:
    case = CASES[name]
    with OneshotPlanner(name="trailmark") as planner:
        result = planner.solve(case.problem, timeout=SECONDS)
    if not case.solvable:
        assert result.plan is None
        assert result.status in (Status.UNSOLVABLE_PROVEN, Status.UNSOLVABLE_INCOMPLETELY)
        return
    assert result.status is Status.SOLVED_SATISFICING
    with PlanValidator(problem_kind=case.problem.kind, plan_kind=result.plan.kind) as validator:
        assert validator.validate(case.problem, result.plan)


def test_enough_of_unified_plannings_problems_fit() -> None:
    assert len(CASES) >= 20


@pytest.fixture
def delivery(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(domains.domain_text("delivery"))
    for number, text in enumerate(domains.train_problems("delivery"), start=1):
        (tmp_path / f"t{number}.pddl").write_text(text)
    (tmp_path / "large.pddl").write_text(domains.generate("delivery", 1, width=6, height=6, packages=12))
    return tmp_path


def read(folder: Path, name: str) -> Any:
    return PDDLReader().parse_problem(str(folder / "domain.pddl"), str(folder / f"{name}.pddl"))


def solved(problem: Any, **params: Any) -> Any:
    with OneshotPlanner(name="trailmark", params=params) as planner:
        result = planner.solve(problem, timeout=SECONDS)
    assert result.status is Status.SOLVED_SATISFICING
    with PlanValidator(problem_kind=problem.kind, plan_kind=result.plan.kind) as validator:
        assert validator.validate(problem, result.plan)
    return result


def test_a_model_learned_from_pddl_files_serves_a_problem_of_unified_planning(delivery: Path) -> None:
    problems = [delivery / f"t{number}.pddl" for number in range(1, 6)]
    model = trailmark.learn(delivery / "domain.pddl", problems, time_limit=15)
    model.save(delivery / "model.json")
    result = solved(read(delivery, "large"), model=str(delivery / "model.json"))
    assert result.engine_name == "trailmark"
    assert result.metrics["strategy"] == "leap"


def test_the_engine_learns_from_problems_of_unified_planning(delivery: Path) -> None:
    problems = [read(delivery, f"t{number}") for number in range(1, 6)]
    result = solved(read(delivery, "large"), problems=problems, learn_options={"time_limit": 15})
    assert result.metrics["strategy"] == "leap"


def test_learning_from_unified_planning_or_from_files_gives_one_graph(delivery: Path) -> None:
    options: dict[str, Any] = {"method": "chain", "complexity": 5}
    problems = [delivery / f"t{number}.pddl" for number in range(1, 6)]
    ours = trailmark.learn(delivery / "domain.pddl", problems, **options)
    theirs = learn_from([read(delivery, f"t{number}") for number in range(1, 6)], **options)
    assert ours.model.signature == theirs.model.signature
    assert ours.guidance == theirs.guidance


def test_a_model_of_another_domain_is_an_unsupported_problem(delivery: Path) -> None:
    problems = [delivery / f"t{number}.pddl" for number in range(1, 6)]
    model = trailmark.learn(delivery / "domain.pddl", problems, method="chain", complexity=3)
    with OneshotPlanner(name="trailmark", params={"model": model}) as planner:
        result = planner.solve(get_example_problems()["basic"].problem)
    assert result.status is Status.UNSUPPORTED_PROBLEM
    assert "for domain" in result.log_messages[0].message


def test_an_impossible_goal_is_proved_unsolvable() -> None:
    problem = get_example_problems()["basic"].problem.clone()
    never = problem.add_fluent("never", default_initial_value=False)
    problem.add_goal(never)
    with OneshotPlanner(name="trailmark") as planner:
        assert planner.solve(problem).status is Status.UNSOLVABLE_PROVEN


def test_what_cannot_be_written_as_pddl_is_an_unsupported_problem() -> None:
    problem = get_example_problems()["basic"].problem.clone()
    problem.add_goal(False)
    with OneshotPlanner(name="trailmark") as planner:
        assert planner.solve(problem).status is Status.UNSUPPORTED_PROBLEM


def test_time_that_is_too_short_is_a_timeout(delivery: Path) -> None:
    with OneshotPlanner(name="trailmark") as planner:
        result = planner.solve(read(delivery, "large"), timeout=0.01)
    assert result.status is Status.TIMEOUT
    assert result.plan is None


def test_the_factory_offers_the_engine_by_kind_and_guarantee_only_where_it_fits() -> None:
    factory = get_environment().factory
    assert "trailmark" in factory.engines
    assert TrailmarkEngine.satisfies(OptimalityGuarantee.SATISFICING)
    assert not TrailmarkEngine.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    temporal = get_example_problems()["matchcellar"].problem
    assert not TrailmarkEngine.supports(temporal.kind)
    with OneshotPlanner(name="trailmark") as planner, pytest.warns(UserWarning, match="cannot establish"):
        assert planner.solve(temporal).status is Status.UNSUPPORTED_PROBLEM


def test_a_parameter_that_is_none_is_refused_with_the_public_ones() -> None:
    with pytest.raises(InputError, match=r"no option 'speed' \(use one of anytime, complete, fallback, "):
        TrailmarkEngine(speed=3)
    with pytest.raises(InputError, match="learn_options, memory_limit, model, problems"):
        TrailmarkEngine(speed=3)
    with pytest.raises(InputError, match="the option 'search' cannot be 3"):
        TrailmarkEngine(search=3)
