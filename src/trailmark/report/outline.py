"""A landmark graph in words: what all forms of a report draw from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from trailmark.landmarks import Landmark, Loop, Model
from trailmark.landmarks.routes import units
from trailmark.report.words import LoopWords, Part, Words


@dataclass(frozen=True)
class LoopOutline:
    """A loop of the graph, from the landmark it belongs to."""

    loop: Loop
    words: LoopWords
    index: int
    """Its place among the loops of the graph, counted from 0."""
    restless: bool
    """Whether its landmark itself says what progresses, so that the loop needs not say it again."""

    @property
    def lead(self) -> str:
        """What the loop does: `repeat`, or `back to 3`."""
        return "repeat" if self.loop.target == self.loop.source else f"back to {self.loop.target + 1}"

    def lines(self) -> list[tuple[str, str]]:
        """The loop in short: what is asked, and the phrase for it."""
        said = [("until", short(self.words.exit))]
        if self.words.progress and not self.restless:
            said.append(("each time", short(self.words.progress)))
        said.append(("passes", short(self.words.counter)))
        return said


@dataclass(frozen=True)
class LandmarkOutline:
    number: int
    """Counted from 1."""
    parts: tuple[Part, ...]
    loop: LoopOutline | None
    landmark: Landmark
    place: str = ""
    """Where it stands in or after a branch: `either`, `or`, `followed by`, `in any case`."""

    @property
    def lead(self) -> str:
        """What is said before the landmark itself: `either: `, `in 60 % of the plans: `, `repeat: `."""
        said = [self.place] if self.place else []
        if self.landmark.is_possible:
            said.append(f"in {self.landmark.share} % of the plans")
        if self.loop is not None and self.loop.lead == "repeat":
            said.append("repeat")
        return "".join(f"{each}: " for each in said)

    @property
    def shown(self) -> tuple[Part, ...]:
        """The few parts that stand for the landmark."""
        return tuple(part for part in self.parts if part.shown)

    @property
    def inner(self) -> tuple[str, ...]:
        """What comes further inside a pass."""
        return tuple(phrase for part in self.parts for phrase in part.inner)

    @property
    def summary(self) -> str:
        """The landmark in one line."""
        return ", and ".join(part.phrase for part in self.shown)


@dataclass(frozen=True)
class Outline:
    """All that is said of a model's graph."""

    model: Model
    words: Words
    landmarks: tuple[LandmarkOutline, ...]
    guards: tuple[Part, ...]

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The ordered edges of the graph, by the numbers of the landmarks."""
        parts = units(self.model.graph.landmarks)
        found = [
            (place + 1, place + 2) for unit in parts for alternative in unit for place in alternative[:-1]
        ]
        found += [
            (before.stop, after.start + 1)
            for first, second in pairwise(parts)
            for before in first
            for after in second
        ]
        return tuple(sorted(found, key=lambda edge: (edge[1], edge[0])))

    @property
    def loops(self) -> tuple[LoopOutline, ...]:
        return tuple(each.loop for each in self.landmarks if each.loop is not None)

    @property
    def title(self) -> str:
        """`4 landmarks and 1 loop`."""
        groups = {each.branch[0] for each in self.model.graph.landmarks if each.branch is not None}
        possible = sum(each.is_possible for each in self.model.graph.landmarks)
        landmarks = count(len(self.landmarks), "landmark") + (f" ({possible} possible)" if possible else "")
        branches = f", {count(len(groups), 'branch')}" if groups else ""
        return f"{landmarks}{branches} and {count(len(self.loops), 'loop')}"

    @property
    def origin(self) -> str:
        """`learned from 5 plans (chain)`."""
        plans = len(self.model.training)
        return f"learned from {count(plans, 'plan')} ({self.model.method})" if plans else self.model.method

    def estimate(self) -> str | None:
        """How plan length grows with the passes, as training showed."""
        estimate = self.model.estimate
        if estimate is None or not self.loops:
            return None
        one = len(estimate.per_pass) == 1
        terms = [
            f"{slope:.1f} steps for each pass" + ("" if one else f" of loop {place}")
            for place, slope in enumerate(estimate.per_pass, start=1)
        ]
        base = f"{abs(estimate.base):.1f}"
        sign = "plus" if estimate.base > 0 else "less"
        return " and ".join(terms) + (f", {sign} {base}" if float(base) else "")


def outline(model: Model, words: Words | None = None) -> Outline:
    """The model's graph in its own words, or in others."""
    words = words or Words.of(model)
    graph = model.graph
    landmarks = []
    for place, landmark in enumerate(graph.landmarks):
        loop = graph.loop_at(place)
        described = None
        if loop is not None:
            index = graph.loops.index(loop)
            described = LoopOutline(loop, words.loop(loop), index, bool(landmark.progressors))
        where = _place(landmark, graph.landmarks[place - 1] if place else None)
        landmarks.append(LandmarkOutline(place + 1, words.landmark(landmark), described, landmark, where))
    return Outline(model, words, tuple(landmarks), words.guards(graph.guards))


def _place(landmark: Landmark, before: Landmark | None) -> str:
    behind = before.branch if before is not None else None
    if landmark.branch is None:
        return "in any case" if behind is not None else ""
    if landmark.branch == behind:
        return "followed by"
    return "either" if landmark.branch[1] == 1 else "or"


def short(parts: Iterable[Part]) -> str:
    """The parts that stand for all of them."""
    return " and ".join(part.phrase for part in parts if part.shown)


def count(number: int, noun: str) -> str:
    """`1 loop`, `2 loops`."""
    if number == 1 or noun.endswith("s"):
        return f"{number} {noun}"
    return f"{number} {noun}{'es' if noun.endswith('ch') else 's'}"
