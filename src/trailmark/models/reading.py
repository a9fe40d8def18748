"""Reading a model file: everything is checked, nothing is executed.

The file may be damaged, made by a newer version, or made to do harm. Whatever is wrong ends in one
`ModelError` that names the place in the document, as in `guidance.counters[2].features[0]`.

In files of version 1 counters stood as landmarks that carry progressors. What chain discovery learned becomes
a landmark graph, what counter-first learning learned a program. Landmarks inside a pass of a counter, which
are no longer learned, are left out; so are guards beside a landmark graph, which only hand-made files have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import asdict

from trailmark.errors import FeatureError, ModelError, Place
from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop
from trailmark.landmarks.text import located
from trailmark.models.document import (
    FORMAT,
    SCHEMA_VERSION,
    AnyDocument,
    CounterEntry,
    DescriptorEntry,
    Document,
    DocumentOne,
    GraphEntry,
    GraphEntryOne,
    LandmarkEntry,
    LandmarkEntryOne,
    LoopEntry,
    LoopEntryOne,
    ProgramEntry,
    RecipeEntry,
    VocabularyEntry,
)
from trailmark.models.model import Candidate, Estimate, Model, TrainingRecord
from trailmark.models.practice import Practice, flaws
from trailmark.models.strictjson import parse_json, place_error, typed
from trailmark.programs.program import Counter, Program
from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, RecipeFilter
from trailmark.relational import Symbol, Vocabulary


def upgraded(graph: GraphEntryOne, source: str) -> GraphEntry | ProgramEntry:
    """The guidance of an old graph, as files have it now."""
    if any(landmark.progressors for landmark in graph.landmarks):
        return _program(graph, source)
    loops = []
    for place, loop in enumerate(graph.loops):
        if any(len(chain) > 1 for chain in loop.progression):
            raise place_error(
                source, f"graph.loops[{place}].progression", "a progressor has one feature", _AGAIN
            )
        progression = tuple(link for chain in loop.progression for link in chain)
        loops.append(
            LoopEntry(
                source=loop.source,
                target=loop.target,
                exit=loop.exit,
                progression=progression,
                counter=loop.counter,
            )
        )
    landmarks = tuple(
        LandmarkEntry(descriptors=landmark.descriptors, share=landmark.share, branch=landmark.branch)
        for landmark in graph.landmarks
    )
    return GraphEntry(landmarks=landmarks, loops=tuple(loops))


_AGAIN = "this old graph is neither of landmarks nor of counters alone: learn it again"


def _program(graph: GraphEntryOne, source: str) -> ProgramEntry:
    """One counter for each loop; other landmarks must lie inside one of them."""
    counters: list[CounterEntry] = []
    end = 0
    for loop in sorted(graph.loops, key=lambda loop: loop.source):
        path = f"graph.landmarks[{loop.source}]"
        if loop.source >= len(graph.landmarks) or loop.target != end:
            raise place_error(source, path, "not a counter's landmark", _AGAIN)
        counter = _counter(graph.landmarks[loop.source], loop)
        if counter is None or any(each.progressors for each in graph.landmarks[loop.target : loop.source]):
            raise place_error(source, path, "not a counter's landmark", _AGAIN)
        counters.append(counter)
        end = loop.source + 1
    if end < len(graph.landmarks):
        raise place_error(source, f"graph.landmarks[{end}]", "not a counter's landmark", _AGAIN)
    return ProgramEntry(counters=tuple(counters), guards=graph.guards)


def _counter(landmark: LandmarkEntryOne, loop: LoopEntryOne) -> CounterEntry | None:
    """The counter that a landmark and its loop describe; None where they describe something else."""
    if landmark.descriptors or len(landmark.progressors) != 1 or len(loop.exit) != 1:
        return None
    (chain,), (over,), first = landmark.progressors, loop.exit, landmark.progressors[0][0].feature
    counted = [(value.feature, value.minus) for value in loop.counter]
    falls = all(link.decreases for link in chain)
    is_over = (over.feature, over.positive, over.operator) == (first, True, "<=")
    if not falls or not is_over or loop.progression or counted != [(first, over.threshold)]:
        return None
    return CounterEntry(features=tuple(link.feature for link in chain), least=over.threshold)


Kind = TypeVar("Kind")
LARGEST_FILE = 16 * 1024 * 1024
"""Bytes. A model of hundreds of landmarks is far below one megabyte."""


def load(path: Path) -> Model:
    """The model in this file."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror or error}") from None
    if len(data) > LARGEST_FILE:
        raise ModelError(f"{path} is larger than {LARGEST_FILE} bytes, which no model is")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ModelError("not a model: not UTF-8 text", place=Place(str(path))) from None
    return loads(text, str(path))


def loads(text: str, source: str = "<text>") -> Model:
    """The model in this text."""
    content = parse_json(text, source)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ModelError("not a Trailmark model", place=Place(source), hint="`trailmark learn -o` writes one")
    version = content.get("schema_version")
    if type(version) is not int or version < 1:
        raise place_error(source, "schema_version", "expected int >= 1")
    if version > SCHEMA_VERSION:
        raise ModelError(
            f"the model has schema version {version}, this program reads up to {SCHEMA_VERSION}",
            place=Place(source),
            hint="use a newer Trailmark, or learn the model again",
        )
    document: AnyDocument
    if version == 1:
        document = old = typed(content, DocumentOne, source)
        path, guidance = "graph", upgraded(old.graph, source)
    else:
        document = new = typed(content, Document, source)
        path, guidance = "guidance", new.guidance
    builder = _Builder(document.features, source)
    model = _model(document, builder.guidance(guidance, path), builder)
    practice = document.practice if isinstance(document, Document) else None
    if practice is not None:
        builder.require_practice(practice, model.guidance)
    return replace(model, practice=practice)


def _model(document: AnyDocument, guidance: LandmarkGraph | Program, builder: _Builder) -> Model:
    loops = len(guidance.repeated)
    for place, record in enumerate(document.training):
        builder.require_one_a_loop(record.passes, loops, f"training[{place}].passes")
    estimate = document.estimate
    if estimate is not None:
        builder.require_one_a_loop(estimate.per_pass, loops, "estimate.per_pass")
    return Model(
        guidance=guidance,
        domain=document.domain.name,
        signature=document.domain.signature,
        method=document.method,
        training=tuple(TrainingRecord(**asdict(record)) for record in document.training),
        candidates=tuple(Candidate(**asdict(candidate)) for candidate in document.candidates),
        estimate=None if estimate is None else Estimate(**asdict(estimate)),
        options=document.options,
        seed=document.seed,
        versions=document.versions,
        times=document.times,
        vocabulary=builder.vocabulary(document.domain.vocabulary),
        parameter_types=document.domain.parameter_types,
    )


class _Builder:
    """Makes what the entries of a document describe; what does not fit together is told with its place."""

    def __init__(self, features: Sequence[str], source: str) -> None:
        self.source = source
        self.features = [self._parsed(text, f"features[{place}]") for place, text in enumerate(features)]
        if len(set(self.features)) < len(self.features):
            raise place_error(source, "features", "a feature is listed twice")

    def _parsed(self, text: str, path: str) -> Expression:
        try:
            return parse(text, path)
        except FeatureError as error:
            raise place_error(self.source, path, f"not a feature: {error.message}") from None

    def _at(self, path: str) -> located:
        """Errors of the objects made inside get this place."""
        return located(lambda message, hint: place_error(self.source, path, message, hint))

    def require_one_a_loop(self, numbers: Sequence[float], loops: int, path: str) -> None:
        if len(numbers) != loops:
            raise place_error(self.source, path, f"expected a number for each of {loops} loops")

    def require_practice(self, practice: Practice, guidance: LandmarkGraph | Program) -> None:
        counters = guidance.counters if isinstance(guidance, Program) else ()
        for path, message in flaws(practice, [len(counter.features) for counter in counters]):
            raise place_error(self.source, path, message)

    def guidance(self, entry: GraphEntry | ProgramEntry, path: str) -> LandmarkGraph | Program:
        if isinstance(entry, ProgramEntry):
            return self._program(entry, path)
        landmarks = [
            self._landmark(landmark, at) for landmark, at in _each(entry.landmarks, path, "landmarks")
        ]
        loops = [self._loop(loop, at) for loop, at in _each(entry.loops, path, "loops")]
        with self._at(path):
            return LandmarkGraph(tuple(landmarks), tuple(loops))

    def _program(self, entry: ProgramEntry, path: str) -> Program:
        counters = [self._counter(counter, at) for counter, at in _each(entry.counters, path, "counters")]
        guards = self._descriptors(entry.guards, f"{path}.guards")
        recipes = [self._recipe(recipe, at) for recipe, at in _each(entry.recipes, path, "recipes")]
        with self._at(path):
            return Program(tuple(counters), guards, tuple(recipes))

    def _recipe(self, entry: RecipeEntry, path: str) -> Recipe:
        filters: list[RecipeFilter] = []
        for known, at in _each(entry.filters, path, "filters"):
            concept = self._parsed(known.concept, f"{at}.concept")
            with self._at(at):
                filters.append(RecipeFilter(known.counter, known.variable, concept, known.holds))
        with self._at(path):
            return Recipe(
                tuple(RecipeAction(**asdict(action)) for action in entry.actions),
                tuple(RecipeCondition(**asdict(condition)) for condition in entry.conditions),
                entry.whole,
                tuple(filters),
                entry.examples,
                entry.used,
            )

    def _counter(self, entry: CounterEntry, path: str) -> Counter:
        features = [self._feature(number, at) for number, at in _each(entry.features, path, "features")]
        with self._at(path):
            return Counter(tuple(features), entry.least)

    def _landmark(self, entry: LandmarkEntry, path: str) -> Landmark:
        descriptors = self._descriptors(entry.descriptors, f"{path}.descriptors")
        branch = None if entry.branch is UNSET else entry.branch
        with self._at(path):
            return Landmark(descriptors, entry.share, branch)

    def _loop(self, entry: LoopEntry, path: str) -> Loop:
        exits = self._descriptors(entry.exit, f"{path}.exit")
        progression: list[StateProgressor] = []
        for progressor, at in _each(entry.progression, path, "progression"):
            with self._at(at):
                feature = self._feature(progressor.feature, f"{at}.feature")
                progression.append(StateProgressor(feature, progressor.decreases))
        counter: list[StateValue] = []
        for value, at in _each(entry.counter, path, "counter"):
            with self._at(at):
                counter.append(StateValue(self._feature(value.feature, f"{at}.feature"), value.minus))
        with self._at(path):
            return Loop(entry.source, entry.target, exits, tuple(progression), tuple(counter))

    def _descriptors(self, entries: Sequence[DescriptorEntry], path: str) -> tuple[StateDescriptor, ...]:
        made: list[StateDescriptor] = []
        for place, entry in enumerate(entries):
            with self._at(f"{path}[{place}]"):
                feature = self._feature(entry.feature, f"{path}[{place}].feature")
                made.append(StateDescriptor(feature, entry.positive, entry.operator, entry.threshold))
        return tuple(made)

    def _feature(self, number: int, path: str) -> Expression:
        if number >= len(self.features):
            raise place_error(self.source, path, f"there is no feature {number}")
        return self.features[number]

    def vocabulary(self, entry: VocabularyEntry | None) -> Vocabulary | None:
        if entry is None:
            return None
        if len({symbol.name for symbol in entry.symbols}) < len(entry.symbols):
            raise place_error(self.source, "domain.vocabulary.symbols", "a name is listed twice")
        symbols = tuple(Symbol(**asdict(symbol)) for symbol in entry.symbols)
        return Vocabulary(symbols, entry.constants, entry.functions)


def _each(entries: Sequence[Kind], path: str, name: str) -> Iterator[tuple[Kind, str]]:
    """The entries of a list with the path of each."""
    for place, entry in enumerate(entries):
        yield entry, f"{path}.{name}[{place}]"
