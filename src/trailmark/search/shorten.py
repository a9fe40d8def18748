"""A cheap post-pass over a plan: cut loops in its states, then drop actions nobody needs."""

from __future__ import annotations

from trailmark.limits import UNLIMITED, Budget
from trailmark.task.lifted.steps import StripsStep, strips_steps
from trailmark.task.plans import Step
from trailmark.task.task import Task

ELIMINATION_WORK = 3_000_000
"""Action elimination is quadratic; it stops after this many replayed steps (about two seconds)."""

_MASK = (1 << 64) - 1


def shorten(task: Task, steps: tuple[Step, ...], budget: Budget = UNLIMITED) -> tuple[Step, ...]:
    """The plan without detours, as far as is found cheaply. Tasks beyond STRIPS keep their plan.

    The steps that remain are in their old order; the caller validates the plan.
    """
    actions = strips_steps(task, steps)
    if actions is None:
        return steps
    actions = without_cycles(task, actions)
    actions = without_redundant(task, actions, budget)
    return tuple(action.step for action in without_cycles(task, actions))


def without_cycles(task: Task, actions: list[StripsStep]) -> list[StripsStep]:
    """Cuts what lies between two visits of the same state."""
    atoms = set(task.initial_atoms)
    fingerprint = 0
    for atom in atoms:
        fingerprint ^= _scrambled(atom)
    kept: list[StripsStep] = []
    path = [fingerprint]
    seen = {fingerprint: 0}
    for action in actions:
        for atom in action.deletes & atoms:
            fingerprint ^= _scrambled(atom)
        atoms -= action.deletes
        for atom in action.adds - atoms:
            fingerprint ^= _scrambled(atom)
        atoms |= action.adds
        earlier = seen.get(fingerprint)
        if earlier is None:
            kept.append(action)
            path.append(fingerprint)
            seen[fingerprint] = len(kept)
        else:
            for forgotten in path[earlier + 1 :]:
                del seen[forgotten]
            del path[earlier + 1 :]
            del kept[earlier:]
    return kept


def without_redundant(task: Task, actions: list[StripsStep], budget: Budget = UNLIMITED) -> list[StripsStep]:
    """Drops an action together with those that only it made possible, where the goal still holds."""
    wanted = task.goal.positive - task.structure.static_atoms
    unwanted = task.goal.negative
    work, position = 0, 0
    before = set(task.initial_atoms)
    while position < len(actions):
        atoms, rest = set(before), []
        for place in range(position + 1, len(actions)):
            action = actions[place]
            if action.applicable(atoms):
                atoms -= action.deletes
                atoms |= action.adds
                rest.append(action)
        work += len(actions) - position
        if wanted <= atoms and unwanted.isdisjoint(atoms):
            actions = actions[:position] + rest
        else:
            action = actions[position]
            before -= action.deletes
            before |= action.adds
            position += 1
        if work > ELIMINATION_WORK or budget.expired():
            break
    return actions


def _scrambled(atom: int) -> int:
    """A well-mixed 64-bit number for an atom; the XOR over a state is its fingerprint."""
    mixed = (atom + 0x9E3779B97F4A7C15) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mixed ^ (mixed >> 31)
