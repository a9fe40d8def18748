"""States and ground actions: thin handles on the engine's own, and their translation into our atoms.

A handle keeps its task, and with it the engine, alive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trailmark.relational import Structure
from trailmark.task.engine import Engine
from trailmark.task.model import DomainModel, FunctionTerm
from trailmark.task.plans import Step

if TYPE_CHECKING:
    from trailmark.task.task import Task

Effects = tuple[tuple[int, ...], tuple[int, ...]]
"""The atoms that an action adds and deletes."""


class State:
    """A state of a task: hashable, and valid as long as you keep it."""

    __slots__ = ("_task", "native")

    def __init__(self, task: Task, native: Any) -> None:
        self._task = task
        self.native = native

    def __hash__(self) -> int:
        return hash(self.native)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._task is other._task and bool(self.native == other.native)

    @property
    def index(self) -> int:
        """States are numbered in the order the task first saw them."""
        return int(self.native.get_index())

    @property
    def atoms(self) -> frozenset[int]:
        """The fluent and derived atoms that hold, numbered as in the task's structure."""
        return self._task.translation.atoms(self.native)

    @property
    def values(self) -> Mapping[FunctionTerm, float]:
        """The numeric functions that actions change."""
        return self._task.translation.values(self.native)

    def __repr__(self) -> str:
        structure = self._task.structure
        return "<state " + " ".join(sorted(structure.atom_text(atom) for atom in self.atoms)) + ">"


class GroundAction:
    """An action with its objects."""

    __slots__ = ("_task", "native")

    def __init__(self, task: Task, native: Any) -> None:
        self._task = task
        self.native = native

    @property
    def index(self) -> int:
        """Actions are numbered in the order the task first saw them."""
        return int(self.native.get_index())

    @property
    def step(self) -> Step:
        return self._task.translation.step(self.native)

    def __str__(self) -> str:
        return str(self.step)

    def __repr__(self) -> str:
        return f"<action {self}>"


class Translation:
    """What the engine's states and actions are in our numbers; `canonical` gave everything its name."""

    def __init__(self, model: DomainModel, structure: Structure, engine: Engine) -> None:
        self._model = model
        self._structure = structure
        self._engine = engine
        self._fluent = _AtomNumbers(structure, engine.fluent_atom)
        self._derived = _AtomNumbers(structure, engine.derived_atom)
        self._effects: dict[int, Effects] = {}

    def atoms(self, state: Any) -> frozenset[int]:
        atoms = frozenset(map(self._fluent.__getitem__, state.get_fluent_atoms()))
        if self._model.axioms:
            derived = map(self._derived.__getitem__, state.get_derived_atoms())
            return atoms | {atom for atom in derived if atom >= 0}
        return atoms

    def values(self, state: Any) -> dict[FunctionTerm, float]:
        return dict(zip(self._function_terms, state.get_numeric_variables(), strict=False))

    def step(self, action: Any) -> Step:
        schema = self._model.actions[int(action.get_action().get_name()[1:])]
        arguments = self._objects([parameter.get_name() for parameter in action.get_objects()])
        return Step(schema.name, arguments[: len(schema.parameters)])

    def effects(self, action: Any) -> Effects:
        """The atoms an action with plain effects adds and deletes, whatever holds before."""
        index = action.get_index()
        known = self._effects.get(index)
        if known is None:
            number = self._fluent.__getitem__
            changes = [effect.get_conjunctive_effect() for effect in action.get_conditional_effects()]
            known = self._effects[index] = (
                tuple(number(atom) for change in changes for atom in change.get_positive_effects()),
                tuple(number(atom) for change in changes for atom in change.get_negative_effects()),
            )
        return known

    def fluent_atoms(self) -> dict[int, Any]:
        """The fluent atoms that the engine has met so far, by our number."""
        return {self._fluent[atom.get_index()]: atom for atom in self._engine.fluent_atoms()}

    @cached_property
    def _function_terms(self) -> tuple[FunctionTerm, ...]:
        """The numeric functions that actions change, in the order of the engine's variables."""
        terms = {
            index: FunctionTerm(self._model.functions[int(name[1:])].name, self._objects(arguments))
            for index, name, arguments in self._engine.fluent_functions()
        }
        return tuple(terms[index] for index in sorted(terms))

    def _objects(self, names: list[str]) -> tuple[str, ...]:
        return tuple(self._structure.objects[int(name[1:])] for name in names)


class _AtomNumbers(dict[int, int]):
    """The engine's atom numbers to ours, filled as atoms are first met; -1 for the engine's own."""

    def __init__(self, structure: Structure, look_up: Any) -> None:
        super().__init__()
        self._structure = structure
        self._look_up = look_up

    def __missing__(self, index: int) -> int:
        atom = self._look_up(index)
        name = atom.get_predicate().get_name()
        known = -1
        if name[0] == "p" and name[1:].isdigit():
            objects = [int(argument.get_name()[1:]) for argument in atom.get_objects()]
            known = self._structure.encode(int(name[1:]), objects)
        self[index] = known
        return known


class EngineStates:
    """Makes states of a task without numbers and axioms, for heuristics to look at.

    The engine numbers an atom when it first meets it. Preparing a relaxation heuristic grounds the task,
    so that every atom which can ever hold has been met.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        task.engine.heuristic("ff")
        self._atoms = task.translation.fluent_atoms()
        self._numbers = list(task.initial_state.native.get_numeric_variables())

    def state(self, atoms: Iterable[int]) -> State:
        """The state in which exactly these fluent atoms hold."""
        natives = [self._atoms[atom] for atom in atoms]
        return State(self._task, self._task.engine.state(natives, self._numbers))
