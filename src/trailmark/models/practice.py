"""What training plans do: by which actions they reach their goals, one pass for each, and with which objects.

Learning makes it, the model file keeps it as it stands here, and reports tell it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from trailmark.models.model import Count, Entry, Text, many

SUBJECT = 0
"""The number of the object that a pass is about."""
RARE = 4
"""A step that fewer than one of so many passes has is told apart."""


class Share(Entry, frozen=True):
    """How often something was seen."""

    name: Text
    times: Count


Shares = Annotated[tuple[Share, ...], many]
Texts = Annotated[tuple[Text, ...], many]


class Relation(Entry, frozen=True):
    """How an object is related to another one of the pass."""

    predicate: Text
    anchor: Count
    """The number of the other object."""
    forward: bool
    """Whether the other one stands first."""
    goal: bool = False
    """Whether a goal says it, and not a fact."""
    unique: bool = True
    """Whether it holds for one object alone."""
    rival: Text = ""
    """Another predicate that says it in some passes instead."""
    same: bool = False
    """Whether both have the same object in it, as places in one city."""


class Role(Entry, frozen=True):
    """An object of a way, by what it is in all passes."""

    noun: Text
    name: Text = ""
    """An object of the domain by its own name."""
    only: bool = False
    """Whether it is the one object of its kind."""
    relation: Relation | None = None


class Argument(Entry, frozen=True):
    """An argument of an action."""

    role: Count
    """Which object of the way."""
    given: bool = False
    """Whether the other arguments leave no choice."""
    main: bool = False
    """Whether it is what the action changes most."""
    otherwise: Count | None = None
    """Which other object it is in passes without the step that names it first."""


class Condition(Entry, frozen=True):
    """Something that holds, or does not, when a pass begins or a step is due."""

    predicate: Text
    place: Count
    """Where the object stands in it."""
    role: Count
    holds: bool
    via: Text = ""
    """A predicate that relates the subject to another object: both objects have the same there."""
    other: Count | None = None
    """The object in its other place, where it is one of the pass."""


class Approach(Entry, frozen=True):
    """Moves that lead to a place, as often as is needed."""

    actions: Shares
    relation: Text
    """The predicate that says where the mover is."""
    times: Count
    """In how many passes they were needed."""
    mover: Count | None = None
    """Which of the step's arguments is moved."""
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
    arguments: Annotated[tuple[Argument, ...], many]
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
    roams: bool = False
    """Whether some passes have it earlier or later."""
    when: Annotated[tuple[Condition, ...], many] = ()
    """What passes with the step have, and those without it have not."""
    head: Count | None = None
    """The number of an earlier step that is made for this one, in the same passes."""
    serves: Count | None = None
    """The number of a later step that asks for it, where `when` does not tell the passes apart."""

    @property
    def moves(self) -> list[Approach]:
        return [*self.approaches, *([self.goes] if self.goes is not None else [])]

    @property
    def names(self) -> list[str]:
        """The actions that it names, in the order of time."""
        shown = (*(move.actions for move in self.approaches), self.actions)
        return list(dict.fromkeys(share.name for actions in shown for share in actions))

    @property
    def places(self) -> list[int]:
        """The places of arguments that it refers to."""
        named = [place for move in self.moves for place in (move.mover, move.target, move.source)]
        return [place for place in named if place is not None]


class Way(Entry, frozen=True):
    """Passes that have their steps in one order; some may be left out."""

    steps: Annotated[tuple[PracticeStep, ...], many]
    roles: Annotated[tuple[Role, ...], many]
    """The objects of its passes, what they are about first."""
    passes: Count
    plans: Count
    when: Annotated[tuple[Condition, ...], many] = ()
    """What its passes have, and those of other ways have not."""

    def flaws(self) -> Iterator[str]:
        """Where it does not fit itself."""
        named = [role.relation.anchor for role in self.roles if role.relation is not None]
        whens = [*self.when]
        for step in self.steps:
            whens += step.when
            named += [number or SUBJECT for one in step.arguments for number in (one.role, one.otherwise)]
            if not step.actions or any(place >= len(step.arguments) for place in step.places):
                yield "a step lacks its action or an argument"
            if any(other >= len(self.steps) for other in (step.head or 0, step.serves or 0)):
                yield "a step is missing"
        named += [number or SUBJECT for said in whens for number in (said.role, said.other)]
        if any(number >= len(self.roles) for number in named):
            yield "an object is missing"


class Fall(Entry, frozen=True):
    """By which actions a feature of a counter falls, and what leaves its count."""

    actions: Shares
    noun: Text
    """What leaves the count; empty where that is not known."""


class SubjectGoal(Entry, frozen=True):
    """A goal about the subject of a pass."""

    predicate: Text
    place: Count
    """Where the subject stands in it."""
    holds: bool = True
    """Whether the goal is that it holds, or that it does not."""
    times: Count = 0
    """In how many passes."""


class PassOrder(Entry, frozen=True):
    """Which of two related objects has its pass first."""

    predicate: Text
    goal: bool
    forward: bool
    """Whether it is the first of the two."""
    times: Count
    wanted: bool = False
    """Whether it relates not the objects themselves but those of their goals, as the slots of two books."""


class PassPractice(Entry, frozen=True):
    """Passes that reach the goals of objects of one kind."""

    subject: Text
    """What a pass is about."""
    goals: Annotated[tuple[SubjectGoal, ...], many]
    """What a pass achieves for it; empty where a counter falls instead."""
    passes: Count
    plans: Count
    """How many plans have such passes."""
    steps: tuple[Count, Count, Count]
    """Least, median and most actions that serve a pass."""
    ways: Annotated[tuple[Way, ...], many]
    others: Count
    """Passes made in none of these ways."""
    together: Count = 0
    """In how many plans all passes begin before the first of them ends."""
    mixed: Count = 0
    """In how many plans some pass begins before another one ends."""
    several: Count = 0
    """How many plans have several passes."""
    after: Count = 0
    """How many of the kinds before this one have always ended before it ends."""
    orders: Annotated[tuple[PassOrder, ...], many] = ()
    repeated: bool = False
    """Whether an object has several such passes, one for each of its goals."""
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
    """A predicate that some actions need, some make false and none makes true."""

    predicate: Text
    actions: Texts


class Fact(Entry, frozen=True):
    """What an action needs or changes: parameters, or objects of the domain, in a predicate."""

    predicate: Text
    terms: Texts = ()
    holds: bool = True


class KnownAction(Entry, frozen=True):
    """An action of the domain."""

    name: Text
    parameters: Texts
    kinds: Texts
    """The types of the parameters; empty where they have none."""
    needs: Annotated[tuple[Fact, ...], many] = ()
    effects: Annotated[tuple[Fact, ...], many] = ()
    conditional: bool = False
    """Whether it needs or changes more, which depends on the state."""


class Practice(Entry, frozen=True):
    """All that is kept of the training plans' ways."""

    plans: Count
    passes: Annotated[tuple[PassPractice, ...], many]
    """The kinds of passes in the order of time."""
    counters: Annotated[tuple[Annotated[tuple[Fall, ...], many], ...], many]
    """For each counter of the program, for each of its features."""
    unnoticed: Shares
    """Actions of the plans that no pass needs, by the number of plans."""
    unused: Texts
    """Actions of the domain that no training plan has."""
    lost: Annotated[tuple[Lost, ...], many]
    one_way: Annotated[tuple[OneWay, ...], many] = ()
    actions: Annotated[tuple[KnownAction, ...], many] = ()
    """All actions of the domain, as it declares them."""


def flaws(practice: Practice, features: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Where it does not fit a program whose counters have so many features, or itself."""
    if [len(falls) for falls in practice.counters] != list(features):
        yield "practice.counters", "expected an entry for each counter and a fall for each of its features"
    for place, known in enumerate(practice.passes):
        where = f"practice.passes[{place}].ways"
        yield from ((where, flaw) for way in known.ways for flaw in way.flaws())
