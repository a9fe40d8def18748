"""Which objects a feature counts, and which of them a step takes out of the count."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.features.batch import denotations
from trailmark.features.states import state_batch
from trailmark.features.syntax import Expression, Kind
from trailmark.relational import Interpretation, Structure


def members(
    counted: Expression, structure: Structure, states: Sequence[Interpretation]
) -> list[set[tuple[int, ...]]]:
    """The objects of a concept, or the pairs of a role, in each of these states of an instance."""
    size = len(structure.objects)
    ((_, found),) = denotations([counted], state_batch([(structure, states)]))
    shape = (len(states), *[size] * (1 if counted.kind is Kind.CONCEPT else 2))
    return [
        set(zip(*(places.tolist() for places in state.nonzero()), strict=True))
        for state in found.reshape(shape)
    ]


def left(
    feature: Expression, structure: Structure, before: Interpretation, after: Interpretation
) -> list[str]:
    """The objects that are counted before and not after, those of first places first; none for a feature
    that counts no objects."""
    if feature.constructor.name != "n_count":
        return []
    earlier, later = members(feature.children[0], structure, [before, after])
    gone = sorted(earlier - later)
    return list(dict.fromkeys(structure.objects[place] for ends in zip(*gone, strict=True) for place in ends))
