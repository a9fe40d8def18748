"""Goal by goal: what is in the way of a goal is taken away, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.search.recipes.worlds import open_goals, training_task, world_of
from tests.search.tasks import cheapest, domain
from trailmark.domains import generate
from trailmark.learning.recipes import solved_goal_by_goal
from trailmark.search.leap import LeapOptions, LeapStatus, Level
from trailmark.search.leap.search import leap
from trailmark.search.leaping import GOAL_BY_GOAL
from trailmark.search.planner import PlannerOptions, plan
from trailmark.search.recipes.goals import GoalByGoal, ways_may_be_blocked
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.lifted import LiftedGenerator

HOUSE = Domain.parse("""
(define (domain house)
 (:requirements :strips :typing)
 (:types robot room card)
 (:predicates (in ?r - robot ?x - room) (lies ?c - card ?x - room) (has ?r - robot ?c - card)
              (free ?r - robot) (door ?x ?y - room) (shut ?y - room)
              (entered ?y - room) (opens ?c - card ?y - room))
 (:action go :parameters (?r - robot ?x ?y - room)
  :precondition (and (in ?r ?x) (door ?x ?y) (entered ?y))
  :effect (and (in ?r ?y) (not (in ?r ?x))))
 (:action unlock :parameters (?r - robot ?x ?y - room ?c - card)
  :precondition (and (in ?r ?x) (door ?x ?y) (shut ?y) (has ?r ?c) (opens ?c ?y))
  :effect (and (entered ?y) (not (shut ?y))))
 (:action take :parameters (?r - robot ?x - room ?c - card)
  :precondition (and (in ?r ?x) (lies ?c ?x) (free ?r))
  :effect (and (has ?r ?c) (not (lies ?c ?x)) (not (free ?r))))
 (:action put :parameters (?r - robot ?x - room ?c - card)
  :precondition (and (in ?r ?x) (has ?r ?c))
  :effect (and (lies ?c ?x) (free ?r) (not (has ?r ?c)))))
""")


def house(
    doors: Iterable[str], shut: str, cards: dict[str, str], opens: str, goal: str, robots: str = "a"
) -> Task:
    """Rooms of one letter. A card `c` lies in room `cards["c"]`; `opens` are pairs of card and room."""
    pairs = [*doors, *(door[::-1] for door in doors)]
    rooms = sorted(set("".join(pairs)))
    facts = [f"(door {x} {y})" for x, y in pairs]
    facts += [f"(shut {room})" if room in shut else f"(entered {room})" for room in rooms]
    facts += [f"(lies {card} {room})" for card, room in cards.items()]
    facts += [f"(opens {card} {room})" for card, room in opens.split()]
    facts += [f"(in r{number} {room}) (free r{number})" for number, room in enumerate(robots)]
    names = " ".join(f"r{number}" for number in range(len(robots)))
    return Task.parse(
        HOUSE,
        f"(define (problem p) (:domain house) (:objects {names} - robot {' '.join(rooms)} - room"
        f" {' '.join(cards)} - card) (:init {' '.join(facts)}) (:goal (and {goal})))",
    )


def solved(task: Task) -> list[str] | None:
    """The steps of a plan, which the executor has validated; None where there is none."""
    result = leap(task, open_goals(task), GOAL_BY_GOAL)
    if not result.solved:
        assert result.status is LeapStatus.STUCK
        return None
    assert validate(task, Plan(result.steps))
    return [str(step) for step in result.steps]


def test_only_doors_in_the_way_are_opened() -> None:
    """Four rooms are shut. The card that is wanted lies in one of them, whose card lies in another."""
    task = house(
        ["ab", "ac", "ad", "ae", "af"],
        shut="cdef",
        cards={"u": "b", "v": "c", "w": "d"},
        opens="uc vd ue uf",
        goal="(lies w b)",
    )
    steps = solved(task)
    assert steps is not None
    assert [step for step in steps if "unlock" in step] == ["(unlock r0 a c u)", "(unlock r0 a d v)"]
    assert len(steps) == cheapest(task, 20_000)


def test_what_is_carried_need_not_be_put_down_for_a_door() -> None:
    """The door of the goal's room is opened before the other card is fetched."""
    task = house(["ab", "bc"], shut="c", cards={"u": "a", "w": "b"}, opens="uc", goal="(lies w c)")
    steps = solved(task)
    assert steps is not None
    assert len(steps) == cheapest(task)
    assert sum("(put" in step for step in steps) == 2


def test_a_way_that_is_open_needs_no_key() -> None:
    rooms = "abcdefgh"
    ring = [rooms[place - 1] + rooms[place] for place in range(len(rooms))]
    steps = solved(house(ring, "h", {"u": "f", "w": "a"}, "uh", "(lies w g)"))
    assert steps is not None
    assert not any("unlock" in step for step in steps)


def test_goals_that_hold_are_kept_or_made_again() -> None:
    """One of two cards for the door lies where it belongs: the other is used. Alone it is brought back."""
    rooms = ["ab", "ac", "ad"]
    goal = "(lies u b) (lies w b)"
    steps = solved(house(rooms, "d", {"u": "b", "v": "c", "w": "d"}, "ud vd", goal))
    assert steps is not None
    assert not any("take r0 b u" in step for step in steps)
    task = house(rooms, "d", {"u": "b", "w": "d"}, "ud", goal)
    steps = solved(task)
    assert steps is not None
    assert any("put r0 b u" in step for step in steps)


def test_a_key_behind_its_own_door_is_given_up() -> None:
    assert solved(house(["ab", "bc"], "c", {"u": "c"}, "uc", "(lies u a)")) is None


def test_several_robots_may_move() -> None:
    """Only the one behind the door can open it from where its card lies."""
    task = house(["ab", "cd", "bc"], "c", {"u": "d", "w": "a"}, "uc", "(lies w d)", robots="ad")
    steps = solved(task)
    assert steps is not None
    assert "(unlock r1" in " ".join(steps)


def test_random_houses_are_solved_where_exhaustive_search_solves_them() -> None:
    """Never a plan for what has none; most of what has one is solved, by plans that are not much longer."""
    rng = random.Random(3)
    solvable = found = 0
    longer = []
    for _ in range(40):
        rooms = "abcdef"
        doors = {rng.choice(rooms[:place]) + rooms[place] for place in range(1, len(rooms))}
        doors |= {"".join(sorted(rng.sample(rooms, 2)))}
        shut = "".join(rng.sample(rooms[1:], 3))
        cards = {card: rng.choice(rooms) for card in "uvw"}
        opens = " ".join(rng.choice("uvw") + room for room in shut)
        task = house(sorted(doors), shut, cards, opens, f"(lies {rng.choice('uvw')} {rng.choice(rooms)})")
        best, steps = cheapest(task, 100_000), solved(task)
        solvable += best is not None
        found += steps is not None
        assert steps is None or best is not None
        if steps and best:
            longer.append(len(steps) / best)
    assert solvable > 15
    assert found >= 0.9 * solvable
    assert sum(longer) / len(longer) < 1.2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_grids_with_locks_need_no_search(seed: int) -> None:
    task = Task.parse(domain("grid"), generate("grid", seed=seed, width=5, height=5, shapes=2, keys=3))
    result = leap(task, open_goals(task), GOAL_BY_GOAL)
    assert result.solved
    assert validate(task, Plan(result.steps))
    assert result.statistics.generated == 0


def test_learning_says_where_goals_can_be_achieved_one_by_one() -> None:
    grids = [training_task("grid", number) for number in range(3)]
    program = open_goals(grids[0])
    assert solved_goal_by_goal(program, grids)
    delivery = training_task("delivery")
    assert not ways_may_be_blocked(LiftedGenerator(delivery))
    assert not solved_goal_by_goal(open_goals(delivery), [delivery])
    locked_in = house(["ab", "bc"], "c", {"u": "c"}, "uc", "(lies u a)")
    assert not solved_goal_by_goal(open_goals(locked_in), [locked_in])


def test_the_planner_goes_goal_by_goal_where_that_was_learned() -> None:
    task = house(["ab", "bc"], "c", {"u": "a", "w": "b"}, "uc", "(lies w c)")
    program = open_goals(task)
    options = PlannerOptions(complete="lazy")
    assert plan(task, program, options).strategy == "leap"
    assert plan(task, replace(program, goal_by_goal=True), options).strategy == "leap goal by goal"
    stuck = house(["ab"], "b", {"u": "b", "w": "b"}, "ub", "(lies w a)")
    assert not plan(stuck, replace(open_goals(stuck), goal_by_goal=True), options).steps


def test_the_clock_ends_it() -> None:
    class Expired:
        def expired(self) -> bool:
            return True

    task = training_task("grid")
    result = leap(task, open_goals(task), LeapOptions(levels=(Level.GOAL,)), Expired())
    assert result.status is LeapStatus.OUT_OF_BUDGET


def test_the_cheapest_way_counts_obstacles_by_what_they_take() -> None:
    """To f by c or by e, both shut: the card for e lies here, that for c does not."""
    task = house(["ab", "bc", "cf", "ad", "de", "ef"], "ce", {"u": "a", "v": "d"}, "ue vc", "(lies u f)")
    world = world_of(task)
    goals = GoalByGoal(world)
    structure = task.structure
    at = structure.encode(
        structure.vocabulary.index["in"], [structure.object_index["r0"], structure.object_index["f"]]
    )
    obstacles = goals._ways.obstacles(at, ())
    assert obstacles is not None
    assert [structure.decode(each)[1] for each in obstacles] == [(structure.object_index["e"],)]
