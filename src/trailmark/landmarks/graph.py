"""Graphs of generalized landmarks: a chain of landmarks, and loops that lead back along it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import (
    Policy,
    StateDescriptor,
    StateFunction,
    StateProgressor,
    StateValue,
    Status,
    Valuation,
    require_consistent,
    require_distinct,
)
from trailmark.landmarks.progression import Progression


@dataclass(frozen=True)
class Landmark:
    """A conjunction of state descriptors (Definition "Generalized landmarks")."""

    descriptors: tuple[StateDescriptor, ...]

    def __post_init__(self) -> None:
        if not self.descriptors:
            raise InputError("a landmark needs at least one state descriptor")
        require_consistent(self.descriptors, "a landmark")

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
        parts: list[tuple[StateFunction, ...]] = [self.exit, self.progression, self.counter]
        names = ("an exit condition", "a progression condition", "a counter")
        for part, name in zip(parts, names, strict=True):
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

    The ordered edges are the chain itself: each landmark comes before the next in the tuple.
    """

    landmarks: tuple[Landmark, ...]
    loops: tuple[Loop, ...] = ()

    def __post_init__(self) -> None:
        if not self.landmarks:
            raise InputError("a landmark graph needs at least one landmark")
        sources: set[int] = set()
        for loop in self.loops:
            name = loop.source + 1
            if loop.source >= len(self.landmarks):
                raise InputError(f"a loop starts at landmark {name}, but there are {len(self.landmarks)}")
            if loop.source in sources:
                raise InputError(f"landmark {name} has more than one loop")
            sources.add(loop.source)

    def __len__(self) -> int:
        return len(self.landmarks)

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
        """For each position the places of the features of the awaited landmark and of its loop."""
        found: list[tuple[int, ...]] = []
        for position, landmark in enumerate(self.landmarks):
            functions: list[StateFunction] = [*landmark.descriptors]
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

    def following(self, policy: Policy) -> Progression:
        return Progression(self, policy)

    @cached_property
    def _progression(self) -> Progression:
        return Progression(self, Policy.STAY)

    def awaited(self, status: Status) -> int | None:
        return status.next if status.next < len(self.landmarks) else None

    def missing(self, status: Status) -> int | None:
        return next((place for place, count in enumerate(status.counts) if not count), None)

    def fits(self, status: Status, position: int, passes: int) -> bool:
        """A landmark that was never accepted is missing, and nothing is said of its loop."""
        return status.counts[position] in (0, passes)

    def passes(self, initial: Valuation) -> tuple[int, ...]:
        return tuple(loop_count(self, loop, initial) for loop in self.loops)

    def h_max(self, initial: Valuation) -> int:
        """Every landmark counts once, or as often as the largest counter of a loop that covers it."""
        counts = [(loop, loop_count(self, loop, initial)) for loop in self.loops]
        return sum(
            max((count for loop, count in counts if loop.covers(position)), default=1)
            for position in range(len(self.landmarks))
        )

    def loop_at(self, landmark: int) -> Loop | None:
        """The loop that starts at the landmark at this position."""
        return next((loop for loop in self.loops if loop.source == landmark), None)


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
