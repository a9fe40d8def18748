"""The planning engine, contained: one owner of all that is native of one problem.

Known traps of pymimir, and where they are caught: its grounder prints every atom on C's stdout
(`silenced`); an object that outlives its problem crashes the process (every native object is kept
with its `Engine`, and every `State` and `GroundAction` keeps the engine); its errors are of foreign
types (`translated`); names it rejects never reach it (`canonical`).
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import product
from math import isnan
from typing import TYPE_CHECKING, Any

from pymimir.advanced import formalism
from pymimir.advanced import search as native

from trailmark.errors import EngineError, MemoryLimitError
from trailmark.relational import Structure
from trailmark.task.executor import Executor
from trailmark.task.model import ActionSchema, DomainModel, FunctionTerm
from trailmark.task.plans import Step

if TYPE_CHECKING:
    from trailmark.task.states import State
    from trailmark.task.task import Task

_stdout_lock = threading.Lock()

Effects = tuple[tuple[int, ...], tuple[int, ...]]
"""The atoms that an action adds and deletes."""


@contextmanager
def silenced() -> Iterator[None]:
    """Sends what native code prints on file descriptor 1 to nowhere meanwhile."""
    with _stdout_lock:
        with suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
        try:
            saved = os.dup(1)
        except OSError:
            # There is no stdout, so nothing can be printed on it.
            yield
            return
        sink = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(sink, 1)
            yield
        finally:
            os.dup2(saved, 1)
            os.close(saved)
            os.close(sink)


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turns whatever the engine raises into our own errors."""
    try:
        yield
    except MemoryError:
        raise MemoryLimitError(f"out of memory while {what}") from None
    except (RuntimeError, ValueError, TypeError, IndexError) as problem:
        text = " ".join(str(problem).split())
        if "bad_alloc" in text:
            raise MemoryLimitError(f"out of memory while {what}") from None
        raise EngineError(f"the engine failed while {what}: {text[:300]}") from None


@lru_cache(maxsize=1)
def _parser(domain_text: str) -> Any:
    """A domain is read once for all of its problems that follow one another, as windows of a plan do."""
    return formalism.Parser(domain_text, "", formalism.ParserOptions())


class Engine:
    """Everything native of one problem, alive as long as this object is, and what its states and actions are
    in our numbers; `canonical` gave everything its name."""

    def __init__(self, task: Task, *, grounded: bool) -> None:
        domain_text, problem_text = task.engine_texts
        self.grounded = grounded
        with translated("reading the task"), silenced():
            self.parser = _parser(domain_text)
            self.problem = self.parser.parse_problem(problem_text, "", formalism.ParserOptions())
            mode = (
                native.GroundedOptions()
                if grounded
                else native.LiftedOptions(native.LiftedKPKCOptions(native.SymmetryPruning.OFF))
            )
            self.context = native.SearchContext.create(self.problem, native.SearchContextOptions(mode))
            self.repository = self.context.get_state_repository()
            self.generator = self.context.get_applicable_action_generator()
            self.repositories = self.problem.get_repositories()
            self._goal = native.ProblemGoalStrategy.create(self.problem)
            self.static_goal_holds = bool(self._goal.test_static_goal())
        self._grounder: Any = None
        self.ground_actions: int | None = None
        """How many there are, once they were counted."""
        self._heuristics: dict[str, Any] = {}
        self._model, self._structure = task.domain.model, task.structure
        self._fluent = _AtomNumbers(task.structure, self.repositories.get_fluent_ground_atom)
        self._derived = _AtomNumbers(task.structure, self.repositories.get_derived_ground_atom)
        self._functions = FunctionTerms(self._model, task.structure, self)
        self._effects: dict[int, Effects] = {}

    def initial_state(self) -> Any:
        with translated("making the initial state"):
            return self.repository.get_or_create_initial_state()[0]

    def state(self, atoms: list[Any], numbers: list[float]) -> Any:
        """The state with these fluent atoms and values of numeric functions."""
        with translated("making a state"):
            return self.repository.get_or_create_state(formalism.FluentGroundAtomList(atoms), numbers)[0]

    def variables(self, count: int) -> Any:
        variables = [self.problem.get_or_create_variable(f"?x{place}", place) for place in range(count)]
        return formalism.TermList([self.problem.get_or_create_term(variable) for variable in variables])

    def is_applicable(self, action: Any, state: Any) -> bool:
        return bool(native.is_applicable(action, state))

    def goal_holds(self, state: Any) -> bool:
        """Both halves of the goal: the engine's dynamic test alone accepts a statically false goal."""
        return self.static_goal_holds and bool(self._goal.test_dynamic_goal(state))

    def goal_condition(self) -> Any:
        """The goal for an estimate. One that is given none reads the last it was given."""
        return self.problem.get_goal_condition()

    def condition(self, positive: list[Any], negative: list[Any]) -> Any:
        """The conjunction in which these fluent atoms hold, and those do not, for an estimate."""
        with translated("making a condition"):
            literals = [self._literal(atom, True) for atom in positive]
            literals += [self._literal(atom, False) for atom in negative]
            return self.problem.get_or_create_ground_conjunctive_condition(
                formalism.StaticGroundLiteralList(),
                formalism.FluentGroundLiteralList(literals),
                formalism.DerivedGroundLiteralList(),
                formalism.GroundNumericConstraintList(),
            )

    def _literal(self, atom: Any, polarity: bool) -> Any:
        """The engine makes a ground literal of one with variables."""
        problem = self.problem
        terms = self.variables(atom.get_arity())
        lifted = problem.get_or_create_literal(
            polarity, problem.get_or_create_atom(atom.get_predicate(), terms)
        )
        return problem.ground(lifted, atom.get_objects())

    @property
    def is_grounded(self) -> bool:
        """Whether the grounder behind the relaxation heuristics is built."""
        return self._grounder is not None

    def heuristic(self, name: str) -> Any:
        """The native `hadd`, `hmax` or `ff`; the grounder behind them is built once."""
        if name not in self._heuristics:
            kinds = {"hadd": native.AddHeuristic, "hmax": native.MaxHeuristic, "ff": native.FFHeuristic}
            with translated("preparing a heuristic"), silenced():
                if self._grounder is None:
                    self._grounder = native.LiftedGrounder(self.problem)
                self._heuristics[name] = kinds[name].create(self._grounder)
        return self._heuristics[name]

    def atoms(self, state: Any) -> frozenset[int]:
        atoms = frozenset(map(self._fluent.__getitem__, state.get_fluent_atoms()))
        if self._model.axioms:
            derived = map(self._derived.__getitem__, state.get_derived_atoms())
            return atoms | {atom for atom in derived if atom >= 0}
        return atoms

    def values(self, state: Any) -> dict[FunctionTerm, float]:
        numbers = enumerate(state.get_numeric_variables())
        return {self._functions[index]: number for index, number in numbers if not isnan(number)}

    def step(self, action: Any) -> Step:
        schema = self._model.actions[int(action.get_action().get_name()[1:])]
        objects, arguments = self._structure.objects, action.get_objects()[: len(schema.parameters)]
        return Step(schema.name, tuple([objects[int(argument.get_name()[1:])] for argument in arguments]))

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
        found = self.repositories.get_fluent_ground_atoms()
        return {self._fluent[atom.get_index()]: atom for atom in found}


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


class FunctionTerms(dict[int, FunctionTerm]):
    """The numeric functions that actions change, by the engine's number.

    One that has no value at first gets its number when an action gives it one; all are looked up then.
    """

    def __init__(self, model: DomainModel, structure: Structure, engine: Engine) -> None:
        super().__init__()
        self._model, self._objects, self._engine = model, structure.objects, engine
        for value in engine.problem.get_fluent_function_values():
            self._note(value.get_function())

    def __missing__(self, index: int) -> FunctionTerm:
        problem = self._engine.problem
        objects = [problem.get_problem_or_domain_object(f"o{place}") for place in range(len(self._objects))]
        for kind in problem.get_domain().get_fluent_functions():
            arity = self._model.functions[int(kind.get_name()[1:])].arity
            lifted = problem.get_or_create_function(kind, self._engine.variables(arity))
            for named in product(objects, repeat=arity):
                self._note(problem.ground(lifted, formalism.ObjectList(list(named))))
        return self[index]

    def _note(self, function: Any) -> None:
        name = self._model.functions[int(function.get_function_skeleton().get_name()[1:])].name
        objects = tuple(self._objects[int(place.get_name()[1:])] for place in function.get_objects())
        self[function.get_index()] = FunctionTerm(name, objects)


class Overlooked:
    """The native actions of the schemas that the engine may overlook (`walks.may_be_overlooked`). It applies
    them right. Slow: every binding is tried."""

    def __init__(self, task: Task, schemas: Iterable[ActionSchema]) -> None:
        self._problem = problem = task.engine.problem
        positions = {schema.name: place for place, schema in enumerate(task.domain.model.actions)}
        natives = {action.get_name(): action for action in problem.get_domain().get_actions()}
        self._schemas = [(schema, natives[f"a{positions[schema.name]}"]) for schema in schemas]
        self._objects = {
            name: problem.get_problem_or_domain_object(f"o{place}")
            for place, name in enumerate(task.object_types)
        }
        self._executor = Executor(task)

    def applicable(self, state: State) -> Iterator[Any]:
        """The applicable ones; steps that would change a number in two ways at once are among them."""
        world = self._executor.world(state)
        for schema, action in self._schemas:
            for binding in self._executor.bindings(schema.parameters, {}):
                if self._executor.holds(schema.precondition, binding, world):
                    arguments = [self._objects[binding[parameter.name]] for parameter in schema.parameters]
                    yield self._problem.ground(action, formalism.ObjectList(arguments))
