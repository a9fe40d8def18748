"""Formulas written for the engine, which reads conjunctions of literals reliably and little else.

Negation is pushed inwards, and every disjunction or quantifier becomes a derived predicate of its own
(`x0`, `x1`, …) over its free variables, with the axioms that define it. Effects are written one by
one, each with all its conditions and quantified variables; the engine crashes on quantified changes of
numbers, so these are written for every object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import product
from math import copysign
from typing import TYPE_CHECKING

from trailmark.task import model as pddl
from trailmark.task.walks import (
    has_engine_costs,
    incomplete_functions,
    numbers_in,
    parts_of,
    terms_in,
    typed_in,
    walk,
)

if TYPE_CHECKING:
    from trailmark.task.task import Task

NEVER = "(never)"
"""A predicate without facts: what does not hold."""

_OPPOSITE = {"<": ">=", "<=": ">", ">=": "<", ">": "<="}


class Names:
    """What everything of a task is called in the engine's text; `types_of` gives all types of each object."""

    def __init__(
        self, domain: pddl.DomainModel, problem: pddl.ProblemModel, types_of: Mapping[str, frozenset[str]]
    ) -> None:
        self._domain, self._problem, self._types_of = domain, problem, types_of
        objects = (*domain.constants, *problem.objects)
        self.objects = {entry.name: f"o{i}" for i, entry in enumerate(objects)}
        self.predicates = {predicate.name: f"p{i}" for i, predicate in enumerate(domain.predicates)}
        self.predicates["="] = "="

    @cached_property
    def functions(self) -> Mapping[str, str]:
        """The functions the engine is told of: the total cost only where it sums it or actions read it."""
        names = {function.name: f"f{i}" for i, function in enumerate(self._domain.functions)}
        if pddl.TOTAL_COST in names:
            if has_engine_costs(self._domain, self._problem):
                names[pddl.TOTAL_COST] = pddl.TOTAL_COST
            elif pddl.TOTAL_COST not in numbers_in(self._domain, self._problem):
                del names[pddl.TOTAL_COST]
        return names

    @cached_property
    def types(self) -> Mapping[tuple[str, ...], str]:
        """What a variable's types are called; more than one together are a type above them all."""
        names: dict[tuple[str, ...], str] = {(pddl.OBJECT_TYPE,): pddl.OBJECT_TYPE}
        names.update({(kind.name,): f"t{i}" for i, kind in enumerate(self._domain.types)})
        for entry in typed_in(self._domain, self._problem):
            if pddl.OBJECT_TYPE in entry.types:
                names[entry.types] = pddl.OBJECT_TYPE
            names.setdefault(entry.types, f"u{len(names)}")
        return names

    @cached_property
    def partial(self) -> frozenset[str]:
        """The functions that may have no value."""
        return incomplete_functions(self._domain, self._problem, self._types_of)

    def of_types(self, types: tuple[str, ...]) -> list[str]:
        """The objects that a variable of these types can stand for."""
        return [name for name, kinds in self._types_of.items() if not kinds.isdisjoint(types)]


@dataclass
class Axioms:
    """The predicates that conditions with structure became, and what defines them."""

    predicates: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Writer:
    """Writes formulas in the scope of some variables."""

    names: Names
    axioms: Axioms
    variables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The name and the type, in the engine's text, of each variable in scope."""
    depth: int = 0
    """How many variables are in scope, hidden ones included: the engine refuses a name twice."""

    def bind(self, parameters: tuple[pddl.Typed, ...]) -> tuple[Writer, str]:
        """The writer inside these parameters, and the parameters as text."""
        new = {
            parameter.name: (f"?v{self.depth + i}", self.names.types[parameter.types])
            for i, parameter in enumerate(parameters)
        }
        inner = replace(self, variables={**self.variables, **new}, depth=self.depth + len(parameters))
        return inner, _declared(new.values())

    def substitute(self, parameters: tuple[pddl.Typed, ...], objects: tuple[str, ...]) -> Writer:
        """The writer where these objects stand for the parameters."""
        new = {
            parameter.name: (self.names.objects[name], self.names.types[parameter.types])
            for parameter, name in zip(parameters, objects, strict=True)
        }
        return replace(self, variables={**self.variables, **new})

    def conjunction(self, condition: pddl.Condition) -> str:
        return f"(and {' '.join(self.literals(condition))})"

    def literals(self, condition: pddl.Condition, positive: bool = True) -> list[str]:
        """The condition, or its negation, as literals that must all hold."""
        if isinstance(condition, pddl.Not):
            return self.literals(condition.part, not positive)
        if isinstance(condition, pddl.Atom):
            return [self.atom(condition) if positive else f"(not {self.atom(condition)})"]
        if isinstance(condition, pddl.Comparison):
            return [self._comparison(condition, positive)]
        if isinstance(condition, pddl.And | pddl.Or):
            if isinstance(condition, pddl.And) == positive or len(condition.parts) == 1:
                return [text for part in condition.parts for text in self.literals(part, positive)]
            return [self._any([("", self.literals(part, positive)) for part in condition.parts])]
        inner, variables = self.bind(condition.parameters)
        if isinstance(condition, pddl.Exists) == positive:
            return [self._any([(variables, inner.literals(condition.part, positive))])]
        # All have it: none has it not. The same for the negation of "some have it".
        return [f"(not {self._any([(variables, inner.literals(condition.part, not positive))])})"]

    def _any(self, cases: list[tuple[str, list[str]]]) -> str:
        """A new derived predicate that holds where one of these conjunctions does for some objects."""
        if not cases:
            return NEVER
        if len(cases) > 1:
            # The engine loses conclusions of a predicate that has a rule with a negated derived atom and
            # one with a positive one; rules that only pass on another predicate are safe.
            cases = [("", [self._any([case])]) for case in cases]
        text = " ".join(literal for _, literals in cases for literal in literals).replace(")", " ").split()
        free = {name: kind for name, kind in self.variables.values() if name.startswith("?") and name in text}
        name = f"x{len(self.axioms.predicates)}"
        self.axioms.predicates.append(f"({name} {' '.join(free)})")
        for variables, literals in cases:
            body = f"(and {' '.join(literals)})"
            if variables:
                body = f"(exists ({variables}) {body})"
            self.axioms.rules.append(f"(:derived ({name} {_declared(free.items())}) {body})")
        return f"({name} {' '.join(free)})"

    def _comparison(self, condition: pddl.Comparison, positive: bool) -> str:
        left, right = self.numeric(condition.left), self.numeric(condition.right)
        if positive:
            return f"({condition.operator} {left} {right})"
        if any(term.function in self.names.partial for term in terms_in(condition.left, condition.right)):
            # A comparison without a value does not hold, and neither does the opposite one.
            return f"(not {self._any([('', [self._comparison(condition, True)])])})"
        if condition.operator == "=":
            return self._any([("", [f"(< {left} {right})"]), ("", [f"(> {left} {right})"])])
        return f"({_OPPOSITE[condition.operator]} {left} {right})"

    def _terms(self, names: Iterable[str]) -> str:
        return " ".join(
            self.variables[name][0] if name.startswith("?") else self.names.objects[name] for name in names
        )

    def atom(self, atom: pddl.Atom) -> str:
        return f"({self.names.predicates[atom.predicate]} {self._terms(atom.terms)})"

    def function(self, term: pddl.FunctionTerm) -> str:
        return f"({self.names.functions[term.function]} {self._terms(term.terms)})"

    def numeric(self, value: pddl.NumericExpression) -> str:
        if isinstance(value, pddl.Number):
            return number_text(value.value)
        if isinstance(value, pddl.FunctionTerm):
            return self.function(value)
        assert isinstance(value, pddl.Arithmetic)
        first, *rest = value.operands
        if not rest:
            return f"(- 0 {self.numeric(first)})"
        text = self.numeric(first)
        for operand in rest:
            text = f"({value.operator} {text} {self.numeric(operand)})"
        return text

    def rule(self, condition: pddl.Condition) -> str:
        """The body of a rule for a predicate that may have more of them."""
        return self._any([("", self.literals(condition))])

    def effects(self, effects: Iterable[pddl.Effect]) -> str:
        # The engine takes equal effects as one, but two equal increases are twice the increase.
        texts = [
            text % (value if count == 1 else f"(* {count} {value})") if value else text
            for (text, value), count in Counter(self._effects(effects, "", [])).items()
        ]
        return f"(and {' '.join(texts)})"

    def _effects(
        self, effects: Iterable[pddl.Effect], variables: str, literals: list[str]
    ) -> list[tuple[str, str]]:
        """Every single effect with the variables and the conditions it stands under.

        An increase or decrease has `%s` where its value belongs, and the value.
        """
        found: list[tuple[str, str]] = []
        for effect in effects:
            if isinstance(effect, pddl.When):
                # The engine refuses comparisons as conditions of effects, but not in axioms.
                under = [
                    self._any([("", [literal])]) if literal[1] in "<>=" else literal
                    for literal in self.literals(effect.condition)
                ]
                found += self._effects(effect.effects, variables, [*literals, *under])
            elif isinstance(effect, pddl.Add | pddl.Delete | pddl.Assign):
                text, value = self._effect(effect)
                if text and literals:
                    text = f"(when (and {' '.join(literals)}) {text})"
                if text and variables:
                    text = f"(forall ({variables}) {text})"
                found.append((text, value))
            elif any(isinstance(inner, pddl.Assign) for inner in walk(*effect.effects)):
                for objects in product(
                    *(self.names.of_types(parameter.types) for parameter in effect.parameters)
                ):
                    inner = self.substitute(effect.parameters, objects)
                    found += inner._effects(effect.effects, variables, literals)
            else:
                inner, more = self.bind(effect.parameters)
                found += inner._effects(effect.effects, f"{variables} {more}", literals)
        return found

    def _effect(self, effect: pddl.Add | pddl.Delete | pddl.Assign) -> tuple[str, str]:
        if isinstance(effect, pddl.Add):
            return self.atom(effect.atom), ""
        if isinstance(effect, pddl.Delete):
            return f"(not {self.atom(effect.atom)})", ""
        if effect.target.function not in self.names.functions:
            return "", ""
        target, value = self.function(effect.target), self.numeric(effect.value)
        if effect.operator in ("increase", "decrease"):
            return f"({effect.operator} {target} %s)", value
        return f"({effect.operator} {target} {value})", ""


def _declared(variables: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{name} - {kind}" for name, kind in variables)


def number_text(value: float) -> str:
    """The fewest digits that are this number, without an exponent, which the engine does not read."""
    return str(int(value)) if value == int(value) else format(Decimal(repr(value)), "f")


def misread_number(task: Task) -> float | None:
    """A number of the task that the engine takes for its neighbour, where conditions compare numbers. Then a
    search may miss a plan, or find one that is none."""
    parts = list(parts_of(task.domain.model, task.model))
    if not any(isinstance(part, pddl.Comparison) for part in parts):
        return None
    found = [value for _, value in task.model.initial_values]
    found += [part.value for part in parts if isinstance(part, pddl.Number)]
    return next((value for value in found if engine_reading(value) != value), None)


def engine_reading(value: float) -> float:
    """What the engine takes a number for: it adds up the digits and divides by a power of ten. With at most
    15 digits and none far behind the point, that is the number."""
    whole, _, rest = number_text(abs(value)).partition(".")
    total = 0.0
    for digit in whole + rest:
        total = total * 10 + int(digit)
    return copysign(total / float(f"1e{len(rest)}"), value)
