"""Conjunctions of simple concepts that no good state has a member of, and some bad states have.

Objects that no simple concept tells apart are one kind. A conjunction is empty in all good states
if no kind of theirs is in all its parts, so that a few thousand kinds stand for all objects of all
states, and a conjunction is tested by the intersection of short rows of bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trailmark.features.bits import Words, pack, unpack

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Kinds:
    """The concepts' members among the kinds of objects, and where the bad kinds occur."""

    good: Bools
    """For each concept and each kind that a good state has, whether it is a member."""
    bad: Bools
    """The same for the kinds that only bad states have."""
    states: Bools
    """For each bad kind the bad states with such an object."""


def kinds(members: Bools, good_nodes: int, bad_state_of: NDArray[np.int64], bad_states: int) -> Kinds:
    """The kinds of the objects in the columns of `members`, of which the first so many are good ones."""
    packed = np.ascontiguousarray(np.packbits(members, axis=0).T)
    rows = packed.view(f"V{packed.shape[1]}").ravel()
    _, first, kind = np.unique(rows, return_index=True, return_inverse=True)
    is_good = np.zeros(len(first), np.bool_)
    is_good[kind[:good_nodes]] = True
    states = np.zeros((len(first), bad_states), np.bool_)
    states[kind[good_nodes:], bad_state_of] = True
    return Kinds(members[:, first[is_good]], members[:, first[~is_good]], states[~is_good])


@dataclass
class Conjunctions:
    """The conjunctions found, the least complex one for each set of bad kinds."""

    kinds: Kinds
    complexities: NDArray[np.int64]
    """Of each concept, in ascending order."""
    stop: Callable[[], bool]
    found: dict[bytes, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    """By the bad kinds that are members: complexity and concepts."""

    def search(self, most_parts: int) -> None:
        """All conjunctions of up to so many concepts of which no part can be left out."""
        excludes = ~self.kinds.good.all(axis=1) | (self.kinds.good.shape[1] == 0)
        useful = np.flatnonzero(self.kinds.bad.any(axis=1) & excludes)
        both = np.concatenate([self.kinds.good, self.kinds.bad], axis=1)[useful]
        _, first = np.unique(both, axis=0, return_index=True)
        concepts = useful[np.sort(first)]
        self._good, self._bad = (pack(rows).view(np.uint64) for rows in (self.kinds.good, self.kinds.bad))
        everything = (~np.zeros_like(self._good[:1]), ~np.zeros_like(self._bad[:1]))
        self._extend((), 0, *everything, concepts, most_parts)

    def _extend(
        self,
        parts: tuple[int, ...],
        complexity: int,
        good: Words,
        bad: Words,
        concepts: NDArray[np.intp],
        left: int,
    ) -> None:
        """Adds each of these concepts to a conjunction with these members, and then further ones."""
        all_good, all_bad = good & self._good[concepts], bad & self._bad[concepts]
        occurs, is_empty = all_bad.any(axis=1), ~all_good.any(axis=1)
        for row in np.flatnonzero(occurs & is_empty).tolist():
            concept = int(concepts[row])
            self._keep(all_bad[row], complexity + int(self.complexities[concept]), (*parts, concept))
        if left == 1:
            return
        open_ = np.flatnonzero(occurs & ~is_empty)
        concepts, all_good, all_bad = concepts[open_], all_good[open_], all_bad[open_]
        for place, concept in enumerate(concepts[:-1].tolist()):
            if self.stop():
                return
            self._extend(
                (*parts, concept),
                complexity + int(self.complexities[concept]) + 1,
                all_good[place],
                all_bad[place],
                concepts[place + 1 :],
                left - 1,
            )

    def _keep(self, bad: Words, complexity: int, parts: tuple[int, ...]) -> None:
        key = bad.tobytes()
        known = self.found.get(key)
        if known is None or complexity < known[0]:
            self.found[key] = complexity, parts

    def covers(self) -> list[tuple[int, tuple[int, ...], Bools]]:
        """Complexity, concepts and the bad states with a member, the least complex first."""
        width = self.kinds.bad.shape[1]
        ordered = sorted((entry, key) for key, entry in self.found.items())
        found: list[tuple[int, tuple[int, ...], Bools]] = []
        for (complexity, parts), key in ordered:
            members = unpack(np.frombuffer(key, np.uint8)[None], width)[0].view(np.bool_)
            found.append((complexity, parts, np.logical_or.reduce(self.kinds.states[members], axis=0)))
        return found


def cheapest_cover(
    candidates: list[tuple[int, tuple[int, ...], Bools]],
    least: int,
    most: int,
    admits: Callable[[tuple[int, ...]], bool],
) -> list[tuple[int, ...]]:
    """Greedy weighted set cover: again and again the admitted conjunction with the most new states
    for its complexity, until none has `least` new states or there are `most` conjunctions."""
    chosen: list[tuple[int, ...]] = []
    if not candidates:
        return chosen
    covers = np.array([cover for _, _, cover in candidates])
    weights = np.array([complexity for complexity, _, _ in candidates])
    worth = _worth(covers, weights, least)
    while len(chosen) < most:
        best = int(np.argmax(worth))
        if worth[best] <= 0:
            break
        if admits(candidates[best][1]):
            chosen.append(candidates[best][1])
            covers[:, covers[best]] = False
            rejected = worth < 0
            worth = np.where(rejected, worth, _worth(covers, weights, least))
        else:
            worth[best] = -1.0
    return chosen


def _worth(covers: Bools, weights: NDArray[np.int64], least: int) -> NDArray[np.float64]:
    """The states that each would cover for its weight; 0 where they are too few."""
    states = covers.sum(axis=1)
    worth: NDArray[np.float64] = np.where(states >= least, states / weights, 0.0)
    return worth
