"""Planning tasks: reading PDDL, states and successors, plans and their validation.

The only package that knows the planning engine.
"""

from trailmark.task.domain import Domain
from trailmark.task.goal import Goal
from trailmark.task.plans import Plan, Step, parse_plan, plan_text, read_plan, write_plan
from trailmark.task.task import GroundAction, State, Task
from trailmark.task.trajectory import Trajectory, trajectory
from trailmark.task.validate import Verdict, check_names, validate

__all__ = [
    "Domain",
    "Goal",
    "GroundAction",
    "Plan",
    "State",
    "Step",
    "Task",
    "Trajectory",
    "Verdict",
    "check_names",
    "parse_plan",
    "plan_text",
    "read_plan",
    "trajectory",
    "validate",
    "write_plan",
]
