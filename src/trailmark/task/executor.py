"""Executing actions from the parsed model alone, independent of the engine.

Slow and plain: the validator's word must not depend on the code it checks. A state is a set of
named atoms and a table of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import product
from operator import add, eq, ge, gt, le, lt, mul, sub, truediv
from typing import TYPE_CHECKING

from trailmark.errors import PlanError, shorten
from trailmark.task import model as pddl
from trailmark.task.walks import conjuncts, numbers_in, strata, terms_in

if TYPE_CHECKING:
    from trailmark.task.states import State
    from trailmark.task.task import Task


NumberKey = tuple[str, ...]
"""A function, then its objects."""

Binding = Mapping[str, str]


class Undefined(Exception):
    """A numeric expression reads a function that has no value, or divides by zero."""


def ground(atom: pddl.Atom, binding: Binding) -> pddl.Atom:
    return pddl.Atom(atom.predicate, tuple([binding.get(term, term) for term in atom.terms]))


def ground_term(term: pddl.FunctionTerm, binding: Binding) -> NumberKey:
    return (term.function, *(binding.get(name, name) for name in term.terms))


def condition_text(condition: pddl.Condition, binding: Binding) -> str:
    """A condition in PDDL with its variables replaced."""
    if isinstance(condition, pddl.Atom):
        return f"({' '.join((condition.predicate, *ground(condition, binding).terms))})"
    if isinstance(condition, pddl.Not):
        return f"(not {condition_text(condition.part, binding)})"
    if isinstance(condition, pddl.And | pddl.Or):
        word = "and" if isinstance(condition, pddl.And) else "or"
        return f"({word} {' '.join(condition_text(part, binding) for part in condition.parts)})"
    if isinstance(condition, pddl.Comparison):
        sides = (number_text(side, binding) for side in (condition.left, condition.right))
        return f"({condition.operator} {' '.join(sides)})"
    word = "exists" if isinstance(condition, pddl.Exists) else "forall"
    variables = " ".join(f"{parameter.name} - {parameter.types[0]}" for parameter in condition.parameters)
    return f"({word} ({variables}) {condition_text(condition.part, binding)})"


def number_text(value: pddl.NumericExpression, binding: Binding) -> str:
    if isinstance(value, pddl.Number):
        return f"{value.value:g}"
    if isinstance(value, pddl.FunctionTerm):
        return f"({' '.join(ground_term(value, binding))})"
    return f"({value.operator} {' '.join(number_text(operand, binding) for operand in value.operands)})"


def reject_conflicts(assigns: list[tuple[str, NumberKey, float]]) -> None:
    """Several changes of one number in one step have a meaning only where all of them add."""
    first: dict[NumberKey, str] = {}
    for operator, target, _ in assigns:
        if target in first and not {first[target], operator} <= pddl.ADDITIVE:
            raise Undefined(f"({' '.join(target)}) is changed in two ways at once")
        first[target] = operator


def calculated(operator: str, operands: list[float]) -> float:
    if operator == "-" and len(operands) == 1:
        return -operands[0]
    if operator == "/" and 0 in operands[1:]:
        raise Undefined("division by zero")
    return reduce(_OPERATIONS[operator], operands)


def assigned(operator: str, old: float | None, value: float) -> float:
    if operator == "assign":
        return value
    if old is None:
        raise Undefined("a function without a value is changed")
    return calculated(_CHANGES[operator], [old, value])


_OPERATIONS = {"+": add, "-": sub, "*": mul, "/": truediv}
_CHANGES = {"increase": "+", "decrease": "-", "scale-up": "*", "scale-down": "/"}
_COMPARISONS = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}


@dataclass
class World:
    """A state during execution: what holds, static and derived atoms included, and the numbers.

    It changes as actions are applied, so that a step costs its effects and not the whole state.
    """

    facts: set[pddl.Atom]
    numbers: dict[NumberKey, float]


@dataclass(frozen=True)
class Change:
    """What an action did to the facts that are not derived."""

    added: frozenset[pddl.Atom]
    deleted: frozenset[pddl.Atom]


class Executor:
    """Evaluates conditions and applies actions of one task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.schemas = {action.name: action for action in task.domain.model.actions}
        self._objects = cache(task.objects_of)
        self._strata = strata(task.domain.model.axioms)

    def initial(self) -> World:
        model = self.task.model
        facts = set(model.initial_atoms)
        world = World(facts, dict(self._initial_numbers))
        self._derive(world)
        return world

    def world(self, state: State) -> World:
        """A state of the engine, in names; numbers that no action changes are as in the beginning."""
        named = map(self.task.structure.named, state.atoms)
        facts = {*self._static_facts, *(pddl.Atom(predicate, tuple(terms)) for predicate, *terms in named)}
        changed = {(term.function, *term.terms): value for term, value in state.values.items()}
        return World(facts, self._initial_numbers | changed)

    @cached_property
    def _initial_numbers(self) -> dict[NumberKey, float]:
        numbers = {(term.function, *term.terms): value for term, value in self.task.model.initial_values}
        if any(function.name == pddl.TOTAL_COST for function in self.task.domain.model.functions):
            numbers.setdefault((pddl.TOTAL_COST,), 0.0)
        return numbers

    @cached_property
    def _static_facts(self) -> frozenset[pddl.Atom]:
        changing = self.task.domain.changing_predicates
        return frozenset(fact for fact in self.task.model.initial_atoms if fact.predicate not in changing)

    @cached_property
    def _total_cost_matters(self) -> bool:
        """Whether anything reads the total cost; else no step may fail because a cost has no value."""
        domain, problem = self.task.domain.model, self.task.model
        read = numbers_in(domain, problem) | {term.function for term in terms_in(problem.minimize)}
        return pddl.TOTAL_COST in read

    def schema(self, name: str, arguments: tuple[str, ...]) -> pddl.ActionSchema:
        """The action of this name; an error says what of the call does not fit."""
        schema = self.named_schema(name, arguments)
        types = self.task.object_types
        for argument, parameter in zip(arguments, schema.parameters, strict=True):
            if types[argument].isdisjoint(parameter.types):
                wanted = " or ".join(parameter.types)
                raise PlanError(f"'{argument}' is not a {wanted}, as {parameter.name} of '{name}' must be")
        return schema

    def named_schema(self, name: str, arguments: tuple[str, ...]) -> pddl.ActionSchema:
        """The same without regard to types: the action and the objects exist, and are as many."""
        schema = self.schemas.get(name)
        if schema is None:
            raise PlanError(f"the domain has no action '{shorten(name)}'")
        if len(arguments) != len(schema.parameters):
            expected, given = len(schema.parameters), len(arguments)
            raise PlanError(f"action '{name}' takes {expected} arguments, {given} are given")
        for argument in arguments:
            if argument not in self.task.object_types:
                raise PlanError(f"unknown object '{shorten(argument)}'")
        return schema

    def apply(self, schema: pddl.ActionSchema, binding: Binding, world: World) -> Change:
        """Changes the state by the action: all conditions read the old state, additions win over
        deletions."""
        adds: set[pddl.Atom] = set()
        deletes: set[pddl.Atom] = set()
        assigns: list[tuple[str, NumberKey, float]] = []
        for effect, inner in self._active(schema.effects, binding, world):
            if isinstance(effect, pddl.Add):
                adds.add(ground(effect.atom, inner))
            elif isinstance(effect, pddl.Delete):
                deletes.add(ground(effect.atom, inner))
            elif effect.target.function != pddl.TOTAL_COST or self._total_cost_matters:
                target = ground_term(effect.target, inner)
                assigns.append((effect.operator, target, self.number(effect.value, inner, world)))
        reject_conflicts(assigns)
        numbers = dict(world.numbers) if assigns else world.numbers
        for operator, target, value in assigns:
            numbers[target] = assigned(operator, numbers.get(target), value)
        change = Change(frozenset(adds - world.facts), frozenset((deletes - adds) & world.facts))
        world.facts -= change.deleted
        world.facts |= change.added
        world.numbers = numbers
        if self._strata:
            derived = self.task.domain.derived_predicates
            world.facts = {fact for fact in world.facts if fact.predicate not in derived}
            self._derive(world)
        return change

    def holds(self, condition: pddl.Condition, binding: Binding, world: World) -> bool:
        if isinstance(condition, pddl.Atom):
            fact = ground(condition, binding)
            return fact.terms[0] == fact.terms[1] if fact.predicate == "=" else fact in world.facts
        if isinstance(condition, pddl.And):
            return all(self.holds(part, binding, world) for part in condition.parts)
        if isinstance(condition, pddl.Or):
            return any(self.holds(part, binding, world) for part in condition.parts)
        if isinstance(condition, pddl.Not):
            return not self.holds(condition.part, binding, world)
        if isinstance(condition, pddl.Comparison):
            try:
                left, right = (
                    self.number(side, binding, world) for side in (condition.left, condition.right)
                )
            except Undefined:
                return False
            return bool(_COMPARISONS[condition.operator](left, right))
        options = self.bindings(condition.parameters, binding)
        if isinstance(condition, pddl.Exists):
            return any(self.holds(condition.part, option, world) for option in options)
        assert isinstance(condition, pddl.Forall)
        return all(self.holds(condition.part, option, world) for option in options)

    def unmet(self, condition: pddl.Condition, binding: Binding, world: World) -> list[str]:
        """The parts of a conjunction that do not hold, in PDDL."""
        return [
            condition_text(part, binding)
            for part in conjuncts(condition)
            if not self.holds(part, binding, world)
        ]

    def number(self, value: pddl.NumericExpression, binding: Binding, world: World) -> float:
        if isinstance(value, pddl.Number):
            return value.value
        if isinstance(value, pddl.FunctionTerm):
            known = world.numbers.get(ground_term(value, binding))
            if known is None:
                raise Undefined(f"{number_text(value, binding)} has no value")
            return known
        assert isinstance(value, pddl.Arithmetic)
        operands = [self.number(operand, binding, world) for operand in value.operands]
        return calculated(value.operator, operands)

    def _active(
        self, effects: Iterable[pddl.Effect], binding: Binding, world: World
    ) -> Iterator[tuple[pddl.Add | pddl.Delete | pddl.Assign, Binding]]:
        for effect in effects:
            if isinstance(effect, pddl.When):
                if self.holds(effect.condition, binding, world):
                    yield from self._active(effect.effects, binding, world)
            elif isinstance(effect, pddl.ForallEffect):
                for inner in self.bindings(effect.parameters, binding):
                    yield from self._active(effect.effects, inner, world)
            else:
                yield effect, binding

    def bindings(self, parameters: tuple[pddl.Typed, ...], binding: Binding) -> Iterator[Binding]:
        names = [parameter.name for parameter in parameters]
        for objects in product(*(self._objects(parameter.types) for parameter in parameters)):
            yield {**binding, **dict(zip(names, objects, strict=True))}

    def _derive(self, world: World) -> None:
        """Adds what the axioms derive: a least fixed point, stratum by stratum."""
        for stratum in self._strata:
            while True:
                new = {
                    ground(axiom.head, binding)
                    for axiom in stratum
                    for binding in self.bindings(axiom.parameters, {})
                    if ground(axiom.head, binding) not in world.facts
                    and self.holds(axiom.body, binding, world)
                }
                if not new:
                    break
                world.facts |= new
