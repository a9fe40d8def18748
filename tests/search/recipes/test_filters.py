"""Filters: learned from counterexamples, dropped where contradicted, and never the end of a solution."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.search.recipes.test_hostile import recipe
from tests.search.recipes.worlds import actions_of, open_goals, training_task, world_of
from trailmark.features.syntax import Expression, expression
from trailmark.features.text import parse
from trailmark.programs.program import Counter, Program
from trailmark.programs.recipe import RecipeFilter
from trailmark.search.recipes.book import Entry, RecipeBook
from trailmark.search.recipes.filters import Bit, Filter, concepts_of
from trailmark.search.recipes.trying import TRY_WORK, Attempts, Trying

A, B, C = (parse(text) for text in ("c_primitive(at,0)", "c_primitive(at_g,0)", "c_primitive(empty,0)"))


def bits(*holds: bool) -> dict[Bit, bool]:
    return dict(zip([(0, A), (0, B), (1, A)], holds, strict=True))


def test_nothing_is_asked_for_before_a_binding_was_accepted_and_one_rejected() -> None:
    known = Filter()
    known.rejected(bits(True, True, False))
    assert known.watching
    assert known.active == {}
    known.accepted(bits(True, True, True))
    assert known.active == {}
    known.rejected(bits(True, False, True))
    assert known.active == {(0, B): True}


def test_what_is_blamed_most_often_is_asked_for() -> None:
    known = Filter()
    known.accepted(bits(True, True, True))
    known.rejected(bits(False, True, True))
    assert known.active == {(0, A): True}
    known.rejected(bits(False, False, True))
    assert known.active == {(0, A): True}, "it would have told this one too"
    known.rejected(bits(True, False, False))
    assert known.active == {(0, A): True, (0, B): True}


def test_what_an_accepted_binding_contradicts_is_asked_for_no_more() -> None:
    known = Filter()
    known.accepted(bits(True, True, True))
    known.rejected(bits(False, True, True))
    known.rejected(bits(True, False, True))
    known.accepted(bits(False, True, True))
    assert known.active == {(0, B): True}
    known.rejected(bits(False, True, True))
    assert known.active == {(0, B): True}, "it differs in nothing that accepted ones have in common"


@given(st.lists(st.tuples(st.booleans(), st.tuples(st.booleans(), st.booleans(), st.booleans()))))
def test_a_filter_admits_all_that_it_was_told_to_accept_since(
    history: list[tuple[bool, tuple[bool, ...]]],
) -> None:
    """After each lesson every accepted binding has all bits that are asked for."""
    known, accepted = Filter(), list[dict[Bit, bool]]()
    for good, holds in history:
        told = bits(*holds)
        if good:
            known.accepted(told)
            accepted.append(told)
        else:
            known.rejected(told)
        for each in accepted:
            assert all(each[bit] == wanted for bit, wanted in known.active.items())


def test_filters_of_a_model_are_for_achieving_and_a_task_finds_its_own() -> None:
    kept = (RecipeFilter(0, 3, A, True), RecipeFilter(2, 0, C, False))
    moved = recipe([("move*", 0, 1, 2), ("pick-package", 0, 3, 2)], ("at", 0, 1), ("at", 3, 2), filters=kept)
    book = RecipeBook((moved,))
    (entry,) = book
    assert entry.known_filter(0).active == {(3, A): True}
    assert entry.known_filter(2).active == {(0, C): False}
    assert entry.known_filter(1).active == entry.filter(0).active == entry.filter(2).active == {}
    entry.filters[0] = Filter({(3, A): True})
    assert book.recipes() == (replace(moved, filters=kept[:1]),)


def test_the_concepts_of_a_counter_and_the_objects_of_open_goals_are_asked_about() -> None:
    task = training_task("delivery")
    found = list(map(str, concepts_of(open_goals(task).features, task.domain.vocabulary)))
    assert found == [
        "c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top)",
        "c_some(r_inverse(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1))),c_top)",
    ]


OPEN = parse("c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top)")
CARRY = recipe(
    [("pick-package", 0, 1, 2), ("move*", 0, 2, 3), ("drop-package", 0, 1, 3)],
    ("at", 0, 2),
    ("at", 1, 2),
    ("empty", 0),
)


def test_filters_are_learned_while_recipes_are_tried() -> None:
    """The first package at hand is at its goal already: carrying it away ends no leap."""
    world = world_of(training_task("delivery", 1))
    entry = Entry(CARRY)
    attempts = Attempts(world)
    assert attempts.attempt(entry, Trying.AS_LEARNED) is not None
    assert entry.filter(0).watching, "some cell is not the package's goal"
    world.base.commit(attempts.attempt(entry, Trying.AS_LEARNED))  # type: ignore[arg-type]
    assert attempts.attempt(entry, Trying.AS_LEARNED) is None
    assert (
        (1, OPEN) in entry.filter(0).active or (3, OPEN) in entry.filter(0).active or entry.filter(0).active
    )


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("concept", [OPEN, A, parse("c_bot")])
def test_a_filter_only_delays_what_it_leaves_out(concept: Expression, holds: bool) -> None:
    """What is tried as learned and what filters leave out are together what is tried without them."""
    world = world_of(training_task("delivery", 1))
    filtered = Entry(CARRY)
    filtered.filters[0] = Filter({(1, concept): holds})
    found = [Attempts(world).attempt(filtered, trying) for trying in (Trying.AS_LEARNED, Trying.FILTERED_OUT)]
    assert any(found)
    assert Attempts(world).attempt(Entry(CARRY), Trying.AS_LEARNED) is not None


def test_a_recipe_that_failed_under_its_filter_is_tried_when_the_filter_admits_another_object() -> None:
    """Nothing that the recipe itself speaks of has come new, only what the filter asks for."""
    task = training_task("delivery", 1)
    program = Program((Counter((*open_goals(task).features, expression("n_count", C))),))
    world = world_of(task, program)
    attempts, entry = Attempts(world), Entry(recipe([("move*", 0, 1, 2)], ("at", 0, 1)))
    entry.filters[0] = Filter({(0, C): False})
    before = world.matcher.work
    assert attempts.attempt(entry, Trying.AS_LEARNED) is None
    assert world.matcher.work - before < TRY_WORK, "the truck is empty"
    world.base.commit(world.replayed(actions_of(world, "(pick-package t1 p1 c_0_0)")))
    before = world.matcher.work
    assert attempts.attempt(entry, Trying.AS_LEARNED) is None, "moving alone ends no leap"
    assert world.matcher.work - before > TRY_WORK, "but it was carried out"


def test_a_recipe_that_failed_under_its_filter_is_tried_when_the_filter_is_given_up() -> None:
    task = training_task("delivery", 1)
    world = world_of(task)
    entry = Entry(CARRY)
    entry.filters[0] = Filter({(1, OPEN): False})
    attempts = Attempts(world)
    assert attempts.attempt(entry, Trying.AS_LEARNED) is None
    entry.filter(0).active.clear()
    assert attempts.attempt(entry, Trying.AS_LEARNED) is not None
