"""Whether a task has a plan, and how cheap one can be, by counting out its states with our own executor."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from itertools import count

from tests.task.replay import is_solved, metric_value, own_successors
from trailmark.task import Task
from trailmark.task.executor import Executor, World
from trailmark.task.model import TOTAL_COST, And, Comparison, FunctionTerm, Not, Number

LARGE = 1e6
"""Numbers beyond it are no goals: scaled again and again they soon have no exact text."""


class TooLarge(Exception):
    """The task has more states than are counted out."""


class Unclear(Exception):
    """A step makes the metric smaller, so that cheapest plans take another search."""


def cheapest(task: Task, most_states: int) -> tuple[float, int]:
    """The cost of a cheapest plan, infinite where there is none, and how many states were expanded."""
    executor = Executor(task)
    order = count()
    start = executor.initial()
    open_list = [(metric_value(task, executor, start) or 0.0, next(order), start)]
    closed: set[object] = set()
    while open_list:
        cost, _, world = heappop(open_list)
        key = _key(world)
        if key in closed:
            continue
        if is_solved(task, executor, world):
            return cost, len(closed)
        closed.add(key)
        if len(closed) > most_states:
            raise TooLarge
        for after in own_successors(task, executor, world).values():
            heappush(open_list, (cost + _step_cost(task, executor, world, after), next(order), after))
    return math.inf, len(closed)


def _key(world: World) -> object:
    """Two states with one key have the same plans; the sum of costs is no part of it."""
    numbers = frozenset(each for each in world.numbers.items() if each[0] != (TOTAL_COST,))
    return frozenset(world.facts), numbers


def _step_cost(task: Task, executor: Executor, before: World, after: World) -> float:
    if task.model.minimize is None:
        return 1.0
    cost = (metric_value(task, executor, after) or 0.0) - (metric_value(task, executor, before) or 0.0)
    if cost < 0:
        raise Unclear
    return cost


def far_goal(task: Task, most_states: int) -> And:
    """What tells the last of so many states from the initial one: a goal that can be reached."""
    executor = Executor(task)
    start = executor.initial()
    seen, queue = {_key(start)}, [start]
    for world in queue:
        for after in own_successors(task, executor, world).values():
            if _key(after) not in seen and len(queue) < most_states:
                seen.add(_key(after))
                queue.append(after)
    last = queue[-1]
    facts = sorted(last.facts - start.facts)
    facts_lost = [Not(fact) for fact in sorted(start.facts - last.facts)]
    numbers = [
        Comparison("=", FunctionTerm(name, tuple(terms)), Number(value))
        for (name, *terms), value in sorted(last.numbers.items())
        if name != TOTAL_COST and start.numbers.get((name, *terms)) != value and abs(value) < LARGE
    ]
    return And((*facts, *facts_lost, *numbers))
