"""Problem classes: training instances whose goals use the same predicates over the same types.

A landmark graph is learned for one class of problems (the paper's Section 3.1). A mixed training set
is reported by class, and can be split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.task import Task

GoalShape = tuple[tuple[str, tuple[str, ...]], ...]
"""The predicates of a goal, each with the types of its objects, sorted."""


@dataclass(frozen=True)
class ProblemClass:
    shape: GoalShape
    members: tuple[int, ...]
    """The positions of its instances in the training set."""

    def __str__(self) -> str:
        return ", ".join(f"({' '.join((predicate, *types))})" for predicate, types in self.shape) or "no goal"


def goal_shape(task: Task) -> GoalShape:
    """What the goal of an instance is about, without its objects."""
    declared = {
        each.name: "/".join(each.types) for each in (*task.domain.model.constants, *task.model.objects)
    }
    shapes: set[tuple[str, tuple[str, ...]]] = set()
    for atom in task.goal.positive:
        symbol, arguments = task.structure.decode(atom)
        types = tuple(declared[task.structure.objects[each]] for each in arguments)
        shapes.add((task.domain.vocabulary.symbols[symbol].name, types))
    return tuple(sorted(shapes))


def problem_classes(tasks: Sequence[Task]) -> list[ProblemClass]:
    """The classes in the order of their first instance."""
    members: dict[GoalShape, list[int]] = {}
    for position, task in enumerate(tasks):
        members.setdefault(goal_shape(task), []).append(position)
    return [ProblemClass(shape, tuple(positions)) for shape, positions in members.items()]
