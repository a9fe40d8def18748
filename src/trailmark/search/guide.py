"""LM-G, the generalized landmark counting heuristic (Algorithm 1), as a guide of best-first search.

A guide gives each new state a mark from its parent's mark, and a value to add to the heuristic. The
landmark status is path-dependent: the first path to a state sets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trailmark.features.incremental import Evaluation, bind
from trailmark.landmarks.graph import LandmarkGraph, h_max
from trailmark.landmarks.progression import Policy, Progression, Status
from trailmark.task.task import State, Task


class Mark(NamedTuple):
    """What LM-G remembers of a state."""

    value: int
    """LM-G: landmarks still to be achieved."""
    status: Status
    evaluation: Evaluation
    """An evaluation of the parent's features, from which this state's follows."""
    added: Sequence[int]
    deleted: Sequence[int]
    looped: bool
    """Whether a loop was traversed in this very state."""


class LandmarkGuide:
    """Follows a landmark graph through the states of a search."""

    def __init__(self, task: Task, graph: LandmarkGraph, policy: Policy = Policy.LEAVE) -> None:
        self.task = task
        # A guard is learned and may be wrong, and LM-G prunes nothing: the search stays complete.
        self.graph = graph.without_guards
        self.progression = Progression(self.graph, policy)
        self._evaluator = bind(self.graph.features, task.structure)
        self.maximum = 0

    def start(self, state: State) -> Mark:
        evaluation = self._evaluator.start(self.task.interpretation(state))
        self.maximum = h_max(self.graph, evaluation.values)
        return Mark(self.maximum, self.progression.start(evaluation.values), evaluation, (), (), False)

    def evaluation(self, mark: Mark) -> Evaluation:
        """The evaluation of the marked state itself, made when the state is expanded."""
        if not mark.added and not mark.deleted:
            return mark.evaluation
        return mark.evaluation.after(mark.added, mark.deleted)

    def step(
        self, parent: Mark, evaluation: Evaluation, added: Sequence[int], deleted: Sequence[int]
    ) -> Mark:
        """The mark of a successor that differs by these atoms from its expanded parent."""
        values = evaluation.values_after(added, deleted)
        before = parent.status
        after = self.progression.step(before, values)
        if after is before:
            return Mark(parent.value, before, evaluation, added, deleted, False)
        looped = after.traversals != before.traversals
        return Mark(max(0, self.maximum - after.accepted), after, evaluation, added, deleted, looped)
