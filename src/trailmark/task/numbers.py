"""What the engine's numeric variables are in our terms, and which numbers it does not read exactly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import copysign
from typing import TYPE_CHECKING

from trailmark.relational import Structure
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
