"""The task model written back as PDDL that the engine accepts, whatever the user wrote.

Everything gets a name of our own (`o3` for an object, `p1`, `t0`, `f2`, `a5`, `?v1`, …): the engine
rejects some names that benchmark files have, and no name of the input can then reach its parser. The
numbers are positions in the model, so that they are found again without a table. What else the engine
misreads is written differently: `(either …)` becomes a type, a goal with structure becomes an axiom,
arithmetic becomes binary, and predicates take objects of every type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from trailmark.task.model import (
    OBJECT_TYPE,
    Add,
    And,
    Arithmetic,
    Assign,
    Atom,
    Comparison,
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
from trailmark.task.model import TOTAL_COST as TOTAL_COST
from trailmark.task.walks import conditions_in, numbers_in, terms_in, typed_in

_REQUIREMENTS = (
    ":strips :typing :negative-preconditions :disjunctive-preconditions :equality "
    ":existential-preconditions :universal-preconditions :conditional-effects :derived-predicates"
)


def engine_texts(domain: DomainModel, problem: ProblemModel) -> tuple[str, str]:
    """Domain and problem as the engine reads them."""
    task = _Canonical(domain, problem)
    return task.domain_text(), task.problem_text()


def has_engine_costs(domain: DomainModel, problem: ProblemModel) -> bool:
    """Whether the engine can sum the costs: the metric is the total cost, and nothing else is numeric.

    It takes action costs or numeric fluents, and refuses both at once.
    """
    return problem.minimize == FunctionTerm(TOTAL_COST, ()) and not any(
        isinstance(each, Comparison) or (isinstance(each, Assign) and each.target.function != TOTAL_COST)
        for each in conditions_in(domain, problem)
    )


@dataclass(frozen=True)
class _Canonical:
    """One task, and what each of its names is called in the engine's text."""

    domain: DomainModel
    problem: ProblemModel

    def domain_text(self) -> str:
        domain, writer = self.domain, _Writer(self)
        lines = ["(define (domain d)", f"(:requirements {_REQUIREMENTS}{self._numeric_requirement})"]
        lines.append(f"(:types {' '.join(self._type_lines())})")
        constants = [each for each in self.objects if each.name in self.constants]
        lines.append(f"(:constants {self._declared(constants)})")
        lines.append("(:predicates (nothing)")
        lines += [
            f"({self.predicates[each.name]} {' '.join(f'?v{i}' for i in range(each.arity))})"
            for each in domain.predicates
        ]
        lines += [f"({name})" for name in self.goal_axioms]
        lines.append(")")
        functions = [each for each in domain.functions if each.name in self.functions]
        if functions:
            lines.append("(:functions")
            lines += [
                f"({self.functions[each.name]} {' '.join(f'?v{i}' for i in range(each.arity))}) - number"
                for each in functions
            ]
            lines.append(")")
        for axiom in domain.axioms:
            inner, variables = writer.bind(axiom.parameters)
            head = self.predicates[axiom.head.predicate]
            lines.append(f"(:derived ({head} {variables}) {inner.condition(axiom.body)})")
        for name, part in self.goal_axioms.items():
            lines.append(f"(:derived ({name}) {writer.condition(part)})")
        for position, action in enumerate(domain.actions):
            inner, variables = writer.bind(action.parameters)
            lines.append(f"(:action a{position} :parameters ({variables})")
            lines.append(f":precondition (and {inner.condition(action.precondition)})")
            lines.append(f":effect {inner.effects(action.effects)})")
        lines.append(")")
        return "\n".join(lines)

    def problem_text(self) -> str:
        problem, writer = self.problem, _Writer(self)
        lines = ["(define (problem p)", "(:domain d)"]
        lines.append(
            f"(:objects {self._declared(each for each in self.objects if each.name not in self.constants)})"
        )
        lines.append("(:init")
        predicates, terms = self.predicates, self.terms
        lines += [
            f"({predicates[each.predicate]} {' '.join([terms[name] for name in each.terms])})"
            for each in problem.initial_atoms
        ]
        lines += [
            f"(= {writer.function(term)} {_number(value)})"
            for term, value in problem.initial_values
            if term.function in self.functions and term.function != TOTAL_COST
        ]
        if TOTAL_COST in self.functions:
            lines.append(f"(= ({self.functions[TOTAL_COST]}) {_number(self._initial_cost)})")
        lines.append(")")
        simple = " ".join(writer.condition(part) for part in self._goal_parts if _is_simple(part))
        lines.append(f"(:goal (and {simple} {' '.join(f'({name})' for name in self.goal_axioms)}))")
        if problem.minimize is not None and all(
            term.function in self.functions for term in terms_in(problem.minimize)
        ):
            lines.append(f"(:metric minimize {writer.numeric(problem.minimize)})")
        lines.append(")")
        return "\n".join(lines)

    @cached_property
    def objects(self) -> tuple[Typed, ...]:
        return (*self.domain.constants, *self.problem.objects)

    @cached_property
    def terms(self) -> Mapping[str, str]:
        return {each.name: f"o{i}" for i, each in enumerate(self.objects)}

    @cached_property
    def predicates(self) -> Mapping[str, str]:
        return {each.name: f"p{i}" for i, each in enumerate(self.domain.predicates)} | {"=": "="}

    @cached_property
    def functions(self) -> Mapping[str, str]:
        """The functions the engine is told of: the total cost only where it sums it or actions read it."""
        names = {each.name: f"f{i}" for i, each in enumerate(self.domain.functions)}
        if TOTAL_COST in names:
            if has_engine_costs(self.domain, self.problem):
                names[TOTAL_COST] = TOTAL_COST
            elif TOTAL_COST not in numbers_in(self.domain, self.problem):
                del names[TOTAL_COST]
        return names

    @cached_property
    def _initial_cost(self) -> float:
        return dict(self.problem.initial_values).get(FunctionTerm(TOTAL_COST, ()), 0.0)

    @property
    def _numeric_requirement(self) -> str:
        if not self.functions:
            return ""
        return " :action-costs" if TOTAL_COST in self.functions.values() else " :numeric-fluents"

    @cached_property
    def _goal_parts(self) -> list[Condition]:
        parts: list[Condition] = []
        waiting = [self.problem.goal]
        while waiting:
            part = waiting.pop()
            if isinstance(part, And):
                waiting.extend(reversed(part.parts))
            else:
                parts.append(part)
        return parts

    @cached_property
    def goal_axioms(self) -> Mapping[str, Condition]:
        """The parts of the goal that are no literals: the engine refuses some of these as goals, and
        takes them all as axioms."""
        parts = (part for part in self._goal_parts if not _is_simple(part))
        return {f"goal{i}": part for i, part in enumerate(parts)}

    @cached_property
    def constants(self) -> frozenset[str]:
        """The constants of the domain, and the objects that goal axioms name."""
        named = {name for part in self.goal_axioms.values() for name in _names(part)}
        return frozenset(each.name for each in self.domain.constants) | named

    # Types

    @cached_property
    def types(self) -> Mapping[tuple[str, ...], str]:
        """What a variable's types are called; more than one together are a type above them all."""
        names: dict[tuple[str, ...], str] = {(OBJECT_TYPE,): OBJECT_TYPE}
        names.update({(each.name,): f"t{i}" for i, each in enumerate(self.domain.types)})
        for entry in typed_in(self.domain, self.problem):
            if OBJECT_TYPE in entry.types:
                names[entry.types] = OBJECT_TYPE
            names.setdefault(entry.types, f"u{len(names)}")
        return names

    @cached_property
    def object_types(self) -> Mapping[tuple[str, ...], str]:
        """What an object's types are called; more than one together are a type below them all."""
        several = dict.fromkeys(each.types for each in self.objects if len(each.types) > 1)
        single = {(each.name,): f"t{i}" for i, each in enumerate(self.domain.types)}
        return single | {(OBJECT_TYPE,): OBJECT_TYPE} | {types: f"w{i}" for i, types in enumerate(several)}

    def _type_lines(self) -> list[str]:
        above = {
            self.types[(each.name,)]: [self.types[(parent,)] for parent in each.types]
            for each in self.domain.types
        }
        for types, name in self.types.items():
            if name.startswith("u"):
                above.setdefault(name, [OBJECT_TYPE])
                for part in types:
                    above[self.types[(part,)]].append(name)
        for types, name in self.object_types.items():
            if name.startswith("w"):
                above[name] = [self.types[(part,)] for part in types]
        return [f"{name} - {_parents(parents)}\n" for name, parents in above.items()]

    def _declared(self, entries: Iterable[Typed]) -> str:
        return "\n".join(f"{self.terms[each.name]} - {self.object_types[each.types]}" for each in entries)


@dataclass(frozen=True)
class _Writer:
    """Writes formulas; `variables` are those in scope."""

    task: _Canonical
    variables: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0
    """How many variables are in scope, hidden ones included: the engine refuses a name twice."""

    def bind(self, parameters: tuple[Typed, ...]) -> tuple[_Writer, str]:
        """The writer inside these parameters, and the parameters as text."""
        names = {each.name: f"?v{self.depth + i}" for i, each in enumerate(parameters)}
        inner = replace(self, variables={**self.variables, **names}, depth=self.depth + len(parameters))
        text = " ".join(f"{names[each.name]} - {self.task.types[each.types]}" for each in parameters)
        return inner, text

    def _terms(self, names: Iterable[str]) -> str:
        return " ".join(
            self.variables[name] if name.startswith("?") else self.task.terms[name] for name in names
        )

    def atom(self, atom: Atom) -> str:
        return f"({self.task.predicates[atom.predicate]} {self._terms(atom.terms)})"

    def function(self, term: FunctionTerm) -> str:
        return f"({self.task.functions[term.function]} {self._terms(term.terms)})"

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
            inner, variables = self.bind(condition.parameters)
            return f"({word} ({variables}) {inner.condition(condition.part)})"
        return f"({condition.operator} {self.numeric(condition.left)} {self.numeric(condition.right)})"

    def numeric(self, value: NumericExpression) -> str:
        if isinstance(value, Number):
            return _number(value.value)
        if isinstance(value, FunctionTerm):
            return self.function(value)
        assert isinstance(value, Arithmetic)
        first, *rest = value.operands
        if not rest:
            return f"(- 0 {self.numeric(first)})"
        text = self.numeric(first)
        for operand in rest:
            text = f"({value.operator} {text} {self.numeric(operand)})"
        return text

    def effects(self, effects: Iterable[Effect]) -> str:
        return f"(and {' '.join(self._effect(each) for each in effects)})"

    def _effect(self, effect: Effect) -> str:
        if isinstance(effect, Add):
            return self.atom(effect.atom)
        if isinstance(effect, Delete):
            return f"(not {self.atom(effect.atom)})"
        if isinstance(effect, Assign):
            if effect.target.function not in self.task.functions:
                return ""
            return f"({effect.operator} {self.function(effect.target)} {self.numeric(effect.value)})"
        if isinstance(effect, When):
            return f"(when {self.condition(effect.condition)} {self.effects(effect.effects)})"
        assert isinstance(effect, ForallEffect)
        inner, variables = self.bind(effect.parameters)
        return f"(forall ({variables}) {inner.effects(effect.effects)})"


def _is_simple(part: Condition) -> bool:
    """A literal or a comparison, which the engine takes as a goal."""
    return isinstance(part, Atom | Comparison) or (isinstance(part, Not) and isinstance(part.part, Atom))


def _names(condition: Condition) -> Iterable[str]:
    """The objects and variables a condition names."""
    if isinstance(condition, Atom):
        yield from condition.terms
    elif isinstance(condition, And | Or):
        for part in condition.parts:
            yield from _names(part)
    elif isinstance(condition, Comparison):
        for side in (condition.left, condition.right):
            for term in terms_in(side):
                yield from term.terms
    else:
        yield from _names(condition.part)


def _parents(names: list[str]) -> str:
    found = list(dict.fromkeys(names))
    if len(found) > 1 and OBJECT_TYPE in found:
        found.remove(OBJECT_TYPE)
    return found[0] if len(found) == 1 else f"(either {' '.join(found)})"


def _number(value: float) -> str:
    """Without an exponent, which the engine does not read."""
    return str(int(value)) if value == int(value) else f"{value:.17f}".rstrip("0")
