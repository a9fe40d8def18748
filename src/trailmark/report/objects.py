"""The objects of a pass in words: by their goal, by what relates them to others, and by what they must be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase

from trailmark.models.practice import SUBJECT, Condition, KnownAction, PracticeStep, Relation, Way
from trailmark.report.english.words import DomainWords, denied, listed, possessive, spaced, with_article

States = Mapping[int, Iterable[str]]
"""For the number of an object the predicates that it must have."""


class ObjectWords:
    """The objects of one way to make a pass; one that was told is called `that truck` from then on."""

    def __init__(self, words: DomainWords, way: Way, subject: str) -> None:
        self._words = words
        self._way = way
        self._subject = subject
        self._told: set[int] = set()
        self._labels: dict[int, str] = {}
        self._states: States = {}
        moves = [move for step in way.steps for move in (*step.approaches, *filter(None, [step.goes]))]
        self._places = {move.relation for move in moves}

    def name(self, times: Counter[int], states: States) -> None:
        """Gives letters to objects with the same noun, but for those that are told once and by a relation."""
        self._states = states
        chosen = [
            number
            for number in times
            if not self.is_told(number) and (times[number] > 1 or self._is_alike(number, times))
        ]
        often = Counter(self.noun(number) for number in chosen)
        for noun in often:
            if often[noun] > 1:
                alike = [number for number in chosen if self.noun(number) == noun]
                self._labels |= dict(zip(alike, ascii_uppercase, strict=False))

    def _is_alike(self, number: int, others: Iterable[int]) -> bool:
        """Whether no relation tells the object from all others."""
        relation = self._way.roles[number].relation
        return relation is None or any(
            self._way.roles[other].relation == relation for other in others if other != number
        )

    def is_told(self, number: int) -> bool:
        """Whether it was told, or is known from the beginning."""
        role = self._way.roles[number]
        is_known = number == SUBJECT or role.only or role.name or self.goal(number)
        return bool(is_known) or number in self._told

    def goal(self, number: int) -> Relation | None:
        relation = self._way.roles[number].relation
        return relation if relation is not None and relation.goal else None

    def noun(self, number: int) -> str:
        return self._subject if number == SUBJECT else noun(self._words, self._way.roles[number].noun)

    def object(self, number: int) -> str:
        """`the package`, `the package's goal cell`, `a truck`, `that truck`."""
        role, kind = self._way.roles[number], self.noun(number)
        goal = self.goal(number)
        if role.name:
            return role.name
        if number == SUBJECT or role.only:
            return f"the {kind}"
        if goal is not None:
            kind = self._words.type_noun(f"{goal.predicate}_g", int(goal.forward)) or kind
            return f"{possessive(f'the {self._subject}')} goal {kind}"
        label = f" {self._labels[number]}" if number in self._labels else ""
        if number in self._told:
            return f"{kind}{label}" if label else f"that {kind}"
        self._told.add(number)
        known = [name for name in self._states.get(number, ()) if not self._words.is_kind(name)]
        asked = [self._state(name) for name in known if name not in self._places]
        alike = [at for at in self._told - {number} if self._way.roles[at].relation == role.relation]
        asked += [f"not {self.object(alike[0])}"] if alike and role.relation is not None else []
        states = [words for words in asked if words not in kind]
        called = kind + label + (f" ({', '.join(states)})" if states else "")
        if role.relation is not None and not (role.relation.anchor and self._is_enough(number)):
            return self._related(role.relation, called)
        return f"another {called}" if kind == self.noun(SUBJECT) else with_article(called)

    def _is_enough(self, number: int) -> bool:
        """Whether what it must be and never changes tells more than where something else is just now."""
        relation = self._way.roles[number].relation
        states = [name for name in self._states.get(number, ()) if not self._words.is_kind(name)]
        return relation is not None and any(map(self.is_static, states)) > self.is_static(relation.predicate)

    def is_static(self, name: str) -> bool:
        symbol = self._words.symbol(name)
        return symbol is not None and symbol.static

    def by_relation(self, number: int, predicate: str, forward: bool) -> str:
        """An object that was not told in every pass, by what relates it to the subject."""
        return self._words.related(predicate, forward, self.noun(number), f"the {self._subject}")

    def _state(self, name: str) -> str:
        """A property, or what relates an object to the subject: `"on sale" for the goods`."""
        if self._words.arity(name) > 1:
            return f'"{spaced(name)}" for the {self._subject}'
        return re.sub("^(is|has) ", "", self._words.said(name, 0).one)

    def _related(self, relation: Relation, kind: str) -> str:
        anchor = self.object(relation.anchor)
        if relation.same:
            return f"{with_article(kind)} {self._words.sharing(relation.predicate)} as {anchor}"
        if self.noun(relation.anchor) in kind:
            kind = f"other {kind}"
        text = self._words.related(relation.predicate, relation.forward, kind, anchor, relation.rival)
        if not relation.unique and text.startswith(f"the {kind}"):
            text = (with_article(kind) + text.removeprefix(f"the {kind}")).replace("an other ", "another ")
        return text

    def conditions(self, when: Sequence[Condition]) -> str:
        """`the block is on a block and is not clear`."""
        return listed([self._condition(each) for each in when], "and")

    def _condition(self, when: Condition) -> str:
        words, told = self._words, self.object(when.role)
        if when.via:
            kind = words.type_noun(when.via, 1) or "thing"
            near = words.related(when.via, True, kind, f"the {self._subject}")
            return f"{near} and {told} {'are' if when.holds else 'are not'} {words.sharing(when.predicate)}"
        if not words.arity(when.predicate):
            return f'"{spaced(when.predicate)}" {"holds" if when.holds else "does not hold"}'
        named = words.possession(when.predicate)
        if named and not (when.holds or when.place or when.other is None or self.is_told(when.other)):
            return f"{possessive(told)} {named} is not the one needed"
        said = words.said(when.predicate, when.place)
        if when.other is not None:
            said = words.to(when.predicate, when.place, self.object(when.other))
        return f"{told} {(said if when.holds else denied(said)).one}"


def states_from_the_beginning(
    way: Way, steps: Sequence[PracticeStep], known: Mapping[str, KnownAction]
) -> States:
    """What each object must be before the first step: what steps ask of it and no earlier one changes, but
    for steps that fewer passes have. What a step is there to change is told by its condition."""
    asked: dict[int, dict[str, None]] = {}
    changed: set[tuple[int, str]] = set()
    passes: dict[int, int] = {}
    for step in steps:
        action = known[step.actions[0].name]
        roles = {name: each.role for name, each in zip(action.parameters, step.arguments, strict=False)}
        new = {role for role in roles.values() if role not in asked}
        passes |= dict.fromkeys(new, step.passes)
        missing = {each.role for each in step.when if not each.holds} & new
        for fact in action.needs:
            about = {roles[term] for term in fact.terms if term in roles}
            if len(fact.terms) > 1:
                # It tells which one it is only where it is about the subject and nothing else does.
                about = {role for role in about & new if SUBJECT in about and not way.roles[role].relation}
            for role in about - missing - {SUBJECT}:
                if fact.holds and (role, fact.predicate) not in changed and passes[role] <= step.passes:
                    asked.setdefault(role, {})[fact.predicate] = None
        asked |= {role: {} for role in new - asked.keys()}
        for fact in action.effects:
            changed |= {(roles[term], fact.predicate) for term in fact.terms if term in roles}
    return asked


def noun(words: DomainWords, name: str) -> str:
    """A type as a noun."""
    return words.noun(name) if name else "thing"
