"""The hand-written Delivery graphs say what the paper's figures say."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tests.features.delivery_features import FEATURES
from trailmark.bench.runs import graph_text
from trailmark.domains import domain_text
from trailmark.features.incremental.evaluation import bind
from trailmark.landmarks.functions import Policy
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import Progression
from trailmark.landmarks.text import parse_graph
from trailmark.task import Domain, Task, parse_plan, trajectory


def _task(tmp_path_factory: pytest.TempPathFactory, number: int) -> Task:
    folder = tmp_path_factory.mktemp("delivery")
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(domain_text("delivery"))
    problem.write_text((files("trailmark.bench") / "paper_delivery" / f"t{number:02}.pddl").read_text())
    return Task.load(Domain.load(domain), problem)


def _values(graph: LandmarkGraph, task: Task, plan: str) -> list[list[int]]:
    evaluator = bind(graph.features, task.structure)
    return [list(evaluator.start(state).values) for state in trajectory(task, parse_plan(plan)).states]


def _plan(number: int) -> str:
    return (files("trailmark.bench") / "paper_delivery" / f"t{number:02}.fd.plan").read_text()


def test_the_sketch_has_five_landmarks_and_a_loop_from_the_fourth_to_the_first() -> None:
    graph = parse_graph(graph_text("sketch"))
    assert len(graph.landmarks) == 5
    assert [(loop.source, loop.target) for loop in graph.loops] == [(3, 0)]


def test_both_readings_of_the_sketch_differ_in_the_distance_to_a_goal_alone() -> None:
    one, other = (parse_graph(graph_text(name)) for name in ("sketch", "sketch-nearest"))
    (carried,) = set(one.features) - set(other.features)
    (nearest,) = set(other.features) - set(one.features)
    assert str(nearest) == str(carried).replace(
        "c_some(r_primitive(at_g,1,0),c_primitive(carrying,1))", "c_primitive(at_g,1)"
    )


def test_the_running_example_uses_f1_to_f5() -> None:
    graph = parse_graph(graph_text("example"))
    assert set(graph.features) == {FEATURES[name] for name in ("f1", "f2", "f3", "f4", "f5")}
    assert [(loop.source, loop.target) for loop in graph.loops] == [(3, 0)]


@pytest.mark.parametrize(("number", "packages"), [(1, 1), (2, 2), (4, 2), (5, 3)])
def test_loops_promise_as_many_passes_as_there_are_packages(
    number: int, packages: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    task = _task(tmp_path_factory, number)
    for name, promised in (("sketch", 4 * packages + 1), ("example", 4 * packages)):
        graph = parse_graph(graph_text(name))
        assert graph.h_max(_values(graph, task, _plan(number))[0]) == promised


def test_in_every_state_at_most_one_rule_of_the_sketch_applies_and_the_last_landmark_is_the_goal(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    graph = parse_graph(graph_text("sketch"))
    for number in range(1, 6):
        held = [
            _held(graph, state) for state in _values(graph, _task(tmp_path_factory, number), _plan(number))
        ]
        assert all(len([number for number in numbers if number < 5]) <= 1 for numbers in held)
        assert [5 in numbers for numbers in held] == [False] * (len(held) - 1) + [True]


def test_a_plan_that_delivers_one_package_goes_through_the_sketch_in_order(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Away from the package, at it, carrying it away from its goal, carrying it at its goal, delivered."""
    graph = parse_graph(graph_text("sketch"))
    task = _task(tmp_path_factory, 1)
    steps = [_held(graph, state)[-1] for state in _values(graph, task, _plan(1))]
    assert steps == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("number", range(1, 6))
def test_the_paper_s_plans_satisfy_the_running_example(
    number: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    graph = parse_graph(graph_text("example"))
    values = _values(graph, _task(tmp_path_factory, number), _plan(number))
    progression = Progression(graph, Policy.STAY)
    status = progression.start(values[0])
    for state in values[1:]:
        status = progression.step(status, state)
    assert (number, status.accepted) == (number, graph.h_max(values[0]))


def _held(graph: LandmarkGraph, state: list[int]) -> list[int]:
    places = graph.feature_index
    return [
        number
        for number, landmark in enumerate(graph.landmarks, start=1)
        if all(wanted.holds(state[places[wanted.feature]]) for wanted in landmark.descriptors)
    ]
