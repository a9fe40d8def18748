"""The trials that graphs are tried on: the training tasks, starts on random walks in them, and larger tasks.

How many states a trial may take follows the length of a known plan, and the plain search that finds plans
has a limit of states too: trials are the same on a busy machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from trailmark.learning.glue import glued_tasks, plain_plan
from trailmark.learning.validation import Trial
from trailmark.limits import Budget
from trailmark.relational import Interpretation
from trailmark.task import Plan, Task, Trajectory

STATES = 1_000
STATES_PER_STEP = 150
"""A trial may take so many states for each step of a known plan, and no fewer than the first number."""
WALK_STARTS = 3
"""So many starts on random walks of the larger instances are tried."""
WALK_LENGTH = 30
GLUED = 3
"""So many larger tasks are put together from the training tasks."""
VALIDATION_STATES = 15_000
"""States for each validation instance that a user gives."""


@dataclass(frozen=True)
class Trials:
    easy: tuple[Trial, ...]
    """Every graph is tried on these."""
    hard: tuple[Trial, ...]
    """Only the best ones are."""


def make_trials(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    validation: Sequence[Task],
    seed: int,
    budget: Budget,
) -> Trials:
    """The trials for these training tasks with their plans; `validation` are further tasks of a user's."""
    easy = [training_trial(task, path.plan) for task, path in zip(tasks, paths, strict=True)]
    starts = _walk_starts(tasks, Random(seed), budget)
    hard = [training_trial(task, plan) for task, plan in starts]
    glued = glued_tasks(tasks, paths, seed, GLUED, budget)
    hard += [training_trial(made.task, made.plan) for made in glued]
    hard += [Trial(task, VALIDATION_STATES) for task in validation]
    return Trials(tuple(easy), tuple(hard))


def training_trial(task: Task, plan: Plan) -> Trial:
    """A trial of a task that has a plan: its limit of states follows the plan's length."""
    return Trial(task, max(STATES, STATES_PER_STEP * len(plan)), len(plan))


def random_walk(task: Task, rng: Random, length: int) -> list[Interpretation]:
    """The states of a random walk from the initial state."""
    state, found = task.initial_state, []
    for _ in range(length):
        successors = task.successors(state)
        if not successors:
            break
        state = rng.choice(successors)[1]
        found.append(task.interpretation(state))
    return found


def _walk_starts(tasks: Sequence[Task], rng: Random, budget: Budget) -> list[tuple[Task, Plan]]:
    """Starts on random walks of the larger half of the instances, those that have a plan: others may be
    dead ends."""
    by_size = sorted(tasks, key=lambda task: len(task.structure.objects))
    larger = by_size[len(by_size) // 2 :]
    found: list[tuple[Task, Plan]] = []
    for number in range(WALK_STARTS):
        task = larger[number % len(larger)]
        walk = random_walk(task, rng, WALK_LENGTH)
        if walk and not budget.expired():
            start = task.starting_from(walk[-1].atoms, f"{task.name}-walk-{number}")
            plan = plain_plan(start, budget)
            if plan is not None:
                found.append((start, plan))
    return found
