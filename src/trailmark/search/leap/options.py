"""What leap search is asked for and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from trailmark.landmarks.functions import Status
from trailmark.task import Step

STATE_EFFORT = 2
"""What generating a state weighs against looking at a tuple."""


class Level(Enum):
    """The searches a leap tries in turn."""

    RECIPES = "recipes"
    """No search: actions that made such leaps before."""
    NOVELTY_ONE = "novelty 1"
    """Breadth first; a state counts only if an atom holds in it for the first time."""
    NOVELTY_TWO = "novelty 2"
    """Breadth first; a state counts only if two literals changed since the commit meet for the first
    time."""
    RELAXED = "relaxed"
    """Lazy greedy search with h_FF to one atom at a time: one that the awaited subgoal would be accepted
    with, or an open goal; beyond STRIPS to the whole goal. It grounds the task."""
    ACHIEVING = "achieving"
    """No search: what an open goal lacks is done, and what else held of the goal is kept or restored."""
    GOAL = "goal"
    """No search: the nearest open goal is achieved, with what is in its way."""


@dataclass(frozen=True)
class LeapOptions:
    """Limits count generated states, those of a level in one leap."""

    levels: tuple[Level, ...] = (Level.NOVELTY_ONE, Level.NOVELTY_TWO)
    """Those that learning scores programs and tries recipes with. Planning adds relaxed plans and achieving:
    with them weak programs would do as well as good ones."""
    whole_passes: tuple[Level, ...] = ()
    """Levels that first look for the end of a pass: progress inside it does not end such a leap. That
    makes plans shorter where the nearest progress is a detour."""
    max_generated: int | None = None
    """Generated states of the whole search."""
    max_effort: int | None = None
    """What the whole search may cost, as `LeapStatistics.effort` counts it."""
    max_steps: int | None = None
    """A search whose plan gets longer ends."""
    novelty_two_limit: int = 50_000
    """Of every level that `breadth_first` searches: novelty 2, and on the engine novelty 1 too."""
    ground_actions: float = 1_000_000
    """A task with more ground actions is not grounded, and leaps do without relaxed plans."""


class LeapStatus(Enum):
    SOLVED = "solved"
    STUCK = "stuck"
    """No level reached the next landmark within its limits; the steps so far are a prefix."""
    STALLED = "stalled"
    """The first level found nothing, where no other was asked for; the search may go on."""
    OUT_OF_BUDGET = "out of budget"
    EXHAUSTED = "exhausted"
    """There is no relaxed plan from the initial state: no goal can be reached."""


@dataclass
class LeapStatistics:
    expanded: int = 0
    generated: int = 0
    leaps: int = 0
    accepted: int = 0
    """Landmarks accepted, repeated ones included."""
    loops: int = 0
    """Loop traversals."""
    recipes: int = 0
    """Recipes learned on the way."""
    work: int = 0
    """Tuples that were looked at for recipes; what is carried out or achieved counts as so many."""
    achieved: int = 0
    """Leaps by recipes for which something had to be achieved before."""
    guarded: int = 0
    """How often a state was left out because a guard holds in it."""
    by_level: dict[Level, int] = field(default_factory=lambda: dict.fromkeys(Level, 0))
    """Leaps that each level completed."""
    level: Level | None = None
    """The level that is looking for a leap, or did so last."""
    before_leap: int = 0
    """States generated before this leap."""
    open_goals: int = 0
    """Literals of the goal that do not hold where this leap begins."""
    status: Status | None = None
    """How far along the guidance this leap begins."""

    @property
    def effort(self) -> int:
        """What the search has cost so far, whatever the machine."""
        return self.work + STATE_EFFORT * self.generated


@dataclass(frozen=True)
class LeapResult:
    status: LeapStatus
    steps: tuple[Step, ...]
    """The plan, or as far as the search came."""
    statistics: LeapStatistics
    reason: str = ""

    @property
    def solved(self) -> bool:
        return self.status is LeapStatus.SOLVED


class Limits(Protocol):
    """Anything that knows when time is up, such as `trailmark.limits.Budget`."""

    def expired(self) -> bool: ...
