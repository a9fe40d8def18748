"""What every search returns: a status, the plan if there is one, and what it took."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from trailmark.errors import SearchStatus
from trailmark.limits import Budget
from trailmark.search.standing import Standing
from trailmark.task.plans import Step


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
