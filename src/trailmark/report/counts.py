"""What the counters of a program count, in few words: by what changes, and by which actions.

A count that takes a nested phrase is told by a simpler one that changes in the same steps of the training
plans, and marked; its formula says exactly what it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.models.practice import Fall, PassPractice, SubjectGoal
from trailmark.programs.program import Counter
from trailmark.report.english.clauses import listed
from trailmark.report.english.words import OBJECT, plural, preposition, quoted, spaced
from trailmark.report.english.words import Words as DomainWords
from trailmark.report.steps import noun
from trailmark.report.words import Words

LONGEST_PHRASE = 60
"""Characters of a phrase for a count; a longer one is told by a simpler count."""
_NESTED = (" no ", " not ", " nothing ", " or ", " linked ", " all ")


@dataclass(frozen=True)
class ToldCount:
    """A count: what it counts, how it changes, and by which actions."""

    phrase: str
    gains: bool
    """Whether what is told rises where the count falls."""
    by: str
    subject: str
    """What leaves the count."""
    formula: str
    simplified: bool


class CountWords:
    """The counts of one counter in words."""

    def __init__(self, words: Words, domain: DomainWords, practice: PassPractice) -> None:
        self._words = words
        self._domain = domain
        self._practice = practice

    def open(self, *, many: bool = False) -> str:
        """What the subject still lacks: `not yet at its goal cell`; empty where passes achieve no goal."""
        return listed([self._missing(goal, many) for goal in self._practice.goals], "or")

    def until(self, counter: Counter, *, last: bool) -> str:
        """When there are no more passes; after those of the last counter the goal is reached."""
        subject = noun(self._domain, self._practice.subject)
        if self._practice.goals:
            return f"until no {subject} is left {self.open()}"
        said = self._words.descriptor(counter.finished)
        if _is_plain(said):
            return f"until {said}"
        return "until the goal is reached" if last else f"for every {subject} that needs it"

    def told(self, counter: Counter) -> tuple[ToldCount, ...]:
        """For each feature of the counter."""
        pairs = zip(counter.features, self._practice.falls, strict=True)
        return tuple(self._count(feature, fall, not place) for place, (feature, fall) in enumerate(pairs))

    def _missing(self, goal: SubjectGoal, many: bool) -> str:
        name, its = spaced(goal.predicate), "their" if many else "its"
        if self._arity(goal.predicate) == 1:
            return f"not yet {self._domain.state(goal.predicate)} as required"
        if self._arity(goal.predicate) != 2:
            return f'not yet as required ("{name}")'
        kind = self._domain.type_noun(f"{goal.predicate}_g", 1 - goal.place) or "place"
        place = preposition(goal.predicate)
        if goal.place == 0:
            return f"not yet {place} {its} goal {kind}" if place else f"without {its} goal {kind} ({name})"
        return f"still without the {kind} that belongs {place or 'with'} {'them' if many else 'it'}"

    def _arity(self, predicate: str) -> int:
        symbol = self._domain.symbol(predicate)
        return symbol.arity if symbol is not None else len(self._domain.parameter_types.get(predicate, ()))

    def _count(self, feature: Expression, fall: Fall, first: bool) -> ToldCount:
        simplified = gains = False
        exact = self._named(self._words.feature(feature).removeprefix("the number of "), fall)
        goals = self._practice.goals if first else ()
        named = all(f"({goal.predicate}_g," in str(feature) for goal in goals)
        if goals and (named or not _is_plain(exact)):
            simplified = not named
            phrase = f"{plural(noun(self._domain, self._practice.subject))} {self.open(many=True)}"
        elif _is_plain(exact) or not fall.simple:
            of = f" of {plural(noun(self._domain, fall.noun))}" if fall.noun else ""
            phrase = exact if _is_plain(exact) else f"a count{of} that takes a formula (--formal)"
        else:
            phrase, gains, simplified = self._simple(parse(fall.simple)), fall.gains, True
        total = sum(share.times for share in fall.actions)
        by = listed([f"{quoted(share.name)} ({share.times} of {total})" for share in fall.actions], "or")
        subject = noun(self._domain, fall.noun) if fall.noun else ""
        return ToldCount(phrase, gains, by, subject, str(feature), simplified)

    def _named(self, phrase: str, fall: Fall) -> str:
        """The phrase with the noun of what changes, in place of a wider one."""
        kinds = (
            [symbol.name for symbol in self._words.vocabulary.symbols if symbol.is_type]
            if self._words.vocabulary
            else []
        )
        for kind in sorted([*kinds, OBJECT], key=len, reverse=True):
            wide = plural(noun(self._domain, kind))
            if fall.noun and f"{phrase} ".startswith(f"{wide} "):
                return plural(noun(self._domain, fall.noun)) + phrase[len(wide) :]
        return phrase

    def _simple(self, feature: Expression) -> str:
        """What a count of a predicate's objects, or of its open goals, counts."""
        counted = feature.children[0]
        if counted.constructor.name != "c_primitive":
            return self._words.feature(feature).removeprefix("the number of ")
        name, place = str(counted.arguments[0]), int(str(counted.arguments[1]))
        kinds = [self._domain.type_noun(name, each) or "thing" for each in range(self._arity(name))]
        link, said = self._domain.link(name), spaced(name)
        things = plural(kinds[place])
        if len(kinds) != 2:
            return f'{things} with "{said}"'
        if place == 0:
            return f"{things} {said} a {kinds[1]}" if link.short else f"{things} with a {said} {kinds[1]}"
        return f"{things} with a {kinds[0]} {said}" if link.short else f'{things} in "{said}" of a {kinds[0]}'


def _is_plain(phrase: str) -> bool:
    """Whether a phrase is short and has nothing nested in it."""
    return (
        len(phrase) <= LONGEST_PHRASE
        and not any(word in f" {phrase} " for word in _NESTED)
        and f" {phrase} ".count(" that ") < 2
        and OBJECT not in phrase
        and "`" not in phrase
    )
