"""Input from which little or nothing can be learned gets a clear answer."""

from __future__ import annotations

import numpy as np
import pytest

from tests.discovery.matrices import feature, table
from trailmark.discovery.asp import solve_landmark
from trailmark.discovery.discover import DiscoveryOptions, Solver, discover
from trailmark.discovery.functions import StateFunctions, state_functions
from trailmark.errors import ExitCode, InputError, NoGraphError, TimeLimitError
from trailmark.features.states import Valuations
from trailmark.features.syntax import INFINITE
from trailmark.limits import Budget

both_solvers = pytest.mark.parametrize("solver", list(Solver))


def answer(functions: StateFunctions, solver: Solver) -> str:
    with pytest.raises(NoGraphError) as caught:
        discover(functions, DiscoveryOptions(solver=solver))
    assert caught.value.exit_code is ExitCode.NO_GRAPH
    assert caught.value.hint
    return str(caught.value)


@both_solvers
def test_one_trajectory_gives_a_chain_without_loops(solver: Solver) -> None:
    states = [[0, 2], [1, 2], [0, 1], [1, 1], [0, 0]]
    found = discover(state_functions(table([states])), DiscoveryOptions(solver=solver))
    assert found.indices == ((1,), (2,), (3,), (4,))
    assert not found.graph.loops
    assert found.satisfied


@both_solvers
def test_a_goal_already_true_is_named_by_its_trajectory(solver: Solver) -> None:
    assert "trajectory 2 has no step" in answer(state_functions(table([[[0], [1]], [[1]]])), solver)


@both_solvers
def test_features_that_never_change_are_no_graph(solver: Solver) -> None:
    message = answer(state_functions(table([[[0, 1], [0, 1]], [[1, 0], [0, 0]]])), solver)
    assert "no state descriptor changes in trajectory 1" in message


@both_solvers
def test_trajectories_that_share_no_change_are_no_graph(solver: Solver) -> None:
    message = answer(state_functions(table([[[0], [1]], [[1], [0]]])), solver)
    assert "in every training trajectory" in message


@both_solvers
def test_a_pool_without_features_is_no_graph(solver: Solver) -> None:
    empty = Valuations((), np.zeros((0, 4), dtype=np.int32), (0, 2, 4))
    assert "no state descriptor" in answer(state_functions(empty), solver)


@both_solvers
def test_duplicates_that_contradict_each_other_keep_what_they_share(solver: Solver) -> None:
    """The same instance solved in two ways: only what happens in both is a landmark."""
    one, other = [[0, 0], [1, 0], [1, 1]], [[0, 0], [0, 1], [1, 1]]
    found = discover(state_functions(table([one, other])), DiscoveryOptions(solver=solver))
    assert len(found.graph.landmarks) == 1
    assert found.satisfied


def test_without_any_functions_there_is_nothing_to_discover_with() -> None:
    with pytest.raises(InputError, match="no state functions"):
        state_functions()


def test_an_infinite_value_is_true_and_no_counter() -> None:
    states = [[INFINITE], [0], [INFINITE], [0]]
    found = discover(state_functions(table([states, states])))
    assert found.indices == ((1, 1), (2, 2), (3, 3))
    assert not found.graph.loops


@both_solvers
def test_a_time_limit_ends_the_discovery(solver: Solver) -> None:
    functions = state_functions(table([[[0], [1]]]))
    with pytest.raises(TimeLimitError):
        discover(functions, DiscoveryOptions(solver=solver), budget=Budget(1e-9))


def test_a_running_solver_is_cancelled() -> None:
    """Random literals keep clingo busy for seconds; the time is up while it solves."""
    random = np.random.default_rng(5)
    values = random.integers(0, 2, size=(150, 400)).astype(np.int32)
    features = tuple(feature(f"d{number}") for number in range(150))
    functions = state_functions(Valuations(features, values, tuple(range(0, 401, 20))))
    asked: list[bool] = []

    class Short(Budget):
        def expired(self) -> bool:
            asked.append(True)
            return len(asked) > 1  # the first time is before grounding

    with pytest.raises(TimeLimitError, match="ran out of time"):
        solve_landmark(functions, np.zeros(20, dtype=np.int64), Short())
    assert len(asked) == 2
