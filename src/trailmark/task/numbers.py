"""What the engine does with numbers: which variables are its own, which numbers it does not read exactly, and
which applicable actions it overlooks.

It notes the change of a number by a conditional effect that does not fire, and then takes another change of
the number for a conflict with it. Applying such an action it does right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from math import copysign
from typing import TYPE_CHECKING, Any

from trailmark.relational import Structure
from trailmark.task import model as pddl
from trailmark.task.executor import ADDITIVE, Executor
from trailmark.task.model import (
    Arithmetic,
    Assign,
    Comparison,
    DomainModel,
    FunctionTerm,
    Number,
    NumericExpression,
)
from trailmark.task.walks import conditions_in
from trailmark.task.writer import number_text

if TYPE_CHECKING:
    from trailmark.task.engine import Engine
    from trailmark.task.states import State
    from trailmark.task.task import Task


def misread_number(task: Task) -> float | None:
    """A number of the task that the engine takes for its neighbour, where conditions compare numbers. Then a
    search may miss a plan, or find one that is none."""
    parts = list(conditions_in(task.domain.model, task.model))
    if not any(isinstance(part, Comparison) for part in parts):
        return None
    found = [value for _, value in task.model.initial_values]
    for part in parts:
        if isinstance(part, Comparison):
            found += [*_constants(part.left), *_constants(part.right)]
        elif isinstance(part, Assign):
            found += _constants(part.value)
    return next((value for value in found if engine_reading(value) != value), None)


def engine_reading(value: float) -> float:
    """What the engine takes a number for: it adds up the digits and divides by a power of ten. With at most
    15 digits and none far behind the point, that is the number."""
    whole, _, rest = number_text(abs(value)).partition(".")
    total = 0.0
    for digit in whole + rest:
        total = total * 10 + int(digit)
    return copysign(total / float(f"1e{len(rest)}"), value)


def _constants(value: NumericExpression) -> Iterator[float]:
    if isinstance(value, Number):
        yield value.value
    elif isinstance(value, Arithmetic):
        for operand in value.operands:
            yield from _constants(operand)


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


def may_be_overlooked(schema: pddl.ActionSchema) -> bool:
    """Whether a number is changed in several effects, some of them conditional and some that do not add."""
    changes: dict[str, list[tuple[str, bool, bool]]] = defaultdict(list)
    for effect, conditional, repeated in _changes(schema.effects, False, ()):
        changes[effect.target.function].append((effect.operator, conditional, repeated))
    return any(
        (len(group) > 1 or any(repeated for _, _, repeated in group))
        and any(conditional for _, conditional, _ in group)
        and any(operator not in ADDITIVE for operator, _, _ in group)
        for group in changes.values()
    )


def _changes(
    effects: Iterable[pddl.Effect], conditional: bool, variables: tuple[str, ...]
) -> Iterator[tuple[pddl.Assign, bool, bool]]:
    """Every change of a number, whether it is conditional, and whether a quantifier repeats it."""
    for effect in effects:
        if isinstance(effect, pddl.When):
            yield from _changes(effect.effects, True, variables)
        elif isinstance(effect, pddl.ForallEffect):
            names = (parameter.name for parameter in effect.parameters)
            yield from _changes(effect.effects, conditional, (*variables, *names))
        elif isinstance(effect, pddl.Assign):
            distinct = len(set(variables) & set(effect.target.terms)) == len(variables)
            yield effect, conditional, not distinct


class Overlooked:
    """The native actions of the schemas that the engine may overlook. Slow: every binding is tried."""

    def __init__(self, task: Task, schemas: Iterable[pddl.ActionSchema]) -> None:
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
        for schema, native in self._schemas:
            for binding in self._executor.bindings(schema.parameters, {}):
                if self._executor.holds(schema.precondition, binding, world):
                    arguments = [self._objects[binding[each.name]] for each in schema.parameters]
                    yield self._engine.ground_action(native, arguments)
