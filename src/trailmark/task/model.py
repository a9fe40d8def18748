"""Planning domains and problems as parsed: plain data, no behaviour.

Everything that executes actions on our side (the validator, the lifted generator) works on these,
and never on the engine's own structures. Names are lower case. A term is a variable (`?x`) or the
name of an object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

OBJECT_TYPE = "object"

TOTAL_COST = "total-cost"
"""The function that action costs are summed in."""

ADDITIVE = frozenset(("increase", "decrease"))
"""The changes of a number that may be made together."""


@dataclass(frozen=True)
class Typed:
    """A variable or an object with its types: more than one stands for `(either …)`."""

    name: str
    types: tuple[str, ...] = (OBJECT_TYPE,)


def above(name: str, parents: Mapping[str, Sequence[str]]) -> set[str]:
    """The types above a type, by the direct supertypes of each; itself only where they lead back to it."""
    reached, frontier = set[str](), [name]
    while frontier:
        new = set(parents.get(frontier.pop(), ())) - reached
        reached |= new
        frontier += new
    return reached


@dataclass(frozen=True)
class Signature:
    """A predicate or a numeric function with its parameters."""

    name: str
    parameters: tuple[Typed, ...]

    @property
    def arity(self) -> int:
        return len(self.parameters)


class Atom(NamedTuple):
    """A predicate applied to terms; `=` is the equality of two terms.

    A tuple, because a large problem has hundreds of thousands of them.
    """

    predicate: str
    terms: tuple[str, ...]


@dataclass(frozen=True)
class Number:
    value: float


@dataclass(frozen=True)
class FunctionTerm:
    function: str
    terms: tuple[str, ...]


@dataclass(frozen=True)
class Arithmetic:
    """`+ - * /` over two or more operands; `-` over one is the negative."""

    operator: str
    operands: tuple[NumericExpression, ...]


NumericExpression = Number | FunctionTerm | Arithmetic


@dataclass(frozen=True)
class And:
    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Or:
    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    part: Condition


@dataclass(frozen=True)
class Exists:
    parameters: tuple[Typed, ...]
    part: Condition


@dataclass(frozen=True)
class Forall:
    parameters: tuple[Typed, ...]
    part: Condition


@dataclass(frozen=True)
class Comparison:
    """`< <= = >= >` between two numbers."""

    operator: str
    left: NumericExpression
    right: NumericExpression


Condition = Atom | And | Or | Not | Exists | Forall | Comparison
"""`(imply a b)` is read as `(or (not a) b)`; no condition at all as an empty `And`."""

TRUE = And(())


@dataclass(frozen=True)
class Add:
    atom: Atom


@dataclass(frozen=True)
class Delete:
    atom: Atom


@dataclass(frozen=True)
class Assign:
    """`assign increase decrease scale-up scale-down` of a numeric function."""

    operator: str
    target: FunctionTerm
    value: NumericExpression


@dataclass(frozen=True)
class When:
    condition: Condition
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class ForallEffect:
    parameters: tuple[Typed, ...]
    effects: tuple[Effect, ...]


Effect = Add | Delete | Assign | When | ForallEffect


@dataclass(frozen=True)
class ActionSchema:
    name: str
    parameters: tuple[Typed, ...]
    precondition: Condition
    effects: tuple[Effect, ...]

    def binding(self, arguments: Sequence[str]) -> dict[str, str]:
        """The object of every parameter."""
        return {parameter.name: name for parameter, name in zip(self.parameters, arguments, strict=True)}


@dataclass(frozen=True)
class Axiom:
    """`(:derived (p ?x …) condition)`."""

    head: Atom
    parameters: tuple[Typed, ...]
    body: Condition


@dataclass(frozen=True)
class DomainModel:
    name: str
    types: tuple[Typed, ...]
    """Every declared type with its direct supertypes; `object` itself is not listed."""
    constants: tuple[Typed, ...]
    predicates: tuple[Signature, ...]
    functions: tuple[Signature, ...]
    axioms: tuple[Axiom, ...]
    actions: tuple[ActionSchema, ...]


@dataclass(frozen=True)
class ProblemModel:
    name: str
    objects: tuple[Typed, ...]
    """Without the domain's constants."""
    initial_atoms: tuple[Atom, ...]
    initial_values: tuple[tuple[FunctionTerm, float], ...]
    goal: Condition
    minimize: NumericExpression | None
    """The metric, for a plan's cost; None is the plan's length."""
