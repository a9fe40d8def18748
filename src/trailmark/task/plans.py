"""Plans: their text, as Fast Downward writes it, with one `(action object …)` a line; and executing one from
beginning to end. Does it solve the task, and which states does it visit? Our own executor says so, which
shares no code with the engine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING

from trailmark.errors import Place, PlanError, shorten
from trailmark.files import read_text, write_text
from trailmark.relational import Interpretation, Structure
from trailmark.task.executor import Change, Executor, Undefined, World

if TYPE_CHECKING:
    from trailmark.task.task import Task


_STEP = re.compile(r"^\(\s*([^\s();]+(?:\s+[^\s();]+)*)\s*\)$")
MAX_PLAN_BYTES = 16 * 1024 * 1024
"""A larger plan file is refused: some hundred thousand steps fit."""

MAX_LINE = 10_000
"""A longer line is no step of a plan."""

_TIMED = re.compile(r"^\d+(\.\d+)?\s*:\s*")


@dataclass(frozen=True)
class Step:
    """One action of a plan with its objects."""

    action: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.arguments))})"


@dataclass(frozen=True)
class Plan:
    steps: tuple[Step, ...]
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """Where each step stands in the file it was read from; empty where there is none."""

    def __len__(self) -> int:
        return len(self.steps)


def parse_plan(text: str, source: str = "<text>") -> Plan:
    """Reads a plan; comments and empty lines are skipped, a leading `0: ` is allowed."""
    steps, lines = [], []
    known: dict[str, str] = {}
    # One line at a time: a list of them would take many times the memory of the text.
    for number, raw in enumerate(StringIO(text), start=1):
        line = _TIMED.sub("", raw.split(";", 1)[0].strip())
        if not line:
            continue
        match = _STEP.match(line) if len(line) <= MAX_LINE else None
        if match is None:
            column = len(raw) - len(raw.lstrip()) + 1
            raise PlanError(
                f"expected '(action object ...)', found '{shorten(line)}'",
                place=Place(source, number, column),
            )
        # Each word is kept once, however often it occurs.
        action, *arguments = (known.setdefault(word, word) for word in match.group(1).lower().split())
        steps.append(Step(action, tuple(arguments)))
        lines.append(number)
    return Plan(tuple(steps), tuple(lines))


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """The plan of a file in Fast Downward's format."""
    text = read_text(path, "plan", may_be_empty=True, most_bytes=MAX_PLAN_BYTES)
    return parse_plan(text, os.fspath(path))


def plan_text(steps: Iterable[Step], cost: float | None = None, *, unit_cost: bool = True) -> str:
    """The plan in Fast Downward's format, with its closing comment on the cost."""
    lines = [str(step) for step in steps]
    if cost is None:
        cost = len(lines)
    number = int(cost) if cost == int(cost) else cost
    lines.append(f"; cost = {number} ({'unit cost' if unit_cost else 'general cost'})")
    return "\n".join(lines) + "\n"


def write_plan(
    path: str | os.PathLike[str], steps: Iterable[Step], cost: float | None = None, *, unit_cost: bool = True
) -> None:
    """Writes the plan so that the file is whole or not there."""
    write_text(path, plan_text(steps, cost, unit_cost=unit_cost))


LONGEST_STEP = 200
"""Characters of a step in a message."""


@dataclass(frozen=True)
class Verdict:
    """The validator's answer; false where the plan does not solve the task."""

    valid: bool
    reason: str = ""
    """Why not, in one line."""
    step: int | None = None
    """The step that fails, counted from 1; None where the goal is what is missing."""
    missing: tuple[str, ...] = ()
    """The preconditions or goal atoms that do not hold, in PDDL."""
    cost: float | None = None

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True)
class Trajectory:
    """A plan for a task with every state it visits, the initial one first."""

    structure: Structure
    states: tuple[Interpretation, ...]
    plan: Plan
    name: str = ""


def validate(task: Task, plan: Plan) -> Verdict:
    """Whether the plan solves the task, and if not, which step fails and why."""
    return _execute(task, plan, lambda world, change: None)


def trajectory(task: Task, plan: Plan, name: str = "") -> Trajectory:
    """The states of a valid plan; a plan that does not solve the task is an error."""
    encode, vocabulary = task.structure.atom, task.domain.vocabulary
    states: list[Interpretation] = []
    atoms: set[int] = set()

    def keep(world: World, change: Change | None) -> None:
        if change is None or task.domain.model.axioms:
            atoms.clear()
            facts = (fact for fact in world.facts if not vocabulary[fact.predicate].static)
            atoms.update(encode(fact.predicate, *fact.terms) for fact in facts)
        else:
            atoms.difference_update(encode(fact.predicate, *fact.terms) for fact in change.deleted)
            atoms.update(encode(fact.predicate, *fact.terms) for fact in change.added)
        values = {name: world.numbers[(name,)] for name in vocabulary.functions if (name,) in world.numbers}
        states.append(Interpretation(frozenset(atoms), values))

    verdict = _execute(task, plan, keep)
    if not verdict:
        where = f"{name}: " if name else ""
        raise PlanError(f"{where}{verdict.reason}", hint=f"the plan is not one for {task.source}")
    return Trajectory(task.structure, tuple(states), plan, name or task.name)


def _execute(task: Task, plan: Plan, visit: Callable[[World, Change | None], None]) -> Verdict:
    """Applies the steps; every state is shown to `visit`, with what the last step changed."""
    executor = Executor(task)
    world = executor.initial()
    visit(world, None)
    for number, step in enumerate(plan.steps, start=1):
        try:
            schema = executor.schema(step.action, step.arguments)
        except PlanError as problem:
            return Verdict(False, f"step {number}, {step}: {problem.message}", number)
        binding = schema.binding(step.arguments)
        missing = executor.unmet(schema.precondition, binding, world)
        if missing:
            reason = f"step {number}, {step}, is not applicable: {_listed(missing)} does not hold"
            return Verdict(False, reason, number, tuple(missing))
        try:
            change = executor.apply(schema, binding, world)
        except Undefined as problem:
            return Verdict(False, f"step {number}, {step}: {problem}", number)
        visit(world, change)
    missing = executor.unmet(task.model.goal, {}, world)
    if missing:
        reason = f"after all {len(plan)} steps the goal is open: {_listed(missing)} does not hold"
        return Verdict(False, reason, None, tuple(missing))
    if task.model.minimize is None:
        return Verdict(True, cost=float(len(plan)))
    try:
        return Verdict(True, cost=executor.number(task.model.minimize, {}, world))
    except Undefined as problem:
        return Verdict(False, f"after all {len(plan)} steps the metric has no value: {problem}")


def check_names(task: Task, plan: Plan, source: str) -> None:
    """Raises where a step names an action or an object the task does not have: the plan is then none
    for this task at all, and the error says in which line of the plan's file."""
    executor = Executor(task)
    for position, step in enumerate(plan.steps):
        try:
            executor.named_schema(step.action, step.arguments)
        except PlanError as problem:
            line = plan.lines[position] if position < len(plan.lines) else None
            raise PlanError(
                f"{shorten(str(step), LONGEST_STEP)}: {problem.message}", place=Place(source, line)
            ) from None


def _listed(parts: list[str], limit: int = 3) -> str:
    shown = ", ".join(parts[:limit])
    return shown if len(parts) <= limit else f"{shown} and {len(parts) - limit} more"
