"""Valid plans of a task, and broken ones made of them."""

from __future__ import annotations

from random import Random

from tests.differential.mutations import Steps, Vocabulary, mutated
from tests.differential.tasks import TaskText
from trailmark.learning.sources import disturbed
from trailmark.search.best_first import BestFirstOptions, best_first, weighted_astar_key
from trailmark.task import Task
from trailmark.task.states import State, prepare

MOST_STATES = 5000
"""A task is left alone where no plan is found within this many states."""
WALK = 6
VALID_SHARE = 0.3


def found_plan(task: Task, seed: int) -> Steps | None:
    """A plan by the search that training plans come from, varied by noise."""
    options = BestFirstOptions(key=weighted_astar_key(3.0), ordered=True, max_states=MOST_STATES)
    return best_first(task, disturbed(prepare(task, "hadd"), 3.0, seed), None, options).steps


def plans(text: TaskText, count: int, chance: Random) -> list[tuple[str, Steps]]:
    """So many plans with what each is; none where no plan is found.

    Three in ten are made to be valid: found by search, from the start or after a random walk.
    """
    task = text.task
    first = found_plan(task, chance.randrange(1000))
    if first is None:
        return []
    schemas = task.domain.model.actions
    words = Vocabulary([(each.name, len(each.parameters)) for each in schemas], sorted(task.object_types))
    known = [first]
    made: list[tuple[str, Steps]] = [("found", first)]
    while len(made) < count:
        if chance.random() >= VALID_SHARE:
            made.append(mutated(chance.choice(known), words, chance))
            continue
        another = _after_walk(task, chance)
        if another is not None:
            known.append(another)
            made.append(("found after a walk", another))
        else:
            made.append(("found", chance.choice(known)))
    return made[:count]


def _after_walk(task: Task, chance: Random) -> Steps | None:
    """A random walk, then a plan from where it ends; only where a state is its atoms."""
    state: State = task.initial_state
    if state.values:
        return found_plan(task, chance.randrange(1000))
    walked = []
    for _ in range(chance.randint(0, WALK)):
        successors = task.successors(state)
        if not successors:
            break
        action, state, _ = chance.choice(successors)
        walked.append(action.step)
    derived = task.domain.derived_predicates
    symbols = task.structure.vocabulary.symbols
    atoms = frozenset(
        each for each in state.atoms if symbols[task.structure.decode(each)[0]].name not in derived
    )
    rest = found_plan(task.starting_from(atoms, task.name), chance.randrange(1000))
    return None if rest is None else (*walked, *rest)
