"""Guards in a search: states where one holds are left out, because no plan goes through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trailmark.features.incremental import bind
from trailmark.features.incremental.evaluation import moved
from trailmark.features.incremental.relevance import Relevance
from trailmark.landmarks.functions import StateDescriptor
from trailmark.relational import Interpretation
from trailmark.search.leap.views import READ, Marks
from trailmark.task import Task


class Guards:
    """The guards that do not hold in the base, and must not hold around it.

    One that holds there already is wrong or too late, and forbids nothing.
    """

    def __init__(self, task: Task, guards: Sequence[StateDescriptor]) -> None:
        self._guards = guards
        evaluator = bind([guard.feature for guard in guards], task.structure)
        numbers = {term.function: value for term, value in task.model.initial_values if not term.terms}
        self._evaluation = evaluator.start(Interpretation(task.initial_atoms, numbers))
        self._marks = Marks(task.structure, Relevance(evaluator), frozenset())
        self.restore()

    def restore(self) -> None:
        """Watch every guard that does not hold in the base."""
        values = self._evaluation.values
        self._watched = [
            (place, guard) for place, guard in enumerate(self._guards) if not guard.holds(values[place])
        ]

    def lift(self) -> None:
        """Watch none until the next commit."""
        self._watched = []

    @property
    def watching(self) -> bool:
        return bool(self._watched)

    def touched(self, atoms: Iterable[int]) -> bool:
        """Whether a change of these atoms may make a guard hold."""
        marks = self._marks
        return any(marks[atom] for atom in atoms)

    def hold(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a guard holds in the state with this difference to the base."""
        marks = self._marks
        values = self._evaluation.values_after(
            [atom for atom in added if marks[atom] & READ], [atom for atom in deleted if marks[atom] & READ]
        )
        return any(guard.holds(values[place]) for place, guard in self._watched)

    def commit(self, added: set[int], deleted: set[int]) -> None:
        marks = self._marks
        gained = [atom for atom in added if marks[atom] & READ]
        lost = [atom for atom in deleted if marks[atom] & READ]
        if gained or lost:
            self._evaluation = moved(self._evaluation, gained, lost)
        self.restore()
