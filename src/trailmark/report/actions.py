"""The actions of a domain in words: their arguments in order, what they need, give and end.

Someone who is to act needs no domain file then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import ascii_uppercase

from trailmark.models.practice import Fact, KnownAction
from trailmark.report.english import denied, quoted, spaced
from trailmark.report.english.words import OBJECT, DomainWords

EQUALITY = "="


def told_action(words: DomainWords, action: KnownAction) -> str:
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
