"""Writing a model file. It is canonical: the same model gives the same bytes, and two runs on the same
input differ in `times` alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from msgspec import UNSET, to_builtins

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.files import write_text
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.models.document import (
    FORMAT,
    SCHEMA_VERSION,
    CandidateEntry,
    CounterEntry,
    DescriptorEntry,
    Document,
    DomainEntry,
    EstimateEntry,
    GraphEntry,
    LandmarkEntry,
    LoopEntry,
    ProgramEntry,
    ProgressorEntry,
    SymbolEntry,
    TrainingEntry,
    ValueEntry,
    VocabularyEntry,
)
from trailmark.models.model import Model
from trailmark.programs.program import Program
from trailmark.relational import Vocabulary

Places = Mapping[Expression, int]


def dumps(model: Model) -> str:
    """The canonical text of the model."""
    content: Any = to_builtins(document(model))
    try:
        return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    except ValueError as error:
        raise InputError(f"the model cannot be written: {error}") from None


def save(model: Model, path: Path) -> None:
    """Write the model file: all or nothing."""
    write_text(path, dumps(model))


def document(model: Model) -> Document:
    """The model as it stands in the file."""
    return Document(
        format=FORMAT,
        schema_version=SCHEMA_VERSION,
        domain=DomainEntry(
            name=model.domain,
            signature=model.signature,
            vocabulary=_vocabulary(model.vocabulary),
            parameter_types=dict(model.parameter_types),
        ),
        method=model.method,
        options=dict(model.options),
        seed=model.seed,
        versions=dict(model.versions),
        features=tuple(str(feature) for feature in model.guidance.features),
        guidance=_guidance(model.guidance),
        training=tuple(TrainingEntry(**asdict(record)) for record in model.training),
        candidates=tuple(CandidateEntry(**asdict(candidate)) for candidate in model.candidates),
        estimate=None if model.estimate is None else EstimateEntry(**asdict(model.estimate)),
        times=dict(model.times),
    )


def _guidance(guidance: LandmarkGraph | Program) -> GraphEntry | ProgramEntry:
    places = guidance.feature_index
    if isinstance(guidance, LandmarkGraph):
        return _graph(guidance, places)
    return ProgramEntry(
        counters=tuple(
            CounterEntry(features=tuple(places[feature] for feature in counter.features), least=counter.least)
            for counter in guidance.counters
        ),
        guards=_descriptors(guidance.guards, places),
    )


def _graph(graph: LandmarkGraph, places: Places) -> GraphEntry:
    return GraphEntry(
        landmarks=tuple(
            LandmarkEntry(
                descriptors=_descriptors(landmark.descriptors, places),
                share=landmark.share,
                branch=UNSET if landmark.branch is None else landmark.branch,
            )
            for landmark in graph.landmarks
        ),
        loops=tuple(
            LoopEntry(
                source=loop.source,
                target=loop.target,
                exit=_descriptors(loop.exit, places),
                progression=tuple(
                    ProgressorEntry(feature=places[progressor.feature], decreases=progressor.decreases)
                    for progressor in loop.progression
                ),
                counter=tuple(
                    ValueEntry(feature=places[value.feature], minus=value.minus) for value in loop.counter
                ),
            )
            for loop in graph.loops
        ),
    )


def _descriptors(descriptors: Iterable[StateDescriptor], places: Places) -> tuple[DescriptorEntry, ...]:
    return tuple(
        DescriptorEntry(
            feature=places[descriptor.feature],
            positive=descriptor.positive,
            operator=descriptor.operator,
            threshold=descriptor.threshold,
        )
        for descriptor in descriptors
    )


def _vocabulary(vocabulary: Vocabulary | None) -> VocabularyEntry | None:
    if vocabulary is None:
        return None
    symbols = tuple(SymbolEntry(**asdict(symbol)) for symbol in vocabulary.symbols)
    return VocabularyEntry(symbols=symbols, constants=vocabulary.constants, functions=vocabulary.functions)
