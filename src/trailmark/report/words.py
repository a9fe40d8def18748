"""State functions in English, with the names of a model's domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from trailmark.features.syntax import Expression, subexpressions
from trailmark.landmarks.functions import StateDescriptor, StateFunction, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, Loop
from trailmark.models.model import Model
from trailmark.programs.program import Counter
from trailmark.relational import Vocabulary
from trailmark.report.english import DomainWords, ParameterTypes, quoted
from trailmark.report.grammar import Grammar, UntoldError

SHOWN_PARTS = 2
"""So many parts of a landmark stand for it where there is no room for all."""
SHOWN_CONDITIONS = 1
"""The same for the conditions of a loop, which are alike."""
HARD_TO_READ = 4
"""A negation or an alternative weighs as much as so many steps of complexity."""

_COMPARED = {
    ">": "more than",
    ">=": "at least",
    "<": "less than",
    "<=": "at most",
    "=": "exactly",
    "!=": "not exactly",
}


@dataclass(frozen=True)
class Part:
    """One state function of a landmark or a loop, in words."""

    phrase: str
    formula: str
    features: tuple[Expression, ...]
    """What it reads, in order."""
    shown: bool = True
    """Whether it is among the few that stand for the whole."""
    inner: tuple[str, ...] = ()
    """For a counter, what comes further inside a pass."""
    function: StateFunction | None = None
    """None for a counter."""


@dataclass(frozen=True)
class LoopWords:
    """The exit condition, progression condition and counter of a loop, in words."""

    exit: tuple[Part, ...]
    progress: tuple[Part, ...]
    counter: tuple[Part, ...]

    @property
    def labelled(self) -> list[tuple[str, tuple[Part, ...]]]:
        """Each with what it answers, where there is one."""
        named = [("until", self.exit), ("each time", self.progress), ("passes", self.counter)]
        return [(label, parts) for label, parts in named if parts]


@dataclass(frozen=True)
class Words:
    """State functions, landmarks, loops and counters in the words of one domain; without its vocabulary they
    name predicates instead of types. What no short phrase tells is shown as its formula."""

    vocabulary: Vocabulary | None = None
    parameter_types: ParameterTypes | None = field(default=None, hash=False)

    @classmethod
    def of(
        cls,
        model: Model,
        vocabulary: Vocabulary | None = None,
        parameter_types: ParameterTypes | None = None,
    ) -> Words:
        """The words a model brings with it, or, where it has none, those of its domain."""
        if model.vocabulary is None:
            return cls(vocabulary, parameter_types)
        return cls(model.vocabulary, model.parameter_types)

    @cached_property
    def domain(self) -> DomainWords:
        return DomainWords(self.vocabulary, self.parameter_types or {})

    @cached_property
    def _grammar(self) -> Grammar:
        return Grammar(self.domain)

    def value(self, feature: Expression, noun: str = "") -> str:
        """`the number of trucks that are empty`, with a closer noun where there is one."""
        with suppress(UntoldError):
            counted = self._grammar.counted(feature)
            return f"the number of {replace(counted, noun=noun or counted.noun).text(many=True)}"
        return quoted(str(feature))

    def descriptor(self, descriptor: StateDescriptor) -> str:
        """The sentence that is true where the descriptor holds."""
        feature = descriptor.feature
        zero, one, more = map(descriptor.holds, (0, 1, 2))
        if zero != one and one == more:
            with suppress(UntoldError):
                return self._grammar.sentence(feature, one)
            return f"{quoted(str(feature))} is {'above zero' if one else 'zero'}"
        amount = (
            f"{'' if descriptor.positive else 'not '}{_COMPARED[descriptor.operator]} {descriptor.threshold}"
        )
        with suppress(UntoldError):
            return self._grammar.counted(feature).amount(amount, many=descriptor.threshold != 1)
        return f"{quoted(str(feature))} is {amount}"

    def progressor(self, progressor: StateProgressor) -> str:
        """What happens between one state and the next."""
        feature, decreases = progressor.feature, progressor.decreases
        with suppress(UntoldError):
            return self._grammar.counted(feature).amount("fewer" if decreases else "more", many=True)
        return f"{quoted(str(feature))} {'decreases' if decreases else 'increases'}"

    def counted(self, value: StateValue) -> str:
        """What is counted."""
        counted = self.value(value.feature)
        return f"{counted}, less {value.minus}" if value.minus else counted

    def landmark(self, landmark: Landmark) -> tuple[Part, ...]:
        """The parts of a landmark, the easiest to read first."""
        return self._parts(landmark.descriptors, SHOWN_PARTS)

    def counter(self, counter: Counter) -> tuple[Part, ...]:
        """What each pass of a counter brings about, and what comes further inside it."""
        first, *further = counter.progressors
        inner = tuple(self.progressor(progressor) for progressor in further)
        return (Part(self.progressor(first), str(counter), counter.features, inner=inner),)

    def counter_loop(self, counter: Counter) -> LoopWords:
        """Until when a counter is repeated, and how often."""
        return LoopWords(self._parts((counter.finished,)), (), self._parts((counter.value,)))

    def loop(self, loop: Loop) -> LoopWords:
        """The conditions of a loop, the simplest first."""
        return LoopWords(self._parts(loop.exit), self._parts(loop.progression), self._parts(loop.counter))

    def guards(self, guards: Sequence[StateDescriptor]) -> tuple[Part, ...]:
        """What must never hold."""
        return tuple(map(self._part, guards))

    def _parts(self, functions: Iterable[StateFunction], most: int = SHOWN_CONDITIONS) -> tuple[Part, ...]:
        """The easiest to read first; the first that say something different are shown."""
        parts = [self._part(function) for function in sorted(functions, key=_rank)]
        phrases = list(dict.fromkeys(part.phrase for part in parts))[:most]
        firsts = [next(part for part in parts if part.phrase == phrase) for phrase in phrases]
        return tuple(replace(part, shown=part in firsts) for part in parts)

    def _part(self, function: StateFunction) -> Part:
        if isinstance(function, StateDescriptor):
            phrase = self.descriptor(function)
        elif isinstance(function, StateProgressor):
            phrase = self.progressor(function)
        else:
            phrase = self.counted(function)
        return Part(phrase, str(function), (function.feature,), function=function)


def _rank(function: StateFunction) -> tuple[int, str]:
    """How hard a function is to read; descriptors also by their text."""
    if not isinstance(function, StateDescriptor):
        return function.complexity, ""
    alternatives = sum(part.constructor.name == "c_or" for part in subexpressions([function.feature]))
    return function.complexity + HARD_TO_READ * (alternatives + (not function.positive)), str(function)
