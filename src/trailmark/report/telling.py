"""What training plans do to reach their goals, told for someone who is to do it: who does what, in the order
of time; and what the counters of the program notice of it.

Everything comes from the learned program, the action schemas and the training plans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from trailmark.models.model import Model
from trailmark.models.practice import PassOrder, Practice, SubjectGoal
from trailmark.programs.program import Program
from trailmark.report.actions import told_action
from trailmark.report.cautions import cautions, reassurances
from trailmark.report.counts import ToldCounter, told_counter
from trailmark.report.english import denied, listed, plural, with_article
from trailmark.report.english.words import DomainWords
from trailmark.report.objects import noun
from trailmark.report.steps import ToldStep, WayWords
from trailmark.report.words import Words

LEGEND = (
    "(4 of 9): 4 of 9 passes of the training plans needed the step. Leave out a move where the mover is "
    "there already."
)
ORDER_OF_PARTS = "Do the parts in this order; those about different things may be mixed."
ACTIONS_LEAD = "The actions, with their arguments in order:"
GOAL_BY_GOAL = "Planning with the model goes goal by goal: one goal is reached, and kept, before the next."


@dataclass(frozen=True)
class ToldWay:
    """One way to make a pass, its steps in the order of time."""

    lead: str
    """For which passes it is, where that is known, and how many."""
    steps: tuple[ToldStep, ...]
    rare: tuple[str, ...]
    """Actions that few of its passes have besides."""
    passes: int


@dataclass(frozen=True)
class ToldPass:
    """Passes of one kind."""

    subject: str
    heading: str
    """For whom there is a pass: `every package that is not yet at its goal cell, one pass for each`."""
    ways: tuple[ToldWay, ...]
    remarks: tuple[str, ...]
    """When a pass is over, how long it is, which comes first, and what must be over before."""
    example: tuple[str, ...]
    example_from: str

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of the most common way, in the order of time."""
        most = max(self.ways, key=lambda way: way.passes)
        return tuple(dict.fromkeys(name for step in most.steps for name in step.actions))


@dataclass(frozen=True)
class Telling:
    """All that is told of a program."""

    passes: tuple[ToldPass, ...]
    counters: tuple[ToldCounter, ...]
    remarks: tuple[str, ...]
    warnings: tuple[str, ...]
    actions: tuple[str, ...] = ()
    """The actions of the domain, with what they need and change."""


def telling(model: Model, words: Words) -> Telling | None:
    """The program told by actions; None for landmark graphs, and where the file does not have them."""
    program, practice = model.guidance, model.practice
    if practice is None or not practice.actions or not isinstance(program, Program):
        return None
    domain = words.domain
    counters = zip(program.counters, practice.counters, strict=True)
    return Telling(
        tuple(_pass(domain, practice, place) for place in range(len(practice.passes))),
        tuple(told_counter(words, domain, counter, falls) for counter, falls in counters),
        (*reassurances(domain, practice), *([GOAL_BY_GOAL] if program.goal_by_goal else [])),
        tuple(cautions(domain, practice)),
        tuple(told_action(domain, action) for action in practice.actions),
    )


def _pass(words: DomainWords, practice: Practice, place: int) -> ToldPass:
    known = practice.passes[place]
    subject = noun(words, known.subject)
    actions = {action.name: action for action in practice.actions}
    ways: list[ToldWay] = []
    for way in sorted(known.ways, key=lambda way: not way.when):
        told, share = WayWords(words, way, subject, actions), f"{way.passes} of {known.passes} passes"
        lead = f"If {told.when} ({share})" if way.when else f"{'Otherwise, in' if ways else 'In'} {share}"
        ways.append(ToldWay(lead, *told.steps(), way.passes))
    missing = listed([_goal(words, goal, reached=False) for goal in known.goals], "or")
    if missing and all(words.arity(goal.predicate) < 2 for goal in known.goals):
        missing += " and that the goal names"
    kinds = [words.type_noun(f"{goal.predicate}_g", 1 - goal.place) or "thing" for goal in known.goals]
    several = f" of its goal {plural(kinds[0])}" if known.repeated and kinds else ""
    return ToldPass(
        subject=subject,
        heading=f"every {subject} that {missing or 'needs it'}, one pass for each{several}",
        ways=tuple(ways),
        remarks=tuple(_remarks(words, practice, place)),
        example=known.example,
        example_from=known.example_from,
    )


def _goal(words: DomainWords, goal: SubjectGoal, *, reached: bool) -> str:
    """What the subject has when the goal is reached, or has not yet: `is not yet at its goal cell`."""
    arity = words.arity(goal.predicate)
    said = words.said(goal.predicate, goal.place)
    if arity == 2:
        kind = words.type_noun(f"{goal.predicate}_g", 1 - goal.place) or "place"
        said = words.to(goal.predicate, goal.place, f"its goal {kind}")
    if reached == goal.holds:
        return said.one
    return re.sub("^(is|does) not ", r"\1 not yet ", denied(said).one) if goal.holds else denied(said).one


def _remarks(words: DomainWords, practice: Practice, place: int) -> Iterator[str]:
    known = practice.passes[place]
    subject = noun(words, known.subject)
    reached = listed([_goal(words, goal, reached=True) for goal in known.goals], "and")
    least, middle, most = known.steps
    length = f"{least} to {most} steps, mostly {middle}" if least < most else f"{most} step{'s' * (most > 1)}"
    asked = ", as far as its goals ask" if any(goal.times < known.passes for goal in known.goals) else ""
    over = f"when the {subject} {reached}{asked}" if reached else "with its last step"
    yield f"A pass is over {over}; it takes {length}."
    is_last = place == len(practice.passes) - 1
    stop = ", then stop: the goal is reached" if is_last else ", then go on with the next part"
    yield f"Repeat until no such {subject} is left{stop}."
    if known.after:
        parts = "part 1" if known.after == 1 else f"parts 1 to {known.after}"
        yield f"These passes end after all of {parts}."
    for order in known.orders:
        yield f"Order: {_order(words, subject, order)} ({order.times} of {order.times} pairs)."
    if known.several:
        seen = f"of {known.several} plans with several passes"
        if known.together == known.several:
            yield f"Begin the pass of every {subject} before the first pass ends ({known.together} {seen})."
        elif known.mixed:
            yield f"Passes may overlap ({known.mixed} {seen})."
        else:
            yield f"Make one pass after the other ({known.several} {seen})."


def _order(words: DomainWords, subject: str, order: PassOrder) -> str:
    """Which of two related objects comes first."""
    one, other = with_article(subject), f"another {subject}"
    if order.wanted:
        kind = words.type_noun(order.predicate, 0) or "place"
        one, other = f"the goal {kind} of {one}", f"the goal {kind} of {other}"
    said = words.to(order.predicate, 0, other).one + " in the goal" * order.goal
    first = f"that {subject} comes before the other" if order.forward else f"the other {subject} comes first"
    return f"where {one} {said}, {first}"
