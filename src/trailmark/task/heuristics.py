"""Heuristics behind one shape: `prepare(task, name)` once, then a cheap call per state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, isinf
from operator import attrgetter
from typing import Any

from trailmark.errors import InputError
from trailmark.task.costs import least_step_cost
from trailmark.task.states import GroundAction, State
from trailmark.task.task import Task
from trailmark.task.walks import conjuncts

Heuristic = Callable[[State], float]
"""An estimate of the cost to the goal; infinite where the goal is out of reach."""

HEURISTICS = ("hadd", "hmax", "ff", "goalcount", "blind")


def prepare(task: Task, name: str) -> Heuristic:
    """The heuristic of this name for this task. Relaxation heuristics ground the task once."""
    if name in ("hadd", "hmax", "ff"):
        if not task.engine.static_goal_holds:
            # The engine's estimates read the fluent part of the goal alone.
            return lambda state: inf
        compute, goal = task.engine.heuristic(name).compute_heuristic, task.engine.goal_condition()
        return lambda state: compute(state.native, goal)
    if name == "goalcount":
        return _goal_count(task)
    if name == "blind":
        return lambda state: 0.0
    raise InputError(f"unknown heuristic '{name}'", hint=f"use one of {', '.join(HEURISTICS)}")


def prepare_admissible(task: Task, name: str) -> Heuristic:
    """The same, and h_max is at most the cost of a cheapest plan also where some steps cost less than 1:
    it counts steps."""
    estimate = prepare(task, name)
    least = least_step_cost(task)
    if name != "hmax" or least >= 1:
        return estimate

    def scaled(state: State) -> float:
        steps = estimate(state)
        return inf if isinf(steps) else steps * least

    return scaled


def in_costs(task: Task, estimate: Heuristic) -> Heuristic:
    """An estimate in steps as one in costs: a step costs what the first ones cost on average. Where the task
    does not minimize its cost it is the same."""
    if task.model.minimize is None:
        return estimate
    costs = [cost for _, _, cost in task.successors(task.initial_state)]
    mean = sum(costs) / len(costs) if any(costs) else 1.0
    return lambda state: mean * estimate(state)


Preferring = Callable[[State], tuple[float, list[GroundAction]]]
"""An estimate, and the actions that a relaxed plan begins with, by their numbers."""


def prepare_preferring(task: Task) -> Preferring:
    """h_FF with its preferred actions."""
    if not task.engine.static_goal_holds:
        return lambda state: (inf, [])
    task.engine.heuristic("ff")
    return _preferring(task, task.engine.goal_condition())


class Subgoals:
    """h_FF of a task towards conjunctions of fluent literals. Preparing it grounds the task."""

    def __init__(self, task: Task) -> None:
        self._task = task
        task.engine.heuristic("ff")
        self._natives = task.translation.fluent_atoms()
        self.atoms = tuple(sorted(self._natives))
        """The atoms that can ever hold."""

    def towards(self, positive: Iterable[int], negative: Iterable[int] = ()) -> Preferring:
        """h_FF to where these atoms hold, all of which can, and those do not."""
        known = self._natives
        wanted = [known[atom] for atom in sorted(positive)]
        return _preferring(
            self._task,
            self._task.engine.condition(wanted, [known[atom] for atom in sorted(negative) if atom in known]),
        )


def _preferring(task: Task, goal: Any) -> Preferring:
    native = task.engine.heuristic("ff")
    applicable = task.engine.is_applicable

    def estimate(state: State) -> tuple[float, list[GroundAction]]:
        value = native.compute_heuristic(state.native, goal)
        natives = [each for each in native.get_preferred_actions().data if applicable(each, state.native)]
        return value, sorted([GroundAction(task, each) for each in natives], key=attrgetter("index"))

    return estimate


def _goal_count(task: Task) -> Heuristic:
    """How many parts of the goal's conjunction do not hold."""
    if not task.goal.conjunctive:
        return _open_parts(task)
    static = task.structure.static_atoms
    positive = frozenset(task.goal.positive - static)
    negative = task.goal.negative
    never = float(len(negative & static))

    def count(state: State) -> float:
        atoms = state.atoms
        return len(positive) - len(positive & atoms) + len(negative & atoms) + never

    return count


def _open_parts(task: Task) -> Heuristic:
    """The same for goals with quantifiers, disjunctions or numbers, by our own executor."""
    from trailmark.task.executor import Executor

    executor = Executor(task)
    parts = list(conjuncts(task.model.goal))

    def count(state: State) -> float:
        world = executor.world(state)
        return float(sum(not executor.holds(part, {}, world) for part in parts))

    return count
