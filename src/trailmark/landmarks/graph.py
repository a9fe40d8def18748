"""Graphs of generalized landmarks: a chain of landmarks, and loops that lead back along it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import (
    StateDescriptor,
    StateFunction,
    StateProgressor,
    StateValue,
    features_of,
)
from trailmark.landmarks.routes import Routes, check_loop, find_routes, units

NECESSARY = 100
"""Per cent: the share of a landmark that no trajectory goes without."""


@dataclass(frozen=True)
class Landmark:
    """A conjunction of state descriptors (Definition "Generalized landmarks").

    Beyond the paper a landmark may also hold progressors. They are read against the state of its
    previous acceptance, or the initial state before the first.

    Two more ideas of the paper's future work: a landmark may be k-possible, which is held in k per cent
    of the training trajectories and may be skipped, and it may belong to one of several alternative
    chains.
    """

    descriptors: tuple[StateDescriptor, ...]
    progressors: tuple[StateProgressor, ...] = ()
    share: int = NECESSARY
    """In how many per cent of the training trajectories it was achieved, or of those that take its
    alternative; below 100 it is possible, and may be skipped."""
    branch: tuple[int, int] | None = None
    """The group of alternatives it is in and its alternative, both counted from 1."""

    def __post_init__(self) -> None:
        if not self.descriptors and not self.progressors:
            raise InputError("a landmark needs at least one state descriptor or progressor")
        _require_consistent(self.descriptors, "a landmark")
        _require_distinct(self.progressors, "a landmark")
        if not 0 < self.share <= NECESSARY:
            raise InputError(f"a landmark cannot be held in {self.share} per cent of the trajectories")

    @property
    def functions(self) -> tuple[StateFunction, ...]:
        """Its descriptors, then its progressors."""
        return (*self.descriptors, *self.progressors)

    @property
    def has_inner_progress(self) -> bool:
        """Whether a later link of a progressor may tell progress inside a pass."""
        return any(each.then is not None for each in self.progressors)

    @property
    def is_possible(self) -> bool:
        """Whether it may be skipped."""
        return self.share < NECESSARY

    def __str__(self) -> str:
        return "{" + "; ".join(str(each) for each in (*self.descriptors, *self.progressors)) + "}"


@dataclass(frozen=True)
class Loop:
    """A loop edge with its condition and counter (Definitions "Loop condition", "Loop landmark counter").

    `source` is the position of the loop landmark in the chain, `target` that of the landmark the
    loop leads back to, both counted from 0.
    """

    source: int
    target: int
    exit: tuple[StateDescriptor, ...]
    """Where all of them hold at the loop landmark, the loop is over."""
    progression: tuple[StateProgressor, ...]
    """All of them must hold between one acceptance of the loop landmark and the next."""
    counter: tuple[StateValue, ...]
    """How often the loop landmark is achieved, read in the initial state."""

    def __post_init__(self) -> None:
        if not 0 <= self.target <= self.source:
            raise InputError(f"a loop cannot lead from landmark {self.source + 1} to {self.target + 1}")
        if not self.exit or not self.counter:
            raise InputError(f"the loop at landmark {self.source + 1} needs an exit condition and a counter")
        _require_consistent(self.exit, "an exit condition")
        _require_distinct(self.progression, "a progression condition")
        _require_distinct(self.counter, "a counter")

    def covers(self, landmark: int) -> bool:
        """Whether the landmark at this position is achieved again in each pass."""
        return self.target <= landmark <= self.source


@dataclass(frozen=True)
class LandmarkGraph:
    """A chain of landmarks with loops (Definition "Graph of Generalized Landmarks").

    The ordered edges are the chain itself: each landmark comes before the next in the tuple. Beyond
    the paper a graph may hold guards, the negative landmarks of its future work, and some of its
    landmarks may be possible, or lie in alternative chains one after the other.
    """

    landmarks: tuple[Landmark, ...]
    loops: tuple[Loop, ...] = ()
    guards: tuple[StateDescriptor, ...] = ()
    """Conditions that never hold on the way to a goal: where one holds, the goal is out of reach."""

    def __post_init__(self) -> None:
        if not self.landmarks:
            raise InputError("a landmark graph needs at least one landmark")
        sources: set[int] = set()
        if self.has_choices:
            units(self.landmarks)
            if any(each.progressors for each in self.landmarks):
                raise InputError("landmarks with progressors cannot stand beside possible ones or branches")
        for loop in self.loops:
            self._check_loop(loop, sources)
            sources.add(loop.source)
        _require_consistent(self.guards, "the list of guards")

    def _check_loop(self, loop: Loop, sources: set[int]) -> None:
        name = loop.source + 1
        if loop.source >= len(self.landmarks):
            raise InputError(f"a loop starts at landmark {name}, but there are {len(self.landmarks)}")
        if loop.source in sources:
            raise InputError(f"landmark {name} has more than one loop")
        carries_progressor = bool(self.landmarks[loop.source].progressors)
        if loop.source == loop.target and not carries_progressor:
            raise InputError(f"landmark {name} loops to itself without a progressor of its own")
        if not loop.progression and not carries_progressor:
            raise InputError(f"the loop at landmark {name} needs a progression condition")
        if self.has_choices:
            check_loop(self.landmarks, loop)

    @cached_property
    def has_choices(self) -> bool:
        """Whether some landmark is possible or in a branch."""
        return any(each.is_possible or each.branch is not None for each in self.landmarks)

    @cached_property
    def routes(self) -> Routes:
        """The ways through the chain."""
        return find_routes(self.landmarks)

    @property
    def functions(self) -> Iterator[StateFunction]:
        """Every state function: those of the landmarks in order, those of the loops, the guards."""
        for landmark in self.landmarks:
            yield from landmark.functions
        for loop in self.loops:
            yield from loop.exit
            yield from loop.progression
            yield from loop.counter
        yield from self.guards

    @property
    def without_guards(self) -> LandmarkGraph:
        """The same graph for a search that must not prune what only training says is lost."""
        return replace(self, guards=()) if self.guards else self

    @cached_property
    def features(self) -> tuple[Expression, ...]:
        """The distinct features in the order they first appear: the order of every valuation."""
        found = (feature for function in self.functions for feature in features_of(function))
        return tuple(dict.fromkeys(found))

    @cached_property
    def feature_index(self) -> Mapping[Expression, int]:
        """The place of every feature in a valuation."""
        return {feature: place for place, feature in enumerate(self.features)}

    @cached_property
    def pass_ends(self) -> tuple[int | None, ...]:
        """For every position, and the one past the end: where it lies before a loop landmark that carries a
        progressor, inside its loop, the position of that landmark. What comes before it is its body."""
        found: list[int | None] = [None] * (len(self.landmarks) + 1)
        for loop in self.loops:
            if self.landmarks[loop.source].progressors:
                for position in range(loop.target, loop.source):
                    found[position] = loop.source
        return tuple(found)

    @property
    def has_inner_progress(self) -> bool:
        """Whether some pass may come nearer to its end before that is reached."""
        bodies = any(end is not None for end in self.pass_ends)
        return bodies or any(each.has_inner_progress for each in self.landmarks)

    def loop_at(self, landmark: int) -> Loop | None:
        """The loop that starts at the landmark at this position."""
        return self._loop_from.get(landmark)

    @cached_property
    def _loop_from(self) -> Mapping[int, Loop]:
        return {loop.source: loop for loop in self.loops}


def loop_count(graph: LandmarkGraph, loop: Loop, initial: Sequence[float]) -> int:
    """How often the loop landmark is to be achieved, from the initial state's valuation.

    Where members of the counter disagree the least complex one decides. It is at least 1, because
    a loop landmark is achieved once even where there is nothing to repeat.
    """
    for value in sorted(loop.counter, key=lambda each: each.complexity):
        count = value.of(initial[graph.feature_index[value.feature]])
        if count is not None:
            return max(1, count)
    return 1


def h_max(graph: LandmarkGraph, initial: Sequence[float]) -> int:
    """How many landmarks are to be achieved in all: the largest value of LM-G.

    Every landmark counts once, or as often as the largest counter of a loop that covers it. A possible
    landmark counts like any other; of alternatives the longest one counts.
    """
    counts = [(loop, loop_count(graph, loop, initial)) for loop in graph.loops]
    times = [
        max((count for loop, count in counts if loop.covers(position)), default=1)
        for position in range(len(graph.landmarks))
    ]
    if not graph.has_choices:
        return sum(times)
    return sum(max(sum(times[place] for place in each) for each in unit) for unit in units(graph.landmarks))


def _require_distinct(functions: Sequence[StateFunction], where: str) -> None:
    seen: set[StateFunction] = set()
    for function in functions:
        if function in seen:
            raise InputError(f"{where} contains {function} twice")
        seen.add(function)


def _require_consistent(descriptors: Sequence[StateDescriptor], where: str) -> None:
    _require_distinct(descriptors, where)
    present = set(descriptors)
    for descriptor in descriptors:
        if descriptor.positive and descriptor.negated in present:
            raise InputError(f"{where} contains both {descriptor} and its negation")
