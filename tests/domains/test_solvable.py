"""Every domain is read by the library, and its small instances are solved by the embedded search."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.enginesearch import embedded_search
from trailmark import domains
from trailmark.limits import Budget
from trailmark.task import Domain, Task, validate
from trailmark.task.model import Add, And, Atom, Condition, Delete, Effect, Not

BENCHMARKS = Path(__file__).parents[2] / "../shared/benchmarks"
SOLVED_TESTS = 2
"""So many of the first test instances are solved too."""
FEW_SEEDS, MANY_SEEDS = range(50, 51), range(51, 71)
SECONDS = 20

Signed = tuple[bool, str, tuple[str, ...]]


def solves(name: str, text: str) -> bool:
    task = Task.parse(Domain.parse(domains.domain_text(name)), text)
    plan = embedded_search(task, "gbfs", "hadd", Budget(seconds=SECONDS)).plan
    return plan is not None and bool(plan.steps) and bool(validate(task, plan))


@pytest.mark.parametrize("name", domains.names())
def test_presets_for_training_and_the_first_tests_are_solved(name: str) -> None:
    texts = domains.train_problems(name) + [
        domains.test_problem(name, number) for number in range(1, SOLVED_TESTS + 1)
    ]
    assert [solves(name, text) for text in texts] == [True] * len(texts)


@pytest.mark.parametrize(
    "seeds", [FEW_SEEDS, pytest.param(MANY_SEEDS, marks=pytest.mark.slow)], ids=["few", "many"]
)
@pytest.mark.parametrize("name", domains.names())
def test_training_sizes_are_solved_with_other_seeds(name: str, seeds: range) -> None:
    for sizes in domains.train_preset(name):
        for seed in seeds:
            assert solves(name, domains.generate(name, seed, **sizes)), (seed, sizes)


@pytest.mark.parametrize("name", domains.names())
def test_test_presets_are_read(name: str) -> None:
    domain = Domain.parse(domains.domain_text(name))
    for number in (5, 10, 15):
        Task.parse(domain, domains.test_problem(name, number))


@pytest.mark.parametrize("robots", [1, 2, 3])
def test_floors_crowded_with_robots_can_be_painted(robots: int) -> None:
    for seed in range(5):
        assert solves("floortile", domains.generate("floortile", seed, rows=2, columns=robots, robots=robots))


def test_grids_full_of_locks_can_be_opened() -> None:
    sizes = {"width": 4, "height": 4, "shapes": 3, "keys": 3, "locked": 90, "goals": 3}
    for seed in range(10):
        assert solves("grid-no-exchange", domains.generate("grid-no-exchange", seed, **sizes))


@pytest.mark.parametrize(
    ("variant", "original"),
    [("blocksworld-tower", "blocksworld"), ("floortile-single", "floortile"), ("miconic-up", "miconic")],
)
def test_a_variant_in_instances_alone_has_the_same_domain(variant: str, original: str) -> None:
    assert (
        Domain.parse(domains.domain_text(variant)).model == Domain.parse(domains.domain_text(original)).model
    )


def test_grid_no_exchange_is_grid_less_one_action_with_the_same_instances() -> None:
    grid = Domain.parse(domains.domain_text("grid")).model
    less = Domain.parse(domains.domain_text("grid-no-exchange")).model
    assert [action for action in grid.actions if action.name != "pickup-and-loose"] == list(less.actions)
    assert grid.predicates == less.predicates
    for one, other in zip(
        domains.train_problems("grid"), domains.train_problems("grid-no-exchange"), strict=True
    ):
        assert one.partition("\n")[2] == other.partition("\n")[2]


@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the public benchmark files are not here")
@pytest.mark.parametrize("name", domains.names())
def test_a_domain_means_what_the_public_one_means(name: str) -> None:
    ours = Domain.parse(domains.domain_text(name)).model
    public = Domain.load(BENCHMARKS / name / "domain.pddl").model
    assert ours.name == public.name
    assert set(ours.types) == set(public.types)
    assert set(ours.constants) == set(public.constants)
    assert signatures(ours.predicates) == signatures(public.predicates)
    assert {action.name: meaning(action) for action in ours.actions} == {
        action.name: meaning(action) for action in public.actions
    }


def signatures(predicates):  # type: ignore[no-untyped-def]
    return {each.name: [typed.types for typed in each.parameters] for each in predicates}


def meaning(action):  # type: ignore[no-untyped-def]
    """An action with its variables numbered and its conjunctions as sets."""
    number = {typed.name: f"?{place}" for place, typed in enumerate(action.parameters)}
    return (
        [typed.types for typed in action.parameters],
        set(_literals(action.precondition, number, True)),
        {_effect(effect, number) for effect in action.effects},
    )


def _literals(condition: Condition, number: dict[str, str], sign: bool) -> list[Signed]:
    if isinstance(condition, And):
        return [literal for part in condition.parts for literal in _literals(part, number, sign)]
    if isinstance(condition, Not):
        return _literals(condition.part, number, not sign)
    assert isinstance(condition, Atom)
    return [_signed(sign, condition, number)]


def _effect(effect: Effect, number: dict[str, str]) -> Signed:
    assert isinstance(effect, Add | Delete)
    return _signed(isinstance(effect, Add), effect.atom, number)


def _signed(sign: bool, atom: Atom, number: dict[str, str]) -> Signed:
    return sign, atom.predicate, tuple(number.get(term, term) for term in atom.terms)


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("up_fast_downward") is None, reason="the fd extra is not installed"
)
@pytest.mark.parametrize("name", domains.names())
def test_fast_downward_solves_training_and_first_test_instances(name: str, tmp_path: Path) -> None:
    spec = importlib.util.find_spec("up_fast_downward")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    driver = Path(next(iter(spec.submodule_search_locations))) / "downward" / "fast-downward.py"
    (tmp_path / "domain.pddl").write_text(domains.domain_text(name))
    for text in [*domains.train_problems(name), domains.test_problem(name, 1), domains.test_problem(name, 2)]:
        (tmp_path / "problem.pddl").write_text(text)
        command = [sys.executable, str(driver), "--alias", "lama-first", "--plan-file", "plan"]
        run = subprocess.run(
            [*command, "domain.pddl", "problem.pddl"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert run.returncode == 0, run.stdout[-2000:]
        assert (tmp_path / "plan").stat().st_size > 0
