"""Small tasks with programs and recipes that are learned in a moment."""

from __future__ import annotations

import random
from functools import cache
from unittest.mock import patch

from tests.search.tasks import domain
from trailmark.domains import train_problems
from trailmark.features.syntax import expression
from trailmark.landmarks.functions import Guidance
from trailmark.learning import recipes as learning
from trailmark.learning.recipes import Example, learn_recipes
from trailmark.programs.program import Counter, Program
from trailmark.programs.recipe import Recipe
from trailmark.search.leap import LeapOptions
from trailmark.search.leap.base import Base
from trailmark.search.leap.course import Course
from trailmark.search.leap.search import leap
from trailmark.search.recipes.execution import Way
from trailmark.search.recipes.lift import lift
from trailmark.search.recipes.world import World
from trailmark.task import Step, Task
from trailmark.task.lifted import Action, LiftedGenerator

FEW_WALKS = 4


@cache
def training_task(name: str, number: int = 0) -> Task:
    return Task.parse(domain(name), train_problems(name)[number])


def open_goals(task: Task) -> Program:
    """One counter for every goal predicate: its goals that do not hold."""
    counters = []
    for symbol in task.domain.vocabulary.symbols:
        if symbol.goal_of is None or symbol.goal_of not in task.goal_predicates or symbol.arity > 2:
            continue
        places = (0,) if symbol.arity == 1 else (0, 1)
        kind = "c" if symbol.arity == 1 else "r"
        wanted, now = (
            expression(f"{kind}_primitive", name, *places) for name in (symbol.name, symbol.goal_of)
        )
        counters.append(Counter((expression("n_count", expression(f"{kind}_diff", wanted, now)),)))
    return Program(tuple(counters))


def world_of(task: Task, guidance: Guidance | None = None) -> World:
    """The task's initial state as recipes see it."""
    course = Course(guidance or open_goals(task), LeapOptions())
    return World(Base(LiftedGenerator(task), course))


def commit(world: World, action: Action) -> None:
    """Make the state after an applicable action the base, by the generator's effects alone."""
    root = world.base.state.root
    adds, deletes = world.base.generator.effects(action)
    world.base.commit(Way(set(adds) - root, (set(deletes) & root) - set(adds), [action]))


def wander(world: World, steps: int, chance: random.Random) -> list[Action]:
    """Commit to so many random actions; those that were done."""
    done = []
    for _ in range(steps):
        generator = world.base.generator
        generator.state.visit(set(), set())
        applicable = generator.applicable()
        if not applicable:
            break
        done.append(chance.choice(sorted(applicable)))
        commit(world, done[-1])
    return done


def actions_of(world: World, text: str) -> list[Action]:
    """Ground actions as in `(board c1 p1) (sail p1 p2)`."""
    steps = [part.split() for part in text.replace("(", " ").split(")") if part.strip()]
    return [world.base.generator.action(Step(name, tuple(objects))) for name, *objects in steps]


def lifted(world: World, text: str, repeated: set[str] | None = None, whole: bool = False) -> Recipe | None:
    """The recipe of these actions in the base."""
    way = actions_of(world, text)
    return lift(way, world.actions, repeated or set(), world.is_open_goal, whole)


@cache
def learned(name: str, program: Program | None = None, problems: int = 1) -> Program:
    """A domain's program with the recipes of its first training tasks and a few walks."""
    tasks = [training_task(name, number) for number in range(problems)]
    known = program or open_goals(tasks[0])
    examples = [Example(task, result.steps) for task in tasks if (result := leap(task, known)).solved]
    with patch.object(learning, "MOST_WALKS", FEW_WALKS):
        recipes = learn_recipes(known, examples)
    return Program(known.counters, known.guards, recipes)
