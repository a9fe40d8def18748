"""Completing: objects for the literals of an action or a recipe, of which not all must hold.

Literals that hold bind objects first, the one with the fewest tuples at a time. Where none does, objects are
such that one action makes a literal true, or any at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from trailmark.search.recipes.bound import Actions
from trailmark.search.recipes.execution import Execution
from trailmark.search.recipes.facts import Binding, Literal, widened
from trailmark.task.lifted.schema import Schema

ROWS = 6
"""So many tuples of a condition are looked at where it leaves objects open."""
OBJECTS = 30
"""So many objects are looked at that no condition speaks of."""
MOST_CHOICES = 3_000
"""So many objects are chosen at most, the ones that lead nowhere counted. Nearly three times what was ever
of use; without an end some recipes choose from millions."""

Completed = tuple[tuple[int, ...], int, int]
"""Objects, how many of the literals do not hold, and how many objects were free to choose."""


@dataclass(frozen=True)
class Completing:
    """How objects are found for literals without a tuple."""

    actions: int = 2
    """So many actions may give the literal one."""
    patient: bool = False
    """Whether another literal binds first where one leads nowhere, and objects are guessed only where there
    are few."""
    rows: int = ROWS
    """So many tuples of a literal are looked at."""
    guesses: bool = True
    """Whether any objects will do where no action gives a literal a tuple."""
    ahead: bool = False
    """Whether tuples are left out that what never changes rules out. Where they are not, a mounted tool of
    the wrong kind may hide that another can be mounted."""


PATIENT = Completing(actions=0, patient=True)


class Completion:
    """Objects for literals, in a state that changes."""

    def __init__(self, actions: Actions, state: Execution) -> None:
        self.structure = actions.structure
        self.state = state
        self.makers: dict[int, list[tuple[Schema, int]]] = {}
        """By predicate: the schemas that make it true, and by which of their effects."""
        for schema in actions.schemas:
            for number, literal in enumerate(schema.adds):
                self.makers.setdefault(literal.symbol, []).append((schema, number))
        self._left = MOST_CHOICES
        self._common: dict[tuple[frozenset[int], frozenset[int]], frozenset[int]] = {}
        deleted = {literal.symbol for schema in actions.schemas for literal in schema.deletes}
        self.changing = deleted | set(self.makers)
        """The predicates that some schema makes true or false."""

    def missing(self, literals: Sequence[Literal], binding: Binding) -> int:
        """How many of the literals, which are bound whole, do not hold."""
        return sum(not self.state.is_true(self.atom(literal, binding)) for literal in literals)

    def completed(
        self,
        literals: tuple[Literal, ...],
        binding: Binding,
        allowed: Sequence[frozenset[int]],
        turn: int = 0,
        how: Completing = Completing(),  # noqa: B008 -- frozen
    ) -> Iterator[Completed]:
        """Objects for what is not bound yet, how many of the literals do not hold, and how many tuples there
        were to choose from. Objects of a literal that has no tuple are such that few actions give it one. The
        literal with the fewest tuples binds first, or the one after it where that one's turn is over."""
        self._left = MOST_CHOICES
        yield from self._completed(literals, binding, allowed, 0, 0, turn, how)

    def _completed(
        self,
        literals: tuple[Literal, ...],
        binding: Binding,
        allowed: Sequence[frozenset[int]],
        missing: int,
        free: int,
        turn: int,
        how: Completing,
    ) -> Iterator[Completed]:
        self._left -= 1
        if self._left < 0:
            return
        rows: list[tuple[int, int, list[Binding]]] = []
        rest: list[Literal] = []
        for key, terms in literals:
            if not self._is_bound(terms, binding):
                rest.append((key, terms))
            elif not self.state.is_true(self.atom((key, terms), binding)):
                if key not in self.makers:
                    return
                missing += 1
        given = [literal for literal in rest if literal[0] not in self.changing] if how.ahead else []
        for number, (key, terms) in enumerate(rest):
            fitting = self._extended(key, terms, binding, allowed)
            if given and key in self.makers:
                fitting = (extended for extended in fitting if self._may_be(given, extended))
            wider = list(islice(fitting, how.rows))
            if wider:
                rows.append((len(wider), number, wider))
            elif key not in self.makers:
                return
        for length, number, wider in sorted(rows, key=lambda row: row[:2])[turn:]:
            others, found = (*rest[:number], *rest[number + 1 :]), not how.patient
            for extended in wider:
                for completed in self._completed(
                    others, extended, allowed, missing, free + length - 1, 0, how
                ):
                    found = True
                    yield completed
            if found:
                return
        if rows:
            return
        soon = self._within(how.actions, rest, binding, allowed)
        for extended in soon:
            # What is bound now is missing still, and counted when its turn comes.
            yield from self._completed(tuple(rest), extended, allowed, missing, free + 1, 0, how)
        if not soon and (how.guesses or not rest) and not (how.patient and self._many(binding, allowed)):
            yield from self._any(binding, allowed, missing + len(rest), free)

    def _is_bound(self, terms: Sequence[int], binding: Sequence[int | None]) -> bool:
        return all(term < 0 or binding[term] is not None for term in terms)

    def _may_be(self, given: Sequence[Literal], binding: Binding) -> bool:
        """Whether what never changes holds, as far as it is bound."""
        return all(
            self.state.is_true(self.atom(literal, binding))
            for literal in given
            if self._is_bound(literal[1], binding)
        )

    def _many(self, binding: Binding, allowed: Sequence[frozenset[int]]) -> bool:
        """Whether there are many objects for a variable that is not bound."""
        return any(bound is None and len(allowed[place]) > ROWS for place, bound in enumerate(binding))

    def alternatives(
        self, literals: tuple[Literal, ...], binding: Binding, allowed: Sequence[frozenset[int]], most: int
    ) -> list[Completed]:
        """Objects as each of the literals that may change binds them where it is the first, and as what never
        changes does where it leaves few to choose from."""
        found: dict[tuple[int, ...], Completed] = {}
        changing = [candidate for candidate in literals if candidate[0] in self.changing]
        given = [candidate for candidate in literals if candidate not in changing]
        joined = self._joined(given, binding, allowed, most)
        # Where what never changes leaves few, a literal is asked about these alone.
        starts = joined if 0 < len(joined) <= ROWS else [binding]
        for literal in changing:
            rest = tuple(other for other in literals if other is not literal)
            for start in starts:
                if self._is_bound(literal[1], start):
                    continue
                for extended in islice(self._extended(*literal, start, allowed), most):
                    for completed in islice(self.completed(rest, extended, allowed, how=PATIENT), ROWS):
                        found.setdefault(completed[0], completed)
        for extended in joined:
            for completed in islice(self.completed(tuple(changing), extended, allowed, how=PATIENT), ROWS):
                found.setdefault(completed[0], completed)
        return list(found.values())

    def _joined(
        self, literals: list[Literal], binding: Binding, allowed: Sequence[frozenset[int]], most: int
    ) -> list[Binding]:
        """The bindings with which all of the literals hold, at most so many; none where one leaves more to
        choose from."""
        bindings = [binding]
        while literals and bindings:
            rows = [
                [list(islice(self._extended(*literal, known, allowed), most + 1)) for known in bindings]
                for literal in literals
            ]
            sizes = [sum(map(len, row)) for row in rows]
            least = min(range(len(literals)), key=sizes.__getitem__)
            if sizes[least] > most:
                return []
            bindings = [wider for row in rows[least] for wider in row]
            literals = literals[:least] + literals[least + 1 :]
        return bindings

    def _within(
        self, most: int, literals: Sequence[Literal], binding: Binding, allowed: Sequence[frozenset[int]]
    ) -> list[Binding]:
        """The binding with objects for which as few actions as possible, at most so many, make one of the
        literals true."""
        for before in range(most):
            ways = (self._soon(*literal, binding, allowed, before) for literal in literals)
            found = list(islice(chain.from_iterable(ways), ROWS))
            if found:
                return found
        return []

    def _soon(
        self,
        key: int,
        terms: Sequence[int],
        binding: Binding,
        allowed: Sequence[frozenset[int]],
        before: int,
    ) -> Iterator[Binding]:
        """The binding with objects for which an action makes the literal true that is possible once so many
        others are done."""
        for schema, number in self.makers.get(key, ()):
            places = schema.adds[number].terms
            objects: Binding = [None] * schema.arity
            known = [(place, _value(term, binding)) for place, term in zip(places, terms, strict=True)]
            may_be = list(schema.allowed)
            for (place, value), term in zip(known, terms, strict=True):
                if place >= 0 and value is None:
                    may_be[place] = self._both(may_be[place], allowed[term])
            if not all(
                unify(objects, (place,), (value,), schema.allowed)
                for place, value in known
                if value is not None
            ):
                continue
            literals = tuple((literal.symbol, literal.terms) for literal in schema.positive)
            how = Completing(before, guesses=False)
            for found, missing, _ in islice(self._completed(literals, objects, may_be, 0, 0, 0, how), ROWS):
                wider = binding.copy()
                arguments = [found[place] if place >= 0 else ~place for place in places]
                if missing <= before and unify(wider, terms, arguments, allowed):
                    yield wider

    def _both(self, first: frozenset[int], second: frozenset[int]) -> frozenset[int]:
        known = self._common.get((first, second))
        if known is None:
            known = self._common[first, second] = first & second
        return known

    def _extended(
        self, key: int, terms: Sequence[int], binding: Binding, allowed: Sequence[frozenset[int]]
    ) -> Iterator[Binding]:
        """The binding with the objects of each tuple of a literal that fits."""
        for arguments in self.state.tuples(key, terms, binding):
            wider = widened(binding, terms, arguments, allowed)
            if wider is not None:
                yield wider

    def _any(
        self, binding: Binding, allowed: Sequence[frozenset[int]], missing: int, free: int
    ) -> Iterator[Completed]:
        """Any objects for the variables that nothing that holds speaks of."""
        if None not in binding:
            yield tuple(thing for thing in binding if thing is not None), missing, free
            return
        place = binding.index(None)
        for candidate in sorted(allowed[place])[:OBJECTS]:
            yield from self._any(
                [*binding[:place], candidate, *binding[place + 1 :]], allowed, missing, free + OBJECTS
            )

    def atom(self, literal: Literal, binding: Sequence[int | None]) -> int:
        key, terms = literal
        objects = [_value(term, binding) for term in terms]
        return self.structure.encode(key, [thing for thing in objects if thing is not None])


def _value(term: int, binding: Sequence[int | None]) -> int | None:
    return ~term if term < 0 else binding[term]


def unify(
    binding: Binding, terms: Sequence[int], arguments: Sequence[int], allowed: Sequence[frozenset[int]]
) -> bool:
    """Binds the terms to the arguments; whether they fit."""
    for term, argument in zip(terms, arguments, strict=True):
        known = _value(term, binding)
        if known is None and argument in allowed[term]:
            binding[term] = argument
        elif known != argument:
            return False
    return True
