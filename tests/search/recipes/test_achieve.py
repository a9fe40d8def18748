"""What a recipe lacks is achieved: every way is one of the engine's, and ends the leap."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.search.recipes.test_execution import DOMAINS, after, assert_replayed
from tests.search.recipes.worlds import learned, lifted, open_goals, training_task, wander, world_of
from tests.search.tasks import domain
from trailmark.features.text import parse
from trailmark.landmarks.functions import StateDescriptor
from trailmark.programs.program import parse_program
from trailmark.programs.recipe import Recipe
from trailmark.search.leap import LeapOptions, Level
from trailmark.search.leap.course import OutOfBudget
from trailmark.search.leap.search import leap
from trailmark.search.leaping import LEAP
from trailmark.search.recipes.book import Entry, RecipeBook
from trailmark.search.recipes.bound import BoundRecipe, bind_recipe
from trailmark.search.recipes.execution import Way
from trailmark.search.recipes.filters import Filter
from trailmark.search.recipes.lacking import RecipeAchiever
from trailmark.search.recipes.world import World
from trailmark.task import Domain, Task

PLENTY = 10_000


def towers(first: int, second: int, held: bool = False) -> Task:
    """Two towers of so many blocks, the lowest of one belongs on the lowest of the other."""
    blocks = [
        [f"{tower}{number}" for number in range(height)] for tower, height in (("a", first), ("b", second))
    ]
    on = "".join(f"(on {above} {below})" for tower in blocks for above, below in pairwise(tower))
    tops = "".join(f"(clear {tower[0]})" for tower in blocks)
    lowest = "".join(f"(ontable {tower[-1]})" for tower in blocks)
    hand = "(holding x) (handfull robot)" if held else "(handempty robot) (ontable x) (clear x)"
    names = " ".join(blocks[0] + blocks[1])
    return Task.parse(
        domain("blocksworld"),
        f"(define (problem p) (:domain blocks) (:objects {names} x - block robot - robot)"
        f" (:init {on} {tops} {lowest} {hand}) (:goal (on {blocks[0][-1]} {blocks[1][-1]})))",
    )


def stacking() -> Recipe:
    """The recipe of two blocks that are both clear."""
    recipe = lifted(world_of(towers(1, 1)), "(pick-up a0 robot) (stack a0 b0 robot)")
    assert recipe is not None
    return recipe


def bound(world: World, recipe: Recipe) -> list[tuple[BoundRecipe, Filter]]:
    found = bind_recipe(recipe, world.actions)
    assert found is not None
    world.matcher.most_work = 10**9
    return [(found, Filter())]


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize(("first", "second"), [(1, 1), (4, 1), (1, 4), (3, 5), (20, 20)])
def test_what_is_buried_is_dug_out(first: int, second: int, held: bool) -> None:
    """Each block above is moved once: no way is shorter but by what is held."""
    task = towers(first, second, held)
    world = world_of(task)
    way = RecipeAchiever(world).leap(bound(world, stacking()), False, PLENTY)
    assert way is not None
    assert world.ends(way, False)
    assert_replayed(task, world, task.initial_state, way)
    assert len(way.way) == 2 * (first + second - 2) + 2 + held


def test_leap_search_makes_such_leaps_without_a_search() -> None:
    task = towers(12, 12)
    result = leap(
        task, learned("blocksworld"), LeapOptions(max_generated=2_000), book=RecipeBook([stacking()])
    )
    assert result.solved
    assert result.statistics.achieved == 1


def test_recipes_that_learning_has_kept_are_tried_before_a_search() -> None:
    """With recipes of a model nothing is generated; with those that come up meanwhile a search is first."""
    task = towers(2, 1)
    kept = RecipeBook([stacking()])
    result = leap(task, learned("blocksworld"), LeapOptions(), book=kept)
    assert result.solved
    assert result.statistics.generated == 0
    learning = RecipeBook()
    assert learning.add(stacking())
    result = leap(task, learned("blocksworld"), LeapOptions(), book=learning)
    assert result.solved
    assert result.statistics.generated > 0


DRIVERS = """(define (problem p) (:domain driverlog)
 (:objects d - driver t - truck home road yard - location)
 (:init (at d home) (at t road) (empty t) (path home road) (path road home) (path yard home)
  (link road yard)) (:goal (and (at d home) (at t yard))))"""


def test_goals_that_hold_are_kept_or_restored() -> None:
    """The driver must leave home for the truck, and come back from where it goes."""
    task = Task.parse(domain("driverlog"), DRIVERS)
    world = world_of(task)
    way = RecipeAchiever(world).leap([], False, PLENTY)
    assert way is not None
    assert_replayed(task, world, task.initial_state, way)
    assert task.goal.positive <= (world.base.state.root | way.added) - way.deleted


def test_goals_are_closed_one_by_one_as_long_as_that_succeeds_now_and_then() -> None:
    world = world_of(Task.parse(domain("driverlog"), DRIVERS))
    achiever = RecipeAchiever(world)
    way = achiever.close_goal()
    assert way is not None
    assert world.base.goals.positive <= (world.base.state.root | way.added) - way.deleted
    assert achiever.left == achiever.affordable
    hopeless = RecipeAchiever(
        world_of(Task.parse(domain("driverlog"), DRIVERS.replace("(link road yard)", "")))
    )
    left = hopeless.affordable
    while left > 0:
        assert hopeless.close_goal() is None
        assert hopeless.left < left
        left = hopeless.left


def test_what_cannot_be_achieved_is_given_up() -> None:
    """No road leads to the yard."""
    text = DRIVERS.replace("(link road yard)", "")
    world = world_of(Task.parse(domain("driverlog"), text))
    before = frozenset(world.base.state.root)
    assert RecipeAchiever(world).leap([], False, PLENTY) is None
    assert world.base.state.root == before


@pytest.mark.parametrize("name", DOMAINS)
def test_ways_are_those_of_the_engine(name: str) -> None:
    """From wherever random walks lead, with all recipes that are known."""
    chance, task = random.Random(4), training_task(name, 1)
    program = learned(name)
    for _ in range(4):
        world = world_of(task, program)
        state = task.initial_state
        for action in wander(world, chance.randint(0, 20), chance):
            reached = after(task, state, world, action)
            assert reached is not None
            state = reached
        entries = [Entry(recipe) for recipe in program.recipes]
        pairs = [(bind_recipe(entry.recipe, world.actions), entry.filter(0)) for entry in entries]
        world.matcher.most_work = 10**9
        way = RecipeAchiever(world).leap(
            [(recipe, known) for recipe, known in pairs if recipe is not None], False, PLENTY
        )
        if way is not None:
            assert world.ends(way, False)
            assert_replayed(task, world, state, way)


def test_filters_learn_from_what_was_tried() -> None:
    """A binding that did not end the leap differs from the one that did."""
    task = towers(2, 2)
    world = world_of(task, learned("blocksworld"))
    pairs = bound(world, stacking())
    way = RecipeAchiever(world).leap(pairs, False, PLENTY)
    assert way is not None
    assert pairs[0][1]._common


def test_the_clock_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_of(towers(60, 60))

    def expired(now: bool = False) -> None:
        raise OutOfBudget

    monkeypatch.setattr(world.base.course, "look_at_clock", expired)
    with pytest.raises(OutOfBudget):
        RecipeAchiever(world).leap(bound(world, stacking()), False, PLENTY)


def achieved(actions: str, objects: str, init: str, goal: str, predicates: str) -> list[str] | None:
    """The way to a goal of a small domain of its own."""
    text = f"(define (domain d) (:predicates {predicates}) {actions})"
    problem = f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))"
    task = Task.parse(Domain.parse(text), problem)
    world = world_of(task)
    way = RecipeAchiever(world).leap([], False, PLENTY)
    if way is None:
        return None
    assert_replayed(task, world, task.initial_state, way)
    return [str(world.base.generator.step(action)) for action in way.way]


def action(name: str, parameters: str, needs: str, effect: str) -> str:
    return f"(:action {name} :parameters ({parameters}) :precondition (and {needs}) :effect (and {effect}))"


FLAGS = "(n ?x) (g ?x) (h ?x) (p ?x) (q ?x) (r ?x) (s ?x ?y)"


def test_what_lacks_least_and_spoils_nothing_comes_first() -> None:
    far = action("far", "?x", "(p ?x) (q ?x)", "(g ?x)")
    near = action("near", "?x", "(r ?x)", "(g ?x)")
    bad = action("bad", "?x", "(r ?x)", "(g ?x) (not (h ?x))")
    makes = action("mp", "?x", "(r ?x)", "(p ?x)") + action("mq", "?x", "(r ?x)", "(q ?x)")
    again = action("again", "?x", "(r ?x)", "(h ?x)")
    assert achieved(far + near + makes, "a", "(r a)", "(g a)", FLAGS) == ["(near a)"]
    found = achieved(bad + near + again, "a", "(r a) (h a)", "(and (g a) (h a))", FLAGS)
    assert found == ["(near a)"]


def test_an_action_that_serves_two_conditions_comes_first() -> None:
    finish = action("finish", "?x", "(p ?x) (q ?x)", "(g ?x)")
    one = action("one", "?x", "(r ?x)", "(p ?x)")
    both = action("both", "?x", "(r ?x) (h ?x)", "(p ?x) (q ?x)")
    makes = action("mh", "?x", "(r ?x)", "(h ?x)")
    found = achieved(finish + one + both + makes, "a", "(r a)", "(g a)", FLAGS)
    assert found == ["(mh a)", "(both a)", "(finish a)"]


def test_a_goal_that_what_is_missing_undoes_is_made_true_again_at_once() -> None:
    """Both coats need a bare thing, which has no finish any more; only the second one has a finish."""
    bare = action("bare", "?x ?y", "(s ?x ?y) (h ?x)", "(p ?x) (not (h ?x)) (not (s ?x ?y))")
    plain = action("plain", "?x ?y", "(p ?x)", "(s ?x ?y) (q ?x) (not (p ?x))")
    shiny = action("shiny", "?x ?y", "(p ?x)", "(s ?x ?y) (h ?x) (not (p ?x))")
    found = achieved(bare + plain + shiny, "a red blue", "(s a red) (h a)", "(and (s a blue) (h a))", FLAGS)
    assert found == ["(bare a red)", "(shiny a blue)"]


def test_a_choice_that_leads_nowhere_leaves_no_trace() -> None:
    """The first way to the goal lacks less, and what it does before it fails is taken back."""
    first = action("first", "?x", "(p ?x) (q ?x)", "(g ?x)")
    never = action("never", "?x", "(n ?x)", "(q ?x)")
    second = action("second", "?x", "(h ?x) (r ?x) (s ?x ?x)", "(g ?x)")
    makes = "".join(action(f"m{name}", "?x", "", f"({name} ?x)") for name in "phr")
    makes += action("ms", "?x", "", "(s ?x ?x)")
    found = achieved(first + never + second + makes, "a", "", "(g a)", FLAGS)
    assert found == ["(mh a)", "(mr a)", "(ms a)", "(second a)"]


def test_objects_are_those_for_which_one_action_is_enough() -> None:
    """Of forty objects the last one can be made ready."""
    use = action("use", "?x ?y", "(p ?y)", "(g ?x)")
    make = action("make", "?y", "(r ?y)", "(p ?y)")
    names = [f"o{number}" for number in range(40)]
    found = achieved(use + make, " ".join(names), "(r o39)", "(g o0)", FLAGS)
    assert found == ["(make o39)", "(use o0 o39)"]


def test_no_action_serves_what_it_needs_itself() -> None:
    """`b` could be had from `c`, which is what is wanted; it must be had from `e`."""
    copy = action("copy", "?y ?z", "(s ?y ?z) (p ?y)", "(p ?z)")
    start = action("start", "?y", "(r ?y)", "(p ?y)")
    found = achieved(copy + start, "b c e", "(s c b) (s e b) (s b c) (r e)", "(p c)", FLAGS)
    assert found == ["(start e)", "(copy e b)", "(copy b c)"]


def test_what_holds_but_can_never_do_leaves_the_choice_open() -> None:
    """The tool on the machine is of another kind, which never changes: one of the right kind is mounted."""
    use = action("use", "?x ?k ?y", "(s ?x ?k) (s ?k ?y) (q ?y) (p ?y)", "(g ?x)")
    mount = action("mount", "?y ?z", "(r ?y) (q ?z)", "(q ?y) (not (q ?z))")
    sharpen = action("sharpen", "?y", "(r ?y)", "(p ?y)")
    facts = "(q b) (s a k) (s k c) (s k d) (r c) (r d)"
    found = achieved(use + mount + sharpen, "a b c d k", facts, "(g a)", FLAGS)
    assert found == ["(mount c b)", "(sharpen c)", "(use a k c)"]


def floor(*rows: str) -> Task:
    """A floor as seen from above, the top row first: a digit is a robot, # painted, ? to be painted."""
    tiles = {(x, y): mark for y, row in enumerate(reversed(rows)) for x, mark in enumerate(row)}
    facts, goals, robots = [], [], []
    for (x, y), mark in tiles.items():
        for relation, other in (("up", (x, y + 1)), ("right", (x + 1, y))):
            if other in tiles:
                back = {"up": "down", "right": "left"}[relation]
                there, here = f"t{other[0]}{other[1]}", f"t{x}{y}"
                facts += [f"({relation} {there} {here})", f"({back} {here} {there})"]
        if mark.isdigit():
            robots.append(f"r{mark}")
            facts += [f"(robot-at r{mark} t{x}{y})", f"(robot-has r{mark} black)"]
        else:
            facts.append(f"(painted t{x}{y} black)" if mark == "#" else f"(clear t{x}{y})")
        if mark in "#?":
            goals.append(f"(painted t{x}{y} black)")
    return Task.parse(
        domain("floortile"),
        f"(define (problem p) (:domain floor-tile) (:objects {' '.join(f't{x}{y}' for x, y in tiles)} - tile"
        f" black - color {' '.join(sorted(robots))} - robot)"
        f" (:init (available-color black) {' '.join(facts)})"
        f" (:goal (and {' '.join(goals)})))",
    )


def painting(task: Task, guards: tuple[StateDescriptor, ...] = ()) -> tuple[World, Way | None, int]:
    """The leap that paints a tile from the one below it, and how many attempts it took."""
    recipe = lifted(world_of(floor("?", "1")), "(paint-up r1 t01 t00 black)")
    assert recipe is not None
    world = world_of(task, replace(open_goals(task), guards=guards))
    achiever = RecipeAchiever(world)
    way = achiever.leap(bound(world, recipe), False, PLENTY)
    return world, way, PLENTY - achiever.left


def test_a_place_is_reached_by_moves_of_several_schemas() -> None:
    task = floor(".#?", ".#.", ".#.", "1#.", "...")
    world, way, _ = painting(task)
    assert way is not None
    assert_replayed(task, world, task.initial_state, way)
    assert [world.actions.schemas[action[0]].name for action in way.way] == [
        *("down", "right", "right", "up", "up", "up", "paint-up")
    ]


def test_where_the_first_object_leads_nowhere_others_have_their_turn() -> None:
    """Robots 1 to 8 are walled in."""
    task = floor("########.?", "12345678#.", "#########.", ".........9")
    world, way, _ = painting(task)
    assert way is not None
    assert_replayed(task, world, task.initial_state, way)
    assert len(way.way) == 3


def test_goals_that_a_guard_forbids_as_things_are_wait_for_others() -> None:
    """What is above a painted tile is painted before it."""
    task = floor("?", "?", "?", "?", "?", "?", "1")
    guard = parse(
        "n_count(c_and(c_primitive(painted,0),c_not(c_all(r_primitive(down,0,1),c_primitive(painted,0)))))"
    )
    world, way, attempts = painting(task, (StateDescriptor(guard),))
    assert way is not None
    (painted,) = way.added & world.base.goals.positive
    assert world.actions.structure.atom_text(painted) == "(painted t06 black)"
    assert attempts == 1


def test_planning_achieves_a_goal_where_no_search_finds_one() -> None:
    """Without recipes, relaxed plans and pairs of facts, what is buried deep is out of reach."""
    program = parse_program("counter n_count(r_diff(r_primitive(on_g,0,1),r_primitive(on,0,1)))")
    task, limits = towers(6, 6), {"novelty_two_limit": 10, "ground_actions": 0.0}
    assert leap(task, program, replace(LEAP, **limits)).solved
    others = tuple(level for level in LEAP.levels if level is not Level.ACHIEVING)
    assert not leap(task, program, replace(LEAP, levels=others, **limits)).solved
