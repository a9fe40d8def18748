"""What the library gives back for a task: a plan with what it took, and a plan told by its landmarks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trailmark.errors import InputError, SearchStatus
from trailmark.files import write_text
from trailmark.search.planner import PlanResult
from trailmark.task import Plan, Task, plan_text, write_plan

if TYPE_CHECKING:
    from trailmark.report.explain import Explanation

File = str | os.PathLike[str]


@dataclass(frozen=True)
class Solution:
    """What planning gave for one task: a status, the plan if there is one, and what it took."""

    task: Task
    result: PlanResult
    """Status, cost, statistics, strategy and times of the search."""

    def __bool__(self) -> bool:
        """Whether there is a plan."""
        return self.result.steps is not None

    def __len__(self) -> int:
        """The number of steps; 0 where there is no plan."""
        return len(self.result.steps or ())

    def __str__(self) -> str:
        """The plan in Fast Downward's format, or why there is none."""
        steps = self.result.steps
        if steps is None:
            return f"; {self.status.value}\n"
        return plan_text(steps, self.result.cost, unit_cost=self.task.model.minimize is None)

    def __repr__(self) -> str:
        length = f", {len(self)} steps" if self else ""
        return f"<solution of {self.task.name}: {self.status.value}{length}>"

    @property
    def status(self) -> SearchStatus:
        """Solved, proved unsolvable, no plan found, or the limit that was reached."""
        return self.result.status

    @property
    def plan(self) -> Plan:
        """The validated plan; an `InputError` where there is none."""
        if self.result.steps is None:
            raise InputError(f"{self.task.name} has no plan: {self.status.value}")
        return Plan(self.result.steps)

    def save(self, path: File) -> None:
        """Writes the plan in Fast Downward's format; the file is whole or not there."""
        write_plan(path, self.plan.steps, self.result.cost, unit_cost=self.task.model.minimize is None)


@dataclass(frozen=True)
class ExplainedPlan:
    """A plan told by its landmarks: which steps achieve which, in which pass, where it leaves the graph."""

    explanation: Explanation
    """The parts it is told from: stretches of actions, passes of loops, departures from the graph."""

    def __bool__(self) -> bool:
        """Whether the plan follows the graph from beginning to end."""
        return self.explanation.follows

    def __str__(self) -> str:
        """The explanation as `trailmark explain` prints it."""
        return self.text()

    def text(self, *, verbose: bool = False) -> str:
        """The same; with every action where it is to be verbose."""
        from trailmark.report.text import explanation_text

        return explanation_text(self.explanation, verbose=verbose)

    def as_json(self) -> dict[str, Any]:
        """The explanation as `trailmark explain --json` gives it."""
        from trailmark.report.text import explanation_json

        return explanation_json(self.explanation)

    def html(self) -> str:
        """The page with the graph and the plan's timeline; it needs no network."""
        from trailmark.report.html import page

        return page(self.explanation.outline, self.explanation)

    def save(self, path: File) -> None:
        """Writes that page."""
        write_text(path, self.html())

    def _repr_html_(self) -> str:
        from trailmark.report.html import explanation_html

        return explanation_html(self.explanation)
