"""What the planner can be asked for, and how it tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from trailmark.errors import InputError
from trailmark.search.leap import LeapOptions, Level
from trailmark.search.result import Statistics
from trailmark.search.standing import Standing

SEARCHES = ("auto", "astar", "gbfs", "leap")
COMPLETE_SEARCHES = ("auto", "fast-downward", "lazy")
HEURISTIC_NAMES = ("hadd", "hmax", "ff", "goalcount", "none")

PUBLIC_NAMES = (
    "search", "heuristic", "prune", "prune_forgets", "fallback", "complete", "jobs", "shorten", "anytime",
)  # fmt: skip
"""The options that the command line has, too; the others of `PlannerOptions` are for experiments."""

Progress = Callable[[str, Statistics, Standing | None], None]
"""Told now and then: the strategy, its counts, and how far along the landmarks it is."""


@dataclass(frozen=True)
class PlannerOptions:
    search: str = "auto"
    heuristic: str | None = None
    """None lets the strategy choose: h_add for A* and greedy search, h_FF with preferred actions for the
    complete search of `auto`."""
    prune: bool = True
    """Clear the open list when a loop is traversed; only searches that follow landmarks do."""
    prune_forgets: bool = False
    """Pruning keeps the state that traversed the loop alone, and forgets what it drops."""
    fallback: bool = True
    """Whether a complete search follows one that prunes or commits; the paper's own stops there."""
    complete: str = "auto"
    """The complete search behind leaping: LAMA-first of Fast Downward, or lazy greedy search of our own.
    `auto` is the first where the extra `fd` is installed."""
    jobs: int = 1
    """With two or more, Fast Downward runs beside leaping, and whichever is first gives the plan."""
    beside_after_s: float = 0.5
    """So long leaping runs alone, which solves most tasks."""
    shorten: bool = True
    """Whether needless steps are dropped from a plan."""
    anytime: bool = False
    """Go on until the time is up: with LAMA where Fast Downward is the complete search, then by windows."""
    lama_share: float = 0.4
    """The share of the time left that LAMA has."""
    leap_share: float = 0.8
    shared_leap_share: float = 0.5
    """The share of the time limit that `auto` gives to leaping before it tries something else; the second
    one where Fast Downward waits for its turn, so that it has half of the time."""
    patience_share: float = 0.3
    least_patience_s: float = 1.0
    """`auto` gives up leaping when no leap succeeds in this share of its time, but not before."""
    hopeless_after: float = 0.35
    hopeless_factor: float = 2.0
    """`auto` also gives it up after this share of its time, where at the pace so far the landmarks that are
    left would take so many times as long as there is."""
    ground_actions: float = 1_000_000
    grounding_share: float = 0.3
    """With more ground actions than this, or than the engine can make in this share of the time left, leaps
    do without relaxed plans, and the fallback counts goals instead of grounding the task."""
    weights: tuple[float, ...] = (5.0, 3.0, 2.0, 1.0)
    """The weights of A* with which `anytime` goes on where a task is beyond windows."""
    leap: LeapOptions = field(
        default_factory=lambda: LeapOptions(
            levels=(
                Level.NOVELTY_ONE,
                Level.FOCUS,
                Level.NOVELTY_TWO,
                Level.RELAXED,
                Level.SUBGOAL,
                Level.GREEDY,
            ),
            novelty_two_limit=10_000,
            retreats=8,
        )
    )
    whole_passes: tuple[Level, ...] = (Level.NOVELTY_ONE, Level.FOCUS)
    """With these levels leap search runs a second time, for a shorter plan or where it got stuck; none
    leaves that out."""
    second_effort: float = 2.0
    second_seconds: float = 1.0
    second_states: int = 20_000
    second_share: float = 0.5
    """For a shorter plan, the second run generates at most so many times the states of the first and so
    many more, and takes at most as long as the first and so many seconds more. It takes no larger share
    of the time left, also where the first run found no plan; Fast Downward, where it waits, then has its
    turn instead."""

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise InputError(f"unknown search '{self.search}'", hint=f"use one of {', '.join(SEARCHES)}")
        if self.complete not in COMPLETE_SEARCHES:
            known = ", ".join(COMPLETE_SEARCHES)
            raise InputError(f"unknown complete search '{self.complete}'", hint=f"use one of {known}")
        if self.heuristic is not None and self.heuristic not in HEURISTIC_NAMES:
            known = ", ".join(HEURISTIC_NAMES)
            raise InputError(f"unknown heuristic '{self.heuristic}'", hint=f"use one of {known}")
