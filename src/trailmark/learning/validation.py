"""How well a candidate graph plans: leap search on validation instances under limits of states.

Limits count generated states and not seconds, so that a choice between candidates does not depend
on how busy the machine is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from trailmark.landmarks.graph import LandmarkGraph
from trailmark.search.leap import LeapOptions, LeapStatus, Level, leap
from trailmark.search.leap.course import CHECK_EVERY
from trailmark.task import Task
from trailmark.task.lifted import LiftedGenerator, supports

STEP_WEIGHT = 10.0
"""What a step of the plan weighs against a generated state."""

HARD_LEAP_WEIGHT = 200.0
"""What a leap weighs that novelty 1 could not make."""


@dataclass(frozen=True)
class Trial:
    """A validation instance and how many states may be generated on it."""

    task: Task
    states: int
    pair_states: int
    """Of these, how many novelty 2 may generate in one leap; it is many times slower a state."""

    @cached_property
    def generator(self) -> LiftedGenerator | None:
        """Made once for all graphs that are tried; None where the task is beyond it."""
        return LiftedGenerator(self.task) if supports(self.task) else None


@dataclass(frozen=True, order=True)
class Score:
    """Less is better: first the instances left unsolved, then the effort."""

    unsolved: int
    effort: float
    generated: int = field(compare=False, default=0)
    steps: int = field(compare=False, default=0)
    hard_leaps: int = field(compare=False, default=0)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.unsolved + other.unsolved,
            self.effort + other.effort,
            self.generated + other.generated,
            self.steps + other.steps,
            self.hard_leaps + other.hard_leaps,
        )


NOTHING = Score(0, 0.0)


class StateLimit:
    """Expires after so many generated states; leap search asks once every `CHECK_EVERY` of them.

    Running out of time ends it as well.
    """

    def __init__(self, states: int, stop: Callable[[], bool] | None = None) -> None:
        self.left = max(1, states // CHECK_EVERY)
        self.stop = stop

    def expired(self) -> bool:
        self.left -= 1
        return self.left < 0 or (self.stop is not None and self.stop())


def score(
    graph: LandmarkGraph,
    trials: Sequence[Trial],
    bound: Score | None = None,
    stop: Callable[[], bool] | None = None,
) -> Score:
    """The sum over the trials of what leap search needs with this graph.

    Past the bound or out of time the rest counts as unsolved.
    """
    total = NOTHING
    for place, trial in enumerate(trials):
        if (bound is not None and total > bound) or (stop is not None and stop()):
            return total + Score(len(trials) - place, 0.0)
        total += _score_one(graph, trial, stop)
    return total


def _score_one(graph: LandmarkGraph, trial: Trial, stop: Callable[[], bool] | None) -> Score:
    levels = (Level.NOVELTY_ONE, Level.NOVELTY_TWO)
    options = LeapOptions(levels=levels, novelty_two_limit=trial.pair_states, asides=False)
    limit = StateLimit(trial.states, stop)
    result = leap(trial.task, graph, options, limit, generator=trial.generator)
    counts = result.statistics
    hard = sum(leaps for level, leaps in counts.by_level.items() if level is not Level.NOVELTY_ONE)
    solved = result.status is LeapStatus.SOLVED
    steps = len(result.steps)
    effort = counts.generated + STEP_WEIGHT * steps + HARD_LEAP_WEIGHT * hard
    return Score(0 if solved else 1, effort, counts.generated, steps, hard)
