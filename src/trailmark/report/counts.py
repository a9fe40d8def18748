"""What the counters of a program count, in few words: by what changes, and by which actions.

A count that takes a nested phrase is told by a simpler one that changes in the same steps of the training
plans, and marked; its formula says exactly what it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.models.practice import Fall
from trailmark.programs.program import Counter
from trailmark.report.english.words import OBJECT, DomainWords, listed, plural, quoted
from trailmark.report.steps import noun
from trailmark.report.words import Words

LONGEST_PHRASE = 70
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

    @property
    def text(self) -> str:
        """`packages at a cell: one less by `pick-package` (9 of 9), the package`."""
        if not self.by:
            return f"{self.phrase}: no training plan lowers it"
        about = f", about the {self.subject}" if self.subject else ""
        mark = " (simplified)" if self.simplified else ""
        return f"{self.phrase}{mark}: one {'more' if self.gains else 'less'} by {self.by}{about}"


@dataclass(frozen=True)
class ToldCounter:
    """A counter of the program: what its passes take out of the count, and what falls inside them."""

    counts: tuple[ToldCount, ...]
    action_names: str
    """By which its first count falls, the most common first."""

    @property
    def heading(self) -> str:
        return self.counts[0].phrase


def told_counter(words: Words, domain: DomainWords, counter: Counter, falls: tuple[Fall, ...]) -> ToldCounter:
    """A counter, with what training plans show of each feature."""
    pairs = zip(counter.features, falls, strict=True)
    counts = tuple(_count(words, domain, feature, fall) for feature, fall in pairs)
    return ToldCounter(counts, ", ".join(share.name for share in falls[0].actions))


def _count(words: Words, domain: DomainWords, feature: Expression, fall: Fall) -> ToldCount:
    simplified = gains = False
    closer = noun(domain, fall.noun) if fall.noun and not _is_wide(domain, fall.noun) else ""
    phrase = words.value(feature, closer).removeprefix("the number of ")
    if not _is_plain(phrase):
        simple = _simple(words, domain, parse(fall.simple), fall.noun) if fall.simple else "`"
        simplified, gains = _is_plain(simple), fall.gains and _is_plain(simple)
        phrase = simple if simplified else f"a count of {plural(closer)}" if closer else "a count"
    total = sum(share.times for share in fall.actions)
    by = listed([f"{quoted(share.name)} ({share.times} of {total})" for share in fall.actions], "or")
    subject = "" if closer and plural(closer) in phrase else closer
    return ToldCount(phrase, gains, by, subject, str(feature), simplified)


def _simple(words: Words, domain: DomainWords, feature: Expression, changing: str) -> str:
    """What a count of a predicate's objects, or of its open goals, counts."""
    counted = feature.children[0]
    if counted.constructor.name != "c_primitive":
        return words.value(feature).removeprefix("the number of ")
    name, place = str(counted.arguments[0]), int(str(counted.arguments[1]))
    types = domain.parameter_types.get(name, ())
    is_closer = place < len(types) and types[place] in domain.parameter_types.get(changing, ())
    kind = noun(domain, changing) if is_closer else domain.type_noun(name, place) or "thing"
    return f"{plural(kind)} that {domain.said(name, place).many}"


def _is_wide(domain: DomainWords, kind: str) -> bool:
    """Whether it is a type of types."""
    types = [name for name in domain.parameter_types if (known := domain.symbol(name)) and known.is_type]
    return any(kind in domain.parameter_types[name] for name in types)


def _is_plain(phrase: str) -> bool:
    """Whether a phrase is short and has nothing nested in it."""
    return (
        len(phrase) <= LONGEST_PHRASE
        and not any(word in f" {phrase} " for word in _NESTED)
        and f" {phrase} ".count(" that ") < 2
        and OBJECT not in phrase
        and "`" not in phrase
    )
