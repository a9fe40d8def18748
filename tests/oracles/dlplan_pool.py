"""The valuations that DLPlan's own generator finds on the states of a batch."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from itertools import accumulate

import numpy as np
from dlplan.core import Boolean, InstanceInfo, Numerical, State, SyntacticElementFactory, VocabularyInfo
from dlplan.generator import generate_features

from trailmark.features.states import StateBatch, Valuations
from trailmark.features.text import parse

UNLIMITED = 10**7
INFINITE = 2**31 - 1
"""DLPlan's infinite distance."""


def dlplan_valuations(batch: StateBatch, complexity: int) -> set[object]:
    """The different valuations of DLPlan's features, made with all of its default rules that we share."""
    vocabulary, states = dlplan_states(batch)
    return different(dlplan_features(vocabulary, states, complexity, til_c=False), states)


def dlplan_features(
    vocabulary: VocabularyInfo, states: list[State], complexity: int, *, til_c: bool
) -> list[Boolean | Numerical]:
    """What the generator makes by default, with or without the role `r_til_c`, which we do not have."""
    limits = [complexity] * 5
    with quiet():
        booleans, numericals, _, _ = generate_features(
            SyntacticElementFactory(vocabulary), states, *limits, 3600, UNLIMITED, generate_til_c_role=til_c
        )
    return [*numericals, *booleans]


def dlplan_pool(batch: StateBatch, complexity: int, limit: int) -> Valuations:
    """The pool DLPlan makes on these states with its own limit, which counts concepts and roles too."""
    vocabulary, states = dlplan_states(batch)
    with quiet():
        booleans, numericals, _, _ = generate_features(
            SyntacticElementFactory(vocabulary), states, *[complexity] * 5, 3600, limit
        )
    features = sorted((*booleans, *numericals), key=lambda feature: feature.compute_complexity())
    known = [feature for feature in features if "r_til_c" not in str(feature)]
    values = [[min(int(feature.evaluate(state)), INFINITE) for state in states] for feature in known]
    lengths = [len(visited) for _, visited in batch.trajectories]
    return Valuations(
        tuple(parse(str(feature)) for feature in known),
        np.array(values, dtype=np.int32),
        (0, *accumulate(lengths)),
    )


def different(features: list[Boolean | Numerical], states: list[State]) -> set[object]:
    """The different valuations of these features."""
    return {tuple(int(feature.evaluate(state)) for state in states) for feature in features}


def dlplan_states(batch: StateBatch) -> tuple[VocabularyInfo, list[State]]:
    """The states of the batch in DLPlan's form, with the goal versions that a pool uses."""
    versions = batch.goal_versions()
    vocabulary, predicates = VocabularyInfo(), {}
    for number, symbol in enumerate(batch.vocabulary.symbols):
        if symbol.goal_of is None or symbol.name in versions:
            predicates[number] = vocabulary.add_predicate(symbol.name, symbol.arity, symbol.static)
    for name in batch.vocabulary.constants:
        vocabulary.add_constant(name)
    states: list[State] = []
    for number, (structure, visited) in enumerate(batch.trajectories):
        instance = InstanceInfo(number, vocabulary)
        objects = [instance.add_object(name) for name in structure.objects]

        def arguments(atom: int, structure=structure, objects=objects):  # type: ignore[no-untyped-def]
            symbol, places = structure.decode(atom)
            return predicates.get(symbol), [objects[place] for place in places]

        for atom in sorted(structure.static_atoms):
            predicate, places = arguments(atom)
            if predicate is not None:
                instance.add_static_atom(predicate, places)
        fluent = sorted(frozenset().union(*(state.atoms for state in visited)))
        atoms = {atom: instance.add_atom(*arguments(atom)) for atom in fluent}
        for state in visited:
            states.append(State(len(states), instance, [atoms[atom] for atom in sorted(state.atoms)]))
    return vocabulary, states


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """DLPlan reports on the C standard output."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
