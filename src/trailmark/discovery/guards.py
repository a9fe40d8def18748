"""Guards: what never holds on the way to a goal (the paper's future work, negative landmarks).

In state spaces of training instances, which need not be expanded completely, a state is solvable where a
path to a goal is known, and dead where every path is known and none ends in a goal. A guard is a conjunction
of simple concepts that is empty in every solvable state, not empty in dead states that a solvable state
leads to, and never empty again once it is not. What is closed under every action and never true in a goal
proves that the goal is out of reach; conditions that hold in dead states by accident are seldom closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.conjunctions import Conjunctions, cheapest_cover, kinds
from trailmark.features.batch import count, denotations, evaluate
from trailmark.features.bits import unpack
from trailmark.features.grammar import Grammar
from trailmark.features.growth import Growth
from trailmark.features.states import StateBatch, Trajectory, state_batch
from trailmark.features.syntax import Expression, Kind, expression
from trailmark.landmarks.functions import StateDescriptor
from trailmark.relational import Interpretation, Structure

Item = TypeVar("Item")


def spread(items: Sequence[Item], most: int) -> Sequence[Item]:
    """At most so many of the items, evenly spread; all where there are no more."""
    return items[:: -(-len(items) // most)] if len(items) > most else items


@dataclass(frozen=True)
class StateSpace:
    """Some states of an instance and where its actions lead, each state a number from 0 on."""

    structure: Structure
    successors: Sequence[Sequence[int] | None]
    """The states that each state leads to; None where it was not expanded."""
    goals: frozenset[int]
    """A goal needs no successors: a plan ends there."""
    state: Callable[[int], Interpretation]

    @property
    def is_complete(self) -> bool:
        return all(
            following is not None or number in self.goals for number, following in enumerate(self.successors)
        )

    @cached_property
    def solvable(self) -> NDArray[np.bool_]:
        """Whether a path from each state to a goal is known."""
        return self._lead_to(self.goals)

    @cached_property
    def dead(self) -> NDArray[np.bool_]:
        """Whether each state is known to lead to no goal."""
        unknown = (number for number, following in enumerate(self.successors) if following is None)
        return ~self._lead_to([*self.goals, *unknown])

    @cached_property
    def first_dead(self) -> tuple[int, ...]:
        """The dead states that a solvable state leads to: where the mistake was made."""
        dead, found = self.dead, set[int]()
        for number in set(np.flatnonzero(self.solvable).tolist()) - self.goals:
            found.update(reached for reached in self.successors[number] or () if dead[reached])
        return tuple(sorted(found))

    def _lead_to(self, targets: Iterable[int]) -> NDArray[np.bool_]:
        """The states with a path to a target."""
        before = self._predecessors
        reached = np.zeros(len(self.successors), np.bool_)
        waiting = list(targets)
        reached[waiting] = True
        while waiting:
            for number in before[waiting.pop()]:
                if not reached[number]:
                    reached[number] = True
                    waiting.append(number)
        return reached

    @cached_property
    def _predecessors(self) -> list[list[int]]:
        before: list[list[int]] = [[] for _ in self.successors]
        for number, following in enumerate(self.successors):
            if number not in self.goals:
                for reached in following or ():
                    before[reached].append(number)
        return before


class DeadSteps:
    """Steps from dead states of some spaces, to see which conditions last."""

    def __init__(self, spaces: Sequence[StateSpace], most: int) -> None:
        """At most so many states of each space, the first dead ones first."""
        trajectories: list[Trajectory] = []
        before: list[int] = []
        after: list[int] = []
        first = 0
        for space in spaces:
            place: dict[int, int] = {}
            deeper = sorted(set(np.flatnonzero(space.dead).tolist()) - set(space.first_dead))
            for number in (*spread(space.first_dead, most // 2), *spread(deeper, most // 2)):
                for following in space.successors[number] or ():
                    before.append(first + place.setdefault(number, len(place)))
                    after.append(first + place.setdefault(following, len(place)))
            if place:
                trajectories.append((space.structure, [space.state(number) for number in place]))
                first += len(place)
        self._batch = state_batch(trajectories) if trajectories else None
        self._before, self._after = np.array(before, np.int64), np.array(after, np.int64)
        self._members: dict[Expression, NDArray[np.bool_]] = {}

    def lasts(self, concepts: Sequence[Expression]) -> bool:
        """Whether a conjunction that has a member before a step has one after it."""
        if self._batch is None:
            return True
        missing = [concept for concept in concepts if concept not in self._members]
        self._members.update(denotations(missing, self._batch))
        members = np.logical_and.reduce([self._members[concept] for concept in concepts])
        holds = count(self._batch, members) > 0
        return not bool((holds[self._before] & ~holds[self._after]).any())


SIMPLE = Grammar(
    constructors=frozenset(
        {
            *("c_top", "c_primitive", "c_not", "c_some", "c_all", "c_equal", "c_subset"),
            *("r_primitive", "r_inverse", "r_diff"),
        }
    ),
    largest=(("c_equal", 3), ("c_subset", 3), ("r_diff", 3)),
    any_position=True,
)
"""The concepts that guards are conjunctions of."""


MOST_REFUTING = 50
"""So many states of an instance that refute a guard are added to those of the next search."""


COMPLEXITY = 4
"""The largest complexity of a simple concept."""
CONCEPTS = 300
"""So many simple concepts are combined, the least complex ones."""
PARTS = 3
"""So many concepts make a conjunction at most."""
MOST_GUARDS = 6
INSTANCES = 2
"""In the dead states of so many instances a guard must hold; in those of one where every space is complete
and only one has dead states."""
LEAST_SHARE = 0.01
"""A further guard must hold in this share of the dead states, where none before it does."""
SOLVABLE_STATES = 1_000
DEAD_STATES = 300
"""So many states of an instance are looked at: solvable ones at first, and dead ones."""
TRAP_STATES = 400
"""So many dead states of an instance show whether a guard holds for ever once it holds."""
ROUNDS = 4
"""How often the search is repeated with solvable states in which what it found holds."""


def find_guards(
    spaces: Sequence[StateSpace],
    trajectories: Sequence[Trajectory] = (),
    stop: Callable[[], bool] | None = None,
) -> tuple[StateDescriptor, ...]:
    """The guards of these spaces, none where nothing is dead.

    No guard holds in a state of the training trajectories or in a solvable state of a space.
    """
    stopped = stop or (lambda: False)
    with_dead = sum(bool(space.first_dead) for space in spaces)
    needed = 1 if with_dead == 1 and all(space.is_complete for space in spaces) else INSTANCES
    if with_dead < needed:
        return ()
    dead = [(space.structure, _states(space, spread(space.first_dead, DEAD_STATES))) for space in spaces]
    good = [(space.structure, _states(space, np.flatnonzero(space.solvable).tolist())) for space in spaces]
    looked_at = [(structure, spread(states, SOLVABLE_STATES)) for structure, states in good]
    looked_at += trajectories
    steps = DeadSteps(spaces, TRAP_STATES)
    guards: list[Expression] = []
    for _ in range(ROUNDS):
        found = _search(_filled(looked_at), _filled(dead), steps, needed, stopped)
        refuting = _refuting(found, [*good, *trajectories])
        guards = [feature for feature in found if feature not in refuting]
        if not refuting or stopped():
            break
        for states in refuting.values():
            looked_at += states
    return tuple(StateDescriptor(feature) for feature in guards)


def without_refuted(
    guards: Sequence[StateDescriptor], solvable: Sequence[Trajectory]
) -> tuple[StateDescriptor, ...]:
    """The guards that hold in none of these states, which took no part in finding them."""
    wrong = _refuting([guard.feature for guard in guards], solvable)
    return tuple(guard for guard in guards if guard.feature not in wrong)


def _search(
    good: list[Trajectory], dead: list[Trajectory], steps: DeadSteps, needed: int, stop: Callable[[], bool]
) -> list[Expression]:
    """The features that are 0 in all good states and together positive in most dead ones."""
    batch = state_batch([*good, *dead])
    growth = _simple_concepts(batch, stop)
    levels = [growth.concepts.level(size) for size in range(1, COMPLEXITY + 1)]
    packed = np.concatenate(levels)[:CONCEPTS]
    if not len(packed):
        return []  # stopped before the first concept
    members = unpack(packed, int(batch.nodes[-1])).view(np.bool_)
    good_states = sum(len(states) for _, states in good)
    good_nodes = int(batch.nodes[good_states])
    state_of = np.repeat(np.arange(batch.states), batch.sizes)[good_nodes:] - good_states
    split = kinds(members, good_nodes, state_of, batch.states - good_states)
    conjunctions = Conjunctions(split, np.array(growth.concepts.complexities[: len(packed)]), stop)
    conjunctions.search(PARTS)
    candidates = [cover for cover in conjunctions.covers() if _instances(cover[2], dead) >= needed]
    least = max(1, int(LEAST_SHARE * split.states.shape[1]))

    def spelled(parts: Sequence[int]) -> list[Expression]:
        return [growth.expression(Kind.CONCEPT, part) for part in parts]

    chosen = cheapest_cover(candidates, least, MOST_GUARDS, lambda parts: steps.lasts(spelled(parts)))
    conjunctions_of = [reduce(partial(expression, "c_and"), spelled(parts)) for parts in chosen]
    return [expression("n_count", concept) for concept in conjunctions_of]


def _simple_concepts(batch: StateBatch, stop: Callable[[], bool]) -> Growth:
    growth = Growth(batch, SIMPLE, batch.goal_versions())
    for size in range(1, COMPLEXITY + 1):
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
    return [path for path in trajectories if path[1]]
