"""State spaces of training instances, and the guards found in them (beyond the paper)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from trailmark.discovery.guards import StateSpace, find_guards, without_refuted
from trailmark.landmarks.functions import StateDescriptor
from trailmark.limits import UNLIMITED, Budget
from trailmark.relational import Interpretation, Structure
from trailmark.search.best_first import BestFirstOptions, best_first, greedy_key
from trailmark.task import Plan, State, Task, Trajectory, trajectory
from trailmark.task.states import prepare

STATES = 10_000
"""So many states of an instance are generated at most."""
WITHOUT_DEAD = 3
"""Where so many instances, the smallest first, show no dead state, the others are not looked at."""
WALKS = 4
"""So many random walks in each instance that was not expanded completely test the guards."""
WALK_STEPS = 20
WALK_STATES = 1_000
"""So many states are tried to find a plan from the end of such a walk."""


def learn_guards(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    budget: Budget = UNLIMITED,
    states: int = STATES,
) -> tuple[StateDescriptor, ...]:
    """What never holds on the way to a goal, as far as the spaces of these instances show it.

    Guards that hold in a state on the way from the end of a random walk to the goal are dropped.
    """
    stopped = budget.expired
    instances = sorted(zip(tasks, paths, strict=True), key=lambda pair: len(pair[0].structure.objects))
    spaces: list[StateSpace] = []
    for task, path in instances:
        spaces.append(expand(task, path, states, stopped))
        if len(spaces) >= WITHOUT_DEAD and not any(space.dead.any() for space in spaces):
            return ()
    seen = [(path.structure, path.states) for path in paths]
    guards = find_guards(spaces, seen, stopped)
    if not guards:
        return ()
    unknown = [instance for instance, space in zip(instances, spaces, strict=True) if not space.is_complete]
    return without_refuted(guards, list(_plan_states(unknown, budget)))


def expand(task: Task, path: Trajectory, most: int, stop: Callable[[], bool]) -> StateSpace:
    """The states around a plan, those around its end first.

    Near the goal the space is often small enough to be known completely, where the whole is not.
    """
    numbers: dict[State, int] = {}
    states: list[State] = []
    successors: list[list[int] | None] = []
    goals: set[int] = set()

    def number_of(state: State) -> int:
        number = numbers.setdefault(state, len(states))
        if number == len(states):
            states.append(state)
            successors.append(None)
        return number

    for start in reversed(_states_of(task, path)):
        waiting = [number_of(start)]
        for number in waiting:
            if len(states) >= most or stop():
                break
            if successors[number] is None and number not in goals:
                if task.is_goal(states[number]):
                    goals.add(number)
                else:
                    following = [number_of(reached) for _, reached, _ in task.successors(states[number])]
                    successors[number] = following
                    waiting += following
    return StateSpace(
        task.structure, successors, frozenset(goals), lambda number: task.interpretation(states[number])
    )


def _plan_states(
    instances: Sequence[tuple[Task, Trajectory]], budget: Budget
) -> Iterator[tuple[Structure, Sequence[Interpretation]]]:
    """States on the way from the ends of random walks, that start on a plan, to the goal."""
    rng = random.Random(0)
    for task, path in instances:
        on_plan = _states_of(task, path)
        for number in range(WALKS):
            state = rng.choice(on_plan)
            for _ in range(rng.randrange(WALK_STEPS + 1)):
                reached = task.successors(state)
                state = rng.choice(reached)[1] if reached else state
            if budget.expired():
                return
            start = task.starting_from(state.atoms, f"{task.name}-walk-{number}")
            limits = BestFirstOptions(greedy_key, max_states=WALK_STATES)
            result = best_first(start, prepare(start, "hadd"), options=limits, budget=budget)
            if result.steps is not None:
                yield task.structure, trajectory(start, Plan(result.steps)).states


def _states_of(task: Task, path: Trajectory) -> list[State]:
    """The engine's states along a plan."""
    states = [task.initial_state]
    for step in path.plan.steps:
        states.append(
            next(reached for action, reached, _ in task.successors(states[-1]) if action.step == step)
        )
    return states
