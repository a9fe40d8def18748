"""The task model written back as PDDL that the engine accepts, whatever names the user chose.

Objects, predicates, types, functions and actions get names of our own (`o3`, `p1`, …): the engine
rejects some that benchmark files have, and no name of the input can then reach its parser. The
numbers are positions in the model, so that they are found again without a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from trailmark.task.model import (
    OBJECT_TYPE,
    Add,
    And,
    Arithmetic,
    Assign,
    Atom,
    Condition,
    Delete,
    DomainModel,
    Effect,
    Exists,
    Forall,
    ForallEffect,
    FunctionTerm,
    Not,
    Number,
    NumericExpression,
    Or,
    ProblemModel,
    Typed,
    When,
)

TOTAL_COST = "total-cost"
"""The engine knows action costs by this name alone, so it is kept."""

_REQUIREMENTS = (
    ":strips :typing :negative-preconditions :disjunctive-preconditions :equality "
    ":existential-preconditions :universal-preconditions :conditional-effects :derived-predicates"
)


@dataclass(frozen=True)
class CanonicalNames:
    """What each name of the model is called in the engine's text."""

    domain: DomainModel
    objects: tuple[str, ...] = ()

    @cached_property
    def types(self) -> Mapping[str, str]:
        return {each.name: f"t{i}" for i, each in enumerate(self.domain.types)} | {OBJECT_TYPE: OBJECT_TYPE}

    @cached_property
    def predicates(self) -> Mapping[str, str]:
        return {each.name: f"p{i}" for i, each in enumerate(self.domain.predicates)} | {"=": "="}

    @cached_property
    def functions(self) -> Mapping[str, str]:
        names = {each.name: f"f{i}" for i, each in enumerate(self.domain.functions)}
        return names | {TOTAL_COST: TOTAL_COST}

    @cached_property
    def terms(self) -> Mapping[str, str]:
        return {name: f"o{i}" for i, name in enumerate(self.objects)}

    def term(self, name: str) -> str:
        return name if name.startswith("?") else self.terms[name]


def domain_text(domain: DomainModel) -> str:
    """The domain as the engine reads it."""
    names = _Writer(CanonicalNames(domain, tuple(each.name for each in domain.constants)))
    uses_cost = any(each.name == TOTAL_COST for each in domain.functions)
    uses_numbers = any(each.name != TOTAL_COST for each in domain.functions)
    requirements = _REQUIREMENTS
    # The engine takes action costs or numeric fluents, and refuses both at once.
    if uses_numbers:
        requirements += " :numeric-fluents"
    elif uses_cost:
        requirements += " :action-costs"
    lines = ["(define (domain d)", f"(:requirements {requirements})"]
    if domain.types:
        lines.append(f"(:types {names.typed(domain.types, names.names.types)})")
    if domain.constants:
        lines.append(f"(:constants {names.typed(domain.constants, names.names.terms)})")
    if domain.predicates:
        lines.append("(:predicates")
        lines += [
            f"({names.names.predicates[each.name]} {names.parameters(each.parameters)})"
            for each in domain.predicates
        ]
        lines.append(")")
    if domain.functions:
        lines.append("(:functions")
        lines += [
            f"({names.names.functions[each.name]} {names.parameters(each.parameters)}) - number"
            for each in domain.functions
        ]
        lines.append(")")
    for axiom in domain.axioms:
        head = f"({names.names.predicates[axiom.head.predicate]} {names.parameters(axiom.parameters)})"
        lines.append(f"(:derived {head} {names.condition(axiom.body)})")
    for position, action in enumerate(domain.actions):
        lines.append(f"(:action a{position} :parameters ({names.parameters(action.parameters)})")
        lines.append(f":precondition {names.condition(action.precondition)}")
        lines.append(f":effect {names.effects(action.effects)})")
    lines.append(")")
    return "\n".join(lines)


def problem_text(domain: DomainModel, problem: ProblemModel) -> str:
    """The problem as the engine reads it."""
    objects = (*domain.constants, *problem.objects)
    names = _Writer(CanonicalNames(domain, tuple(each.name for each in objects)))
    lines = ["(define (problem p)", "(:domain d)"]
    lines.append(f"(:objects {names.typed(problem.objects, names.names.terms)})")
    lines.append("(:init")
    predicates, terms = names.names.predicates, names.names.terms
    lines += [
        f"({predicates[each.predicate]} {' '.join([terms[name] for name in each.terms])})"
        for each in problem.initial_atoms
    ]
    lines += [f"(= {names.function(term)} {_number(value)})" for term, value in problem.initial_values]
    lines.append(")")
    lines.append(f"(:goal {names.condition(problem.goal)})")
    if problem.minimize is not None:
        lines.append(f"(:metric minimize {names.numeric(problem.minimize)})")
    lines.append(")")
    return "\n".join(lines)


@dataclass(frozen=True)
class _Writer:
    names: CanonicalNames

    def typed(self, entries: Iterable[Typed], renamed: Mapping[str, str]) -> str:
        return "\n".join(f"{renamed[each.name]} - {self._types(each)}" for each in entries)

    def parameters(self, entries: Iterable[Typed]) -> str:
        return " ".join(f"{each.name} - {self._types(each)}" for each in entries)

    def _types(self, entry: Typed) -> str:
        found = [self.names.types[each] for each in entry.types]
        return found[0] if len(found) == 1 else f"(either {' '.join(found)})"

    def atom(self, atom: Atom) -> str:
        terms = " ".join(self.names.term(each) for each in atom.terms)
        return f"({self.names.predicates[atom.predicate]} {terms})"

    def function(self, term: FunctionTerm) -> str:
        terms = " ".join(self.names.term(each) for each in term.terms)
        return f"({self.names.functions[term.function]} {terms})"

    def condition(self, condition: Condition) -> str:
        if isinstance(condition, Atom):
            return self.atom(condition)
        if isinstance(condition, And | Or):
            word = "and" if isinstance(condition, And) else "or"
            return f"({word} {' '.join(self.condition(each) for each in condition.parts)})"
        if isinstance(condition, Not):
            return f"(not {self.condition(condition.part)})"
        if isinstance(condition, Exists | Forall):
            word = "exists" if isinstance(condition, Exists) else "forall"
            return f"({word} ({self.parameters(condition.parameters)}) {self.condition(condition.part)})"
        return f"({condition.operator} {self.numeric(condition.left)} {self.numeric(condition.right)})"

    def numeric(self, value: NumericExpression) -> str:
        if isinstance(value, Number):
            return _number(value.value)
        if isinstance(value, FunctionTerm):
            return self.function(value)
        assert isinstance(value, Arithmetic)
        return f"({value.operator} {' '.join(self.numeric(each) for each in value.operands)})"

    def effects(self, effects: Iterable[Effect]) -> str:
        return f"(and {' '.join(self._effect(each) for each in effects)})"

    def _effect(self, effect: Effect) -> str:
        if isinstance(effect, Add):
            return self.atom(effect.atom)
        if isinstance(effect, Delete):
            return f"(not {self.atom(effect.atom)})"
        if isinstance(effect, Assign):
            return f"({effect.operator} {self.function(effect.target)} {self.numeric(effect.value)})"
        if isinstance(effect, When):
            return f"(when {self.condition(effect.condition)} {self.effects(effect.effects)})"
        assert isinstance(effect, ForallEffect)
        return f"(forall ({self.parameters(effect.parameters)}) {self.effects(effect.effects)})"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
