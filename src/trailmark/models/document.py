"""The model file as typed structures: what stands in the JSON document, within which limits, and writing it.

`model.schema.json` beside this module describes the document for other programs. A file of version 1
has a `graph` where later ones have a `guidance`. What is written is canonical: the same model gives the
same bytes, and two runs on the same input differ in `times` alone. The data classes have the fields that the
document has, so that they are written as they are; a feature is written as its place among the features.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, to_builtins

from trailmark.errors import InputError
from trailmark.files import write_text
from trailmark.landmarks.functions import LARGEST_THRESHOLD
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.models.model import (
    LARGEST_COUNT,
    Amount,
    Candidate,
    Count,
    Entry,
    Estimate,
    Model,
    Text,
    TrainingRecord,
    many,
)
from trailmark.models.practice import Practice
from trailmark.programs.recipe import MOST_RECIPES, MOST_VARIABLES

FORMAT = "trailmark-model"
SCHEMA_VERSION = 4
GRAPH, PROGRAM = "landmark graph", "program"
"""The kinds of guidance."""
MOST_LANDMARKS = 1_000
MOST_LINKS = 16
"""The longest counter."""
MOST_ARGUMENTS = 100
MOST_CONDITIONS = 1_000

FeatureText = Annotated[str, Meta(max_length=20_000)]
Number = Annotated[int, Meta(ge=-LARGEST_COUNT, le=LARGEST_COUNT)]
Threshold = Annotated[int, Meta(ge=0, le=LARGEST_THRESHOLD)]
Position = Annotated[int, Meta(ge=0, le=MOST_LANDMARKS)]


class DescriptorEntry(Entry, frozen=True):
    feature: Count
    positive: bool
    operator: Text
    threshold: Threshold


class ProgressorEntry(Entry, frozen=True):
    feature: Count
    decreases: bool


class ValueEntry(Entry, frozen=True):
    feature: Count
    minus: Threshold


Descriptors = Annotated[tuple[DescriptorEntry, ...], many]


class LandmarkEntry(Entry, frozen=True):
    descriptors: Descriptors


class LoopEntry(Entry, frozen=True):
    source: Position
    target: Position
    exit: Descriptors
    progression: Annotated[tuple[ProgressorEntry, ...], many]
    counter: Annotated[tuple[ValueEntry, ...], many]


class GraphEntry(Entry, frozen=True, tag_field="kind", tag=GRAPH):
    landmarks: Annotated[tuple[LandmarkEntry, ...], Meta(max_length=MOST_LANDMARKS)]
    loops: Annotated[tuple[LoopEntry, ...], Meta(max_length=MOST_LANDMARKS)]


class CounterEntry(Entry, frozen=True):
    features: Annotated[tuple[Count, ...], Meta(max_length=MOST_LINKS)]
    least: Threshold


Variable = Annotated[int, Meta(ge=0, lt=MOST_VARIABLES)]
Terms = Annotated[tuple[Variable | Text, ...], Meta(max_length=MOST_ARGUMENTS)]


class RecipeActionEntry(Entry, frozen=True):
    schema: Text
    terms: Terms
    repeated: bool


class RecipeConditionEntry(Entry, frozen=True):
    predicate: Text
    terms: Terms
    is_open: bool


class RecipeFilterEntry(Entry, frozen=True):
    counter: Position
    variable: Variable
    concept: FeatureText
    holds: bool


class RecipeEntry(Entry, frozen=True):
    actions: Annotated[tuple[RecipeActionEntry, ...], Meta(min_length=1, max_length=MOST_ARGUMENTS)]
    conditions: Annotated[tuple[RecipeConditionEntry, ...], Meta(max_length=MOST_CONDITIONS)]
    whole: bool
    filters: Annotated[tuple[RecipeFilterEntry, ...], Meta(max_length=MOST_CONDITIONS)]
    examples: Count
    used: Count


class ProgramEntry(Entry, frozen=True, tag_field="kind", tag=PROGRAM):
    counters: Annotated[tuple[CounterEntry, ...], Meta(max_length=MOST_LANDMARKS)]
    guards: Descriptors
    recipes: Annotated[tuple[RecipeEntry, ...], Meta(max_length=MOST_RECIPES)] = ()
    goal_by_goal: bool = False


class SymbolEntry(Entry, frozen=True):
    name: Text
    arity: Annotated[int, Meta(ge=0, le=MOST_ARGUMENTS)]
    static: bool
    goal_of: Text | None
    is_type: bool


class VocabularyEntry(Entry, frozen=True):
    symbols: Annotated[tuple[SymbolEntry, ...], many]
    constants: Annotated[tuple[Text, ...], many]
    functions: Annotated[tuple[Text, ...], many]


class DomainEntry(Entry, frozen=True):
    name: Text
    signature: Text
    vocabulary: VocabularyEntry | None
    parameter_types: Annotated[dict[Text, Annotated[tuple[Text, ...], Meta(max_length=MOST_ARGUMENTS)]], many]


class AnyDocument(Entry, frozen=True):
    """What documents of all versions have."""

    format: Text
    schema_version: Count
    domain: DomainEntry
    method: Text
    options: Annotated[dict[Text, Text | Number | float | bool | None], many]
    seed: Count
    versions: Annotated[dict[Text, Text], many]
    features: Annotated[tuple[FeatureText, ...], many]
    training: Annotated[tuple[TrainingRecord, ...], many]
    candidates: Annotated[tuple[Candidate, ...], many]
    estimate: Estimate | None
    times: Annotated[dict[Text, Amount], many]


class Document(AnyDocument, frozen=True):
    guidance: GraphEntry | ProgramEntry
    practice: Practice | None = None


Chain = Annotated[tuple[ProgressorEntry, ...], Meta(min_length=1, max_length=MOST_LINKS)]


class LandmarkEntryOne(LandmarkEntry, frozen=True):
    """Version 1: landmarks of counters carry a progressor, compared in lexicographic order."""

    progressors: Annotated[tuple[Chain, ...], many]


class LoopEntryOne(LoopEntry, frozen=True):
    progression: Annotated[tuple[Chain, ...], many]  # type: ignore[assignment]


class GraphEntryOne(Entry, frozen=True):
    landmarks: Annotated[tuple[LandmarkEntryOne, ...], Meta(max_length=MOST_LANDMARKS)]
    loops: Annotated[tuple[LoopEntryOne, ...], Meta(max_length=MOST_LANDMARKS)]
    guards: Descriptors


class DocumentOne(AnyDocument, frozen=True):
    graph: GraphEntryOne


def dumps(model: Model) -> str:
    """The canonical text of the model."""
    places = model.guidance.feature_index
    # Features stand there by their place, and concepts of recipes in full.
    content = to_builtins(_document(model), enc_hook=lambda known: places.get(known, str(known)))
    try:
        return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    except ValueError as error:
        raise InputError(f"the model cannot be written: {error}") from None


def save(model: Model, path: Path) -> None:
    """Write the model file: all or nothing."""
    write_text(path, dumps(model))


def _document(model: Model) -> dict[str, Any]:
    kind = GRAPH if isinstance(model.guidance, LandmarkGraph) else PROGRAM
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "domain": {
            "name": model.domain,
            "signature": model.signature,
            "vocabulary": model.vocabulary,
            "parameter_types": model.parameter_types,
        },
        "method": model.method,
        "options": model.options,
        "seed": model.seed,
        "versions": model.versions,
        "features": [str(feature) for feature in model.guidance.features],
        "guidance": {"kind": kind, **_fields(model.guidance)},
        "training": model.training,
        "candidates": model.candidates,
        "estimate": model.estimate,
        "times": model.times,
        **({} if model.practice is None else {"practice": model.practice}),
    }


def _fields(guidance: Any) -> dict[str, Any]:
    return {name: getattr(guidance, name) for name in guidance.__dataclass_fields__}
