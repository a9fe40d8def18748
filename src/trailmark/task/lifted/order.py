"""In which order a join binds variables and tests conditions: the smallest number of rows first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import itemgetter

from trailmark.relational import Structure
from trailmark.task.lifted.schema import Literal, Schema, Term


@dataclass(frozen=True)
class Read:
    """Go through the rows of a precondition that match what is bound."""

    literal: Literal
    bound: tuple[int, ...]
    """The places of the literal whose terms are bound."""


@dataclass(frozen=True)
class Choose:
    """Go through the objects of a variable that no precondition binds."""

    variable: int


@dataclass(frozen=True)
class Test:
    """A literal, all of whose terms are bound, holds or does not hold."""

    literal: Literal
    positive: bool


@dataclass(frozen=True)
class Compare:
    """Two bound terms are the same object, or are not."""

    left: Term
    right: Term
    same: bool


@dataclass(frozen=True)
class Fits:
    """A bound variable's object has the parameter's type."""

    variable: int


Operation = Read | Choose | Test | Compare | Fits


class Statistics:
    """How many atoms of each predicate hold at the start, and how many objects are at their places."""

    def __init__(self, structure: Structure, atoms: Iterable[int]) -> None:
        self._tuples = {symbol: list(tuples) for symbol, tuples in structure.static_tuples.items()}
        decode = structure.decode
        for atom in atoms:
            symbol, arguments = decode(atom)
            self._tuples.setdefault(symbol, []).append(arguments)
        self._values: dict[tuple[int, int], frozenset[int]] = {}
        self._rows: dict[tuple[int, tuple[int, ...]], float] = {}

    def values(self, symbol: int, place: int) -> frozenset[int]:
        """The objects at one place of a predicate."""
        known = self._values.get((symbol, place))
        if known is None:
            known = frozenset([arguments[place] for arguments in self._tuples.get(symbol, ())])
            self._values[symbol, place] = known
        return known

    def rows(self, symbol: int, bound: tuple[int, ...]) -> float | None:
        """The mean number of atoms that agree on the bound places; nothing without atoms at the start."""
        tuples = self._tuples.get(symbol)
        if not tuples:
            return None
        known = self._rows.get((symbol, bound))
        if known is None:
            keys = len(set(map(itemgetter(*bound), tuples))) if bound else 1
            known = self._rows[symbol, bound] = len(tuples) / keys
        return known


def operations(
    schema: Schema, trigger: Literal | None, statistics: Statistics, certain: Sequence[frozenset[int]]
) -> tuple[list[Operation], list[Operation]]:
    """The tests that the trigger's objects pass or fail whatever the state, and the join after them.

    The trigger is a precondition whose terms are bound from the start, known to hold (or not to, if
    negative). `certain` says for each parameter which positive preconditions, by number, have only
    objects of its type at its place, so that its type needs no test.
    """
    waiting = [each for each in schema.positive if each is not trigger]
    tests: list[Test | Compare] = [Test(each, False) for each in schema.negative if each is not trigger]
    tests += [Compare(left, right, True) for left, right in schema.equal]
    tests += [Compare(left, right, False) for left, right in schema.different]
    bound: set[int] = set()

    def settle(new: Iterable[int], by: Literal | None, found: list[Operation]) -> None:
        """Whatever can be tested once these variables are bound too."""
        for variable in sorted(set(new) - bound):
            bound.add(variable)
            if by not in schema.positive or schema.positive.index(by) not in certain[variable]:
                found.append(Fits(variable))
        for test in list(tests):
            terms = (test.left, test.right) if isinstance(test, Compare) else test.literal.terms
            if all(term < 0 or term in bound for term in terms):
                tests.remove(test)
                found.append(test)
        for literal in list(waiting):
            if all(term < 0 or term in bound for term in literal.terms):
                waiting.remove(literal)
                found.append(Test(literal, True))

    first: list[Operation] = []
    settle((term for term in (trigger.terms if trigger else ()) if term >= 0), trigger, first)
    fixed = [each for each in first if not (isinstance(each, Test) and each.literal.fluent)]
    join: list[Operation] = [each for each in first if isinstance(each, Test) and each.literal.fluent]
    while len(bound) < schema.arity:
        options: list[tuple[float, int, Read | Choose]] = []
        for number, literal in enumerate(waiting):
            places = tuple(place for place, term in enumerate(literal.terms) if term < 0 or term in bound)
            rows = statistics.rows(literal.symbol, places)
            if rows is None:
                rows = _unseen_rows(schema, {term for term in literal.terms if term >= 0} - bound)
            options.append((rows, number, Read(literal, places)))
        options.extend(
            (len(schema.allowed[variable]), len(waiting) + variable, Choose(variable))
            for variable in range(schema.arity)
            if variable not in bound
        )
        _, _, chosen = min(options, key=lambda option: option[:2])
        join.append(chosen)
        if isinstance(chosen, Read):
            waiting.remove(chosen.literal)
            settle((term for term in chosen.literal.terms if term >= 0), chosen.literal, join)
        else:
            bound.add(chosen.variable)
            settle((), None, join)
    return fixed, join


def _unseen_rows(schema: Schema, variables: Iterable[int]) -> float:
    """The rows expected of a predicate of which no atom holds at the start.

    Later it may hold of one object (what a hand holds) or of most (who is on board): the geometric mean
    of the two, for the variable with the fewest objects.
    """
    return sqrt(min(len(schema.allowed[variable]) for variable in variables))
