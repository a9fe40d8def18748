"""The objects of a pass in words: by their goal, by what relates them to others, and by what they must be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from trailmark.models.practice import (
    RARE,
    SUBJECT,
    Approach,
    Condition,
    KnownAction,
    PracticeStep,
    Relation,
    Way,
)
from trailmark.report.english import DomainWords, denied, listed, possessive, spaced, with_article

KnownActions = Mapping[str, KnownAction]


class ObjectWords:
    """The objects of one way to make a pass; one that was told is called `that truck` from then on."""

    def __init__(self, words: DomainWords, way: Way, subject: str, known: KnownActions) -> None:
        self.kept = [step for step in way.steps if step.passes * RARE >= way.passes]
        """The steps that are told."""
        self._words = words
        self._way = way
        self._subject = subject
        self._told: set[int] = set()
        self._labels: dict[int, str] = {}
        self._states: dict[int, dict[str, None]] = {}
        self._relations = {number: role.relation for number, role in enumerate(way.roles) if role.relation}
        self._given: dict[str, int] = {}
        """What steps give the subject, by their numbers."""
        self.places = {move.relation for step in way.steps for move in step.moves}
        """The predicates that say where what is moved is."""
        self._read(known)

    def _read(self, known: KnownActions) -> None:
        """What each object must be before the first step: what steps ask of it and no earlier one changes,
        but for steps that fewer passes have. What a step is there to change is told by its condition."""
        changed: set[tuple[int, str]] = set()
        passes: dict[int, int] = {}
        for number, step in enumerate(self.kept, start=1):
            action = known[step.actions[0].name]
            roles = roles_of(action, step)
            new = {role for role in roles.values() if role not in passes}
            passes |= dict.fromkeys(new, step.passes)
            missing = {condition.role for condition in step.when if not condition.holds} & new
            for move in step.approaches:
                place = None if move.target is None else step.arguments[move.target].role
                if place in new - missing:
                    self._states.setdefault(place, {}).update(_asked(known[move.actions[0].name], move))
            for fact in (fact for fact in action.needs if fact.holds):
                about = {roles[term] for term in fact.terms if term in roles}
                for role in about - missing - {SUBJECT}:
                    is_asked = self.is_static(fact.predicate) or passes[role] <= step.passes
                    if not is_asked or (role, fact.predicate) in changed:
                        continue
                    if len(fact.terms) == 1:
                        self._states.setdefault(role, {})[fact.predicate] = None
                    elif fact.predicate not in self.places and (
                        role in new or self.is_static(fact.predicate)
                    ):
                        # It tells which one it is only where nothing else does.
                        for anchor in (other for other in about if not other or self.goal(other)):
                            forward = roles.get(fact.terms[0]) == anchor
                            found = Relation(
                                predicate=fact.predicate, anchor=anchor, forward=forward, unique=not anchor
                            )
                            self._relations.setdefault(role, found)
            for fact in action.effects:
                changed |= {(roles[term], fact.predicate) for term in fact.terms if term in roles}
                if fact.holds and [roles.get(term) for term in fact.terms] == [SUBJECT]:
                    self._given.setdefault(fact.predicate, number)

    def name(self, times: Counter[int]) -> None:
        """Gives letters to objects with the same noun, but for those that are told once and by a relation."""
        relations = Counter(map(self._relations.get, times))
        chosen = [
            number
            for number in times
            if not self.is_told(number)
            and (times[number] > 1 or relations[found := self._relations.get(number)] > 1 or found is None)
        ]
        often = Counter(map(self.noun, chosen))
        for noun in (noun for noun in often if often[noun] > 1):
            alike = [number for number in chosen if self.noun(number) == noun]
            self._labels |= dict(zip(alike, ascii_uppercase, strict=False))

    def is_told(self, number: int) -> bool:
        """Whether it was told, or is known from the beginning."""
        role = self._way.roles[number]
        is_known = number == SUBJECT or role.only or role.name or self.goal(number)
        return bool(is_known) or number in self._told

    def goal(self, number: int) -> Relation | None:
        relation = self._relations.get(number)
        return relation if relation is not None and relation.goal else None

    def noun(self, number: int) -> str:
        return self._subject if number == SUBJECT else self._words.noun(self._way.roles[number].noun)

    def object(self, number: int) -> str:
        """`the package`, `the package's goal cell`, `a truck`, `that truck`."""
        role, kind = self._way.roles[number], self.noun(number)
        goal, relation = self.goal(number), self._relations.get(number)
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
        asked = [self._state(name, kind) for name in known if name not in self.places]
        alike = [at for at in self._told - {number} if self._relations.get(at) == relation]
        if alike and relation is not None and not relation.unique:
            asked.append(f"not {self.object(alike[0])}")
        states = [words for words in asked if words not in kind]
        called = kind + label + (f" ({', '.join(states)})" if states else "")
        if relation is not None:
            # What never changes tells more than where something else is just now.
            is_enough = any(map(self.is_static, known)) and not self.is_static(relation.predicate)
            if not (relation.anchor and is_enough):
                return self._related(relation, called)
        return f"another {called}" if kind == self.noun(SUBJECT) else with_article(called)

    def is_static(self, name: str) -> bool:
        symbol = self._words.symbol(name)
        return symbol is not None and symbol.static

    def by_relation(self, number: int, predicate: str, anchor: int, forward: bool) -> str:
        """An object that was not told in every pass, by what relates it to another."""
        return self._words.related(predicate, forward, self.noun(number), self.object(anchor))

    def _state(self, name: str, kind: str) -> str:
        """A property; where an act is going on with an object like the subject, the step that begins it."""
        said = re.sub("^(is|has) ", "", self._words.said(name, 0).one)
        is_like = kind == self._subject and name in self._given and name.endswith("ing")
        return f"{said}, as after step {self._given[name]}" if is_like else said

    def _related(self, relation: Relation, kind: str) -> str:
        anchor = self.object(relation.anchor)
        if relation.same:
            return f"{with_article(kind)} {self._words.sharing(relation.predicate)} as {anchor}"
        if relation.unique and self._words.arity(relation.predicate) > 2:
            return f'{with_article(kind)} with "{spaced(relation.predicate)}" for {anchor}'
        if self.noun(relation.anchor) in kind or (self._subject in kind and not relation.unique):
            kind = f"other {kind}"
        text = self._words.related(relation.predicate, relation.forward, kind, anchor, relation.rival)
        if not relation.unique and text.startswith(f"the {kind}"):
            text = (with_article(kind) + text.removeprefix(f"the {kind}")).replace("an other ", "another ")
        return text

    def conditions(self, when: Sequence[Condition]) -> str:
        """`the block is on a block and is not clear`."""
        return listed([self._condition(condition) for condition in when], "and")

    def _condition(self, when: Condition) -> str:
        words, told = self._words, self.object(when.role)
        if when.via:
            kind = words.type_noun(when.via, 1) or "thing"
            near = words.related(when.via, True, kind, f"the {self._subject}")
            if words.arity(when.predicate) == 1:
                said = words.said(when.predicate, 0)
                return f"{near} {(said if when.holds else denied(said)).one}"
            return f"{near} and {told} {'are' if when.holds else 'are not'} {words.sharing(when.predicate)}"
        if not words.arity(when.predicate):
            return f'"{spaced(when.predicate)}" {"holds" if when.holds else "does not hold"}'
        said = words.said(when.predicate, when.place)
        if when.other is not None:
            said = words.to(when.predicate, when.place, self.object(when.other))
        return f"{told} {(said if when.holds else denied(said)).one}"


def roles_of(action: KnownAction, step: PracticeStep) -> dict[str, int]:
    """Which objects of the way the parameters of a step's action are."""
    return dict(zip(action.parameters, (argument.role for argument in step.arguments), strict=False))


def _asked(action: KnownAction, move: Approach) -> dict[str, None]:
    """The states that a move needs its target to be in."""
    reached = {fact.terms[-1] for fact in action.effects if fact.holds and fact.predicate == move.relation}
    return {fact.predicate: None for fact in action.needs if fact.holds and {*fact.terms} == reached}
