"""What leap search is asked for and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from trailmark.landmarks.guidance import Status
from trailmark.task import Step


class Level(Enum):
    """The searches a leap tries in turn."""

    RECIPES = "recipes"
    """No search: actions that made such leaps before."""
    NOVELTY_ONE = "novelty 1"
    """Breadth first; a state counts only if an atom holds in it for the first time."""
    FOCUS = "focus"
    """Novelty 1 anew for everything that happens to one object of an open goal."""
    NOVELTY_TWO = "novelty 2"
    """Breadth first; a state counts only if two literals changed since the commit meet for the first
    time."""
    RELAXED = "relaxed"
    """Lazy greedy search with h_FF to the goal, until the landmark is accepted. It grounds the task."""
    SUBGOAL = "subgoal"
    """Lazy greedy search with h_FF to one atom at a time: one that the awaited subgoal would be accepted
    with, or an open goal. It grounds the task."""
    GREEDY = "greedy"
    """Best first on what the awaited landmark lacks, then on open goals; nothing is pruned."""


@dataclass(frozen=True)
class LeapOptions:
    """Limits count generated states, those of a level in one leap."""

    levels: tuple[Level, ...] = (Level.NOVELTY_ONE, Level.FOCUS, Level.NOVELTY_TWO, Level.GREEDY)
    chunk: int = 64
    """How many successors by one action schema a node gets at first; twice as many at each return to
    it. A node with thousands of successors does not keep all others waiting."""
    pair_chunk: int = 16
    """The same under novelty 2, where one wide node after another multiplies."""
    whole_passes: tuple[Level, ...] = ()
    """Levels that first look for the end of a pass: progress inside it does not end such a leap. That
    makes plans shorter where the nearest progress is a detour."""
    whole_share: float = 1.0
    whole_free: int = 5_000
    """Whole passes are looked for while the states generated in vain for them are at most this share of
    all others and so many more."""
    asides: bool = True
    """Whether novelty 1 and relaxed plans may close a goal instead of reaching a landmark that is out of
    reach. That hides an order of loops that does not work, so learning does without."""
    aside_share: float = 4.0
    aside_free: int = 500
    """In a hurry, a goal aside is taken once the states generated since it was found are so many times
    those before it and so many more."""
    max_generated: int | None = None
    """Generated states of the whole search."""
    focus_limit: int = 20_000
    focus_share: float = 0.25
    """Of which so large a share goes to moving all targets side by side, the rest to one by one."""
    novelty_two_limit: int = 50_000
    relaxed_limit: int = 1_000
    """States that h_FF looks at."""
    ground_actions: float = 1_000_000
    """A task with more ground actions is not grounded, and leaps do without relaxed plans."""
    subgoals: int = 3
    subgoals_ranked: int = 24
    """So many atoms of either kind are aimed at, the nearest of so many."""
    subgoal_actions: float = 4_000_000
    subgoal_states: tuple[int, int] = (50, 400)
    """States that h_FF looks at for one atom: so many ground actions in all, but within these bounds. An
    eighth of them is tried for every atom first."""
    dead_ends: int = 16
    """How many states without a relaxed plan a level may come to in one leap. They are looked for, and not
    committed to, once a relaxed plan was asked for in vain."""
    greedy_limit: int = 100_000
    retry_lower_level: int = 8
    """A level that last cost more than the one that succeeded is skipped for this many leaps to the
    same landmark. For as many leaps search is in a hurry after a landmark out of reach, instead of which
    a goal aside was closed."""
    retreats: int = 0
    """How often commits are taken back where no level finds a way."""
    goal_by_goal: bool = True
    """Whether, past the last landmark, one open goal less is enough for a commit."""
    guards: bool = True
    """Whether states where a guard of the graph holds are left out."""
    lift_guards: bool = True
    """Whether a leap that guards left without a way is tried once more without them."""
    seed: int | None = None
    """Shuffles the order of successors; None keeps the order of the joins."""


class LeapStatus(Enum):
    SOLVED = "solved"
    STUCK = "stuck"
    """No level reached the next landmark within its limits; the steps so far are a prefix."""
    OUT_OF_BUDGET = "out of budget"
    EXHAUSTED = "exhausted"
    """Every state reachable from the initial one was generated and none is a goal."""


@dataclass
class LeapStatistics:
    expanded: int = 0
    generated: int = 0
    leaps: int = 0
    accepted: int = 0
    """Landmarks accepted, repeated ones included."""
    loops: int = 0
    """Loop traversals."""
    retreats: int = 0
    """How often commits were taken back."""
    asides: int = 0
    """Leaps that closed a goal instead of reaching the landmark."""
    recipes: int = 0
    """Recipes learned on the way."""
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
