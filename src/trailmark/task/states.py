"""States and ground actions: thin handles on the engine's own, which keep their task, and with it the engine,
alive; and heuristics of states, prepared once for a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf, isinf
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from trailmark.errors import InputError
from trailmark.task.costs import least_step_cost
from trailmark.task.executor import Executor
from trailmark.task.model import FunctionTerm
from trailmark.task.plans import Step
from trailmark.task.walks import conjuncts

if TYPE_CHECKING:
    from trailmark.task.task import Task


class State:
    """A state of a task: hashable, and valid as long as you keep it."""

    __slots__ = ("_task", "native")

    def __init__(self, task: Task, native: Any) -> None:
        self._task = task
        self.native = native

    def __hash__(self) -> int:
        return hash(self.native)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._task is other._task and bool(self.native == other.native)

    @property
    def index(self) -> int:
        """States are numbered in the order the task first saw them."""
        return int(self.native.get_index())

    @property
    def atoms(self) -> frozenset[int]:
        """The fluent and derived atoms that hold, numbered as in the task's structure."""
        return self._task.engine.atoms(self.native)

    @property
    def values(self) -> Mapping[FunctionTerm, float]:
        """The numeric functions that actions change."""
        return self._task.engine.values(self.native)

    def __repr__(self) -> str:
        structure = self._task.structure
        return "<state " + " ".join(sorted(structure.atom_text(atom) for atom in self.atoms)) + ">"


class GroundAction:
    """An action with its objects."""

    __slots__ = ("_task", "native")

    def __init__(self, task: Task, native: Any) -> None:
        self._task = task
        self.native = native

    @property
    def index(self) -> int:
        """Actions are numbered in the order the task first saw them."""
        return int(self.native.get_index())

    @property
    def step(self) -> Step:
        return self._task.engine.step(self.native)

    def __str__(self) -> str:
        return str(self.step)

    def __repr__(self) -> str:
        return f"<action {self}>"


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
    return lambda state: inf if isinf(steps := estimate(state)) else steps * least


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
    """States of a task without numbers and axioms by their atoms, and h_FF from there towards conjunctions of
    fluent literals.

    The engine numbers an atom when it first meets it. Preparing h_FF grounds the task, so that every atom
    which can ever hold has been met.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        task.engine.heuristic("ff")
        self._natives = task.engine.fluent_atoms()
        self._numbers = list(task.initial_state.native.get_numeric_variables())
        self.atoms = tuple(sorted(self._natives))
        """The atoms that can ever hold."""

    def state(self, atoms: Iterable[int]) -> State:
        """The state in which exactly these fluent atoms hold."""
        natives = [self._natives[atom] for atom in atoms]
        return State(self._task, self._task.engine.state(natives, self._numbers))

    def towards(self, positive: Iterable[int], negative: Iterable[int] = ()) -> Preferring:
        """h_FF to where these atoms hold, all of which can, and those do not."""
        known, engine = self._natives, self._task.engine
        unwanted = [known[atom] for atom in sorted(negative) if atom in known]
        return _preferring(self._task, engine.condition([known[atom] for atom in sorted(positive)], unwanted))


def _preferring(task: Task, goal: Any) -> Preferring:
    native, applicable = task.engine.heuristic("ff"), task.engine.is_applicable

    def estimate(state: State) -> tuple[float, list[GroundAction]]:
        value = native.compute_heuristic(state.native, goal)
        natives = [
            action for action in native.get_preferred_actions().data if applicable(action, state.native)
        ]
        return value, sorted([GroundAction(task, action) for action in natives], key=attrgetter("index"))

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
    executor = Executor(task)
    parts = list(conjuncts(task.model.goal))

    def count(state: State) -> float:
        world = executor.world(state)
        return float(sum(not executor.holds(part, {}, world) for part in parts))

    return count
