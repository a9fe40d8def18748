"""Small tasks for the tests of searches, and what exhaustive search says of them."""

from __future__ import annotations

import heapq
import random
from dataclasses import replace
from functools import cache
from itertools import count

from trailmark.domains import domain_text, generate, train_preset
from trailmark.features.syntax import Expression, expression
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop
from trailmark.programs.program import Counter, Program
from trailmark.task import Domain, Task
from trailmark.task.states import State

LARGE = 1500
"""More states than this are not searched exhaustively."""


@cache
def domain(name: str) -> Domain:
    return Domain.parse(domain_text(name))


def cheapest(task: Task, most: int = LARGE) -> float | None:
    """The cost of a cheapest plan by Dijkstra's algorithm over all states; None where there is no plan.

    Raises OverflowError where there are too many states.
    """
    ties = count()
    queue: list[tuple[float, int, State]] = [(0.0, next(ties), task.initial_state)]
    done: set[State] = set()
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if task.is_goal(state):
            return cost
        if len(done) > most:
            raise OverflowError
        for _, reached, step in task.successors(state):
            if reached not in done:
                heapq.heappush(queue, (cost + step, next(ties), reached))
    return None


def small_task(name: str, chance: random.Random) -> Task:
    """The smallest instance of a domain; often some of its initial facts are missing."""
    sizes = train_preset(name)[chance.choice([0, 0, 1])]
    text = generate(name, chance.randrange(1000), **sizes)
    task = Task.parse(domain(name), text)
    if chance.random() < 0.6:
        facts = list(task.model.initial_atoms)
        for _ in range(chance.randint(1, 3)):
            facts.pop(chance.randrange(len(facts)))
        task = Task(task.domain, replace(task.model, initial_atoms=tuple(facts)))
    return task


def random_guidance(task: Task, chance: random.Random) -> LandmarkGraph | Program:
    """A landmark graph or a program over the domain's predicates that knows nothing of the domain."""
    pool = _features(task)

    def descriptor() -> StateDescriptor:
        return StateDescriptor(chance.choice(pool), positive=chance.random() < 0.5)

    def progressor() -> StateProgressor:
        return StateProgressor(chance.choice(pool), decreases=chance.random() < 0.5)

    if chance.random() < 0.4:
        chains = [chance.sample(pool, chance.randint(1, 3)) for _ in range(chance.randint(1, 3))]
        guards = (descriptor(),) if chance.random() < 0.3 else ()
        return Program(tuple(Counter(tuple(chain), chance.randint(0, 1)) for chain in chains), guards)
    landmarks = [Landmark((descriptor(),)) for _ in range(chance.randint(1, 4))]
    loops = []
    for source in range(1, len(landmarks)):
        if chance.random() < 0.6:
            counter = StateValue(chance.choice(pool))
            loops.append(Loop(source, chance.randrange(source), (descriptor(),), (progressor(),), (counter,)))
    return LandmarkGraph(tuple(landmarks), tuple(loops))


def _features(task: Task) -> list[Expression]:
    """Counts of simple concepts and roles, goal versions among them."""
    found: list[Expression] = []
    for symbol in task.domain.vocabulary.symbols:
        for place in range(symbol.arity):
            concept = expression("c_primitive", symbol.name, place)
            found += [expression("n_count", each) for each in (concept, expression("c_not", concept))]
        if symbol.arity == 2:
            role = expression("r_primitive", symbol.name, 0, 1)
            found.append(expression("n_count", role))
            found.append(expression("n_count", expression("c_some", role, expression("c_top"))))
    return found
