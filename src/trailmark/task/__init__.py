"""Planning tasks: reading PDDL, states and successors, plans and their validation.

The only package that knows the planning engine.
"""

from trailmark.task.domain import Domain
from trailmark.task.plans import (
    Plan,
    Step,
    Trajectory,
    Verdict,
    check_names,
    parse_plan,
    plan_text,
    read_plan,
    trajectory,
    validate,
    write_plan,
)  # fmt: skip
from trailmark.task.states import GroundAction, State
from trailmark.task.task import Goal, Task

__all__ = [
    "Domain", "Goal", "GroundAction", "Plan", "State", "Step", "Task", "Trajectory", "Verdict",
    "check_names", "parse_plan", "plan_text", "read_plan", "trajectory", "validate", "write_plan",
]  # fmt: skip
