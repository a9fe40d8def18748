"""Unrolling: recipes with a group of actions once more, for chains longer than those of the examples.

A group that needs of one object what it makes true of another (take a clear `x` from `y`, put it down: `y` is
clear) can be done again a step further along the chain, and what follows it is then about its end. An example
of a long chain is folded to the shortest one that it can be unrolled from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, Term
from trailmark.search.recipes.bound import Actions

LONGEST_GROUP = 4
MOST_ACTIONS = 200
"""An unrolled recipe has no more actions than this."""


class Unrolled(NamedTuple):
    """A recipe with a group of actions that can be done again."""

    recipe: Recipe
    start: int
    """Where its last group begins."""
    end: int


def groups(recipe: Recipe, actions: Actions) -> Iterator[Unrolled]:
    """The groups of a recipe that can be done again, those near its end first."""
    for end in range(len(recipe.actions), 0, -1):
        for size in range(1, min(LONGEST_GROUP, end) + 1):
            start = end - size
            group = recipe.actions[start:end]
            if any(action.repeated for action in group) or _is_move(group, actions):
                continue
            if _shift(group, recipe.actions[:start], recipe.variables, actions) is not None:
                yield Unrolled(recipe, start, end)
                break


def once_more(unrolled: Unrolled, actions: Actions) -> Unrolled | None:
    """The recipe with its last group done again; None where that cannot be or would be too long."""
    recipe, start, end = unrolled
    group = recipe.actions[start:end]
    shift = _shift(group, recipe.actions[:start], recipe.variables, actions)
    if shift is None or len(recipe.actions) + len(group) > MOST_ACTIONS:
        return None
    moved = {term: shift[term] for term in shift.values() if term in shift}
    again = [_renamed(action, shift) for action in group]
    # What comes after the group is about the end of the chain, which is now one step further.
    tail = [_renamed(action, moved) for action in recipe.actions[end:]]
    longer = [*recipe.actions[:end], *again, *tail]
    return Unrolled(_grown(recipe, longer, [{}, moved], actions), end, end + len(group))


def _grown(
    recipe: Recipe, changed: Sequence[RecipeAction], names: Sequence[dict[Term, Term]], actions: Actions
) -> Recipe:
    """The recipe with other actions. Open goals stay where one of the renamings makes them goals still."""
    needed, made = actions.regressed(changed)
    for condition in recipe.conditions:
        if condition.is_open:
            for renaming in names:
                terms = tuple(renaming.get(term, term) for term in condition.terms)
                if (condition.predicate, terms) in made:
                    needed[RecipeCondition(condition.predicate, terms, is_open=True)] = None
    return remade(recipe, changed, needed)


def folded(recipe: Recipe, actions: Actions) -> Recipe:
    """The shortest recipe that, with its groups done again and again, becomes this one."""
    for unrolled in groups(recipe, actions):
        shorter = _once_less(unrolled, actions)
        if shorter is not None:
            return folded(shorter, actions)
    return recipe


def _once_less(unrolled: Unrolled, actions: Actions) -> Recipe | None:
    """The recipe that becomes this one when the group before the last is done again; None without one."""
    recipe, start, end = unrolled
    before, group = recipe.actions[2 * start - end : start], recipe.actions[start:end]
    if 2 * start < end or [each.schema for each in before] != [each.schema for each in group]:
        return None
    back = {
        there: here
        for first, second in zip(before, group, strict=True)
        for here, there in zip(first.terms, second.terms, strict=True)
        if here != there
    }
    tail = [_renamed(action, back) for action in recipe.actions[end:]]
    shorter = _grown(recipe, [*recipe.actions[:start], *tail], [{}, back], actions)
    again = once_more(Unrolled(shorter, 2 * start - end, start), actions)
    return shorter if again is not None and again.recipe.actions == recipe.actions else None


def _is_move(group: Sequence[RecipeAction], actions: Actions) -> bool:
    """Whether it is a single move: longer ways are found by other means."""
    return len(group) == 1 and actions.moves[actions.index[group[0].schema]] is not None


def _shift(
    group: Sequence[RecipeAction], before: Sequence[RecipeAction], fresh: int, actions: Actions
) -> dict[Term, Term] | None:
    """How terms of a group become those of the next: what it needs of one it makes true of the other. A
    condition relates two that follow one another; the last one becomes new, and nothing before the group is
    about it."""
    needed, made = actions.regressed(group)
    shift: dict[Term, Term] = {}
    for condition in needed:
        for predicate, terms in sorted(made, key=str):
            if predicate == condition.predicate:
                pairs = [pair for pair in zip(condition.terms, terms, strict=True) if pair[0] != pair[1]]
                if len(pairs) == 1 and all(isinstance(term, int) for term in pairs[0]):
                    shift.setdefault(*pairs[0])
    if not any({here, there} <= set(part.terms) for part in needed for here, there in shift.items()):
        return None
    known = {term for action in before for term in action.terms}
    last = [term for term in dict.fromkeys(shift.values()) if term not in shift]
    if not last or known.intersection(last):
        return None
    return {**shift, **{term: fresh + number for number, term in enumerate(last)}}


def _renamed(action: RecipeAction, names: dict[Term, Term]) -> RecipeAction:
    return replace(action, terms=tuple(names.get(term, term) for term in action.terms))


def remade(recipe: Recipe, actions: Sequence[RecipeAction], conditions: Iterable[RecipeCondition]) -> Recipe:
    """The recipe with other actions and conditions, its variables in the order of their first use."""
    names: dict[Term, Term] = {}
    for action in actions:
        for term in action.terms:
            if isinstance(term, int):
                names.setdefault(term, len(names))
    return Recipe(
        tuple(_renamed(action, names) for action in actions),
        tuple(
            replace(condition, terms=tuple(names.get(term, term) for term in condition.terms))
            for condition in conditions
        ),
        recipe.whole,
    )
