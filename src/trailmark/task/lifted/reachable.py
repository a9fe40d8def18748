"""Whether a task can be grounded: its ground actions are counted by joins before the engine makes them.

The engine's grounding is one call that nothing interrupts. The joins find the same actions, those that
are applicable where nothing is ever deleted, in a fifth of the time, and may end at any action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trailmark.task.lifted.generator import Action, Join, LiftedGenerator
from trailmark.task.lifted.schema import supports
from trailmark.task.walks import estimated_ground_actions

if TYPE_CHECKING:
    from trailmark.task.task import Task

GROUNDING_SECONDS = 30e-6
"""What the engine takes to ground one action: 6 to 56 µs on tasks of 15 domains."""


def ground_actions(task: Task, most: float, look_at_clock: Callable[[], object]) -> int | None:
    """How many ground actions the task has; None where there are more than `most`, unless they are made
    already. The clock is looked at after every join.

    Where the lifted generator does not cover the task an estimate decides, which is often a hundred times
    too high.
    """
    engine = task.engine
    if engine.ground_actions is None:
        if supports(task):
            count = _counted(task, most, look_at_clock)
        else:
            count = int(min(estimated_ground_actions(task), most + 1))
        if count > most and not engine.is_grounded:
            return None
        engine.ground_actions = count
    return engine.ground_actions if engine.is_grounded or engine.ground_actions <= most else None


def _counted(task: Task, most: float, look_at_clock: Callable[[], object]) -> int:
    """The ground actions, or more than `most` where there are more."""
    generator = LiftedGenerator(task, relaxed=True)
    effects, total, limit = generator.effects_of, 0, int(most) + 1
    known, new = set(task.initial_atoms), set[int]()
    joins: list[tuple[Join, tuple[int, ...]]] = [(schema.every, ()) for schema in generator.whole]
    while joins:
        actions: set[Action] = set()
        for join, objects in joins:
            found: list[Action] = []
            join(found, limit - total, None, *objects)
            actions.update(found)
            if total + len(actions) >= limit:
                return limit
            look_at_clock()
        total += len(actions)
        new = {atom for action in actions for atom in effects[action[0]](action)[0]} - known
        known |= new
        generator.commit(new, frozenset())
        joins = [(each.every, each.objects) for atom in sorted(new) for each in generator.needed[atom]]
    return total
