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
from itertools import product
from typing import TYPE_CHECKING, Any

from pymimir.advanced import formalism
from pymimir.advanced import search as native

from trailmark.errors import EngineError, InputError, MemoryLimitError
from trailmark.relational import Structure
from trailmark.task.executor import Executor
from trailmark.task.model import ActionSchema, DomainModel, FunctionTerm

if TYPE_CHECKING:
    from trailmark.task.states import State
    from trailmark.task.task import Task

_stdout_lock = threading.Lock()


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


class Engine:
    """Everything native of one problem, alive as long as this object is."""

    def __init__(self, domain_text: str, problem_text: str, *, grounded: bool) -> None:
        self.grounded = grounded
        with translated("reading the task"), silenced():
            self.parser = formalism.Parser(domain_text, "", formalism.ParserOptions())
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

    def initial_state(self) -> Any:
        with translated("making the initial state"):
            return self.repository.get_or_create_initial_state()[0]

    def fluent_atom(self, index: int) -> Any:
        return self.repositories.get_fluent_ground_atom(index)

    def fluent_atoms(self) -> list[Any]:
        """All that the engine has met so far."""
        return list(self.repositories.get_fluent_ground_atoms())

    def state(self, atoms: list[Any], numbers: list[float]) -> Any:
        """The state with these fluent atoms and values of numeric functions."""
        with translated("making a state"):
            return self.repository.get_or_create_state(formalism.FluentGroundAtomList(atoms), numbers)[0]

    def derived_atom(self, index: int) -> Any:
        return self.repositories.get_derived_ground_atom(index)

    def fluent_functions(self) -> list[tuple[int, str, list[str]]]:
        """The numeric functions that actions change, with a value at first: index, name and objects."""
        found = []
        for value in self.problem.get_fluent_function_values():
            function = value.get_function()
            objects = [place.get_name() for place in function.get_objects()]
            found.append((function.get_index(), function.get_function_skeleton().get_name(), objects))
        return found

    def fluent_function_names(self) -> list[str]:
        return [kind.get_name() for kind in self.problem.get_domain().get_fluent_functions()]

    def function_index(self, name: str, objects: list[str]) -> int:
        """The number of a numeric function that actions change, made from one with variables."""
        problem = self.problem
        kinds = problem.get_domain().get_fluent_functions()
        (kind,) = (kind for kind in kinds if kind.get_name() == name)
        named = list(map(problem.get_problem_or_domain_object, objects))
        lifted = problem.get_or_create_function(kind, self._variables(len(objects)))
        return int(problem.ground(lifted, formalism.ObjectList(named)).get_index())

    def _variables(self, count: int) -> Any:
        variables = [self.problem.get_or_create_variable(f"?x{place}", place) for place in range(count)]
        return formalism.TermList([self.problem.get_or_create_term(variable) for variable in variables])

    def function_terms(self, model: DomainModel, structure: Structure) -> FunctionTerms:
        return FunctionTerms(model, structure, self)

    def overlooked(self, task: Task, schemas: Iterable[ActionSchema]) -> Overlooked:
        return Overlooked(task, schemas)

    def ground_action(self, action: Any, objects: list[Any]) -> Any:
        return self.problem.ground(action, formalism.ObjectList(objects))

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
        terms = self._variables(atom.get_arity())
        lifted = problem.get_or_create_literal(
            polarity, problem.get_or_create_atom(atom.get_predicate(), terms)
        )
        return problem.ground(lifted, atom.get_objects())

    @property
    def is_grounded(self) -> bool:
        """Whether the grounder behind the relaxation heuristics is built."""
        return self._grounder is not None

    def heuristic(self, name: str) -> Any:
        """The native heuristic of this name; the grounder behind it is built once."""
        if name not in self._heuristics:
            kinds = {
                "hadd": native.AddHeuristic,
                "hmax": native.MaxHeuristic,
                "ff": native.FFHeuristic,
            }
            if name != "blind" and name not in kinds:
                known = ", ".join(("blind", *kinds))
                raise InputError(f"the engine has no heuristic '{name}'", hint=f"use one of {known}")
            with translated("preparing a heuristic"), silenced():
                if name == "blind":
                    self._heuristics[name] = native.BlindHeuristic.create(self.problem)
                else:
                    if self._grounder is None:
                        self._grounder = native.LiftedGrounder(self.problem)
                    self._heuristics[name] = kinds[name].create(self._grounder)
        return self._heuristics[name]


class FunctionTerms(dict[int, FunctionTerm]):
    """The numeric functions that actions change, by the engine's number.

    One that has no value at first gets its number when an action gives it one; all are looked up then.
    """

    def __init__(self, model: DomainModel, structure: Structure, engine: Engine) -> None:
        super().__init__()
        self._model = model
        self._objects = structure.objects
        self._engine = engine
        for index, name, arguments in engine.fluent_functions():
            self[index] = self._term(name, arguments)

    def __missing__(self, index: int) -> FunctionTerm:
        for name in self._engine.fluent_function_names():
            arity = self._model.functions[int(name[1:])].arity
            for places in product(range(len(self._objects)), repeat=arity):
                arguments = [f"o{place}" for place in places]
                self[self._engine.function_index(name, arguments)] = self._term(name, arguments)
        return self[index]

    def _term(self, name: str, arguments: list[str]) -> FunctionTerm:
        function = self._model.functions[int(name[1:])].name
        return FunctionTerm(function, tuple(self._objects[int(argument[1:])] for argument in arguments))


class Overlooked:
    """The native actions of the schemas that the engine may overlook (`walks.may_be_overlooked`). It applies
    them right. Slow: every binding is tried."""

    def __init__(self, task: Task, schemas: Iterable[ActionSchema]) -> None:
        engine = task.engine
        positions = {schema.name: place for place, schema in enumerate(task.domain.model.actions)}
        natives = {action.get_name(): action for action in engine.problem.get_domain().get_actions()}
        self._schemas = [(schema, natives[f"a{positions[schema.name]}"]) for schema in schemas]
        self._objects = {
            name: engine.problem.get_problem_or_domain_object(f"o{place}")
            for place, name in enumerate(task.object_types)
        }
        self._executor = Executor(task)
        self._engine = engine

    def applicable(self, state: State) -> Iterator[Any]:
        """The applicable ones; steps that would change a number in two ways at once are among them."""
        world = self._executor.world(state)
        for schema, action in self._schemas:
            for binding in self._executor.bindings(schema.parameters, {}):
                if self._executor.holds(schema.precondition, binding, world):
                    arguments = [self._objects[binding[parameter.name]] for parameter in schema.parameters]
                    yield self._engine.ground_action(action, arguments)
