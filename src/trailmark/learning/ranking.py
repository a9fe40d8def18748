"""Which of several graphs plans best, from how each did on every trial.

A trial that none of them solves tells nothing and is left out. All others weigh the same, however large
they are: effort is compared trial by trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import NamedTuple, TypeVar

from trailmark.learning.validation import Outcome, Score

UNSOLVED_WEIGHT = 4.0
"""What a trial counts that others solve, as a multiple of the most that one of them needed."""

Candidate = TypeVar("Candidate")


class Rank(NamedTuple):
    """Less is better."""

    unsolved: int
    """Trials that others solve and this one does not."""
    effort: float
    """The geometric mean of the efforts, each divided by the least for its trial."""


def ranks(scores: Sequence[Score]) -> list[Rank]:
    """How each of the scores compares with the others; all are over the same trials."""
    columns = [_column(outcomes) for outcomes in zip(*(each.outcomes for each in scores), strict=True)]
    telling = [column for column in columns if column]
    rows = zip(*telling, strict=True) if telling else [()] * len(scores)
    return [
        Rank(
            sum(not solved for solved, _ in row), exp(sum(log(ratio) for _, ratio in row) / max(1, len(row)))
        )
        for row in rows
    ]


def _column(outcomes: Sequence[Outcome]) -> list[tuple[bool, float]]:
    """Whether each one solved a trial, and its effort against the least; nothing where nobody solved it."""
    efforts = [max(1.0, each.effort) for each in outcomes if each.solved]
    if not efforts:
        return []
    least, missed = min(efforts), UNSOLVED_WEIGHT * max(efforts)
    return [(each.solved, (max(1.0, each.effort) if each.solved else missed) / least) for each in outcomes]


def least_complex(
    candidates: Sequence[Candidate],
    rank: Sequence[Rank],
    complexity: Callable[[Candidate], int],
    margin: float,
) -> list[Candidate]:
    """Those within the margin of the best, the least complex first."""
    best = min(rank)
    limit = best.effort * (1 + margin)
    equals = [
        (complexity(each), own, place)
        for place, (each, own) in enumerate(zip(candidates, rank, strict=True))
        if own.unsolved == best.unsolved and own.effort <= limit
    ]
    return [candidates[place] for _, _, place in sorted(equals)]
