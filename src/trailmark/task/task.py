"""A planning task: the one small view of it that the rest of the system has.

Reading a task needs no engine; the engine is started when states are first asked for. `State` and
`GroundAction` are thin handles that keep their engine alive.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from operator import methodcaller
from typing import Any

from trailmark.errors import EngineError, InputError
from trailmark.files import read_text
from trailmark.relational import Interpretation, Structure
from trailmark.task import canonical
from trailmark.task.atoms import AtomNumbers
from trailmark.task.costs import StepCost, step_cost, with_defined_costs
from trailmark.task.domain import Domain
from trailmark.task.engine import Engine
from trailmark.task.goal import Goal, goal_literals
from trailmark.task.grounding import estimated_ground_actions
from trailmark.task.model import (
    Assign,
    Atom,
    Comparison,
    DomainModel,
    Exists,
    Forall,
    ForallEffect,
    FunctionTerm,
    Not,
    Or,
    ProblemModel,
    When,
)
from trailmark.task.parser import parse_problem
from trailmark.task.plans import Step
from trailmark.task.walks import conditions_in, has_structure

GENERATIONS = ("auto", "lifted", "grounded")

GROUNDED_UP_TO = 5_000
"""`auto` grounds tasks with at most about this many ground actions: setting up takes up to a second there
and saves 20 to 1000 µs an expansion; beyond, lifted generation is used."""

_number = methodcaller("get_index")


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
        return self._task.atoms_of(self)

    @property
    def values(self) -> Mapping[FunctionTerm, float]:
        """The numeric functions that actions change."""
        return self._task.values_of(self)

    def __repr__(self) -> str:
        structure = self._task.structure
        return "<state " + " ".join(sorted(structure.atom_text(each) for each in self.atoms)) + ">"


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
        return self._task.step_of(self)

    def __str__(self) -> str:
        return str(self.step)

    def __repr__(self) -> str:
        return f"<action {self}>"


class Task:
    """A planning task of a domain. Load one with `Task.load(domain, problem)`."""

    def __init__(
        self, domain: Domain, model: ProblemModel, *, source: str = "<text>", generation: str = "auto"
    ) -> None:
        if generation not in GENERATIONS:
            raise InputError(
                f"unknown generation '{generation}'", hint=f"use one of {', '.join(GENERATIONS)}"
            )
        self.domain = domain
        self.model = model
        self.source = source
        self.generation = generation

    @classmethod
    def load(
        cls,
        domain: Domain | str | os.PathLike[str],
        problem: str | os.PathLike[str],
        *,
        generation: str = "auto",
    ) -> Task:
        """Reads a problem file, and the domain too where its path is given."""
        known = domain if isinstance(domain, Domain) else Domain.load(domain)
        return cls.parse(known, read_text(problem, "PDDL problem"), os.fspath(problem), generation=generation)

    @classmethod
    def parse(cls, domain: Domain, text: str, source: str = "<text>", *, generation: str = "auto") -> Task:
        return cls(domain, parse_problem(text, source, domain.model), source=source, generation=generation)

    def starting_from(self, atoms: frozenset[int], name: str) -> Task:
        """The same task from another state, given by its fluent atoms."""
        symbols, objects = self.domain.vocabulary.symbols, self.structure.objects
        facts = [fact for fact in self.model.initial_atoms if self.domain.vocabulary[fact.predicate].static]
        for atom in sorted(atoms):
            symbol, arguments = self.structure.decode(atom)
            if symbols[symbol].name not in self.domain.derived_predicates:
                facts.append(Atom(symbols[symbol].name, tuple(objects[each] for each in arguments)))
        model = replace(self.model, name=name, initial_atoms=tuple(facts))
        return Task(self.domain, model, source=self.source, generation=self.generation)

    def __repr__(self) -> str:
        return f"<task {self.name} of {self.domain.name}>"

    @property
    def name(self) -> str:
        return self.model.name

    # What is fixed

    @cached_property
    def object_types(self) -> Mapping[str, frozenset[str]]:
        """For every object the types it has, those above them included."""
        above = self.domain.supertypes
        entries = (*self.domain.model.constants, *self.model.objects)
        return {each.name: frozenset().union(*(above[kind] for kind in each.types)) for each in entries}

    @cached_property
    def structure(self) -> Structure:
        """The objects, and all atoms that no action changes: static facts, types, goal versions."""
        vocabulary = self.domain.vocabulary
        objects = tuple(self.object_types)
        bare = Structure(vocabulary, objects)
        static = {
            bare.atom(fact.predicate, *fact.terms)
            for fact in self.model.initial_atoms
            if vocabulary[fact.predicate].static
        }
        types = {each.name for each in vocabulary.symbols if each.is_type}
        for name, kinds in self.object_types.items():
            static.update(bare.atom(kind, name) for kind in kinds if kind in types)
        versions = {each.goal_of: each.name for each in vocabulary.symbols if each.goal_of}
        for fact in goal_literals(self.model.goal)[0]:
            static.add(bare.atom(versions[fact.predicate], *fact.terms))
        return Structure(vocabulary, objects, frozenset(static))

    @cached_property
    def goal(self) -> Goal:
        positive, negative, conjunctive = goal_literals(self.model.goal)
        encode = self.structure.atom
        return Goal(
            self.model.goal,
            frozenset(encode(each.predicate, *each.terms) for each in positive),
            frozenset(encode(each.predicate, *each.terms) for each in negative),
            conjunctive,
        )

    @cached_property
    def initial_atoms(self) -> frozenset[int]:
        """The fluent facts of the problem; derived atoms are not among them."""
        vocabulary = self.domain.vocabulary
        return frozenset(
            self.structure.atom(fact.predicate, *fact.terms)
            for fact in self.model.initial_atoms
            if not vocabulary[fact.predicate].static
        )

    @property
    def initial_interpretation(self) -> Interpretation:
        """The initial state as the features read it; without axioms no engine is needed for it."""
        if self.domain.model.axioms:
            return self.interpretation(self.initial_state)
        values = {term.function: value for term, value in self.model.initial_values if not term.terms}
        return Interpretation(self.initial_atoms, values)

    @cached_property
    def goal_predicates(self) -> frozenset[str]:
        """The predicates in the goal's positive atoms (Definition 1 counts them over instances)."""
        return frozenset(each.predicate for each in goal_literals(self.model.goal)[0])

    # States

    @cached_property
    def engine(self) -> Engine:
        """The native side of the task, started at first use."""
        grounded = self._groundable and (
            self.generation == "grounded"
            or (self.generation == "auto" and estimated_ground_actions(self) <= GROUNDED_UP_TO)
        )
        return Engine(*canonical.engine_texts(*self.searched, self.object_types), grounded=grounded)

    @cached_property
    def searched(self) -> tuple[DomainModel, ProblemModel]:
        """The models that successors are generated by: that a cost has a value is a precondition."""
        return with_defined_costs(self)

    @cached_property
    def initial_state(self) -> State:
        return State(self, self.engine.initial_state())

    def successors(self, state: State) -> list[tuple[GroundAction, State, float]]:
        """Every applicable action with the state it leads to and its cost, by the actions' numbers."""
        native = state.native
        reach = self.engine.repository.get_or_create_successor_state
        try:
            found = [
                (GroundAction(self, action), State(self, reached), cost)
                for action in self._applicable(native)
                for reached, cost in (reach(native, action, 0.0),)
            ]
        except (RuntimeError, ValueError) as problem:
            raise EngineError(f"the engine failed on a state: {problem}") from None
        if self._step_cost is None:
            return found
        costs = [self._step_cost(state, action) for action, _, _ in found]
        return [
            (action, reached, cost)
            for (action, reached, _), cost in zip(found, costs, strict=True)
            if cost is not None
        ]

    def actions(self, state: State) -> list[GroundAction]:
        """Every applicable action; some have no meaning where numbers are assigned, see `apply`."""
        try:
            return [GroundAction(self, action) for action in self._applicable(state.native)]
        except (RuntimeError, ValueError) as problem:
            raise EngineError(f"the engine failed on a state: {problem}") from None

    def _applicable(self, native: Any) -> list[Any]:
        """The engine's grounded generator gives actions in another order each time a task is read;
        their numbers are always the same."""
        return sorted(self.engine.generator.generate_applicable_actions(native), key=_number)

    def apply(self, state: State, action: GroundAction) -> tuple[State, float] | None:
        """The state after an applicable action and its cost; None where the step has no meaning."""
        reach = self.engine.repository.get_or_create_successor_state
        reached, cost = reach(state.native, action.native, 0.0)
        if self._step_cost is not None:
            cost = self._step_cost(state, action)
        return None if cost is None else (State(self, reached), cost)

    def is_goal(self, state: State) -> bool:
        return self.engine.goal_holds(state.native)

    def atoms_of(self, state: State) -> frozenset[int]:
        atoms = frozenset(map(self._fluent_atoms.__getitem__, state.native.get_fluent_atoms()))
        if self.domain.model.axioms:
            derived = map(self._derived_atoms.__getitem__, state.native.get_derived_atoms())
            return atoms | {each for each in derived if each >= 0}
        return atoms

    def number_of(self, native: Any) -> int:
        """Our number of the engine's fluent atom."""
        return self._fluent_atoms[native.get_index()]

    def values_of(self, state: State) -> dict[FunctionTerm, float]:
        return dict(zip(self._function_terms, state.native.get_numeric_variables(), strict=False))

    def interpretation(self, state: State) -> Interpretation:
        """The state as the features read it."""
        if not self._nullary_values:
            return Interpretation(state.atoms)
        changed = {term.function: value for term, value in state.values.items() if not term.terms}
        return Interpretation(state.atoms, {**self._nullary_values, **changed})

    def change(
        self, present: frozenset[int], action: GroundAction, reached: State
    ) -> tuple[list[int], list[int]]:
        """The atoms the action added to and deleted from the state with these atoms, net."""
        if not self.has_plain_effects:
            after = reached.atoms
            return sorted(after - present), sorted(present - after)
        adds, deletes = self.effects(action)
        added = [atom for atom in adds if atom not in present]
        return added, [atom for atom in deletes if atom in present and atom not in adds]

    def step_of(self, action: GroundAction) -> Step:
        schema = self.domain.model.actions[int(action.native.get_action().get_name()[1:])]
        objects = self.structure.objects
        arguments = [objects[int(each.get_name()[1:])] for each in action.native.get_objects()]
        return Step(schema.name, tuple(arguments[: len(schema.parameters)]))

    def effects(self, action: GroundAction) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The atoms an action with plain effects adds and deletes, whatever holds before."""
        native = action.native
        index = native.get_index()
        known = self._effect_table.get(index)
        if known is None:
            table = self._fluent_atoms.__getitem__
            changes = [each.get_conjunctive_effect() for each in native.get_conditional_effects()]
            known = (
                tuple(table(each) for change in changes for each in change.get_positive_effects()),
                tuple(table(each) for change in changes for each in change.get_negative_effects()),
            )
            self._effect_table[index] = known
        return known

    @cached_property
    def _effect_table(self) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
        return {}

    @cached_property
    def _fluent_atoms(self) -> AtomNumbers:
        return AtomNumbers(self.structure, self.engine.fluent_atom)

    @cached_property
    def _derived_atoms(self) -> AtomNumbers:
        return AtomNumbers(self.structure, self.engine.derived_atom)

    @cached_property
    def _function_terms(self) -> tuple[FunctionTerm, ...]:
        """The numeric functions that actions change, in the order of the engine's variables."""
        functions, objects = self.domain.model.functions, self.structure.objects
        terms: dict[int, FunctionTerm] = {}
        for index, name, arguments in self.engine.fluent_functions():
            terms[index] = FunctionTerm(
                functions[int(name[1:])].name, tuple(objects[int(each[1:])] for each in arguments)
            )
        return tuple(terms[index] for index in sorted(terms))

    @cached_property
    def _nullary_values(self) -> Mapping[str, float]:
        """The initial values of the functions that features can read."""
        readable = self.domain.vocabulary.functions
        return {
            term.function: value for term, value in self.model.initial_values if term.function in readable
        }

    @cached_property
    def has_plain_effects(self) -> bool:
        """No conditional or quantified effect and no axiom: an action's change is its effect lists."""
        model = self.domain.model
        return not model.axioms and not any(
            isinstance(effect, When | ForallEffect) for action in model.actions for effect in action.effects
        )

    @cached_property
    def _groundable(self) -> bool:
        """Whether the engine's grounded generation is right. With axioms it loses actions, and with
        numbers it admits steps that change one in two ways at once; these tasks stay lifted."""
        model = self.domain.model
        return not model.axioms and not any(
            isinstance(part, Or | Exists | Forall | Comparison)
            or (isinstance(part, Assign) and part.target.function != canonical.TOTAL_COST)
            or (isinstance(part, Not) and has_structure(part))
            for part in conditions_in(model, self.model)
        )

    @cached_property
    def _step_cost(self) -> StepCost | None:
        """None where the engine is right about costs and about the steps that have a meaning."""
        return step_cost(self)
