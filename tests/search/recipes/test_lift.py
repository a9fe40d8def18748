"""Lifting: worked examples of what a leap becomes, and what several of them have in common."""

from __future__ import annotations

from itertools import pairwise

from tests.search.recipes.worlds import actions_of, lifted, training_task, world_of
from tests.search.tasks import domain
from trailmark.domains import generate
from trailmark.search.recipes.book import RecipeBook
from trailmark.search.recipes.lift import merged, repeated_moves
from trailmark.search.recipes.world import World
from trailmark.task import Task


def grid() -> World:
    """A package at c_0_0 that belongs to c_1_0, and the truck at c_0_1."""
    return world_of(training_task("delivery"))


DELIVERED = (
    "(move t1 c_0_1 c_0_0) (pick-package t1 p1 c_0_0) (move t1 c_0_0 c_1_0) (drop-package t1 p1 c_1_0)"
)


def line(packages: str, goals: str) -> World:
    """Four cells in a row, and the truck at the first."""
    cells = ["c0", "c1", "c2", "c3"]
    roads = "".join(f"(adjacent {a} {b})(adjacent {b} {a})" for a, b in pairwise(cells))
    return world_of(
        Task.parse(
            domain("delivery"),
            "(define (problem p) (:domain delivery) (:objects c0 c1 c2 c3 - cell t - truck p q - package)"
            f" (:init {roads} (at t c0) (empty t) {packages}) (:goal (and {goals})))",
        )
    )


def test_variables_are_numbered_by_first_use_and_conditions_are_regressed() -> None:
    recipe = lifted(
        grid(),
        "(move t1 c_0_1 c_0_0) (pick-package t1 p1 c_0_0) (move t1 c_0_0 c_1_0) (drop-package t1 p1 c_1_0)",
    )
    assert str(recipe) == (
        "(move ?0 ?1 ?2) (pick-package ?0 ?3 ?2) (move ?0 ?2 ?4) (drop-package ?0 ?3 ?4)"
        " where (at ?0 ?1), (adjacent ?1 ?2), (at ?3 ?2), (empty ?0), (adjacent ?2 ?4), (open at ?3 ?4)"
    )


def test_a_repeated_move_needs_no_road_from_end_to_end() -> None:
    recipe = lifted(grid(), DELIVERED, {"move"})
    assert str(recipe) == (
        "(move* ?0 ?1 ?2) (pick-package ?0 ?3 ?2) (move* ?0 ?2 ?4) (drop-package ?0 ?3 ?4)"
        " where (at ?0 ?1), (at ?3 ?2), (empty ?0), (open at ?3 ?4)"
    )


def test_a_run_of_moves_is_one_and_another_truck_ends_it() -> None:
    world = line("(at p c3)", "(at p c0)")
    run = "(move t c0 c1) (move t c1 c2) (move t c2 c3)"
    assert str(lifted(world, run, {"move"})) == "(move* ?0 ?1 ?2) where (at ?0 ?1)"
    apart = lifted(world, "(move t c0 c1) (move t c1 c2) (pick-package t p c2) (move t c2 c3)", {"move"})
    assert apart is not None
    assert [str(action) for action in apart.actions] == [
        "(move* ?0 ?1 ?2)",
        "(pick-package ?0 ?3 ?2)",
        "(move* ?0 ?2 ?4)",
    ]


def test_where_moves_are_not_repeated_a_run_becomes_the_one_step_that_does_it() -> None:
    """All ports of ferry are one step from one another; cells of a line are not."""
    ferry = world_of(Task.parse(domain("ferry"), generate("ferry", 1, cars=1, locations=4)))
    assert str(lifted(ferry, "(sail l0 l1) (sail l1 l2) (sail l2 l3)")).startswith("(sail ?0 ?1) where")
    far = lifted(line("(at p c3)", "(at p c0)"), "(move t c0 c1) (move t c1 c2)")
    assert far is not None
    assert [str(action) for action in far.actions] == ["(move ?0 ?1 ?2)", "(move ?0 ?2 ?3)"]


def test_a_round_trip_is_refused() -> None:
    world = line("(at p c3)", "(at p c0)")
    assert lifted(world, "(move t c0 c1) (move t c1 c0)", {"move"}) is None
    assert lifted(world, "(move t c0 c1) (move t c1 c0)") is not None


def test_moves_are_repeated_where_a_plan_goes_further_than_one_step() -> None:
    world = line("(at p c3)", "(at p c0)")

    def repeated(text: str) -> set[str]:
        return repeated_moves(actions_of(world, text), world.actions)

    assert repeated("(move t c0 c1) (move t c1 c2)") == {"move"}
    assert repeated("(move t c0 c1)") == set()
    assert repeated("(move t c0 c1) (move t c1 c0)") == set()
    assert repeated("(move t c0 c1) (pick-package t p c1) (move t c1 c2)") == set()


def test_a_goal_that_holds_or_is_not_reached_is_not_open() -> None:
    done = line("(at p c1) (at q c0)", "(at q c0)")
    way = "(pick-package t q c0) (move t c0 c1) (drop-package t q c1)"
    recipe = lifted(done, way)
    assert recipe is not None
    assert not any(condition.is_open for condition in recipe.conditions)
    wanted = line("(at p c1) (at q c0)", "(at q c1) (at p c3)")
    recipe = lifted(wanted, way)
    assert recipe is not None
    assert [str(condition) for condition in recipe.conditions if condition.is_open] == ["(open at ?1 ?3)"]


def test_what_an_action_needs_of_an_earlier_one_is_no_condition_and_what_it_takes_away_is_again() -> None:
    world = world_of(training_task("blocksworld", 2))
    recipe = lifted(world, "(unstack b3 b4 robot) (put-down b3 robot) (pick-up b4 robot) (stack b4 b3 robot)")
    assert str(recipe) == (
        "(unstack ?0 ?1 ?2) (put-down ?0 ?2) (pick-up ?1 ?2) (stack ?1 ?0 ?2)"
        " where (on ?0 ?1), (clear ?0), (handempty ?2), (ontable ?1), (open on ?1 ?0)"
    )


def test_a_second_example_keeps_the_common_conditions() -> None:
    """By accident the first example also closes a goal of another kind."""
    way = "(pick-package t p c0) (move t c0 c1) (drop-package t p c1)"
    first = lifted(line("(at p c0) (at q c2)", "(at p c1) (at t c1)"), way)
    second = lifted(line("(at p c0) (at q c2)", "(at p c1)"), way)
    assert first is not None
    assert second is not None
    assert set(first.conditions) - set(second.conditions) == {
        condition for condition in first.conditions if str(condition) == "(open at ?0 ?3)"
    }
    both = merged(first, second)
    assert both.conditions == second.conditions
    assert both.actions == first.actions
    assert both.examples == 2


def test_a_book_knows_recipes_by_what_they_do() -> None:
    way = "(pick-package t p c0) (move t c0 c1) (drop-package t p c1)"
    world = line("(at p c0) (at q c2)", "(at p c1)")
    book = RecipeBook()
    assert book.add(lifted(world, way))  # type: ignore[arg-type]
    version = book.version
    assert not book.add(lifted(world, way.replace(" p ", " q ")))  # type: ignore[arg-type]
    assert (len(book), book.version) == (1, version + 1), "of q no goal is open"
    assert not book.add(lifted(world, way))  # type: ignore[arg-type]
    assert book.version == version + 1
    assert book.add(lifted(world, way, whole=True))  # type: ignore[arg-type]
    assert book.add(lifted(world, "(pick-package t p c0)"))  # type: ignore[arg-type]
    assert [len(entry.recipe.actions) for entry in book] == [1, 3, 3]
    assert [recipe.examples for recipe in book.recipes()] == [1, 3, 1]
    assert book.recipes(used_only=True) == ()
    assert RecipeBook(book.recipes()).recipes() == book.recipes()


SERVED = (
    "(make_sandwich sandw1 bread1 content1) (put_on_tray sandw1 tray1) (move_tray tray1 kitchen table1)"
    " (serve_sandwich sandw1 child1 tray1 table1)"
)


def test_an_object_that_a_schema_names_is_no_variable() -> None:
    recipe = lifted(world_of(training_task("childsnack")), SERVED)
    assert recipe is not None
    assert str(recipe.actions[2]) == "(move_tray ?3 kitchen ?4)"
    assert [str(each) for each in recipe.conditions if each.predicate == "at"] == ["(at ?3 kitchen)"]


CITIES = """(define (problem p) (:domain logistics) (:objects a t p c d l0 l1 m0)
 (:init (airplane a) (truck t) (obj p) (city c) (city d) (location l0) (location l1) (location m0)
 (airport l0) (airport m0) (in-city l0 c) (in-city l1 c) (in-city m0 d) (at a l0) (at t l1) (at p m0))
 (:goal (at p l1)))"""


def test_what_is_the_same_by_chance_is_two_variables() -> None:
    """The airplane flies to where it was, and the truck stands where the package belongs."""
    recipe = lifted(
        world_of(Task.parse(domain("logistics"), CITIES)),
        "(fly-airplane a l0 m0) (load-airplane p a m0) (fly-airplane a m0 l0) (unload-airplane p a l0)"
        " (drive-truck t l1 l0 c) (load-truck p t l0) (drive-truck t l0 l1 c) (unload-truck p t l1)",
    )
    assert recipe is not None
    assert [str(action) for action in recipe.actions] == [
        "(fly-airplane ?0 ?1 ?2)", "(load-airplane ?3 ?0 ?2)", "(fly-airplane ?0 ?2 ?4)",
        "(unload-airplane ?3 ?0 ?4)", "(drive-truck ?5 ?6 ?4 ?7)", "(load-truck ?3 ?5 ?4)",
        "(drive-truck ?5 ?4 ?8 ?7)", "(unload-truck ?3 ?5 ?8)",
    ]  # fmt: skip


def test_a_static_fact_decides_what_it_has_one_object_for() -> None:
    """A place has one city, so both drives are in the same one; a city has many places."""
    recipe = lifted(
        world_of(Task.parse(domain("logistics"), CITIES)), "(drive-truck t l1 l0 c) (drive-truck t l0 l1 c)"
    )
    assert recipe is not None
    assert [str(action) for action in recipe.actions] == [
        "(drive-truck ?0 ?1 ?2 ?3)",
        "(drive-truck ?0 ?2 ?4 ?3)",
    ]
