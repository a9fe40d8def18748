"""Relations: chains of facts between objects, asked for where they tell good pairs from bad ones."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.search.recipes.test_hostile import recipe
from tests.search.recipes.worlds import commit, open_goals, training_task, world_of
from trailmark.features.syntax import expression
from trailmark.programs.program import Counter, Program
from trailmark.search.recipes import filters
from trailmark.search.recipes.book import Entry
from trailmark.search.recipes.bound import BoundRecipe, bind_recipe
from trailmark.search.recipes.filters import Relation
from trailmark.search.recipes.trying import TRY_WORK, Attempts, Trying
from trailmark.search.recipes.world import World

FETCH = recipe(
    [("move*", 0, 1, 2), ("pick-package", 0, 3, 2), ("move*", 0, 2, 4), ("drop-package", 0, 3, 4)],
    ("at", 0, 1),
    ("at", 3, 2),
    ("empty", 0),
)


def bound(world: World) -> BoundRecipe:
    found = bind_recipe(FETCH, world.actions)
    assert found is not None
    return found


def goals(world: World) -> dict[int, int]:
    decoded = [world.actions.structure.decode(atom)[1] for atom in world.base.goals.positive]
    return {arguments[0]: arguments[1] for arguments in decoded}


def bindings(world: World, recipe: BoundRecipe) -> list[tuple[int, ...]]:
    world.matcher.most_work = 1_000_000
    return [tuple(binding) for binding in world.matcher.bindings(recipe, recipe.literals)]


def relations_between(
    world: World, recipe: BoundRecipe, objects: Iterable[tuple[int, ...]]
) -> list[Relation]:
    found = (relation for binding in objects for relation in world.relations.between(binding, recipe.loose))
    return sorted(set(found), key=str)


def test_only_variables_that_no_changing_fact_ties_are_loose() -> None:
    assert bound(world_of(training_task("delivery", 1))).loose == (4,), "any cell may be the last one"


def test_a_package_is_related_to_the_cell_of_its_open_goal_and_to_no_other() -> None:
    world = world_of(training_task("delivery", 4))
    found = bound(world)
    wanted = goals(world)
    world.matcher.most_work = 100_000
    direct = None
    for binding in world.matcher.bindings(found, found.literals):
        known = list(world.relations.between(binding, found.loose))
        assert all(relation.holds(binding, world.facts) for relation in known)
        one = [relation for relation in known if len(relation.chain) == 1 and relation.last == 3]
        assert bool(one) == (wanted.get(binding[3]) == binding[4])
        direct = one[0] if one else direct
    assert direct is not None


def test_literals_of_relations_match_the_bindings_that_stand_in_them() -> None:
    world = world_of(training_task("delivery", 4))
    found = bound(world)
    every = bindings(world, found)
    known = relations_between(world, found, every)
    assert len(known) > 1
    for relation in known[:20]:
        related = found.related([relation])
        matched = {binding[:5] for binding in bindings(world, related)}
        assert matched == {binding for binding in every if relation.holds(binding, world.facts)}


def test_objects_with_very_many_facts_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_of(training_task("delivery", 4))
    found = bound(world)
    every = bindings(world, found)
    assert relations_between(world, found, every)
    monkeypatch.setattr(filters, "MOST_FACTS", 0)
    assert not relations_between(world, found, every)


def test_filters_speak_of_a_recipes_own_objects_and_not_of_what_lies_between_related_ones() -> None:
    world = world_of(training_task("delivery", 4))
    found = bound(world)
    known = relations_between(world, found, bindings(world, found))
    related = found.related([max(known, key=lambda relation: len(relation.chain))])
    binding = bindings(world, related)[0]
    assert len(binding) > found.recipe.variables
    asked = [bit[0] for bit in world.bits(related, binding) if isinstance(bit, tuple)]
    assert {*asked} == {*range(found.recipe.variables)}


def test_a_relation_is_asked_for_once_pairs_without_it_have_failed() -> None:
    world = world_of(training_task("delivery", 4))
    attempts, entry = Attempts(world), Entry(FETCH)
    for _ in goals(world):
        way = attempts.attempt(entry, Trying.AS_LEARNED) or attempts.attempt(entry, Trying.FILTERED_OUT)
        if way is not None:
            world.base.commit(way)
    (relation,) = entry.filter(0).relations
    assert {relation.first, relation.last} == {3, 4}


def test_what_failed_is_not_tried_again_before_something_about_its_objects_changes() -> None:
    """Driving about ends no leap while open goals alone are counted."""
    task = training_task("delivery", 1)
    program = Program((Counter((*open_goals(task).features, expression("n_count", expression("c_top")))),))
    world = world_of(task, program)
    attempts, entry = Attempts(world), Entry(recipe([("move*", 0, 1, 2)], ("at", 0, 1)))

    def work() -> int:
        before = world.matcher.work
        assert attempts.attempt(entry, Trying.AS_LEARNED) is None
        return world.matcher.work - before

    first = work()
    assert first > TRY_WORK > work()
    generator = world.base.generator
    generator.state.visit(set(), set())
    commit(world, next(action for action in sorted(generator.applicable()) if len(action) == 4))
    assert work() > TRY_WORK
