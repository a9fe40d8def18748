"""Plans as Fast Downward writes them: one `(action object …)` a line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from trailmark.errors import Place, PlanError
from trailmark.files import read_text, write_text
from trailmark.task.sexpr import shorten

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
    for number, raw in enumerate(_lines(text), start=1):
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


def _lines(text: str) -> Iterator[str]:
    """The lines one at a time: a list of them would take many times the memory of the text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


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
