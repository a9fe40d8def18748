"""A guidance in words: what all forms of a report draw from.

A counter of a program is told like a landmark that is repeated until its loop is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import StateProgressor
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.models.model import Model
from trailmark.programs.program import Program
from trailmark.report.telling import Telling, ToldCounter, telling
from trailmark.report.words import LoopWords, Part, Words


@dataclass(frozen=True)
class LoopOutline:
    """A loop, from the landmark it belongs to."""

    source: int
    """The position of that landmark, counted from 0."""
    target: int
    """The position it leads back to, which is its own for a counter."""
    index: int
    """Its place among the loops, counted from 0."""
    words: LoopWords
    progressor: StateProgressor
    """What it makes progress by, in the first place."""
    measured: tuple[Expression, ...]
    """The features by which it makes progress and counts, those that are shown."""
    told: ToldCounter | None = None
    """For a counter by which actions it falls."""

    @property
    def lead(self) -> str:
        """What the loop does: `repeat`, or `back to 3`."""
        return "repeat" if self.target == self.source else f"back to {self.target + 1}"

    def covers(self, position: int) -> bool:
        """Whether what stands at this position is achieved again in each pass."""
        return self.target <= position <= self.source

    def lines(self) -> list[tuple[str, str]]:
        """The loop in short: what is asked, and the phrase for it."""
        if self.told is not None:
            return [("one less by", self.told.action_names)]
        return [(label, short(parts)) for label, parts in self.words.labelled]


@dataclass(frozen=True)
class LandmarkOutline:
    number: int
    """Counted from 1."""
    parts: tuple[Part, ...]
    loop: LoopOutline | None

    @property
    def told(self) -> ToldCounter | None:
        """For a counter by which actions it falls."""
        return None if self.loop is None else self.loop.told

    @property
    def lead(self) -> str:
        """What is said before the landmark itself: `repeat: ` where it is a counter."""
        return "repeat: " if self.loop is not None and self.loop.lead == "repeat" else ""

    @property
    def shown(self) -> tuple[Part, ...]:
        """The few parts that stand for the landmark."""
        return tuple(part for part in self.parts if part.shown)

    @property
    def inner(self) -> tuple[str, ...]:
        """What comes further inside a pass."""
        return tuple(phrase for part in self.parts for phrase in part.inner)

    @property
    def label(self) -> str:
        """The landmark in few words."""
        return self.shown[0].phrase if self.told is None else self.told.heading

    @property
    def summary(self) -> str:
        """The landmark in one line."""
        if self.told is not None:
            return f"{self.told.heading}: {self.told.action_names}"
        return ", and ".join(part.phrase for part in self.shown)


@dataclass(frozen=True)
class Outline:
    """All that is said of a model's guidance."""

    model: Model
    words: Words
    landmarks: tuple[LandmarkOutline, ...]
    guards: tuple[Part, ...]
    telling: Telling | None = None
    """A program told by its actions, where the model has what is needed."""

    @property
    def loops(self) -> tuple[LoopOutline, ...]:
        """All loops in the order of their index."""
        found = [landmark.loop for landmark in self.landmarks if landmark.loop is not None]
        return tuple(sorted(found, key=lambda loop: loop.index))

    @property
    def title(self) -> str:
        """`4 landmarks and 1 loop`, `what to do, in 2 parts`."""
        if self.telling is not None:
            kinds = len(self.telling.passes)
            return "what to do, in 1 part" if kinds == 1 else f"what to do, in {kinds} parts"
        return f"{count(len(self.landmarks), 'landmark')} and {count(len(self.loops), 'loop')}"

    @property
    def origin(self) -> str:
        """`learned from 5 plans (chain)`."""
        plans = len(self.model.training)
        return f"learned from {count(plans, 'plan')} ({self.model.method})" if plans else self.model.method


def outline(model: Model, words: Words | None = None) -> Outline:
    """The model's guidance in its own words, or in others."""
    words = words or Words.of(model)
    guidance = model.guidance
    told = telling(model, words)
    if isinstance(guidance, Program):
        landmarks = _counters(guidance, words, told)
    else:
        landmarks = _landmarks(guidance, words)
    guards = words.guards(guidance.guards)
    return Outline(model, words, landmarks, guards, told)


def _counters(program: Program, words: Words, known: Telling | None) -> tuple[LandmarkOutline, ...]:
    found: list[LandmarkOutline] = []
    for place, counter in enumerate(program.counters):
        told = words.counter_loop(counter)
        passes = None if known is None else known.counters[place]
        loop = LoopOutline(place, place, place, told, counter.progressors[0], counter.features, passes)
        found.append(LandmarkOutline(place + 1, words.counter(counter), loop))
    return tuple(found)


def _landmarks(graph: LandmarkGraph, words: Words) -> tuple[LandmarkOutline, ...]:
    return tuple(
        LandmarkOutline(place + 1, words.landmark(landmark), _loop(graph, place, words))
        for place, landmark in enumerate(graph.landmarks)
    )


def _loop(graph: LandmarkGraph, place: int, words: Words) -> LoopOutline | None:
    loop = graph.loop_at(place)
    if loop is None:
        return None
    told = words.loop(loop)
    shown = [part for part in (*told.progress, *told.counter) if part.shown]
    measured = tuple(dict.fromkeys(feature for part in shown for feature in part.features))
    index = graph.loops.index(loop)
    return LoopOutline(place, loop.target, index, told, loop.progression[0], measured)


def short(parts: Iterable[Part]) -> str:
    """The parts that stand for all of them."""
    return " and ".join(part.phrase for part in parts if part.shown)


def count(number: int, noun: str) -> str:
    """`1 loop`, `2 loops`."""
    return f"{number} {noun}" if number == 1 or noun.endswith("s") else f"{number} {noun}s"
