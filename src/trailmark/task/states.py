"""The engine's states, made from our atoms instead of by its own successors."""

from __future__ import annotations

from collections.abc import Iterable

from trailmark.task.task import State, Task


class EngineStates:
    """Makes states of a task without numbers and axioms, for heuristics to look at.

    The engine numbers an atom when it first meets it. Preparing a relaxation heuristic grounds the task,
    so that every atom which can ever hold has been met.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        task.engine.heuristic("ff")
        self._atoms = {task.number_of(atom): atom for atom in task.engine.fluent_atoms()}
        self._numbers = list(task.initial_state.native.get_numeric_variables())

    def state(self, atoms: Iterable[int]) -> State:
        """The state in which exactly these fluent atoms hold."""
        natives = [self._atoms[atom] for atom in atoms]
        return State(self._task, self._task.engine.state(natives, self._numbers))
