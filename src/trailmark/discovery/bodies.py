"""Bodies: landmarks that every pass of a counter achieves on its way (beyond the paper).

A counter's drops cut the training trajectories into passes. A literal that holds somewhere in each of
them before the drop is a landmark of the pass; where it holds from the start it has been achieved
already. A body is a sequence of such landmarks, and each addition is found exactly: between two that
follow one another the literal must hold in every pass.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trailmark.discovery.counters import Counter, Literal, gap_effort, least_complex, weight
from trailmark.features.valuations import Valuations

Columns = NDArray[np.intp]


class _Pieces(NamedTuple):
    """Parts of trajectories, by the columns of their first state and of the one that ends them."""

    starts: Columns
    ends: Columns


def bodies(valuations: Valuations, counter: Counter, limit: int) -> list[Counter]:
    """The counter with one landmark more in its body that brings stepping stones closer together.

    Of literals with the same stepping stones the least complex one is taken, and of those the `limit`
    whose stones lie closest. The counter has one row.
    """
    truth = valuations.values > 0
    stones = _stones(valuations, counter)
    columns = np.array(stones, dtype=np.intp).reshape(len(stones), len(counter.body) + 2)
    found: list[Counter] = []
    for place in range(len(counter.body) + 1):
        pieces = _Pieces(columns[:, place], columns[:, place + 1])
        for literal in _closest(valuations, truth, pieces, limit):
            body = (*counter.body[:place], literal, *counter.body[place:])
            found.append(with_body(valuations, counter, body))
    better = [each for each in found if each.effort < counter.effort]
    return least_complex(valuations, better, 1)[:limit]


def with_body(valuations: Valuations, counter: Counter, body: tuple[Literal, ...]) -> Counter:
    """The counter with this body and the stepping stones of both."""
    reached: list[set[int]] = [set() for _ in range(valuations.trajectories)]
    starts = np.array(valuations.offsets[:-1])
    for columns in _stones(valuations, replace(counter, body=body)):
        path = int(np.searchsorted(starts, columns[-1], side="right")) - 1
        reached[path].update(column - valuations.offsets[path] for column in columns)
    stones = tuple(tuple(sorted(each - {0})) for each in reached)
    return replace(counter, stones=stones, effort=gap_effort(valuations, [stones]), body=body)


def _stones(valuations: Valuations, counter: Counter) -> list[list[int]]:
    """For each pass the columns of its start, of its body's landmarks, and of the drop that ends it.

    A landmark that a pass goes without, which no body from here has, is passed over.
    """
    (row,) = counter.rows
    values = valuations.values[row].tolist()
    body = [(valuations.values[each] > 0) == holds for each, holds in counter.body]
    found: list[list[int]] = []
    for start, stop in pairwise(valuations.offsets):
        begin = start
        for column in range(start + 1, stop):
            if values[column] >= values[begin]:
                continue
            stones = [begin]
            for truth in body:
                held = np.flatnonzero(truth[stones[-1] : column])
                stones.append(stones[-1] + int(held[0]) if len(held) else column)
            found.append([*stones, column])
            begin = column
    return found


def _closest(valuations: Valuations, truth: NDArray[np.bool_], pieces: _Pieces, limit: int) -> list[Literal]:
    """Literals that hold in every piece before its end, those that split the pieces best first; of those
    that split them alike the least complex one."""
    features = len(truth)
    always = np.ones((2, features), dtype=np.bool_)
    firsts = np.zeros((2, features, len(pieces.starts)), dtype=np.int64)
    for place, (start, end) in enumerate(zip(pieces.starts, pieces.ends, strict=True)):
        part = truth[:, start:end]
        for sign, table in enumerate((part, ~part)):
            always[sign] &= table.any(axis=1)
            firsts[sign, :, place] = table.argmax(axis=1) if end > start else 0
    gains = (2 * firsts * (pieces.ends - pieces.starts - firsts)).sum(axis=2)
    signs, rows = np.nonzero(always & (gains > 0))
    complexity = np.array([weight(valuations.features[row]) for row in rows], dtype=np.int64)
    order = np.lexsort((rows, signs, complexity, -gains[signs, rows]))
    found: dict[bytes, Literal] = {}
    for sign, row in zip(signs[order], rows[order], strict=True):
        if len(found) >= limit:
            break
        found.setdefault(firsts[sign, row].tobytes(), (int(row), bool(sign == 0)))
    return list(found.values())
