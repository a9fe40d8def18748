"""Discovery on generated pools: the paper's Delivery set, and the public benchmark domains."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from tests.conftest import BENCHMARKS
from tests.discovery.clingo_checks import chain, check_chain, check_loops
from trailmark.discovery.discover import DiscoveryOptions, SearchAfter, discover
from trailmark.discovery.functions import state_functions
from trailmark.discovery.loops import LoopCondition
from trailmark.errors import NoGraphError
from trailmark.features.grammar import PoolOptions
from trailmark.features.pool import generate_pool
from trailmark.features.states import StateBatch, Valuations, state_batch
from trailmark.landmarks.graph import Landmark, LandmarkGraph
from trailmark.landmarks.progression import graph_values, satisfies
from trailmark.task import Domain, Task, read_plan, trajectory

PAPER_SET = Path(str(files("trailmark.bench"))) / "paper_delivery"
DELIVERY = Path(str(files("trailmark.domains"))) / "pddl" / "delivery.pddl"
DOMAINS = sorted(path.name for path in BENCHMARKS.glob("*") if path.is_dir()) or ["no public benchmarks"]
POOL = PoolOptions(complexity=7, features=500)


def batch(domain: Path, problems: list[Path], plans: list[Path]) -> StateBatch:
    loaded = Domain.load(domain)
    found = [
        trajectory(Task.load(loaded, problem), read_plan(plan))
        for problem, plan in zip(problems, plans, strict=True)
    ]
    return state_batch([(each.structure, each.states) for each in found])


@cache
def paper_pool(plans: str) -> Valuations:
    problems = [PAPER_SET / f"t0{number}.pddl" for number in range(1, 6)]
    states = batch(DELIVERY, problems, [path.with_suffix(f".{plans}.plan") for path in problems])
    return generate_pool(states, PoolOptions(complexity=9)).valuations


@pytest.mark.parametrize("after", list(SearchAfter))
@pytest.mark.parametrize("condition", list(LoopCondition))
def test_the_papers_training_set_gives_four_landmarks_and_the_loop_from_the_fourth_to_the_third(
    after: SearchAfter, condition: LoopCondition
) -> None:
    options = DiscoveryOptions(loop_condition=condition, search_after=after)
    found = discover(state_functions(paper_pool("fd")), options)
    assert len(found.graph.landmarks) == 4
    assert [(loop.source + 1, loop.target + 1) for loop in found.graph.loops] == [(4, 3)]
    assert found.occurrences == ((1, 2, 1, 2, 3),)
    assert found.satisfied


@pytest.mark.parametrize("plans", ["plus24", "plus50"])
def test_the_papers_longer_plans_give_a_graph_too(plans: str) -> None:
    found = discover(state_functions(paper_pool(plans)))
    assert len(found.graph.landmarks) >= 3
    assert all(bool(str(answer)) for answer in found.satisfaction)


@cache
def public_pool(name: str) -> Valuations:
    problems = [BENCHMARKS / name / "train" / f"t0{number}.pddl" for number in range(1, 6)]
    states = batch(
        BENCHMARKS / name / "domain.pddl", problems, [path.with_suffix(".plan") for path in problems]
    )
    return generate_pool(states, POOL).valuations


@pytest.mark.slow
@pytest.mark.usefixtures("benchmarks")
@pytest.mark.parametrize("name", DOMAINS)
def test_on_the_pool_of_a_domain_the_exact_graph_is_among_the_optima_of_clingo(name: str) -> None:
    functions = state_functions(public_pool(name))
    length = check_chain(functions)
    check_loops(functions, LoopCondition.MINIMAL)
    if length:
        assert len(discover(functions).graph.landmarks) == length
    else:
        with pytest.raises(NoGraphError):
            discover(functions)


@pytest.mark.slow
@pytest.mark.usefixtures("benchmarks")
@pytest.mark.parametrize("name", DOMAINS)
def test_without_loops_every_training_trajectory_satisfies_the_chain(name: str) -> None:
    valuations = public_pool(name)
    functions = state_functions(valuations)
    steps = chain(functions)
    if not steps:
        return
    graph = LandmarkGraph(
        tuple(Landmark(tuple(functions.literal(n) for n in step.literals)) for step in steps)
    )
    assert all(satisfies(graph, each) for each in graph_values(graph, valuations))
