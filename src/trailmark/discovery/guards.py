"""Guards: what never holds on the way to a goal (the paper's future work, negative landmarks).

From state spaces of training instances, a guard is a conjunction of simple concepts that is empty
in every state known to be solvable, not empty in dead states that a solvable state leads to, and
never empty again once it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.conjunctions import Conjunctions, cheapest_cover, kinds
from trailmark.discovery.deadends import DeadSteps, StateSpace, spread
from trailmark.features.batch import evaluate
from trailmark.features.bits import Speller, unpack
from trailmark.features.grammar import Grammar
from trailmark.features.growth import Growth
from trailmark.features.states import StateBatch, Trajectory, state_batch
from trailmark.features.syntax import Expression, Kind, expression
from trailmark.landmarks.functions import StateDescriptor
from trailmark.relational import Interpretation

SIMPLE = Grammar(
    constructors=frozenset(
        {
            *("c_top", "c_primitive", "c_not", "c_some", "c_all", "c_equal", "c_subset"),
            *("r_primitive", "r_inverse", "r_diff"),
        }
    ),
    largest=(("c_equal", 3), ("c_subset", 3), ("r_diff", 3)),
    goal_pairs=frozenset({"c_equal", "c_subset", "r_diff"}),
    any_position=True,
)
"""The concepts that guards are conjunctions of."""


MOST_REFUTING = 50
"""So many states of an instance that refute a guard are added to those of the next search."""


@dataclass(frozen=True)
class GuardOptions:
    complexity: int = 4
    """The largest complexity of a simple concept."""
    concepts: int = 300
    """So many simple concepts are combined, the least complex ones."""
    parts: int = 3
    """So many concepts make a conjunction at most."""
    guards: int = 6
    """So many guards are kept at most."""
    instances: int = 2
    """In the dead states of so many instances a guard must hold; in those of one where every space
    is complete and only one has dead states."""
    least_share: float = 0.01
    """A further guard must hold in this share of the dead states, where none before it does."""
    solvable_states: int = 1_000
    """So many solvable states of an instance are looked at first."""
    dead_states: int = 300
    """So many dead states of an instance are looked at."""
    trap_states: int = 400
    """So many dead states of an instance show whether a guard holds for ever once it holds."""
    rounds: int = 4
    """How often the search is repeated with solvable states in which what it found holds."""
    goal_instances: int = 2
    """In how many instances a predicate must be a goal for its goal version to be used."""


def find_guards(
    spaces: Sequence[StateSpace],
    trajectories: Sequence[Trajectory] = (),
    options: GuardOptions | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[StateDescriptor, ...]:
    """The guards of these spaces, none where nothing is dead.

    No guard holds in a state of the training trajectories or in a solvable state of a space.
    """
    settings, stopped = options or GuardOptions(), stop or (lambda: False)
    needed = _instances_needed(spaces, settings)
    if sum(bool(space.brink) for space in spaces) < needed:
        return ()
    dead = [(space.structure, _states(space, spread(space.brink, settings.dead_states))) for space in spaces]
    good = [(space.structure, _states(space, np.flatnonzero(space.solvable).tolist())) for space in spaces]
    looked_at = [(structure, spread(states, settings.solvable_states)) for structure, states in good]
    looked_at += trajectories
    steps = DeadSteps(spaces, settings.trap_states)
    guards: list[Expression] = []
    for _ in range(settings.rounds):
        found = _search(_filled(looked_at), _filled(dead), steps, needed, settings, stopped)
        refuting = _refuting(found, [*good, *trajectories])
        guards = [each for each in found if each not in refuting]
        if not refuting or stopped():
            break
        for states in refuting.values():
            looked_at += states
    return tuple(StateDescriptor(each) for each in guards)


def without_refuted(
    guards: Sequence[StateDescriptor], solvable: Sequence[Trajectory]
) -> tuple[StateDescriptor, ...]:
    """The guards that hold in none of these states, which took no part in finding them."""
    wrong = _refuting([guard.feature for guard in guards], solvable)
    return tuple(guard for guard in guards if guard.feature not in wrong)


def _instances_needed(spaces: Sequence[StateSpace], settings: GuardOptions) -> int:
    only_one = sum(bool(space.brink) for space in spaces) == 1
    return 1 if only_one and all(space.is_complete for space in spaces) else settings.instances


def _search(
    good: list[Trajectory],
    dead: list[Trajectory],
    steps: DeadSteps,
    needed: int,
    settings: GuardOptions,
    stop: Callable[[], bool],
) -> list[Expression]:
    """The features that are 0 in all good states and together positive in most dead ones."""
    batch = state_batch([*good, *dead])
    growth = _simple_concepts(batch, settings, stop)
    levels = [growth.concepts.level(size) for size in range(1, settings.complexity + 1)]
    packed = np.concatenate(levels)[: settings.concepts]
    if not len(packed):
        return []  # stopped before the first concept
    members = unpack(packed, int(batch.nodes[-1])).view(np.bool_)
    good_states = sum(len(states) for _, states in good)
    good_nodes = int(batch.nodes[good_states])
    state_of = np.repeat(np.arange(batch.states), batch.sizes)[good_nodes:] - good_states
    split = kinds(members, good_nodes, state_of, batch.states - good_states)
    conjunctions = Conjunctions(split, np.array(growth.concepts.complexities[: len(packed)]), stop)
    conjunctions.search(settings.parts)
    candidates = [each for each in conjunctions.covers() if _instances(each[2], dead) >= needed]
    least = max(1, int(settings.least_share * split.states.shape[1]))
    speller = Speller(growth.concepts, growth.roles)

    def spelled(parts: Sequence[int]) -> list[Expression]:
        return [speller.spell(Kind.CONCEPT, part) for part in parts]

    chosen = cheapest_cover(candidates, least, settings.guards, lambda parts: steps.lasts(spelled(parts)))
    return [expression("n_count", _conjunction(spelled(parts))) for parts in chosen]


def _simple_concepts(batch: StateBatch, settings: GuardOptions, stop: Callable[[], bool]) -> Growth:
    needed = min(settings.goal_instances, len(batch.instances))
    growth = Growth(
        batch, SIMPLE, frozenset(name for name, uses in batch.goal_uses().items() if uses >= needed)
    )
    for size in range(1, settings.complexity + 1):
        for rows, recipe in growth.concept_candidates(size):
            if not stop():
                growth.concepts.add(size, rows, recipe)
        growth.concepts.close(size)
        for rows, recipe in growth.role_candidates(size):
            if not stop():
                growth.roles.add(size, rows, recipe)
        growth.roles.close(size)
        growth.pair_goal_roles(size)
    return growth


def _conjunction(concepts: Sequence[Expression]) -> Expression:
    return reduce(lambda left, right: expression("c_and", left, right), concepts)


def _instances(cover: NDArray[np.bool_], dead: Sequence[Trajectory]) -> int:
    """In how many of these lists of states there is one that is covered."""
    ends = np.cumsum([0, *(len(states) for _, states in dead)])
    return sum(bool(cover[begin:end].any()) for begin, end in pairwise(ends))


def _refuting(
    features: Sequence[Expression], good: Sequence[Trajectory]
) -> dict[Expression, list[Trajectory]]:
    """The features that are positive in some of these states, each with states where it is."""
    filled = _filled(good)
    if not features or not filled:
        return {}
    values = evaluate(features, state_batch(filled))
    found: dict[Expression, list[Trajectory]] = {}
    for feature, row in zip(features, values.values, strict=True):
        for (structure, states), begin, end in zip(
            filled, values.offsets[:-1], values.offsets[1:], strict=True
        ):
            wrong = np.flatnonzero(row[begin:end] > 0)
            if len(wrong):
                chosen = [states[number] for number in spread(wrong.tolist(), MOST_REFUTING)]
                found.setdefault(feature, []).append((structure, chosen))
    return found


def _states(space: StateSpace, numbers: Sequence[int]) -> list[Interpretation]:
    return [space.state(number) for number in numbers]


def _filled(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    return [each for each in trajectories if each[1]]
