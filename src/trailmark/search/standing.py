"""How far along a guidance a search has come, and a plan: what is told where there is no plan, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from trailmark.features.incremental.evaluation import bind, moved
from trailmark.landmarks.functions import Guidance, Status
from trailmark.search.leap.options import LeapStatistics, Level
from trailmark.task import Plan, Step, Task, trajectory
from trailmark.task.lifted.schema import strips_steps


@dataclass(frozen=True)
class LandmarkSummary:
    """How a plan, or a search without one, goes through the landmarks or counters of a guidance."""

    accepted: int
    """Landmarks achieved, repeated ones included; without a plan, where the search came furthest."""
    total: int
    """How many the loop counters promised in the initial state."""
    loops: int
    """Loop traversals."""


@dataclass(frozen=True)
class Standing:
    """How far a search has come, at the place where it came furthest."""

    accepted: int
    """Landmarks achieved on the way there, repeated ones included."""
    total: int
    """How many the loop counters promised in the initial state."""
    loops: int
    """Loop traversals on the way there."""
    awaited: int | None
    """The position of the landmark or counter that was looked for next; None past the last one."""
    open_goals: int
    """Literals of the goal that did not hold there."""
    states: int
    """States generated since then."""
    level: str = ""
    """The level at which a leap was looked for last."""

    @property
    def summary(self) -> LandmarkSummary:
        return LandmarkSummary(self.accepted, self.total, self.loops)

    def __str__(self) -> str:
        return f"{self.accepted} of {self.total} landmarks reached, {self.loops} loops done,"


class Furthest:
    """Where runs of leap search came furthest."""

    def __init__(self, task: Task, guidance: Guidance) -> None:
        self._task = task
        self._guidance = guidance
        self._place: tuple[Status, int, int, Level | None] | None = None
        """The status, the open goals, the states tried since, and the level."""

    def begin(self) -> None:
        """What came before does not count."""
        self._place = None

    def note(self, counts: LeapStatistics) -> None:
        status, known = counts.status, self._place
        if status is not None and (known is None or status.accepted >= known[0].accepted):
            since = counts.generated - counts.before_leap
            self._place = status, counts.open_goals, since, counts.level

    @cached_property
    def promised(self) -> int:
        """How many landmarks the loop counters promise in the initial state."""
        evaluator = bind(self._guidance.features, self._task.structure)
        return self._guidance.h_max(evaluator.start(self._task.initial_interpretation).values)

    @property
    def standing(self) -> Standing | None:
        if self._place is None:
            return None
        status, open_goals, since, level = self._place
        return Standing(
            status.accepted,
            self.promised,
            sum(status.traversals),
            self._guidance.awaited(status),
            open_goals,
            since,
            level.value if level else "",
        )


def furthest(one: Standing | None, other: Standing | None) -> Standing | None:
    """The one with more landmarks, and of equal ones the first."""
    if one is None or (other is not None and other.accepted > one.accepted):
        return other
    return one


def summary(
    task: Task, guidance: Guidance, steps: tuple[Step, ...] | None, standing: Standing | None = None
) -> LandmarkSummary:
    """What of the guidance a plan achieves; without a plan, what the search did."""
    if steps is None and standing is not None:
        return standing.summary
    evaluation = bind(guidance.features, task.structure).start(task.initial_interpretation)
    status = guidance.start(evaluation.values)
    total = guidance.h_max(evaluation.values)
    for added, deleted, numbers in _changes(task, steps or ()):
        if numbers is None:
            evaluation = moved(evaluation, added, deleted)
        else:
            evaluation = evaluation.after(added, deleted, numbers)
        status = guidance.step(status, evaluation.values)
    return LandmarkSummary(status.accepted, total, sum(status.traversals))


def _changes(
    task: Task, steps: tuple[Step, ...]
) -> Iterator[tuple[Collection[int], Collection[int], Mapping[str, float] | None]]:
    """What each step of a plan adds and deletes, and the numbers it changes. Plans of STRIPS are gone
    through one state at a time: all states of a long one at once would fill the memory."""
    actions = strips_steps(task, steps)
    if actions is None:
        for before, after in pairwise(trajectory(task, Plan(steps)).states):
            yield after.atoms - before.atoms, before.atoms - after.atoms, after.values
        return
    atoms = set(task.initial_atoms)
    for action in actions:
        added, deleted = action.adds - atoms, (action.deletes & atoms) - action.adds
        yield added, deleted, None
        atoms -= deleted
        atoms |= added
