"""What training plans do to reach their goals, told for someone who is to do it: who does what, in the order
of time; what the actions need and change; and what the counters of the program notice of it.

Everything comes from the learned program, the action schemas and the training plans.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from trailmark.features.syntax import Expression
from trailmark.models.model import Model
from trailmark.models.practice import Fact, Fall, KnownAction, PassOrder, Practice, SubjectGoal
from trailmark.programs.program import Counter as ProgramCounter
from trailmark.programs.program import Program
from trailmark.report.cautions import cautions, reassurances
from trailmark.report.english import OBJECT, DomainWords, denied, listed, plural, quoted, spaced, with_article
from trailmark.report.steps import ToldStep, WayWords
from trailmark.report.words import Words

LEGEND = (
    "(4 of 9): 4 of 9 passes of the training plans needed the step. Leave out a move where the mover is "
    "there already."
)
ORDER_OF_PARTS = "Do the parts in this order; those about different things may be mixed."
ACTIONS_LEAD = "The actions, with their arguments in order:"
EQUALITY = "="
GOAL_BY_GOAL = "Planning with the model goes goal by goal: one goal is reached, and kept, before the next."
LONGEST_PHRASE = 70
"""Characters of a phrase for a count; a longer one is told by what leaves the count."""
_NESTED = re.compile(rf"`|\b(no|not|nothing|or|all|{OBJECT}s?)\b|\bthat\b.*\bthat\b")


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
class ToldCount:
    """A count: what it counts, how it changes, and by which actions."""

    phrase: str
    by: str
    subject: str
    """What leaves the count."""
    formula: str
    is_exact: bool
    """Whether the phrase says all that the formula does."""

    @property
    def text(self) -> str:
        """`packages at a cell: one less by `pick-package` (9 of 9), the package`."""
        if not self.by:
            return f"{self.phrase}: no training plan lowers it"
        about = f", about the {self.subject}" if self.subject else ""
        return f"{self.phrase}: one less by {self.by}{about}"


@dataclass(frozen=True)
class ToldCounter:
    """A counter of the program: what its passes take out of the count, and what falls inside them."""

    counts: tuple[ToldCount, ...]
    action_names: str
    """By which its first count falls, the most common first."""

    @property
    def heading(self) -> str:
        return self.counts[0].phrase


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
        tuple(_counter(words, counter, falls) for counter, falls in counters),
        (*reassurances(domain, practice), *([GOAL_BY_GOAL] if program.goal_by_goal else [])),
        tuple(cautions(domain, practice)),
        tuple(_action(domain, action) for action in practice.actions),
    )


def _pass(words: DomainWords, practice: Practice, place: int) -> ToldPass:
    known = practice.passes[place]
    subject = words.noun(known.subject)
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
    subject = words.noun(known.subject)
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


def _action(words: DomainWords, action: KnownAction) -> str:
    """`` `load` (package, truck, place): needs package at place, ...; then ...; no longer ... ``."""
    names = _names(words, action)
    needs = [_fact(words, fact, names, fact.holds) for fact in action.needs if not _is_kind(words, fact)]
    gives, ends = (
        [_fact(words, fact, names) for fact in action.effects if fact.holds == holds]
        for holds in (True, False)
    )
    told = {"needs": needs, "then": gives, "no longer": ends}
    said = [f"{lead} {', '.join(facts)}" for lead, facts in told.items() if facts]
    said += ["more depends on the state"] * action.conditional
    return f"{quoted(action.name)} ({', '.join(names.values())}): {'; '.join(said)}"


def _names(words: DomainWords, action: KnownAction) -> dict[str, str]:
    """What each parameter is called: its kind, with a letter where several have it."""
    kinds = {
        name: _kind(words, name, kind, action.needs)
        for name, kind in zip(action.parameters, action.kinds, strict=True)
    }
    often = Counter(kinds.values())
    letters = {kind: iter(ascii_uppercase) for kind in often}
    return {
        name: f"{kind} {next(letters[kind], name)}" if often[kind] > 1 else kind
        for name, kind in kinds.items()
    }


def _kind(words: DomainWords, name: str, kind: str, needs: Sequence[Fact]) -> str:
    """The type, or a property that stands for one, or what the parameter itself is called."""
    if kind not in ("", OBJECT):
        return words.noun(kind)
    known = [fact.predicate for fact in needs if fact.terms == (name,) and _is_kind(words, fact)]
    return words.noun(known[0]) if known else spaced(name.lstrip("?"))


def _is_kind(words: DomainWords, fact: Fact) -> bool:
    return fact.holds and words.is_kind(fact.predicate)


def _fact(words: DomainWords, fact: Fact, names: dict[str, str], holds: bool = True) -> str:
    terms = [names.get(term, term) for term in fact.terms]
    if fact.predicate == EQUALITY:
        return f"{terms[0]} {'is' if holds else 'is not'} {terms[1]}"
    if not 0 < len(terms) < 3:
        said = f'"{spaced(fact.predicate)}"' + (f" ({', '.join(terms)})" if terms else "")
        return said if holds else f"not {said}"
    verbal = words.said(fact.predicate, 0) if len(terms) == 1 else words.to(fact.predicate, 0, terms[1])
    return f"{terms[0]} {(verbal if holds else denied(verbal)).one}"


def _counter(words: Words, counter: ProgramCounter, falls: tuple[Fall, ...]) -> ToldCounter:
    """A counter, with what training plans show of each feature."""
    pairs = zip(counter.features, falls, strict=True)
    counts = tuple(_count(words, feature, fall) for feature, fall in pairs)
    return ToldCounter(counts, ", ".join(share.name for share in falls[0].actions))


def _count(words: Words, feature: Expression, fall: Fall) -> ToldCount:
    wide = _types_of_types(words.domain)
    closer = words.domain.noun(fall.noun) if fall.noun and fall.noun not in wide else ""
    phrase = words.value(feature, closer).removeprefix("the number of ")
    for kind in wide:
        phrase = re.sub(rf"^{re.escape(plural(words.domain.noun(kind)))}\b", "things", phrase)
    is_exact = len(phrase) <= LONGEST_PHRASE and not _NESTED.search(phrase)
    if not is_exact:
        phrase = f"a count of {plural(closer)}" if closer else "a count"
    total = sum(share.times for share in fall.actions)
    by = listed([f"{quoted(share.name)} ({share.times} of {total})" for share in fall.actions], "or")
    subject = "" if closer and plural(closer) in phrase else closer
    return ToldCount(phrase, by, subject, str(feature), is_exact)


def _types_of_types(domain: DomainWords) -> list[str]:
    types = [name for name in domain.parameter_types if (known := domain.symbol(name)) and known.is_type]
    return sorted({kind for name in types for kind in domain.parameter_types[name]} - {OBJECT})
