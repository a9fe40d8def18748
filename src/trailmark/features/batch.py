"""Batched evaluation: the denotation of expressions in all training states at once.

Every subexpression is evaluated once. A concept is a Boolean array over the nodes of a batch, a role
one over its pairs, and a feature an array over its states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trailmark.errors import FeatureError
from trailmark.features.states import Block, StateBatch, Valuations, state_batch
from trailmark.features.syntax import INFINITE, Expression, Kind, subexpressions, whole
from trailmark.features.text import check, check_features
from trailmark.relational import Interpretation, Structure

MOST_PAIRS = 1 << 22
"""Pairs of objects treated at once; more states than that are evaluated in parts."""

Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Denotation = NDArray[Any]
"""Boolean over nodes, pairs or states; int32 over states for a numerical."""


def evaluate(
    expressions: Iterable[Expression], batch: StateBatch, check_limits: Callable[[], object] = lambda: None
) -> Valuations:
    """The values of these features in every state of the batch; limits are checked, and may raise, before
    each part of a feature is evaluated."""
    features = tuple(expressions)
    check_features(features, batch.vocabulary)
    values = np.empty((len(features), batch.states), np.int32)
    rows: dict[Expression, list[int]] = {}
    for row, feature in enumerate(features):
        rows.setdefault(feature, []).append(row)
    first = 0
    for part in batch.parts(MOST_PAIRS):
        for feature, denotation in denotations(list(rows), part, check_limits):
            values[rows[feature], first : first + part.states] = denotation
        first += part.states
    return Valuations(features, values, batch.offsets)


def denotations(
    roots: Sequence[Expression], batch: StateBatch, check_limits: Callable[[], object] = lambda: None
) -> Iterator[tuple[Expression, Denotation]]:
    """The denotation of each root, each part evaluated once and kept only while it is needed."""
    for root in roots:
        check(root, batch.vocabulary)
    uses = Counter(child for node in subexpressions(list(roots)) for child in node.children)
    wanted, known = set(roots), dict[Expression, Denotation]()
    for node in subexpressions(list(roots)):
        check_limits()
        arguments = [
            known[argument] if isinstance(argument, Expression) else argument for argument in node.arguments
        ]
        value = _MEANING[node.constructor.name](batch, *arguments)
        for child in node.children:
            uses[child] -= 1
            if not uses[child]:
                del known[child]
        if uses[node]:
            known[node] = value
        if node in wanted:
            yield node, value


def members(
    counted: Expression, structure: Structure, states: Sequence[Interpretation]
) -> list[set[tuple[int, ...]]]:
    """The objects of a concept, or the pairs of a role, in each of these states of an instance."""
    size = len(structure.objects)
    ((_, found),) = denotations([counted], state_batch([(structure, states)]))
    shape = (len(states), *[size] * (1 if counted.kind is Kind.CONCEPT else 2))
    return [
        set(zip(*(places.tolist() for places in state.nonzero()), strict=True))
        for state in found.reshape(shape)
    ]


def left(
    feature: Expression, structure: Structure, before: Interpretation, after: Interpretation
) -> list[str]:
    """The objects that are counted before and not after, those of first places first; none for a feature
    that counts no objects."""
    if feature.constructor.name != "n_count":
        return []
    earlier, later = members(feature.children[0], structure, [before, after])
    gone = sorted(earlier - later)
    return list(dict.fromkeys(structure.objects[place] for ends in zip(*gone, strict=True) for place in ends))


def primitive_concept(batch: StateBatch, predicate: str, position: int) -> Bools:
    states, arguments = batch.atoms[predicate]
    concept = np.zeros(int(batch.nodes[-1]), bool)
    concept[batch.nodes[states] + arguments[:, position]] = True
    return concept


def primitive_role(batch: StateBatch, predicate: str, left: int, right: int) -> Bools:
    states, arguments = batch.atoms[predicate]
    role = np.zeros(int(batch.pairs[-1]), bool)
    role[batch.pairs[states] + arguments[:, left] * batch.sizes[states] + arguments[:, right]] = True
    return role


def one_of(batch: StateBatch, name: str) -> Bools:
    concept = np.zeros(int(batch.nodes[-1]), bool)
    for (structure, states), first in zip(batch.trajectories, batch.offsets[:-1], strict=True):
        concept[batch.nodes[first : first + len(states)] + structure.object_index[name]] = True
    return concept


def some(batch: StateBatch, role: Bools, concept: Bools) -> Bools:
    """The nodes with a successor in the concept."""
    return any_right(batch, role & concept[batch.pair_nodes[1]])


def any_right(batch: StateBatch, role: Bools) -> Bools:
    """The nodes with any successor."""
    result = np.empty(int(batch.nodes[-1]), bool)
    for block in batch.blocks:
        result[block.nodes] = _cube(role, block).any(axis=2).ravel()
    return result


def identity(batch: StateBatch, concept: Bools) -> Bools:
    role = np.zeros(int(batch.pairs[-1]), bool)
    role[batch.diagonal] = concept
    return role


def compose(batch: StateBatch, left: Bools, right: Bools) -> Bools:
    result = np.empty_like(left)
    for block in batch.blocks:
        result[block.pairs] = _product(_cube(left, block), _cube(right, block)).ravel()
    return result


def closure(batch: StateBatch, role: Bools) -> Bools:
    """The transitive closure, computed once for each different relation: static roles repeat."""
    result = np.empty_like(role)
    for block in batch.blocks:
        cube = _cube(role, block)
        packed = np.packbits(cube.reshape(len(cube), -1), axis=1)
        first: dict[bytes, int] = {}
        which = [first.setdefault(row.tobytes(), len(first)) for row in packed]
        starts = np.unique(np.array(which), return_index=True)[1]
        closed = cube[starts]
        while True:
            wider = closed | _product(closed, closed)
            if np.array_equal(wider, closed):
                break
            closed = wider
        result[block.pairs] = closed[which].ravel()
    return result


def reflexive_closure(batch: StateBatch, role: Bools) -> Bools:
    result = closure(batch, role)
    result[batch.diagonal] = True
    return result


def _cube(role: Bools, block: Block) -> Bools:
    return role[block.pairs].reshape(block.count, block.objects, block.objects)


def _product(left: Bools, right: Bools) -> Bools:
    product: Bools = np.matmul(left.astype(np.float32), right.astype(np.float32)) > 0
    return product


def count(batch: StateBatch, members: Bools) -> Ints:
    """The number of nodes or pairs in each state."""
    starts = batch.nodes if len(members) == batch.nodes[-1] else batch.pairs
    before = np.concatenate(([0], np.cumsum(members)))
    counts: Ints = np.diff(before[starts]).astype(np.int32)
    return counts


def empty(batch: StateBatch, members: Bools) -> Bools:
    result: Bools = count(batch, members) == 0
    return result


def nullary(batch: StateBatch, predicate: str) -> Bools:
    holds = np.zeros(batch.states, bool)
    holds[batch.atoms[predicate][0]] = True
    return holds


def distance(batch: StateBatch, start: Bools, role: Bools, goal: Bools) -> Ints:
    """Steps along the role from `start` into `goal`, by breadth-first search in all states at once."""
    steps = np.full(batch.states, INFINITE, np.int32)
    for block in batch.blocks:
        edges = _cube(role, block).astype(np.float32)
        reached, wanted = (
            concept[block.nodes].reshape(block.count, 1, block.objects) for concept in (start, goal)
        )
        open_states = np.ones(len(edges), bool)
        for step in range(block.objects + 1):
            arrived = open_states & (reached & wanted).any(axis=(1, 2))
            steps[block.states][arrived] = step
            wider = reached | (reached.astype(np.float32) @ edges > 0)
            open_states &= ~arrived & (wider != reached).any(axis=(1, 2))
            if not open_states.any():
                break
            reached = wider
    return steps


def function(batch: StateBatch, name: str) -> Ints:
    """The value of a nullary function, as a whole number."""
    values = [state.values.get(name) for _, states in batch.trajectories for state in states]
    if None in values:
        raise FeatureError(f"the function {name!r} has no value in training state {values.index(None) + 1}")
    return np.array([whole(value) for value in values if value is not None], np.int32)


_MEANING: Mapping[str, Callable[..., Denotation]] = {
    "c_top": lambda batch: np.ones(int(batch.nodes[-1]), bool),
    "c_bot": lambda batch: np.zeros(int(batch.nodes[-1]), bool),
    "c_primitive": primitive_concept,
    "c_one_of": one_of,
    "c_not": lambda batch, concept: ~concept,
    "c_and": lambda batch, left, right: left & right,
    "c_or": lambda batch, left, right: left | right,
    "c_diff": lambda batch, left, right: left & ~right,
    "c_some": some,
    "c_all": lambda batch, role, concept: ~some(batch, role, ~concept),
    "c_equal": lambda batch, left, right: ~any_right(batch, left ^ right),
    "c_subset": lambda batch, left, right: ~any_right(batch, left & ~right),
    "c_projection": lambda batch, role, end: any_right(batch, role[batch.inverse] if end else role),
    "c_fills": lambda batch, role, name: some(batch, role, one_of(batch, name)),
    "r_top": lambda batch: np.ones(int(batch.pairs[-1]), bool),
    "r_primitive": primitive_role,
    "r_inverse": lambda batch, role: role[batch.inverse],
    "r_not": lambda batch, role: ~role,
    "r_and": lambda batch, left, right: left & right,
    "r_or": lambda batch, left, right: left | right,
    "r_diff": lambda batch, left, right: left & ~right,
    "r_compose": compose,
    "r_restrict": lambda batch, role, concept: role & concept[batch.pair_nodes[1]],
    "r_identity": identity,
    "r_transitive_closure": closure,
    "r_transitive_reflexive_closure": reflexive_closure,
    "b_nullary": nullary,
    "b_empty": empty,
    "b_nonempty": lambda batch, members: ~empty(batch, members),
    "b_inclusion": lambda batch, left, right: empty(batch, left & ~right),
    "n_count": count,
    "n_concept_distance": distance,
    "n_function": function,
}
