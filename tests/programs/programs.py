"""Random programs over a few features."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.landmarks.graphs import NUMBERS, conditions
from trailmark.features.syntax import expression
from trailmark.programs.program import Counter, Program
from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, RecipeFilter

chains = st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=3, unique=True).map(tuple)
counters = st.builds(Counter, chains, st.integers(0, 2))


terms = st.lists(st.integers(0, 1) | st.sampled_from(["depot", "ä b"]), max_size=3).map(tuple)
actions = st.builds(RecipeAction, st.sampled_from(["load", "fly-to"]), terms, st.booleans())
kept = st.builds(
    RecipeFilter,
    st.integers(0, 2),
    st.integers(0, 1),
    st.sampled_from([expression("c_top"), expression("c_primitive", "empty", 0)]),
    st.booleans(),
)
recipes = st.builds(
    Recipe,
    # The first action names all variables.
    st.lists(actions, max_size=3).map(lambda more: (RecipeAction("move", (0, 1)), *more)),
    st.lists(st.builds(RecipeCondition, st.just("at"), terms, st.booleans()), max_size=3).map(tuple),
    st.booleans(),
    st.lists(kept, max_size=2).map(tuple),
    st.integers(0, 9),
    st.integers(0, 9),
)


def programs() -> st.SearchStrategy[Program]:
    return st.builds(Program, st.lists(counters, min_size=1, max_size=3).map(tuple), conditions(0))


def programs_with_recipes() -> st.SearchStrategy[Program]:
    known = st.lists(recipes, max_size=3).map(tuple)
    return st.builds(lambda program, known: replace(program, recipes=known), programs(), known)
