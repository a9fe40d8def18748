"""The paper's four preprocessing rules, which leave of a pool what discovery needs.

The rules look at Boolean valuations (a feature is positive or not). Progressors and counters need the
numerical values, so the numerical features live on in a pool of their own, whatever the rules remove.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trailmark.errors import InputError
from trailmark.features.states import Valuations
from trailmark.features.syntax import Kind

RULES: Final = ("rule1", "rule2", "rule3", "rule4")
"""Constant in some trajectory; constant but for the initial state; equal to another; opposite to another."""

SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "phi1": (),
    "phi2": ("rule3", "rule4"),
    "phi3": ("rule1", "rule3", "rule4"),
    "phi3-by-number": ("rule2", "rule3", "rule4"),
    "phi4": RULES,
}
"""The paper's Appendix "Preprocessing configuration". Of phi3 it gives the numbers 2, 3 and 4, but says that
features which differ in the initial state alone stay, and its counts say so too: that is 1, 3 and 4."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Preprocessed:
    """What the rules leave."""

    descriptors: Valuations
    """The features that may describe landmarks, in the order of the pool."""
    numericals: Valuations
    """All numerical features with different values, for progressors and counters."""
    removed: Mapping[str, int]
    """How many features each rule removed, the first rule first; 0 where a rule is not used."""


def preprocess(valuations: Valuations, setting: str = "phi4") -> Preprocessed:
    """The pool after the rules of this setting (`phi1` to `phi4`)."""
    if setting not in SETTINGS:
        raise InputError(
            f"there is no preprocessing setting {setting!r}", hint=f"choose one of {', '.join(SETTINGS)}"
        )
    removed = dict.fromkeys(RULES, 0)
    numerical = np.array([feature.kind is Kind.NUMERICAL for feature in valuations.features], bool)
    preferred = _by_preference(valuations, numerical)
    positive = np.ascontiguousarray((valuations.values > 0).T)
    keep = np.ones(len(valuations.features), bool)
    for rule in SETTINGS[setting]:
        if rule == "rule1":
            drop = keep & _constant(positive, valuations.offsets)
        elif rule == "rule2":
            drop = keep & _constant_after_start(positive, valuations.offsets)
        else:
            drop = _repeated(positive, preferred[keep[preferred]], opposites=rule == "rule4")
        removed[rule] = int(drop.sum())
        keep &= ~drop
    repeated = _repetitions(valuations.values, preferred[numerical[preferred]])
    return Preprocessed(_select(valuations, keep), _select(valuations, numerical & ~repeated), removed)


def _by_preference(valuations: Valuations, numerical: Mask) -> NDArray[np.intp]:
    """The less complex feature before the other, then the numerical, then the earlier."""
    complexities = np.array([feature.complexity for feature in valuations.features], np.int64)
    return np.lexsort((~numerical, complexities))


def _constant(positive: Mask, offsets: Sequence[int]) -> Mask:
    """Rule 1: the same in every state of some trajectory."""
    found = np.zeros(positive.shape[1], bool)
    for first, last in pairwise(offsets):
        found |= _same(positive[first:last])
    return found


def _constant_after_start(positive: Mask, offsets: Sequence[int]) -> Mask:
    """Rule 2: in some trajectory the same in every state but the initial one, where it is different."""
    found = np.zeros(positive.shape[1], bool)
    for first, last in pairwise(offsets):
        if last - first > 1:
            found |= _same(positive[first + 1 : last]) & (positive[first] != positive[first + 1])
    return found


def _same(states: Mask) -> Mask:
    """What has one value in all these states."""
    same: Mask = np.logical_and.reduce(states == states[:1], axis=0)
    return same


def _repeated(positive: Mask, candidates: NDArray[np.intp], *, opposites: bool) -> Mask:
    """Rules 3 and 4: the same as (or also the opposite of) a candidate that comes before."""
    rows = positive[:, candidates]
    if opposites:
        rows = rows ^ rows[:1]
    packed = np.zeros((positive.shape[1], -(-len(rows) // 8)), np.uint8)
    packed[candidates] = np.packbits(rows, axis=0).T
    return _repetitions(packed, candidates)


def _repetitions(rows: NDArray[Any], candidates: NDArray[np.intp]) -> Mask:
    """Which candidates have the same row as one before."""
    drop, known = np.zeros(len(rows), bool), set[bytes]()
    chosen = np.ascontiguousarray(rows[candidates])
    keys: list[bytes] = chosen.view(f"V{chosen.itemsize * chosen.shape[1]}").ravel().tolist()
    for index, key in zip(candidates.tolist(), keys, strict=True):
        if key in known:
            drop[index] = True
        known.add(key)
    return drop


def _select(valuations: Valuations, keep: Mask) -> Valuations:
    features = tuple(
        feature for feature, kept in zip(valuations.features, keep.tolist(), strict=True) if kept
    )
    return Valuations(features, valuations.values[keep], valuations.offsets)
