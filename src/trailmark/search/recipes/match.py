"""Matching: the objects that meet a recipe's conditions in the base.

A join that takes the literal with the fewest tuples next. Where none is decided, and the source of a move is
known, it goes through the move's targets nearest first, so that what is near comes before what is far.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from trailmark.search.recipes.bound import BoundAction, BoundRecipe
from trailmark.search.recipes.facts import Arguments, Binding, Facts, Literal, widened
from trailmark.search.recipes.travel import IsTrue, Travel


class Matcher:
    """Bindings of recipes in the base of one task."""

    def __init__(self, facts: Facts, travel: Travel, is_true: IsTrue) -> None:
        self._facts = facts
        self._travel = travel
        self._is_true = is_true
        self.work = 0
        """How many tuples were looked at: what matching costs, whatever the machine."""
        self.most_work = 0
        """Matching ends when so many were."""

    def bindings(self, recipe: BoundRecipe, literals: Sequence[Literal]) -> Iterator[list[int]]:
        """Objects for all variables of a recipe that meet these literals."""
        return self._complete(recipe, literals, [None] * len(recipe.allowed))

    def partial(self, recipe: BoundRecipe, literals: Sequence[Literal]) -> Iterator[Binding]:
        """Objects for the variables that these literals speak of."""
        return self._join(tuple(literals), (), [None] * len(recipe.allowed), recipe)

    def _complete(
        self, recipe: BoundRecipe, literals: Sequence[Literal], binding: Binding
    ) -> Iterator[list[int]]:
        for found in self._join(tuple(literals), recipe.moves, binding, recipe):
            yield from self._any_objects(found, recipe)

    def _any_objects(self, binding: Binding, recipe: BoundRecipe) -> Iterator[list[int]]:
        """The binding with any objects for the variables that no condition speaks of."""
        objects = [bound for bound in binding if bound is not None]
        if len(objects) == len(binding):
            yield objects
            return
        free = binding.index(None)
        for candidate in sorted(recipe.allowed[free]):
            self.work += 1
            if self.work > self.most_work:
                return
            if _is_apart(candidate, free, binding, recipe):
                yield from self._any_objects([*binding[:free], candidate, *binding[free + 1 :]], recipe)

    def _join(
        self,
        literals: tuple[Literal, ...],
        moves: tuple[BoundAction, ...],
        binding: Binding,
        recipe: BoundRecipe,
    ) -> Iterator[Binding]:
        while True:
            if moves:
                moves = tuple(action for action in moves if not _is_bound(_target(action), binding))
            if not literals and not moves:
                yield binding
                return
            row, chosen = self._shortest(literals, binding)
            if row is None or len(row) > 1:
                break
            # One tuple leaves no choice, and none no binding.
            self.work += len(row)
            if not row or self.work > self.most_work:
                return
            extended = _extended(binding, literals[chosen][1], next(iter(row)), recipe)
            if extended is None:
                return
            binding, literals = extended, literals[:chosen] + literals[chosen + 1 :]
        move = next((action for action in moves if _is_ready(action, binding)), None)
        if move is not None:
            for nearer in self._targets(move, literals, binding, recipe):
                yield from self._join(literals, moves, nearer, recipe)
            return
        if row is None:
            return
        terms, rest = literals[chosen][1], literals[:chosen] + literals[chosen + 1 :]
        for arguments in row:
            self.work += 1
            if self.work > self.most_work:
                return
            further = _extended(binding, terms, arguments, recipe)
            if further is None:
                continue
            if rest or moves:
                yield from self._join(rest, moves, further, recipe)
            else:
                yield further

    def _shortest(
        self, literals: tuple[Literal, ...], binding: Binding
    ) -> tuple[Collection[Arguments] | None, int]:
        """The shortest row of tuples of one of the literals, and which that is; None where all are long."""
        best: Collection[Arguments] | None = None
        size, chosen = None, 0
        for number, (key, terms) in enumerate(literals):
            row = self._facts.row(key, terms, binding, size)
            if row is not None and (size is None or len(row) < size):
                best, size, chosen = row, len(row), number
                if size <= 1:
                    break
        return best, chosen

    def _targets(
        self,
        action: BoundAction,
        literals: Sequence[Literal],
        binding: Binding,
        recipe: BoundRecipe,
    ) -> Iterator[Binding]:
        """The binding with each target of a move, nearest first, where some tuple of every literal has it."""
        assert action.move is not None
        target = _target(action)
        arguments = [~term if term < 0 else binding[term] for term in action.terms]
        places = [
            (key, place) for key, terms in literals for place, term in enumerate(terms) if term == target
        ]
        facts, may_be = self._facts, recipe.allowed[target]
        for nearest in self._travel.paths(action.move, arguments, self._is_true):
            self.work += 1
            if self.work > self.most_work:
                return
            fits = nearest in may_be and _is_apart(nearest, target, binding, recipe)
            if fits and all(facts.about(key, place, nearest) for key, place in places):
                extended = binding.copy()
                extended[target] = nearest
                yield extended


def _target(action: BoundAction) -> int:
    assert action.move is not None
    return action.terms[action.move.target]


def _is_bound(term: int, binding: Binding) -> bool:
    return term < 0 or binding[term] is not None


def _is_ready(action: BoundAction, binding: Binding) -> bool:
    """Whether all that a move says is known but its target."""
    assert action.move is not None
    target = action.move.target
    return all(place == target or _is_bound(term, binding) for place, term in enumerate(action.terms))


def _is_apart(argument: int, variable: int, binding: Binding, recipe: BoundRecipe) -> bool:
    """Whether no variable that must stand for another object stands for this one."""
    return not any(binding[other] == argument for other in recipe.apart[variable])


def _extended(
    binding: Binding, terms: Sequence[int], arguments: Sequence[int], recipe: BoundRecipe
) -> Binding | None:
    """The binding with the terms standing for the arguments; None where they cannot."""
    extended = widened(binding, terms, arguments, recipe.allowed)
    if extended is None or extended is binding:
        return extended
    for term, argument in zip(terms, arguments, strict=True):
        if term >= 0 and recipe.apart[term] and not _is_apart(argument, term, extended, recipe):
            return None
    return extended
