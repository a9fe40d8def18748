"""Gripper: a robot with two grippers carries balls out of the first room.

Solvable: every room is one step from every other and nothing blocks the robot.
"""

from __future__ import annotations

from random import Random
from string import ascii_lowercase

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp

GRIPPERS = ("left", "right")


def build(rng: Random, *, balls: int, rooms: int) -> Problem:
    """All balls and the robot in the first room; every ball wants to be in a random other room."""
    room_names = [f"room{letter}" for letter in ascii_lowercase[:rooms]]
    first, others = room_names[0], room_names[1:]
    ball_names = numbered("ball", balls, start=1)
    init: list[Atom] = [("room", room) for room in room_names]
    init += [("ball", ball) for ball in ball_names]
    init += [("gripper", gripper) for gripper in GRIPPERS]
    init += [("free", gripper) for gripper in GRIPPERS]
    init.append(("at-robby", first))
    init += [("at", ball, first) for ball in ball_names]
    goal: list[Atom] = [("at", ball, others[rng.randrange(len(others))]) for ball in ball_names]
    return Problem([([*room_names, *ball_names, *GRIPPERS], None)], init, goal)


GRIPPER = DomainSpec(
    name="gripper",
    description="A robot with two grippers carries balls to another room.",
    pddl_name="gripper-strips",
    parameters=(
        Parameter("balls", 4, 1, 10000, "balls to move"),
        Parameter("rooms", 2, 2, len(ascii_lowercase), "rooms; with two, every ball has the same goal"),
    ),
    build=build,
    train=tuple({"balls": balls} for balls in (1, 2, 3, 4, 5)),
    test=ramp({"balls": 6}, {"balls": 600}),
)
