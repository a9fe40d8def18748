"""State functions in English, with the names of a model's domain."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.features.english import descriptor_phrase, phrase, progress_phrase
from trailmark.features.english_words import ParameterTypes
from trailmark.landmarks import Landmark, Loop, StateDescriptor, StateProgressor, StateValue
from trailmark.relational import Vocabulary


@dataclass(frozen=True)
class Words:
    """Phrases for one domain; without its vocabulary they name predicates instead of types."""

    vocabulary: Vocabulary | None = None
    parameter_types: ParameterTypes | None = None

    def descriptor(self, descriptor: StateDescriptor) -> str:
        if descriptor.is_plain:
            return descriptor_phrase(
                descriptor.feature, descriptor.positive, self.vocabulary, self.parameter_types
            )
        value = phrase(descriptor.feature, self.vocabulary, self.parameter_types)
        return (
            f"{value} is {'' if descriptor.positive else 'not '}{descriptor.operator} {descriptor.threshold}"
        )

    def progressor(self, progressor: StateProgressor) -> str:
        links = [
            progress_phrase(link.feature, link.decreases, self.vocabulary, self.parameter_types)
            for link in progressor.chain
        ]
        return ", or else ".join(links)

    def value(self, value: StateValue) -> str:
        counted = phrase(value.feature, self.vocabulary, self.parameter_types)
        return f"{counted}, less {value.minus}" if value.minus else counted

    def landmark(self, landmark: Landmark) -> list[tuple[str, str]]:
        """A phrase and the formula behind it for each part, the simplest first."""
        descriptors = sorted(landmark.descriptors, key=lambda each: each.complexity)
        parts = [(self.descriptor(each), str(each)) for each in descriptors]
        return [(self.progressor(each), str(each)) for each in landmark.progressors] + parts

    def loop(self, loop: Loop) -> dict[str, list[tuple[str, str]]]:
        return {
            "exit": [(self.descriptor(each), str(each)) for each in loop.exit],
            "progress": [(self.progressor(each), str(each)) for each in loop.progression],
            "counter": [(self.value(each), str(each)) for each in loop.counter],
        }
