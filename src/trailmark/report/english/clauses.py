"""Clauses and noun phrases, the small grammar that `concepts` builds with; and what a comparison says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from trailmark.features.syntax import Expression
from trailmark.report.english.roles import (
    GoalPair,
    end_noun,
    goal_pair,
    possession,
    reached_or_missed,
)
from trailmark.report.english.words import OBJECT, Forms, Words, forms, plural, with_article


@dataclass(frozen=True)
class Clause:
    """Something said of an object: `is at a cell`."""

    verbal: Forms
    """After the subject of a sentence: `is empty`."""
    relative: Forms
    """After a noun: `that is empty`, `whose goal cell is free`, `with a truck at it`."""
    adjective: str | None = None
    """Before a noun."""
    subject: str | None = None
    """The type of the objects it can be said of, where that is known."""
    whose: str | None = None
    """What `relative` begins with, where it speaks of something the object has: `whose goal cell`."""


@dataclass(frozen=True)
class Things:
    """A noun, if the concept names one, and what else is said of the objects."""

    noun: Forms | None
    clauses: tuple[Clause, ...]
    words: Words | None = None
    """What is known of types: which of two is the closer one."""

    def head(self, default: str | None = None) -> Forms:
        """The noun, else the type that the clauses or the context speak of."""
        if self.noun is not None:
            return self.noun
        # A property tells the type more closely than a relation, whose ends are often supertypes.
        properties = [clause.subject for clause in self.clauses if clause.adjective]
        relations = [clause.subject for clause in self.clauses if not clause.adjective]
        first, *others = list(filter(None, [*properties, default, *relations])) or [OBJECT]
        for other in others:
            if self.words is not None and self.words.is_kind_of(other, first):
                first = other
        return Forms(first, plural(first))

    def text(self, many: bool, default: str | None = None) -> str:
        """The noun phrase, without an article."""
        noun = self.head(default)
        words = [clause.adjective for clause in self.clauses if clause.adjective]
        words.append(noun.many if many else noun.one)
        after = [clause for clause in self.clauses if not clause.adjective]
        if after:
            words.append(_series(after, many))
        return " ".join(words)

    def tail(self) -> str:
        """The same after another noun: `that is a cell and has a truck at it`."""
        clauses = [replace(clause, adjective=None) for clause in self.clauses]
        if self.noun is not None:
            clauses.insert(0, clause_of_noun(self.noun))
        return _series(clauses, many=False)

    def sentence(self, many: bool) -> tuple[str, str]:
        """Subject and predicate, which together say all that `text` says."""
        main = [clause for clause in self.clauses if not clause.adjective] or list(self.clauses[-1:])
        rest = tuple(clause for clause in self.clauses if clause not in main)
        head = replace(self, clauses=rest, noun=self.head())
        said = [clause.verbal.many if many else clause.verbal.one for clause in main]
        return head.text(many), listed(said, "and")


def _series(clauses: list[Clause], many: bool) -> str:
    """Clauses after a noun, joined by `and`; a repeated beginning is said once."""
    parts = [clause.relative.many if many else clause.relative.one for clause in clauses]
    shown = parts[:1]
    for (before, clause), text in zip(pairwise(clauses), parts[1:], strict=True):
        if clause.whose is not None and clause.whose == before.whose:
            text = text[len(clause.whose) + 1 :]
        elif text.startswith("that ") and shown[-1].startswith("that "):
            text = text[len("that ") :]
        shown.append(text)
    return listed(shown, "and")


def listed(parts: list[str], word: str) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) <= 2:
        return f" {word} ".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def said(
    verbal: Forms, subject: str | None = None, adjective: str | None = None, *, short: bool = False
) -> Clause:
    """A clause from its verbal form; a `short` one drops `that is` after a noun."""
    if verbal.one.startswith("has ") and verbal.many.startswith("have "):
        relative = Forms("with " + verbal.one[len("has ") :], "with " + verbal.many[len("have ") :])
    elif short and verbal.one.startswith("is "):
        relative = Forms(verbal.one[len("is ") :], verbal.many[len("are ") :])
    else:
        relative = forms("that {verbal}", verbal=verbal)
    return Clause(verbal, relative, adjective, subject)


def said_of(whose: str, verbal: Forms, predicate: Forms, subject: str | None = None) -> Clause:
    """A clause about something the object has: `whose goal cell is free`."""
    return Clause(verbal, forms("whose {w} {p}", w=whose, p=predicate), None, subject, f"whose {whose}")


def clause_of_noun(noun: Forms) -> Clause:
    """`is a truck`."""
    return said(Forms(f"is {with_article(noun.one)}", f"are {noun.many}"))


def comparison(words: Words, part: Expression, has_goal: bool, differs: bool) -> Clause:
    """What an object has along a predicate compared with its goal for it."""
    pair, subject = goal_pair(words, *part.children), end_noun(words, part.children[0], 0)
    assert pair is not None  # other comparisons are shown as formulas
    return _goal_comparison(words, part, pair, has_goal, differs, subject)


def _goal_comparison(
    words: Words, part: Expression, pair: GoalPair, has_goal: bool, differs: bool, subject: str | None
) -> Clause:
    goal, current = f"goal {possession(words, pair.goal)}", f"current {possession(words, pair.current)}"
    missed = reached_or_missed(words, pair, missed=True)
    if part.constructor.name == "c_subset":
        inner, outer = (goal, current) if part.children[0] is pair.goal else (current, goal)
        if differs and inner is goal:
            return said(missed, subject, short=True)
        if differs:
            verbal = forms("<has|have> {a} that is not <its|their> {b}", a=with_article(inner), b=outer)
            return said(verbal, subject)
        verbal = forms("<has|have> no {a} other than <its|their> {b}", a=inner, b=outer)
        return said_of(f"{inner}, if any,", verbal, forms("is <its|their> {b}", b=outer))
    if differs:
        differ = forms("differs from <its|their> {c}", c=current)
        if has_goal:
            return said_of(goal, missed, differ, subject)
        if words.link(pair.predicate).nearness:
            return said(forms("<is|are> not where <its|their> goal says"), subject)
        verbal = forms("<differs|differ> in {g} and {c}", g=goal, c=current)
        return said_of(f"{goal}, if any,", verbal, differ, subject)
    if has_goal:
        same = forms("is <its|their> {c}", c=current)
        return said_of(goal, reached_or_missed(words, pair, missed=False), same, subject)
    if words.link(pair.predicate).nearness:
        return said(forms("<is|are> where <its|their> goal says"))
    return said(forms("<has|have> the same {g} and {c}, or neither", g=goal, c=current))
