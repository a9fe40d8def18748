"""Description-logic features against DLPlan: texts, complexities, values, and whole pools."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.differential.comparison import Comparison
from tests.differential.drawn import for_each
from tests.differential.plans import found_plan
from tests.differential.tasks import TaskText, training_tasks
from tests.oracles.strategies import expressions, worlds
from trailmark.domains import names
from trailmark.features.batch import evaluate as evaluate_batch
from trailmark.features.grammar import PoolOptions
from trailmark.features.incremental.evaluation import bind
from trailmark.features.pool import generate_pool
from trailmark.features.states import StateBatch, state_batch
from trailmark.features.syntax import Expression, Kind
from trailmark.relational import Interpretation, Structure
from trailmark.task import Plan, trajectory

POOL_SHARE = 50
"""One pool for so many single expressions."""
POOL_COMPLEXITY = 5
KINDS = (Kind.NUMERICAL, Kind.BOOLEAN, Kind.ROLE, Kind.CONCEPT)

Case = tuple[Structure, Interpretation, Expression]


def compare(seed: int, count: int, save: Path | None) -> list[Comparison]:
    """So many expressions in random states, and a pool for every fifty of them."""
    values = Comparison("features", "DLPlan values", save)
    pools = Comparison("features", "DLPlan pools", save)
    number = max(1, min(len(names()), count // POOL_SHARE))
    if importlib.util.find_spec("dlplan") is None:
        values.skip("DLPlan is not installed", count)
        pools.skip("DLPlan is not installed", number)
        return [values, pools]
    for_each(_cases(), seed, count, lambda case: _compare_value(values, case))
    chance = Random(seed)
    for name in chance.sample(names(), number):
        _compare_pool(pools, name, chance)
    return [values, pools]


@st.composite
def _cases(draw: st.DrawFn) -> Case:
    from tests.features.test_dlplan import OURS_ALONE

    structure, state = draw(worlds(numeric=False))
    return structure, state, draw(expressions(structure.vocabulary, KINDS, 4, OURS_ALONE))


def _compare_value(comparison: Comparison, case: Case) -> None:
    """Concepts and roles by the plain evaluator, features also by the batched and the incremental one."""
    from tests.features.test_dlplan import denotation, element, factory
    from tests.oracles.bruteforce import evaluate

    structure, state, node = case
    maker = factory(structure.vocabulary)
    theirs: Any = denotation(maker, node, structure, state)
    ours = [evaluate(node, structure, state)]
    if node.kind in (Kind.BOOLEAN, Kind.NUMERICAL):
        batch = state_batch([(structure, (state,))])
        ours.append(int(evaluate_batch((node,), batch).values[0, 0]))
        ours.append(int(bind((node,), structure).start(state).values[0]))
        theirs = int(theirs)
    same_complexity = element(maker, node).compute_complexity() == node.complexity
    told = f"{node}\n{structure}\n{state}\nours {ours}, DLPlan {theirs}\n"
    comparison.record(same_complexity and all(each == theirs for each in ours), {"case.txt": told})
    comparison.notes[node.kind.name.lower()] += 1


def _compare_pool(comparison: Comparison, name: str, chance: Random) -> None:
    """The different valuations of a whole generated pool on the training plans of a domain."""
    from tests.oracles.dlplan_pool import dlplan_valuations

    batch = _training_states(name, chance)
    made = generate_pool(batch, PoolOptions(complexity=POOL_COMPLEXITY)).valuations
    ours = {tuple(map(int, row)) for row in made.values}
    theirs = dlplan_valuations(batch, POOL_COMPLEXITY)
    told = (
        f"{name}: ours alone {sorted(ours - theirs)[:5]}, DLPlan alone {sorted(theirs - ours, key=str)[:5]}\n"
    )
    comparison.record(ours == theirs, {"case.txt": told})
    comparison.notes["valuations"] += len(theirs)


def _training_states(name: str, chance: Random) -> StateBatch:
    visited = []
    for text in _of_domain(name)[:3]:
        steps = found_plan(text.task, chance.randrange(1000))
        assert steps is not None
        path = trajectory(text.task, Plan(steps))
        visited.append((path.structure, path.states))
    return state_batch(visited)


def _of_domain(name: str) -> list[TaskText]:
    return [text for text in training_tasks() if text.name.rsplit(" ", 1)[0] == name]
