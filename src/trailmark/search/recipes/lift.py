"""Lifting: a leap's actions with variables for objects, and what had to hold before them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition
from trailmark.search.recipes.bound import Actions
from trailmark.search.recipes.links import linked
from trailmark.search.recipes.travel import Move, ground
from trailmark.task.lifted import Action


def lift(
    way: Sequence[Action],
    actions: Actions,
    repeated: Collection[str],
    is_open_goal: Callable[[int], bool],
    whole: bool,
) -> Recipe | None:
    """The recipe of a leap; `repeated` are the moves that a recipe repeats as often as is needed.

    None for a leap whose moves end where they began: what they did on the way would be lost.
    """
    ground = collapsed(way, actions, repeated)
    if any(again and _is_round_trip(actions, schema, objects) for schema, objects, again in ground):
        return None
    lifted, objects = linked(ground, actions)
    needed, made = actions.regressed(lifted)
    structure = actions.structure
    for predicate, terms in sorted(made, key=str):
        arguments = [
            objects[term] if isinstance(term, int) else structure.object_index[term] for term in terms
        ]
        if is_open_goal(structure.encode(structure.vocabulary.index[predicate], arguments)):
            needed[RecipeCondition(predicate, terms, is_open=True)] = None
    return Recipe(tuple(lifted), tuple(needed), whole)


def collapsed(
    way: Sequence[Action], actions: Actions, repeated: Collection[str]
) -> list[tuple[str, tuple[int, ...], bool]]:
    """The actions with each run of a move as one: a repeated move, or a single step where one does it."""
    found: list[tuple[str, tuple[int, ...], bool]] = []
    for run in runs(way, actions):
        schema, move = actions.schemas[run[0][0]], actions.moves[run[0][0]]
        ends = run[0][1:]
        if move is not None and len(run) > 1:
            merged = list(ends)
            merged[move.target] = run[-1][1 + move.target]
            ends = tuple(merged)
        if move is not None and schema.name in repeated:
            found.append((schema.name, ends, True))
        elif move is not None and len(run) > 1 and is_step(move, ends, actions):
            found.append((schema.name, ends, False))
        else:
            found += [(schema.name, action[1:], False) for action in run]
    return found


def runs(way: Sequence[Action], actions: Actions) -> list[list[Action]]:
    """The actions, those that move one thing on and on together."""
    found: list[list[Action]] = []
    for action in way:
        move = actions.moves[action[0]]
        last = found[-1][-1] if found else None
        if move is not None and last and last[0] == action[0] and move.follows(last[1:], action[1:]):
            found[-1].append(action)
        else:
            found.append([action])
    return found


def is_step(move: Move, ends: Sequence[int], actions: Actions) -> bool:
    """Whether one step leads from one end to the other, as far as static facts tell."""
    structure = actions.structure
    return structure.encode(move.edge.symbol, ground(move.edge, ends)) in structure.static_atoms


def _is_round_trip(actions: Actions, schema: str, objects: tuple[int, ...]) -> bool:
    move = actions.moves[actions.index[schema]]
    return move is not None and objects[move.source] == objects[move.target]


def repeated_moves(way: Sequence[Action], actions: Actions) -> set[str]:
    """The moves that a plan does several times in a row where one step would not do."""
    found: set[str] = set()
    for run in runs(way, actions):
        move = actions.moves[run[0][0]]
        if move is not None and len(run) > 1:
            ends = list(run[0][1:])
            ends[move.target] = run[-1][1 + move.target]
            if ends[move.source] != ends[move.target] and not is_step(move, ends, actions):
                found.add(move.schema.name)
    return found


def signature(recipe: Recipe) -> tuple[bool, tuple[RecipeAction, ...]]:
    """What tells recipes apart: their conditions follow from their actions, but for open goals."""
    return recipe.whole, recipe.actions


def merged(known: Recipe, example: Recipe) -> Recipe:
    """A recipe after one more example: what not all examples had is no condition."""
    common = set(example.conditions)
    return Recipe(
        known.actions,
        tuple(condition for condition in known.conditions if condition in common),
        known.whole,
        known.filters,
        known.examples + example.examples,
        known.used + example.used,
    )
