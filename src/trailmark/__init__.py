"""Generalized landmarks for PDDL planning, learned from a few solved instances.

    import trailmark

    model = trailmark.learn("domain.pddl", ["t1.pddl", "t2.pddl", "t3.pddl"])
    solution = model.plan("large.pddl")
    model.explain(solution)

The names below are imported when they are first used, so that importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailmark.api import LearnedModel, learn, load
    from trailmark.errors import TrailmarkError
    from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop
    from trailmark.landmarks.text import parse_graph
    from trailmark.limits import Budget
    from trailmark.programs.program import Counter, Program, parse_program
    from trailmark.search.planner import PlannerOptions
    from trailmark.solution import ExplainedPlan, Solution
    from trailmark.task import Domain, Plan, Step, Task, read_plan, validate

__version__ = "0.1.0"

_HOMES = {
    "api": ("LearnedModel", "learn", "load"),
    "errors": ("TrailmarkError",),
    "landmarks.graph": ("Landmark", "LandmarkGraph", "Loop"),
    "landmarks.text": ("parse_graph",),
    "limits": ("Budget",),
    "programs.program": ("Counter", "Program", "parse_program"),
    "search.planner": ("PlannerOptions",),
    "solution": ("ExplainedPlan", "Solution"),
    "task": ("Domain", "Plan", "Step", "Task", "read_plan", "validate"),
}
"""The public names, by the module they live in."""

__all__ = [
    "Budget", "Counter", "Domain", "ExplainedPlan", "Landmark", "LandmarkGraph", "LearnedModel", "Loop",
    "Plan", "PlannerOptions", "Program", "Solution", "Step", "Task", "TrailmarkError", "__version__", "learn",
    "load", "parse_graph", "parse_program", "read_plan", "validate",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'trailmark' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"trailmark.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
