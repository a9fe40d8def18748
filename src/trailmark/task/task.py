"""A planning task: the one small view of it that the rest of the system has.

Reading a task needs no engine; the engine is started when states are first asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from trailmark.errors import EngineError
from trailmark.files import read_text
from trailmark.limits import uncollected
from trailmark.relational import Interpretation, Structure
from trailmark.task import canonical, walks
from trailmark.task.costs import StepCost, check_metric, metric_test, step_cost, with_defined_costs
from trailmark.task.domain import Domain
from trailmark.task.model import Atom, DomainModel, ProblemModel
from trailmark.task.parser import parse_problem
from trailmark.task.states import GroundAction, State

if TYPE_CHECKING:
    from trailmark.task.engine import Engine, Overlooked

GROUNDED_UP_TO = 5_000
"""`auto` grounds tasks with at most about this many ground actions: setting up takes up to a second there
and saves 20 to 1000 µs an expansion; beyond, lifted generation is used."""

_number = methodcaller("get_index")


@dataclass(frozen=True)
class Goal:
    """The goal; `positive` and `negative` are the atoms of its conjunction, static ones included."""

    positive: frozenset[int]
    negative: frozenset[int]
    conjunctive: bool
    """Whether the atoms are the whole goal: it is a conjunction of literals, and the metric has a value."""


class Task:
    """A planning task of a domain. Load one with `Task.load(domain, problem)`."""

    generation = "auto"
    """How the engine finds successors. `lifted` or `grounded` is set before a state is asked for."""

    def __init__(self, domain: Domain, model: ProblemModel, *, source: str = "<text>") -> None:
        self.domain = domain
        self.model = model
        self.source = source
        self.text: str | None = None
        """What it was read from, where it was."""

    @classmethod
    def load(cls, domain: Domain | str | os.PathLike[str], problem: str | os.PathLike[str]) -> Task:
        """Reads a problem file, and the domain too where its path is given."""
        known = domain if isinstance(domain, Domain) else Domain.load(domain)
        return cls.parse(known, read_text(problem, "PDDL problem"), os.fspath(problem))

    @classmethod
    def parse(cls, domain: Domain, text: str, source: str = "<text>") -> Task:
        with uncollected():
            model = parse_problem(text, source, domain.model)
        task = cls(domain, model, source=source)
        task.text = text
        check_metric(domain.model, task.model, source)
        return task

    def starting_from(self, atoms: frozenset[int], name: str) -> Task:
        """The same task from another state, given by its fluent atoms."""
        facts = [fact for fact in self.model.initial_atoms if self.domain.vocabulary[fact.predicate].static]
        for atom in sorted(atoms):
            predicate, *objects = self.structure.named(atom)
            if predicate not in self.domain.derived_predicates:
                facts.append(Atom(predicate, tuple(objects)))
        model = replace(self.model, name=name, initial_atoms=tuple(facts))
        return Task(self.domain, model, source=self.source)

    def __repr__(self) -> str:
        return f"<task {self.name} of {self.domain.name}>"

    def __getstate__(self) -> dict[str, Any]:
        """What was read; the engine and what was computed stay behind where a task is sent elsewhere."""
        return {name: self.__dict__[name] for name in ("domain", "model", "source", "text")}

    @property
    def name(self) -> str:
        return self.model.name

    @cached_property
    def object_types(self) -> Mapping[str, frozenset[str]]:
        """For every object the types it has, those above them included."""
        above = self.domain.supertypes
        entries = (*self.domain.model.constants, *self.model.objects)
        return {entry.name: frozenset().union(*(above[kind] for kind in entry.types)) for entry in entries}

    def objects_of(self, types: tuple[str, ...]) -> list[str]:
        """The objects that have one of these types."""
        return [name for name, kinds in self.object_types.items() if not kinds.isdisjoint(types)]

    @cached_property
    def structure(self) -> Structure:
        """The objects, and all atoms that no action changes: static facts, types, goal versions."""
        vocabulary = self.domain.vocabulary
        objects = tuple(self.object_types)
        bare = Structure(vocabulary, objects)
        static = bare.encoded(self.model.initial_atoms, static=True)
        types = {symbol.name for symbol in vocabulary.symbols if symbol.is_type}
        for name, kinds in self.object_types.items():
            static.update(bare.atom(kind, name) for kind in kinds if kind in types)
        versions = {symbol.goal_of: symbol.name for symbol in vocabulary.symbols if symbol.goal_of}
        for fact in self.goal_atoms(True):
            static.add(bare.atom(versions[fact.predicate], *fact.terms))
        return Structure(vocabulary, objects, frozenset(static))

    @cached_property
    def goal(self) -> Goal:
        encode = self.structure.atom
        positive, negative = (
            frozenset(encode(atom.predicate, *atom.terms) for atom in self.goal_atoms(sign))
            for sign in (True, False)
        )
        parts = [walks.literal(part) for part in walks.conjuncts(self.model.goal)]
        conjunctive = all(part is not None and part[0].predicate != "=" for part in parts)
        return Goal(positive, negative, conjunctive and self._has_metric is None)

    def goal_atoms(self, sign: bool) -> list[Atom]:
        """The atoms that the goal's conjunction wants to hold, or not to."""
        found = [walks.literal(part) for part in walks.conjuncts(self.model.goal)]
        return [part[0] for part in found if part and part[1] == sign and part[0].predicate != "="]

    @cached_property
    def initial_atoms(self) -> frozenset[int]:
        """The fluent facts of the problem; derived atoms are not among them."""
        return frozenset(self.structure.encoded(self.model.initial_atoms, static=False))

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
        return frozenset(atom.predicate for atom in self.goal_atoms(True))

    @cached_property
    def engine(self) -> Engine:
        """The native side of the task, started at first use."""
        from trailmark.task.engine import Engine  # loading it takes a fifth of a short run

        grounded = walks.is_groundable(self.domain.model, self.model) and (
            self.generation == "grounded"
            or (
                self.generation == "auto"
                and walks.estimated_ground_actions(self) * walks.looseness(self) <= GROUNDED_UP_TO
            )
        )
        return Engine(self, grounded=grounded)

    @cached_property
    def engine_texts(self) -> tuple[str, str]:
        """Domain and problem in PDDL with names of our own, as planners behind this one read them."""
        return canonical.engine_texts(*self.searched, self.object_types)

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
                for action in self._applicable(state)
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
            return [GroundAction(self, action) for action in self._applicable(state)]
        except (RuntimeError, ValueError) as problem:
            raise EngineError(f"the engine failed on a state: {problem}") from None

    def _applicable(self, state: State) -> list[Any]:
        """The engine's grounded generator gives actions in another order each time a task is read;
        their numbers are always the same."""
        found = self.engine.generator.generate_applicable_actions(state.native)
        if self._overlooked is not None:
            found = {
                _number(action): action for action in (*found, *self._overlooked.applicable(state))
            }.values()
        return sorted(found, key=_number)

    @cached_property
    def _overlooked(self) -> Overlooked | None:
        from trailmark.task.engine import Overlooked

        schemas = [schema for schema in self.domain.model.actions if walks.may_be_overlooked(schema)]
        return Overlooked(self, schemas) if schemas else None

    def apply(self, state: State, action: GroundAction) -> tuple[State, float] | None:
        """The state after an applicable action and its cost; None where the step has no meaning."""
        reach = self.engine.repository.get_or_create_successor_state
        reached, cost = reach(state.native, action.native, 0.0)
        if self._step_cost is not None:
            cost = self._step_cost(state, action)
        return None if cost is None else (State(self, reached), cost)

    def is_goal(self, state: State) -> bool:
        return self.engine.goal_holds(state.native) and (self._has_metric is None or self._has_metric(state))

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
        adds, deletes = self.engine.effects(action.native)
        added = [atom for atom in adds if atom not in present]
        return added, [atom for atom in deletes if atom in present and atom not in adds]

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
        return walks.has_plain_effects(self.domain.model)

    @cached_property
    def _step_cost(self) -> StepCost | None:
        return step_cost(self)

    @cached_property
    def _has_metric(self) -> Callable[[State], bool] | None:
        return metric_test(self)
