"""Actions of a pass in words: which action, on which object, and where.

What a predicate's name means is guessed from the shape of the word alone. Names of actions stand in
backticks, everything else is plain words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product

from trailmark.models.practice import SUBJECT, Approach, PracticeStep, Share, Way
from trailmark.report.english import DomainWords, listed, quoted
from trailmark.report.objects import KnownActions, ObjectWords, roles_of


@dataclass(frozen=True)
class ToldStep:
    """One line of a pass."""

    text: str
    """With its condition, where passes may go without it."""
    actions: tuple[str, ...]
    """All that it names, in the order of time."""
    times: int
    passes: int

    @property
    def share(self) -> str:
        """`9 of 9`."""
        return f"{self.times} of {self.passes}"


class WayWords:
    """One way to make a pass, in words."""

    def __init__(self, words: DomainWords, way: Way, subject: str, known: KnownActions) -> None:
        self._words = words
        self._way = way
        self._known = known
        self._told = ObjectWords(words, way, subject, known)
        self.kept = self._told.kept
        told = [
            argument
            for step in self.kept
            for place, argument in enumerate(step.arguments)
            if not self._is_omitted(step, place) or place in step.places or argument.main
        ]
        named = [role for argument in told for role in (argument.role, argument.otherwise)]
        self._told.name(Counter(role for role in named if role is not None))

    @property
    def when(self) -> str:
        """Where its passes are told from others, by what."""
        return self._told.conditions(self._way.when)

    def steps(self) -> tuple[tuple[ToldStep, ...], tuple[str, ...]]:
        """The steps in the order of time, and the actions of rare ones."""
        found: list[ToldStep] = []
        for place, step in enumerate(self.kept, start=1):
            if self._knows(step):
                text = f"{self._due(step, True)}: {self._text(step)}"
            else:
                text = ", ".join(filter(None, (self._text(step), self._due(step, False))))
            text += "; in some passes earlier or later" if step.roams else ""
            group = [at for at, kept in enumerate(self.kept, start=1) if kept.group == step.group]
            if step.group and group[-1] == place:
                again = "again" if len(group) == 1 else f"again from step {group[0]}"
                is_last = place == len(self.kept)
                text += f"; {again} {'until the pass is over' if is_last else 'as long as needed'}"
            times = step.anew if step.when else step.passes
            found.append(ToldStep(text, tuple(step.names), times, self._way.passes))
        named = {name for step in found for name in step.actions}
        rare = [step for step in self._way.steps if step not in self.kept]
        told = {step.actions: step for step in rare if not {share.name for share in step.actions} & named}
        return tuple(found), tuple(self._rare(step) for step in told.values())

    def _rare(self, step: PracticeStep) -> str:
        """An action that few passes have, when, and if that is about objects that are told why."""
        later = self._way.steps[self._way.steps.index(step) :]
        before = next((number for number, kept in enumerate(self.kept, start=1) if kept in later), 0)
        when = f" if {self._told.conditions(step.when)}" if self._knows(step) else ""
        return f"{either(step.actions)} before step {before}{when}"

    def _due(self, step: PracticeStep, is_known: bool) -> str:
        """When the step is due; `is_known` says whether that is about objects told before it."""
        head, served = self._number(step.head), self._number(step.serves)
        if head:
            return f"if step {head} was done"
        when = self._told.conditions(step.when)
        is_early = step.serves is None and step.passes < self._way.passes and step is not self.kept[0]
        if is_early and not all(self._told.is_static(asked.via or asked.predicate) for asked in step.when):
            when = f"{when} when the pass begins"
        if served and (not is_known or self.kept[served - 1].passes < self._way.passes):
            return f"if step {served} needs it ({when})"
        return f"if {when}" if when else ""

    def _number(self, place: int | None) -> int | None:
        """What number a step is told with."""
        numbers = {id(step): number for number, step in enumerate(self.kept, start=1)}
        return None if place is None else numbers.get(id(self._way.steps[place]))

    def _knows(self, step: PracticeStep) -> bool:
        """Whether it is told when the step is due, by objects that are told."""
        roles = [role for condition in step.when for role in (condition.role, condition.other or SUBJECT)]
        return bool(self._number(step.head) or roles) and all(map(self._told.is_told, roles))

    def _text(self, step: PracticeStep) -> str:
        names = {share.name for share in step.actions}
        told: set[int] = set()
        before, action = "", either(step.actions)
        for move in step.approaches:
            if {share.name for share in move.actions} <= names:
                action = f"{either(step.actions)} step by step"
            else:
                before += f"{self._move(step, move, either(move.actions), told)}, then "
        if step.goes is not None:
            told |= set() if step.goes.source is None else {step.goes.source}
            action = self._move(step, step.goes, action, told)
        return f"{before}{action}{self._objects(step, told)}"

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

    def _objects(self, step: PracticeStep, told: set[int]) -> str:
        """The objects that were not named yet, what the pass is about first."""
        places = [place for place in range(len(step.arguments)) if place not in told]
        left = [place for place in places if not self._is_omitted(step, place)]
        if step.goes is not None:
            return self._with(step, left)
        about = ([place for place in places if step.arguments[place].main] or left)[:1]
        named = {step.arguments[place].role for place in about}
        new = [self._way.roles[role].relation for role in named if not self._told.is_told(role)]
        named |= {relation.anchor for relation in new if relation is not None}
        left = [place for place in left if step.arguments[place].role not in named]
        shown = "".join(f" {self._argument(step, place)}" for place in about)
        placed = [place for place in left if self._place(step, place)]
        for place in placed:
            shown += f" {self._place(step, place)} {self._argument(step, place)}"
        return shown + self._with(step, [place for place in left if place not in placed])

    def _with(self, step: PracticeStep, places: list[int]) -> str:
        others = [self._argument(step, place) for place in places]
        return f" with {listed(others, 'and')}" if others else ""

    def _place(self, step: PracticeStep, place: int) -> str:
        """The place word for an object that another one comes to, as the block for what is stacked on it."""
        action = self._known[step.actions[0].name]
        own = action.parameters[place]
        made = [fact.predicate for fact in action.effects if fact.holds and fact.terms[1:] == (own,)]
        kind = self._told.noun(step.arguments[place].role)
        return (self._words.place(made[0], kind) or "").rpartition(" ")[2] if made else ""

    def _is_omitted(self, step: PracticeStep, place: int) -> bool:
        """Whether there is nothing to choose, and nothing later speaks of it."""
        argument = step.arguments[place]
        role = self._way.roles[argument.role]
        return not self._told.goal(argument.role) and (argument.given or role.only or bool(role.name))

    def _argument(self, step: PracticeStep, place: int) -> str:
        argument = step.arguments[place]
        is_told = self._told.is_told(argument.role)
        text = self._told.object(argument.role)
        naming = [argument.role in [other.role for other in known.arguments] for known in self.kept]
        first = naming.index(True)
        role = self._way.roles[argument.role]
        is_fixed = argument.role == SUBJECT or role.only or role.name
        if not is_told or is_fixed or self.kept[first].passes >= step.passes:
            return text
        if needed := self._needed(step, place):
            return needed
        if argument.otherwise is not None and self._told.is_told(argument.otherwise):
            text += f" ({self._told.object(argument.otherwise)} if step {first + 1} was not done)"
        return text

    def _needed(self, step: PracticeStep, place: int) -> str:
        """An argument by what the action needs it to have to do with the subject or an only one."""
        action, number = self._known[step.actions[0].name], step.arguments[place].role
        numbers = roles_of(action, step)
        only = [role for role in numbers.values() if role and self._way.roles[role].only]
        for anchor, fact in product([SUBJECT, *only], action.needs):
            roles = [numbers.get(term) for term in fact.terms]
            if fact.predicate not in self._told.places and roles in ([anchor, number], [number, anchor]):
                return self._told.by_relation(number, fact.predicate, anchor, forward=roles[0] == anchor)
        return ""


def either(actions: tuple[Share, ...]) -> str:
    """`up` or `down`."""
    return listed([quoted(share.name) for share in actions], "or")
