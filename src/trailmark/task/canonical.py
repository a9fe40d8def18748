"""The task model written back as PDDL that the engine accepts, whatever the user wrote.

Everything gets a name of our own (`o3` for an object, `p1`, `t0`, `f2`, `a5`, `?v1`, …): the engine
rejects some names that benchmark files have, and no name of the input can then reach its parser. The
numbers are positions in the model, so that they are found again without a table. What else the engine
misreads is written differently: `(either …)` becomes a type, a goal with structure becomes an axiom,
arithmetic becomes binary, and predicates take objects of every type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import product

from trailmark.task import model as pddl
from trailmark.task import walks
from trailmark.task.model import TOTAL_COST
from trailmark.task.plans import Step
from trailmark.task.writer import NEVER, Axioms, Names, Writer, number_text

_REQUIREMENTS = (
    ":strips :typing :negative-preconditions :disjunctive-preconditions :equality "
    ":existential-preconditions :universal-preconditions :conditional-effects :derived-predicates"
)


def engine_texts(
    domain: pddl.DomainModel, problem: pddl.ProblemModel, types_of: Mapping[str, frozenset[str]]
) -> tuple[str, str]:
    """Domain and problem as the engine reads them; `types_of` gives all types of each object."""
    task = _Canonical(domain, problem, types_of)
    return task.domain_text(), task.problem_text()


def original_step(domain: pddl.DomainModel, problem: pddl.ProblemModel, step: Step) -> Step:
    """A step of a plan for the engine's text, by the names the user wrote."""
    objects = (*domain.constants, *problem.objects)
    schema = domain.actions[int(step.action[1:])]
    arguments = [objects[int(name[1:])].name for name in step.arguments[: len(schema.parameters)]]
    return Step(schema.name, tuple(arguments))


class _Canonical:
    """One task as the engine reads it."""

    def __init__(
        self, domain: pddl.DomainModel, problem: pddl.ProblemModel, types_of: Mapping[str, frozenset[str]]
    ) -> None:
        self.domain, self.problem = domain, problem
        self.objects = (*domain.constants, *problem.objects)
        self.names = Names(domain, problem, types_of)
        self.goal_parts = list(walks.conjuncts(problem.goal))
        structured = (part for part in self.goal_parts if not _is_simple(part))
        self.goal_axioms = {f"goal{i}": part for i, part in enumerate(structured)}
        """The parts of the goal that are no literals: the engine refuses some of these as goals, and takes
        them all as axioms."""

    def domain_text(self) -> str:
        domain, axioms = self.domain, Axioms()
        writer = Writer(self.names, axioms)
        rules: list[str] = []
        for axiom in domain.axioms:
            inner, variables = writer.bind(axiom.parameters)
            head = self.names.predicates[axiom.head.predicate]
            rules.append(f"(:derived ({head} {variables}) {inner.rule(axiom.body)})")
        for name, part in self.goal_axioms.items():
            rules.append(f"(:derived ({name}) {writer.conjunction(part)})")
        for position, action in enumerate(domain.actions):
            inner, variables = writer.bind(action.parameters)
            rules.append(f"(:action a{position} :parameters ({variables})")
            rules.append(f":precondition {inner.conjunction(action.precondition)}")
            rules.append(f":effect {inner.effects(action.effects)})")
        for position, function in enumerate(self._incomplete_constants, len(domain.actions)):
            target = f"({self.names.functions[function.name]} {_variables(function.arity)})"
            rules.append(f"(:action a{position} :parameters ({_variables(function.arity)})")
            rules.append(f":precondition (and {NEVER}) :effect (and (assign {target} 0)))")
        predicates = [
            f"({self.names.predicates[predicate.name]} {_variables(predicate.arity)})"
            for predicate in domain.predicates
        ]
        predicates += [f"({name})" for name in self.goal_axioms]
        functions = [
            f"({self.names.functions[function.name]} {_variables(function.arity)}) - number"
            for function in domain.functions
            if function.name in self.names.functions
        ]
        constants = (entry for entry in self.objects if entry.name in self.constants)
        numeric = ":action-costs" if TOTAL_COST in self.names.functions.values() else ":numeric-fluents"
        lines = [
            f"(define (domain d) (:requirements {_REQUIREMENTS} {numeric if self.names.functions else ''})",
            f"(:types {' '.join(self._type_lines())})",
            f"(:constants {self._declared(constants)})",
            f"(:predicates {' '.join([NEVER, *predicates, *axioms.predicates])})",
            f"(:functions {' '.join(functions)})" if functions else "",
        ]
        return "\n".join([*lines, *axioms.rules, *rules, ")"])

    def problem_text(self) -> str:
        problem, writer = self.problem, Writer(self.names, Axioms())
        predicates, terms = self.names.predicates, self.names.objects
        facts = [
            f"({predicates[fact.predicate]} {' '.join([terms[name] for name in fact.terms])})"
            for fact in problem.initial_atoms
        ]
        facts += [
            f"(= {writer.function(term)} {number_text(value)})"
            for term, value in problem.initial_values
            if term.function in self.names.functions and term.function != TOTAL_COST
        ]
        if TOTAL_COST in self.names.functions:
            initial = dict(problem.initial_values).get(pddl.FunctionTerm(TOTAL_COST, ()), 0.0)
            facts.append(f"(= ({self.names.functions[TOTAL_COST]}) {number_text(initial)})")
        goal = [text for part in self.goal_parts for text in self._goal_literals(part, writer)]
        goal += [f"({name})" for name in self.goal_axioms]
        metric = ""
        if problem.minimize and all(
            term.function in self.names.functions for term in walks.terms_in(problem.minimize)
        ):
            metric = f"(:metric minimize {writer.numeric(problem.minimize)})"
        objects = (entry for entry in self.objects if entry.name not in self.constants)
        lines = [
            f"(define (problem p) (:domain d) (:objects {self._declared(objects)})",
            "(:init",
            *facts,
            f") (:goal (and {' '.join(goal)})) {metric})",
        ]
        return "\n".join(lines)

    def _goal_literals(self, part: pddl.Condition, writer: Writer) -> list[str]:
        """The part where it is a literal or one for all objects, which estimates can then count."""
        if not _is_simple(part):
            return []
        if not isinstance(part, pddl.Forall):
            return writer.literals(part)
        choices = product(*(self.names.of_types(parameter.types) for parameter in part.parameters))
        written = (writer.substitute(part.parameters, objects).literals(part.part) for objects in choices)
        return [text for texts in written for text in texts]

    @property
    def _incomplete_constants(self) -> list[pddl.Signature]:
        """The engine reads beyond its table of constants here; an action that never applies mends it."""
        if TOTAL_COST in self.names.functions.values():
            return []
        read = walks.numbers_in(self.domain, self.problem, self.names.functions) - walks.changed_numbers(
            self.domain
        )
        return [function for function in self.domain.functions if function.name in read & self.names.partial]

    @cached_property
    def constants(self) -> frozenset[str]:
        """The constants of the domain, and the objects that goal axioms or written-out effects name."""
        if any(isinstance(effect, pddl.ForallEffect) for effect in walks.parts_of(self.domain, self.problem)):
            return frozenset(self.names.objects)
        named = {name for part in self.goal_axioms.values() for name in _names(part)}
        return frozenset(constant.name for constant in self.domain.constants) | named

    @cached_property
    def object_types(self) -> Mapping[tuple[str, ...], str]:
        """What an object's types are called; more than one together are a type below them all."""
        several = dict.fromkeys(entry.types for entry in self.objects if len(entry.types) > 1)
        single = {types: name for types, name in self.names.types.items() if len(types) == 1}
        return single | {types: f"w{i}" for i, types in enumerate(several)}

    def _type_lines(self) -> list[str]:
        above = {
            self.names.types[(kind.name,)]: [self.names.types[(parent,)] for parent in kind.types]
            for kind in self.domain.types
        }
        for types, name in self.names.types.items():
            if name.startswith("u"):
                above.setdefault(name, [pddl.OBJECT_TYPE])
                for part in types:
                    above[self.names.types[(part,)]].append(name)
        for types, name in self.object_types.items():
            if name.startswith("w"):
                above[name] = [self.names.types[(part,)] for part in types]
        lines: list[str] = []
        for name, parents in above.items():
            found = [kind for kind in dict.fromkeys(parents) if kind != pddl.OBJECT_TYPE] or parents[:1]
            kinds = " ".join(found)
            lines.append(f"{name} - {kinds if len(found) == 1 else f'(either {kinds})'}\n")
        return lines

    def _declared(self, entries: Iterable[pddl.Typed]) -> str:
        return "\n".join(
            f"{self.names.objects[entry.name]} - {self.object_types[entry.types]}" for entry in entries
        )


def _is_simple(part: pddl.Condition) -> bool:
    """A literal or a comparison, which the engine takes as a goal, or such of all objects."""
    if isinstance(part, pddl.Forall):
        return all(
            _is_simple(inner) and not isinstance(inner, pddl.Forall) for inner in walks.conjuncts(part.part)
        )
    return isinstance(part, pddl.Comparison) or walks.literal(part) is not None


def _names(condition: pddl.Condition) -> Iterable[str]:
    """The objects and variables a condition names."""
    for part in walks.walk(condition):
        if isinstance(part, pddl.Atom | pddl.FunctionTerm):
            yield from part.terms


def _variables(arity: int) -> str:
    return " ".join(f"?v{position}" for position in range(arity))
