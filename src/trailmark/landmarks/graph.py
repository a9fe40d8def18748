"""Graphs of generalized landmarks: a chain of landmarks, and loops that lead back along it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import (
    StateDescriptor,
    StateFunction,
    StateProgressor,
    StateValue,
    require_consistent,
    require_distinct,
)
from trailmark.landmarks.guidance import Status, Valuation
from trailmark.landmarks.progression import Policy, Progression
from trailmark.landmarks.routes import Routes, check_loop, find_routes, units

NECESSARY = 100
"""Per cent: the share of a landmark that no trajectory goes without."""


@dataclass(frozen=True)
class Landmark:
    """A conjunction of state descriptors (Definition "Generalized landmarks").

    Two ideas of the paper's future work: a landmark may be k-possible, which is held in k per cent of
    the training trajectories and may be skipped, and it may belong to one of several alternative chains.
    """

    descriptors: tuple[StateDescriptor, ...]
    share: int = NECESSARY
    """In how many per cent of the training trajectories it was achieved, or of those that take its
    alternative; below 100 it is possible, and may be skipped."""
    branch: tuple[int, int] | None = None
    """The group of alternatives it is in and its alternative, both counted from 1."""

    def __post_init__(self) -> None:
        if not self.descriptors:
            raise InputError("a landmark needs at least one state descriptor")
        require_consistent(self.descriptors, "a landmark")
        if not 0 < self.share <= NECESSARY:
            raise InputError(f"a landmark cannot be held in {self.share} per cent of the trajectories")

    @property
    def is_possible(self) -> bool:
        """Whether it may be skipped."""
        return self.share < NECESSARY

    def __str__(self) -> str:
        return "{" + "; ".join(map(str, self.descriptors)) + "}"


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
        if not 0 <= self.target < self.source:
            raise InputError(f"a loop cannot lead from landmark {self.source + 1} to {self.target + 1}")
        for part, name in (
            (self.exit, "an exit condition"),
            (self.progression, "a progression condition"),
            (self.counter, "a counter"),
        ):
            if not part:
                raise InputError(f"the loop at landmark {self.source + 1} needs {name}")
            require_distinct(part, name)
        require_consistent(self.exit, "an exit condition")

    def covers(self, landmark: int) -> bool:
        """Whether the landmark at this position is achieved again in each pass."""
        return self.target <= landmark <= self.source


@dataclass(frozen=True)
class LandmarkGraph:
    """A chain of landmarks with loops (Definition "Graph of Generalized Landmarks"), as a `Guidance`.

    The ordered edges are the chain itself: each landmark comes before the next in the tuple. Beyond
    the paper some of its landmarks may be possible, or lie in alternative chains one after the other.
    """

    landmarks: tuple[Landmark, ...]
    loops: tuple[Loop, ...] = ()

    def __post_init__(self) -> None:
        if not self.landmarks:
            raise InputError("a landmark graph needs at least one landmark")
        if self.has_choices:
            units(self.landmarks)
        sources: set[int] = set()
        for loop in self.loops:
            self._check_loop(loop, sources)
            sources.add(loop.source)

    def _check_loop(self, loop: Loop, sources: set[int]) -> None:
        name = loop.source + 1
        if loop.source >= len(self.landmarks):
            raise InputError(f"a loop starts at landmark {name}, but there are {len(self.landmarks)}")
        if loop.source in sources:
            raise InputError(f"landmark {name} has more than one loop")
        if self.has_choices:
            check_loop(self.landmarks, loop)

    def __len__(self) -> int:
        return len(self.landmarks)

    @cached_property
    def has_choices(self) -> bool:
        """Whether some landmark is possible or in a branch."""
        return any(landmark.is_possible or landmark.branch is not None for landmark in self.landmarks)

    @cached_property
    def routes(self) -> Routes:
        """The ways through the chain."""
        return find_routes(self.landmarks)

    @property
    def functions(self) -> Iterator[StateFunction]:
        """Every state function: those of the landmarks in order, then those of the loops."""
        for landmark in self.landmarks:
            yield from landmark.descriptors
        for loop in self.loops:
            yield from loop.exit
            yield from loop.progression
            yield from loop.counter

    @cached_property
    def features(self) -> tuple[Expression, ...]:
        """The distinct features in the order they first appear."""
        return tuple(dict.fromkeys(function.feature for function in self.functions))

    @cached_property
    def feature_index(self) -> Mapping[Expression, int]:
        return {feature: place for place, feature in enumerate(self.features)}

    @property
    def guards(self) -> tuple[StateDescriptor, ...]:
        """None: the paper's graphs say nothing of what must not happen."""
        return ()

    @property
    def without_guards(self) -> LandmarkGraph:
        return self

    @cached_property
    def deciding(self) -> tuple[tuple[int, ...], ...]:
        """For each position the places of the features of the awaited landmarks and of their loops."""
        found: list[tuple[int, ...]] = []
        for awaited in self.routes.awaited[:-1]:
            functions: list[StateFunction] = []
            for position in awaited:
                functions += self.landmarks[position].descriptors
                loop = self.loop_at(position)
                if loop is not None:
                    functions += [*loop.exit, *loop.progression]
            features = dict.fromkeys(function.feature for function in functions)
            found.append(tuple(self.feature_index[feature] for feature in features))
        return tuple(found)

    @property
    def repeated(self) -> tuple[int, ...]:
        return tuple(loop.source for loop in self.loops)

    @property
    def accepts_changes_alone(self) -> bool:
        """No: several changes may be needed before all descriptors of a landmark hold."""
        return False

    def has_inner_progress(self, position: int) -> bool:
        """No: between two acceptances the status stays the same."""
        return False

    def start(self, initial: Valuation) -> Status:
        """As `step`, with the policy `stay`: a loop landmark without progress would lead a search on."""
        return self._progression.start(initial)

    def step(self, status: Status, values: Valuation) -> Status:
        return self._progression.step(status, values)

    @cached_property
    def _progression(self) -> Progression:
        return Progression(self, Policy.STAY)

    def awaited(self, status: Status) -> int | None:
        return self.routes.required[status.next]

    def missing(self, status: Status) -> int | None:
        """What lies before the last acceptance and was not accepted itself was skipped."""
        after = [self.routes.following[place] for place, count in enumerate(status.counts) if count]
        return self.routes.required[max([status.next, *after])]

    def passes(self, initial: Valuation) -> tuple[int, ...]:
        return tuple(loop_count(self, loop, initial) for loop in self.loops)

    def h_max(self, initial: Valuation) -> int:
        """Every landmark counts once, or as often as the largest counter of a loop that covers it. A
        possible landmark counts like any other; of alternatives the longest one counts."""
        counts = [(loop, loop_count(self, loop, initial)) for loop in self.loops]
        times = [
            max((count for loop, count in counts if loop.covers(position)), default=1)
            for position in range(len(self.landmarks))
        ]
        return sum(
            max(sum(times[place] for place in alternative) for alternative in unit)
            for unit in units(self.landmarks)
        )

    def loop_at(self, landmark: int) -> Loop | None:
        """The loop that starts at the landmark at this position."""
        return self._loop_from.get(landmark)

    @cached_property
    def _loop_from(self) -> Mapping[int, Loop]:
        return {loop.source: loop for loop in self.loops}


def loop_count(graph: LandmarkGraph, loop: Loop, initial: Valuation) -> int:
    """How often the loop landmark is to be achieved, from the initial state's valuation.

    Where members of the counter disagree the least complex one decides. It is at least 1, because
    a loop landmark is achieved once even where there is nothing to repeat.
    """
    for value in sorted(loop.counter, key=lambda value: value.complexity):
        count = value.of(initial[graph.feature_index[value.feature]])
        if count is not None:
            return max(1, count)
    return 1
