"""What training plans do: by which actions they make the passes of a program, and with which objects.

Learning makes it, the model file keeps it as it stands here, and reports tell it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from trailmark.errors import FeatureError
from trailmark.features.syntax import Kind
from trailmark.features.text import parse
from trailmark.models.strictjson import Count, Entry, Text, many


class Share(Entry, frozen=True):
    """How often something was seen."""

    name: Text
    times: Count


Shares = Annotated[tuple[Share, ...], many]
Texts = Annotated[tuple[Text, ...], many]


class PracticeObject(Entry, frozen=True):
    """An argument of an action, by what all passes have in common."""

    noun: Text
    known: Text = "new"
    """`subject`; `goal` or `fact`, where one relates it to the subject; `same` as in an earlier step; `only`
    one of its kind; `constant`; else `new`."""
    predicate: Text = ""
    """For `goal` and `fact` what relates it to the subject; a constant's own name."""
    forward: bool = True
    """Whether the subject stands before it in that relation."""
    states: Texts = ()
    """Properties that the action needs it to have."""


class Approach(Entry, frozen=True):
    """Moves that lead to a place, as often as is needed."""

    actions: Shares
    relation: Text
    """The predicate that says where the mover is."""
    times: Count
    """In how many passes they were needed."""
    mover: Count | None = None
    """Which of the step's objects is moved."""
    target: Count | None = None
    """Which of them is the place."""
    source: Count | None = None
    """Which of them is the place before."""
    destination: Text = ""
    """The place itself, where it is the same object of the domain in all passes."""


class PracticeStep(Entry, frozen=True):
    """An action of a pass, and what brings somebody there before it."""

    actions: Shares
    """Actions that do the same; the first is the most common one."""
    objects: Annotated[tuple[PracticeObject, ...], many]
    passes: Count
    """In how many passes it is."""
    anew: Count
    """How often it was done: less than `passes` where several passes need it once."""
    approaches: Annotated[tuple[Approach, ...], many] = ()
    """What is moved before it, to get to its place."""
    goes: Approach | None = None
    """Where the action itself leads, where it is a move."""
    group: Count = 0
    """Steps with the same number above 0 are repeated together."""

    @property
    def places(self) -> list[int]:
        """The places of objects that it refers to."""
        moves = [*self.approaches, *([self.goes] if self.goes is not None else [])]
        named = [place for move in moves for place in (move.mover, move.target, move.source)]
        return [place for place in named if place is not None]


class Way(Entry, frozen=True):
    """Passes that have their steps in one order; some may be left out."""

    steps: Annotated[tuple[PracticeStep, ...], many]
    passes: Count
    plans: Count


class Fall(Entry, frozen=True):
    """By which actions a feature of a counter falls, and what leaves its count."""

    actions: Shares
    noun: Text
    """What leaves the count; empty where that is not known."""
    simple: Text = ""
    """A simpler feature that changes in the same steps of the training plans; empty where there is none."""
    gains: bool = False
    """Whether the simpler feature rises there."""


class SubjectGoal(Entry, frozen=True):
    """A goal about the subject of a pass."""

    predicate: Text
    place: Count
    """Where the subject stands in it."""


class PassPractice(Entry, frozen=True):
    """The passes of one counter."""

    subject: Text
    """What a pass is about."""
    goals: Annotated[tuple[SubjectGoal, ...], many]
    """The goals about it that the last actions of passes achieve; empty where not all achieve one."""
    passes: Count
    plans: Count
    """How many plans have such passes."""
    steps: tuple[Count, Count, Count]
    """Least, median and most steps from one pass to the next."""
    ways: Annotated[tuple[Way, ...], many]
    others: Count
    """Passes made in none of these ways."""
    falls: Annotated[tuple[Fall, ...], many]
    """For each feature of the counter."""
    together: Count = 0
    """In how many plans all passes come to their last step after the first steps of all."""
    several: Count = 0
    """How many plans have several passes."""
    example: Texts = ()
    """The steps of one pass."""
    example_from: Text = ""


class OneWay(Entry, frozen=True):
    """A move that cannot be taken back everywhere."""

    action: Text
    steps: Count
    """Of the static relation it follows, in the training tasks."""
    without_return: Count


class Lost(Entry, frozen=True):
    """A predicate that some actions make false and none makes true."""

    predicate: Text
    actions: Texts


class Practice(Entry, frozen=True):
    """All that is kept of the training plans' ways."""

    plans: Count
    passes: Annotated[tuple[PassPractice, ...], many]
    """For each counter."""
    beginning: Shares
    """Actions before the first pass that no pass needs, by the number of plans."""
    tail: Shares
    """Actions after the last pass, by the number of plans."""
    unnoticed: Shares
    """Actions inside plans that no pass needs."""
    unused: Texts
    """Actions of the domain that no training plan has."""
    lost: Annotated[tuple[Lost, ...], many]
    one_way: Annotated[tuple[OneWay, ...], many] = ()


def flaws(practice: Practice, features: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Where it does not fit a program whose counters have so many features, or itself."""
    if [len(known.falls) for known in practice.passes] != list(features):
        yield "practice.passes", "expected an entry for each counter and a fall for each of its features"
    for place, known in enumerate(practice.passes):
        at = f"practice.passes[{place}]"
        for number, fall in enumerate(known.falls):
            try:
                is_feature = not fall.simple or parse(fall.simple).kind is Kind.NUMERICAL
            except FeatureError:
                is_feature = False
            if not is_feature:
                yield f"{at}.falls[{number}].simple", "not a numerical feature"
        for step in (step for way in known.ways for step in way.steps):
            if not step.actions or any(place >= len(step.objects) for place in step.places):
                yield f"{at}.ways", "a step lacks its action or an object"
