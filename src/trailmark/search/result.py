"""What the planner can be asked for, how it tells how far it is, and what every search returns: a status, the
plan if there is one, and what it took."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from trailmark.errors import InputError, SearchStatus
from trailmark.limits import Budget
from trailmark.search.standing import Standing
from trailmark.task.plans import Step

SEARCHES = ("auto", "astar", "gbfs", "leap")
COMPLETE_SEARCHES = ("auto", "fast-downward", "lazy")
HEURISTIC_NAMES = ("hadd", "hmax", "ff", "goalcount", "none")


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
    shorten: bool = True
    """Whether needless steps are dropped from a plan."""
    improve: bool = True
    """Whether leap search runs a second time, for a shorter plan or where it got stuck, and plans of few
    steps are improved by windows for a moment."""
    anytime: bool = False
    """Go on until the time is up: with LAMA where Fast Downward is the complete search, then by windows."""

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise InputError(f"unknown search '{self.search}'", hint=f"use one of {', '.join(SEARCHES)}")
        if self.complete not in COMPLETE_SEARCHES:
            known = ", ".join(COMPLETE_SEARCHES)
            raise InputError(f"unknown complete search '{self.complete}'", hint=f"use one of {known}")
        if self.heuristic is not None and self.heuristic not in HEURISTIC_NAMES:
            known = ", ".join(HEURISTIC_NAMES)
            raise InputError(f"unknown heuristic '{self.heuristic}'", hint=f"use one of {known}")


@dataclass
class Statistics:
    """Counts of a search; a search adds to them as it goes."""

    expanded: int = 0
    """States whose successors were generated."""
    generated: int = 0
    """Transitions generated, to known states too."""
    evaluated: int = 0
    """States for which a heuristic or landmark status was computed."""
    reopened: int = 0
    landmarks_accepted: int = 0
    """Along the plan, repeated acceptances included."""
    loops_traversed: int = 0
    pruned: int = 0
    """How often the open list was cleared because a loop was traversed."""
    recipe_leaps: int = 0
    """Leaps made by recipes, without a search."""
    search_leaps: int = 0
    learned_recipes: int = 0
    """Recipes lifted from leaps that needed a search."""

    def add(self, part: Statistics) -> None:
        for name, value in vars(part).items():
            setattr(self, name, getattr(self, name) + value)


Progress = Callable[[str, Statistics, Standing | None], None]
"""Told now and then: the strategy, its counts, and how far along the landmarks it is."""


@dataclass(frozen=True)
class SearchResult:
    status: SearchStatus
    steps: tuple[Step, ...] | None = None
    cost: float | None = None
    statistics: Statistics = field(default_factory=Statistics)
    standing: Standing | None = None
    """Where a search along landmarks that found no plan came furthest."""


@dataclass(frozen=True)
class Strategy:
    """One of the searches that are tried in turn."""

    name: str
    run: Callable[[Budget], SearchResult]
    complete: bool
    """Whether running dry proves that there is no plan."""
    share: float = 1.0
    improved: bool = False
    """Whether the strategy after it looks for a shorter plan."""
    only_first: bool = False
    """Whether it is left out where there is a plan already."""
