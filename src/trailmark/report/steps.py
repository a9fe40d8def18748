"""Actions of a pass in words: which action, on which object, and where.

What a predicate's name means is guessed from the shape of the word alone. Names of actions stand in
backticks, everything else is plain words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from string import ascii_uppercase

from trailmark.models.practice import SUBJECT, Approach, Condition, PracticeStep, Relation, Share, Way
from trailmark.report.english.words import DomainWords, denied, listed, possessive, quoted, with_article

RARE = 4
"""A step that fewer than one of so many passes has is told apart."""


@dataclass(frozen=True)
class ToldStep:
    """One line of a pass."""

    text: str
    """With its condition, or in brackets where passes may go without it and nothing tells when."""
    actions: tuple[str, ...]
    """All that it names, in the order of time."""
    times: int
    passes: int
    done: int
    """How often it was done: less than `times` where several passes need it once."""

    @property
    def share(self) -> str:
        """`9 of 9`, and whether several passes need it once."""
        once = "; once for several passes" if self.done < self.times else ""
        return f"{self.times} of {self.passes}{once}"


class WayWords:
    """One way to make a pass, in words."""

    def __init__(self, words: DomainWords, way: Way, subject: str) -> None:
        self._words = words
        self._way = way
        self._subject = subject
        self._told: set[int] = set()
        self._labels: dict[int, str] = {}
        self.kept = [step for step in way.steps if step.passes * RARE >= way.passes]
        moves = [move for step in way.steps for move in (*step.approaches, *filter(None, [step.goes]))]
        self._places = {move.relation for move in moves}
        self._name_alike()

    def _name_alike(self) -> None:
        """Objects with the same noun get letters, but for those that are told once and by a relation."""
        shown = [step.arguments[place].role for step in self.kept for place in self._shown(step)]
        times = Counter(shown)
        chosen = [
            number
            for number in times
            if self._is_chosen(number) and (times[number] > 1 or self._way.roles[number].relation is None)
        ]
        often = Counter(self._noun(number) for number in chosen)
        for noun in often:
            if often[noun] > 1:
                alike = [number for number in chosen if self._noun(number) == noun]
                self._labels |= dict(zip(alike, ascii_uppercase, strict=False))

    def _shown(self, step: PracticeStep) -> list[int]:
        """The places of arguments that are told."""
        return [
            place
            for place in range(len(step.arguments))
            if not self._is_omitted(step, place) or place in step.places
        ]

    def _is_chosen(self, number: int) -> bool:
        role = self._way.roles[number]
        return number != SUBJECT and not role.only and not role.name and not self._goal(number)

    def _goal(self, number: int) -> Relation | None:
        relation = self._way.roles[number].relation
        return relation if relation is not None and relation.goal else None

    def _noun(self, number: int) -> str:
        return self._subject if number == SUBJECT else noun(self._words, self._way.roles[number].noun)

    @property
    def when(self) -> str:
        """Where its passes are told from others, by what."""
        return self._conditions(self._way.when)

    def steps(self) -> tuple[tuple[ToldStep, ...], tuple[str, ...]]:
        """The steps in the order of time, and the actions of rare ones."""
        found: list[ToldStep] = []
        for place, step in enumerate(self.kept, start=1):
            known = self._knows(step)
            lead = f"if {self._conditions(step.when)}: " if known else ""
            text = lead + self._text(step)
            text += f", if {self._conditions(step.when)}" if step.when and not known else ""
            group = [at for at, each in enumerate(self.kept, start=1) if each.group == step.group]
            text += "; in some passes earlier or later" if step.roams else ""
            if step.group and group[-1] == place:
                again = "again" if len(group) == 1 else f"again from step {group[0]}"
                text += f"; {again} as long as needed"
            moves = [share.name for approach in step.approaches for share in approach.actions]
            names = dict.fromkeys([*moves, *(share.name for share in step.actions)])
            text = f"[{text}]" if step.passes < self._way.passes and not step.when else text
            found.append(ToldStep(text, tuple(names), step.passes, self._way.passes, step.anew))
        named = {name for step in found for name in step.actions}
        rare = [step for step in self._way.steps if step not in self.kept]
        told = {step.actions: step for step in rare if not {each.name for each in step.actions} & named}
        return tuple(found), tuple(self._rare(step) for step in told.values())

    def _rare(self, step: PracticeStep) -> str:
        """An action that few passes have, and when, where that is about objects that are told."""
        return either(step.actions) + (f" if {self._conditions(step.when)}" if self._knows(step) else "")

    def _knows(self, step: PracticeStep) -> bool:
        """Whether the step has a condition, and it is about objects that are told."""
        roles = [role for each in step.when for role in (each.role, each.other or SUBJECT)]
        return bool(roles) and all(map(self._is_told, roles))

    def _text(self, step: PracticeStep) -> str:
        names = {share.name for share in step.actions}
        told: set[int] = set()
        before = ""
        own = [approach for approach in step.approaches if {each.name for each in approach.actions} <= names]
        for approach in step.approaches:
            if approach not in own:
                before += f"{self._move(step, approach, either(approach.actions), told)}, then "
        action = either(step.actions) + (" step by step" if own else "")
        goes = step.goes
        if goes is not None:
            told |= {place for place in (goes.source,) if place is not None}
            return f"{before}{self._move(step, goes, action, told)}{self._objects(step, told, bool(before))}"
        return f"{before}{action}{self._objects(step, told, bool(before))}"

    def _move(self, step: PracticeStep, approach: Approach, action: str, told: set[int]) -> str:
        """`move` a truck to the cell the package is at."""
        text = action
        if approach.mover is not None:
            text += f" {self._argument(step, approach.mover)}"
            told.add(approach.mover)
        if approach.target is not None and approach.target != approach.mover:
            text += f" to {self._argument(step, approach.target)}"
            told.add(approach.target)
        elif approach.destination:
            text += f" to {approach.destination}"
        return text

    def _objects(self, step: PracticeStep, told: set[int], moved: bool) -> str:
        """The objects that were not named yet, what the pass is about first."""
        places = [place for place in range(len(step.arguments)) if place not in told]
        left = [place for place in places if not self._is_omitted(step, place)]
        if step.goes is not None:
            return self._with(step, left)
        about = (
            [place for place in places if step.arguments[place].main]
            or [place for place in left if step.arguments[place].role == SUBJECT]
            or left[:1]
        )
        about = about[:1] or ([] if moved else places[:1])
        roles = [
            self._way.roles[step.arguments[place].role]
            for place in about
            if not self._is_told(step.arguments[place].role)
        ]
        anchors = {role.relation.anchor for role in roles if role.relation is not None}
        left = [place for place in left if step.arguments[place].role not in anchors]
        shown = "".join(f" {self._argument(step, place)}" for place in about)
        placed = [place for place in left if place not in about and self._place(step, place)]
        for place in placed:
            shown += f" {self._place(step, place)} {self._argument(step, place)}"
        return shown + self._with(step, [place for place in left if place not in (*about, *placed)])

    def _with(self, step: PracticeStep, places: list[int]) -> str:
        others = [self._argument(step, place) for place in places]
        return f" with {listed(others, 'and')}" if others else ""

    def _place(self, step: PracticeStep, place: int) -> str:
        """The place word for an object that another one comes to, as the block for what is stacked on it."""
        made = step.arguments[place].made
        kind = self._noun(step.arguments[place].role)
        return (self._words.place(made, kind) or "").rpartition(" ")[2] if made else ""

    def _is_omitted(self, step: PracticeStep, place: int) -> bool:
        """Whether there is nothing to choose, and nothing later speaks of it."""
        argument = step.arguments[place]
        if argument.role == SUBJECT or self._goal(argument.role):
            return False
        return argument.given or self._is_known(step, place)

    def _is_told(self, number: int) -> bool:
        return not self._is_chosen(number) or number in self._told

    def _is_known(self, step: PracticeStep, place: int) -> bool:
        """Whether it is the only one of its kind, or the same in all passes."""
        role = self._way.roles[step.arguments[place].role]
        return role.only or bool(role.name)

    def _argument(self, step: PracticeStep, place: int) -> str:
        argument = step.arguments[place]
        is_new = self._is_chosen(argument.role) and argument.role not in self._told
        text = self._object(argument.role)
        asked = [
            self._words.property(name) for name in argument.states if is_new and name not in self._places
        ]
        states = [words for words in asked if words not in text]
        return text + (f" ({', '.join(states)})" if states else "")

    def _object(self, number: int) -> str:
        """`the package`, `the package's goal cell`, `a truck`, `that truck`."""
        role, kind = self._way.roles[number], self._noun(number)
        goal = self._goal(number)
        if role.name:
            return role.name
        if number == SUBJECT or role.only:
            return f"the {kind}"
        if goal is not None:
            return self._wanted(goal, kind)
        label = f" {self._labels[number]}" if number in self._labels else ""
        if number in self._told:
            return f"{kind}{label}" if label else f"that {kind}"
        self._told.add(number)
        if role.relation is not None and self._is_short(role.relation):
            return self._related(role.relation, kind + label)
        another = "another " if kind == self._noun(SUBJECT) else ""
        return f"{another}{kind}{label}" if another else with_article(kind + label)

    def _wanted(self, goal: Relation, kind: str) -> str:
        subject = self._noun(SUBJECT)
        if goal.forward:
            return f"{possessive(f'the {subject}')} goal {kind}"
        place = self._words.place(goal.predicate, subject)
        return f"the {kind} that belongs {place or 'with'} the {subject}"

    def _is_short(self, relation: Relation) -> bool:
        """Whether the other object is known, or is not told by a third one that is not."""
        further = self._way.roles[relation.anchor].relation
        return further is None or any(self._is_told(number) for number in (relation.anchor, further.anchor))

    def _related(self, relation: Relation, kind: str) -> str:
        anchor = self._object(relation.anchor)
        if self._noun(relation.anchor) in kind:
            kind = f"other {kind}"
        text = self._words.related(relation.predicate, relation.forward, kind, anchor, relation.rival)
        if not relation.unique and text.startswith(f"the {kind}"):
            text = (with_article(kind) + text.removeprefix(f"the {kind}")).replace("an other ", "another ")
        return text

    def _conditions(self, when: tuple[Condition, ...]) -> str:
        """`the block is on a block and is not clear`."""
        return listed([self._condition(each) for each in when], "and")

    def _condition(self, when: Condition) -> str:
        words, told = self._words, self._object(when.role)
        if when.via:
            near = words.related(
                when.via, True, words.type_noun(when.via, 1) or "thing", f"the {self._subject}"
            )
            kind = words.type_noun(when.predicate, 1) or "thing"
            return f"{near} and {told} {'have' if when.holds else 'do not have'} the same {kind}"
        if not words.arities.get(when.predicate, 1):
            return f"{words.property(when.predicate)} {'holds' if when.holds else 'does not hold'}"
        if when.place and when.other is None:
            kind = words.type_noun(when.predicate, 0) or "thing"
            who = with_article(kind) if when.holds else f"no {kind}"
            return f"{who} {words.to(when.predicate, 0, told).one}"
        named = words.possession(when.predicate)
        if named and not (when.holds or when.place or when.other is None or self._is_told(when.other)):
            return f"{possessive(told)} {named} is not the one needed"
        said = words.said(when.predicate, when.place)
        if when.other is not None:
            said = words.to(when.predicate, when.place, self._object(when.other))
        return f"{told} {(said if when.holds else denied(said)).one}"


def noun(words: DomainWords, name: str) -> str:
    """A type as a noun."""
    return words.noun(name) if name else "thing"


def either(actions: tuple[Share, ...]) -> str:
    """`up` or `down`."""
    return listed([quoted(share.name) for share in actions], "or")
