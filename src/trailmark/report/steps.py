"""Actions of a pass in words: which action, on which object, and where.

What a predicate's name means is guessed from the shape of the word alone. Names of actions stand in
backticks, everything else is plain words.
"""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.models.practice import Approach, PassPractice, PracticeObject, PracticeStep, Share, Way
from trailmark.report.english.clauses import listed
from trailmark.report.english.words import Words, preposition, quoted, spaced, with_article

THING = "thing"
"""What has no type."""
RARE = 4
"""A step that fewer than one of so many passes has is told apart."""


@dataclass(frozen=True)
class ToldStep:
    """One line of a pass."""

    text: str
    actions: tuple[str, ...]
    """All that it names, in the order of time."""
    times: int
    passes: int
    done: int
    """How often it was done: less than `times` where several passes need it once."""

    @property
    def optional(self) -> bool:
        return self.times < self.passes

    @property
    def share(self) -> str:
        """`9 of 9 passes`."""
        once = f"; done {self.done} times for all" if self.done < self.times else ""
        return f"{self.times} of {self.passes} passes{once}"

    @property
    def line(self) -> str:
        """The text, in brackets where passes may go without it."""
        return f"[{self.text}]" if self.optional else self.text


class StepWords:
    """The steps of one counter's passes in words."""

    def __init__(self, words: Words, practice: PassPractice) -> None:
        self._words = words
        self.subject = noun(words, practice.subject)

    def way(self, way: Way) -> tuple[tuple[ToldStep, ...], tuple[str, ...]]:
        """The steps of a way in the order of time, and the actions of its rare steps."""
        kept = [step for step in way.steps if step.passes * RARE >= way.passes]
        rare = dict.fromkeys(share.name for step in way.steps if step not in kept for share in step.actions)
        found: list[ToldStep] = []
        for place, step in enumerate(kept, start=1):
            text = self._text(step)
            group = [at for at, each in enumerate(kept, start=1) if each.group == step.group]
            if step.group and group[-1] == place:
                again = "again" if len(group) == 1 else f"again from step {group[0]}"
                text += f"; {again} as long as needed"
            moves = [share.name for approach in step.approaches for share in approach.actions]
            names = dict.fromkeys([*moves, *(share.name for share in step.actions)])
            found.append(ToldStep(text, tuple(names), step.passes, way.passes, step.anew))
        return tuple(found), tuple(rare)

    def _text(self, step: PracticeStep) -> str:
        names = {share.name for share in step.actions}
        told: set[int] = set()
        before = ""
        own = [approach for approach in step.approaches if _is_own(approach, names)]
        for approach in step.approaches:
            if approach not in own:
                before += f"{self._approach(step, approach, told)}, then "
        action = either(step.actions) + (" step by step" if own else "")
        goes = step.goes
        if goes is not None:
            told |= {place for place in (goes.source,) if place is not None}
            return f"{before}{self._move(step, goes, action, told)}{self._objects(step, told)}"
        return f"{before}{action}{self._objects(step, told)}"

    def _approach(self, step: PracticeStep, approach: Approach, told: set[int]) -> str:
        text = self._move(step, approach, either(approach.actions), told)
        return text if approach.times >= step.passes else f"{text} if not there"

    def _move(self, step: PracticeStep, approach: Approach, action: str, told: set[int]) -> str:
        """`move` a truck to the cell the package is at."""
        text = action
        if approach.mover is not None:
            text += f" {self.object(step.objects[approach.mover])}"
            told.add(approach.mover)
        if approach.target is not None and approach.target != approach.mover:
            text += f" to {self.object(step.objects[approach.target], approach.relation)}"
            told.add(approach.target)
        elif approach.destination:
            text += f" to {approach.destination}"
        return text

    def _objects(self, step: PracticeStep, told: set[int]) -> str:
        """The objects that were not named yet, what the pass is about first."""
        left = [place for place in range(len(step.objects)) if place not in told]
        if step.goes is not None:
            left = [place for place in left if step.objects[place].known not in ("only", "same")]
            others = [self.object(step.objects[place]) for place in left]
            return f" with {listed(others, 'and')}" if others else ""
        about = [place for place in left if step.objects[place].known == "subject"] or left[:1]
        shown = "".join(f" {self.object(step.objects[place])}" for place in about[:1])
        others = [self.object(step.objects[place]) for place in left if place not in about[:1]]
        return shown + (f" with {listed(others, 'and')}" if others else "")

    def object(self, known: PracticeObject, relation: str = "") -> str:
        """An argument: `the package`, `its goal cell`, `a truck (empty)`."""
        kind = noun(self._words, known.noun)
        if known.known == "constant":
            return known.predicate
        if known.known in ("subject", "only"):
            return f"the {kind}"
        if known.known == "same":
            return f"the same {kind}"
        if known.known == "goal":
            return self._wanted(known, kind)
        if known.known == "fact":
            return self._related(known, kind)
        asked = [self._state(name) for name in known.states if name != relation]
        states = [words for words in asked if words not in kind]
        return with_article(kind) + (f" ({', '.join(states)})" if states else "")

    def _state(self, name: str) -> str:
        """A property in words: `clean` for `panisclean`."""
        saying = self._words.saying(name)
        return spaced(name) if saying is None else saying.one.removeprefix("is ")

    def _wanted(self, known: PracticeObject, kind: str) -> str:
        if known.forward:
            return f"the goal {kind} of the {self.subject}"
        place = preposition(known.predicate)
        if place is not None:
            return f"the {kind} that belongs {place} the {self.subject}"
        return f"the {kind} that the goal names with the {self.subject}"

    def _related(self, known: PracticeObject, kind: str) -> str:
        place, name = preposition(known.predicate), spaced(known.predicate)
        if known.forward:
            own = f"the {name} {kind} of the {self.subject}"
            return own if place is None else f"the {kind} the {self.subject} is {place}"
        if place is not None or self._words.link(known.predicate).short:
            return f"the {kind} {place or name} the {self.subject}"
        return f"the {kind} ({name}) of the {self.subject}"


def _is_own(approach: Approach, names: set[str]) -> bool:
    """Whether the action itself is what is repeated to get there."""
    return {share.name for share in approach.actions} <= names


def noun(words: Words, name: str) -> str:
    """A type as a noun."""
    return words.noun(name) if name else THING


def either(actions: tuple[Share, ...]) -> str:
    """`up` or `down`."""
    return listed([quoted(share.name) for share in actions], "or")
