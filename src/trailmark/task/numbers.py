"""What the engine's numeric variables are in our terms."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from trailmark.relational import Structure
from trailmark.task.model import DomainModel, FunctionTerm

if TYPE_CHECKING:
    from trailmark.task.engine import Engine


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
