"""State functions in English, with the names of a model's domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from trailmark.features.syntax import NUMERICAL, Expression
from trailmark.landmarks import Landmark, Loop, StateDescriptor, StateFunction, StateProgressor, StateValue
from trailmark.models.model import Model
from trailmark.programs.program import Counter
from trailmark.relational import Vocabulary
from trailmark.report.choice import chosen, narrowed
from trailmark.report.english.phrases import comparison_phrase, descriptor_phrase, phrase, progress_phrase
from trailmark.report.english.words import ParameterTypes, words_for

SHOWN_PARTS = 2
"""So many parts of a landmark stand for it where there is no room for all."""
SHOWN_CONDITIONS = 1
"""The same for the conditions of a loop, which are alike."""

_COMPARED = {
    ">": "more than",
    ">=": "at least",
    "<": "less than",
    "<=": "at most",
    "=": "exactly",
    "!=": "not exactly",
}
_DENIED = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "!=", "!=": "="}


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


@dataclass(frozen=True)
class Words:
    """Phrases for one domain; without its vocabulary they name predicates instead of types."""

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

    def descriptor(self, descriptor: StateDescriptor) -> str:
        """The sentence that is true where the descriptor holds."""
        plain = _as_plain(descriptor)
        if plain is not None:
            arities = words_for(plain.feature, self.vocabulary, self.parameter_types).arities
            feature = narrowed(plain.feature, arities)
            return descriptor_phrase(feature, plain.positive, self.vocabulary, self.parameter_types)
        comparison = descriptor.operator if descriptor.positive else _DENIED[descriptor.operator]
        return comparison_phrase(
            descriptor.feature,
            _COMPARED[comparison],
            descriptor.threshold,
            self.vocabulary,
            self.parameter_types,
        )

    def progressor(self, progressor: StateProgressor) -> str:
        """What happens between one state and the next."""
        return progress_phrase(
            progressor.feature, progressor.decreases, self.vocabulary, self.parameter_types
        )

    def value(self, value: StateValue) -> str:
        """What is counted."""
        counted = self.feature(value.feature)
        return f"{counted}, less {value.minus}" if value.minus else counted

    def feature(self, feature: Expression) -> str:
        """What the feature measures."""
        return phrase(feature, self.vocabulary, self.parameter_types)

    def landmark(self, landmark: Landmark) -> tuple[Part, ...]:
        """The parts of a landmark, those that say most first."""
        return self._conditions(landmark.descriptors, SHOWN_PARTS)

    def counter(self, counter: Counter) -> tuple[Part, ...]:
        """What each pass of a counter brings about, and what comes further inside it."""
        first, *further = counter.progressors
        inner = tuple(self.progressor(progressor) for progressor in further)
        return (Part(self.progressor(first), str(counter), counter.features, inner=inner),)

    def counter_loop(self, counter: Counter) -> LoopWords:
        """Until when a counter is repeated, and how often."""
        return LoopWords(
            self._conditions((counter.finished,), SHOWN_CONDITIONS), (), (self._value_part(counter.value),)
        )

    def loop(self, loop: Loop) -> LoopWords:
        """The conditions of a loop, the simplest first."""
        progress = sorted(loop.progression, key=lambda progressor: progressor.complexity)
        counters = sorted(loop.counter, key=lambda value: value.complexity)
        return LoopWords(
            self._conditions(loop.exit, SHOWN_CONDITIONS),
            _first_shown([self._progress_part(progressor) for progressor in progress]),
            _first_shown([self._value_part(value) for value in counters]),
        )

    def guards(self, guards: Sequence[StateDescriptor]) -> tuple[Part, ...]:
        """What must never hold."""
        return tuple(_part(self.descriptor(guard), guard) for guard in guards)

    def _progress_part(self, progressor: StateProgressor) -> Part:
        return _part(self.progressor(progressor), progressor)

    def _value_part(self, value: StateValue) -> Part:
        return _part(self.value(value), value)

    def _conditions(self, descriptors: Sequence[StateDescriptor], most: int) -> tuple[Part, ...]:
        """Descriptors in words, the few that say most first and marked."""
        plain = {descriptor: _as_plain(descriptor) or descriptor for descriptor in descriptors}
        arities: dict[str, int] = {}
        for descriptor in descriptors:
            arities |= words_for(descriptor.feature, self.vocabulary, self.parameter_types).arities
        goals = (
            {symbol.name for symbol in self.vocabulary.symbols if symbol.goal_of} if self.vocabulary else None
        )
        best = chosen(list(plain.values()), most, arities, goals)
        parts = [
            replace(_part(self.descriptor(descriptor), descriptor), shown=plain[descriptor] in best)
            for descriptor in descriptors
        ]
        order = {descriptor: place for place, descriptor in enumerate(best)}
        return tuple(
            part
            for _, part in sorted(
                zip(descriptors, parts, strict=True),
                key=lambda pair: (order.get(plain[pair[0]], len(order)), pair[0].complexity),
            )
        )


def _part(phrase: str, function: StateFunction) -> Part:
    return Part(phrase, str(function), (function.feature,), function=function)


def _as_plain(descriptor: StateDescriptor) -> StateDescriptor | None:
    """The descriptor as `feature > 0` or its negation, where it says just that."""
    if descriptor.is_plain:
        return descriptor
    at_zero = {("<=", 0): False, ("=", 0): False, ("<", 1): False, ("!=", 0): True, (">=", 1): True}
    positive = at_zero.get((descriptor.operator, descriptor.threshold))
    if positive is None or descriptor.feature.kind is not NUMERICAL:
        return None
    return StateDescriptor(descriptor.feature, positive == descriptor.positive)


def _first_shown(parts: list[Part]) -> tuple[Part, ...]:
    return tuple(replace(part, shown=place < SHOWN_CONDITIONS) for place, part in enumerate(parts))
