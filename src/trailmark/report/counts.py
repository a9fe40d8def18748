"""What the counters of a program count, in few words: by what changes, and by which actions.

A count that takes a nested phrase is told by what leaves it alone; its formula says exactly what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trailmark.features.syntax import Expression
from trailmark.models.practice import Fall
from trailmark.programs.program import Counter
from trailmark.report.english import listed, plural, quoted
from trailmark.report.english.words import OBJECT, DomainWords
from trailmark.report.objects import noun
from trailmark.report.words import Words

LONGEST_PHRASE = 70
"""Characters of a phrase for a count; a longer one is told by what leaves the count."""
_NESTED = re.compile(rf"`|\b(no|not|nothing|or|all|{OBJECT}s?)\b|\bthat\b.*\bthat\b")


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


def told_counter(words: Words, domain: DomainWords, counter: Counter, falls: tuple[Fall, ...]) -> ToldCounter:
    """A counter, with what training plans show of each feature."""
    pairs = zip(counter.features, falls, strict=True)
    counts = tuple(_count(words, domain, feature, fall) for feature, fall in pairs)
    return ToldCounter(counts, ", ".join(share.name for share in falls[0].actions))


def _count(words: Words, domain: DomainWords, feature: Expression, fall: Fall) -> ToldCount:
    closer = noun(domain, fall.noun) if fall.noun and not _is_wide(domain, fall.noun) else ""
    phrase = words.value(feature, closer).removeprefix("the number of ")
    is_exact = len(phrase) <= LONGEST_PHRASE and not _NESTED.search(phrase)
    if not is_exact:
        phrase = f"a count of {plural(closer)}" if closer else "a count"
    total = sum(share.times for share in fall.actions)
    by = listed([f"{quoted(share.name)} ({share.times} of {total})" for share in fall.actions], "or")
    subject = "" if closer and plural(closer) in phrase else closer
    return ToldCount(phrase, by, subject, str(feature), is_exact)


def _is_wide(domain: DomainWords, kind: str) -> bool:
    """Whether it is a type of types."""
    types = [name for name in domain.parameter_types if (known := domain.symbol(name)) and known.is_type]
    return any(kind in domain.parameter_types[name] for name in types)
