"""Reading a model file: everything is checked, nothing is executed.

The file may be damaged, made by a newer version, or made to do harm. Whatever is wrong ends in one
`ModelError` that names the place in the document, as in `guidance.counters[2].features[0]`.

In files of version 1 counters stood as landmarks that carry progressors. What chain discovery learned becomes
a landmark graph, what counter-first learning learned a program. Landmarks inside a pass of a counter, which
are no longer learned, are left out; so are guards beside a landmark graph, which only hand-made files have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import convert, to_builtins
from msgspec.structs import asdict

from trailmark.errors import FeatureError, InputError, ModelError, Place
from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.models.document import (
    FORMAT,
    SCHEMA_VERSION,
    AnyDocument,
    CounterEntry,
    Document,
    DocumentOne,
    GraphEntry,
    GraphEntryOne,
    LandmarkEntry,
    LandmarkEntryOne,
    LoopEntry,
    LoopEntryOne,
    ProgramEntry,
)
from trailmark.models.model import Model, parse_json, place_error, typed
from trailmark.models.practice import flaws
from trailmark.programs.program import Program
from trailmark.relational import Vocabulary


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
        fields = asdict(loop) | {"progression": tuple(link for chain in loop.progression for link in chain)}
        loops.append(LoopEntry(**fields))
    landmarks = tuple(LandmarkEntry(descriptors=landmark.descriptors) for landmark in graph.landmarks)
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
        if counter is None or any(
            landmark.progressors for landmark in graph.landmarks[loop.target : loop.source]
        ):
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
    content = {**content, "practice": None} if version in (2, 3) else content  # They were others.
    document: AnyDocument
    if version == 1:
        document = old = typed(content, DocumentOne, source)
        path, guidance = "graph", upgraded(old.graph, source)
    else:
        document = new = typed(content, Document, source)
        path, guidance = "guidance", new.guidance
    known = _features(document.features, source)
    entries = content["guidance"] if version > 1 else to_builtins(guidance)
    kind: type[LandmarkGraph | Program] = Program if isinstance(guidance, ProgramEntry) else LandmarkGraph
    made = typed(entries, kind, source, path, lambda _, value: _feature(value, known))
    model = _model(document, made, source)
    practice = document.practice if isinstance(document, Document) else None
    if practice is not None:
        counters = model.guidance.counters if isinstance(model.guidance, Program) else ()
        for at, message in flaws(practice, [len(counter.features) for counter in counters]):
            raise place_error(source, at, message)
    return replace(model, practice=practice)


def _features(texts: Sequence[str], source: str) -> list[Expression]:
    known: list[Expression] = []
    for place, text in enumerate(texts):
        try:
            known.append(parse(text))
        except FeatureError as error:
            raise place_error(source, f"features[{place}]", f"not a feature: {error.message}") from None
    if len(set(known)) < len(known):
        raise place_error(source, "features", "a feature is listed twice")
    return known


def _feature(value: int | str, known: Sequence[Expression]) -> Expression:
    """Features stand there by their place, and concepts of recipes in full."""
    if isinstance(value, int):
        if value >= len(known):
            raise InputError(f"there is no feature {value}")
        return known[value]
    try:
        return parse(value)
    except FeatureError as error:
        raise InputError(f"not a feature: {error.message}") from None


def _model(document: AnyDocument, guidance: LandmarkGraph | Program, source: str) -> Model:
    estimate, domain = document.estimate, document.domain
    numbers: list[tuple[str, Sequence[float]]]
    numbers = [(f"training[{place}].passes", known.passes) for place, known in enumerate(document.training)]
    numbers += [("estimate.per_pass", estimate.per_pass)] if estimate else []
    for path, passes in numbers:
        if len(passes) != len(guidance.repeated):
            loops = f"expected a number for each of {len(guidance.repeated)} loops"
            raise place_error(source, path, loops)
    symbols = domain.vocabulary.symbols if domain.vocabulary else ()
    if len({symbol.name for symbol in symbols}) < len(symbols):
        raise place_error(source, "domain.vocabulary.symbols", "a name is listed twice")
    return Model(
        guidance=guidance,
        domain=domain.name,
        signature=domain.signature,
        method=document.method,
        training=document.training,
        candidates=document.candidates,
        estimate=estimate,
        options=document.options,
        seed=document.seed,
        versions=document.versions,
        times=document.times,
        vocabulary=convert(domain.vocabulary, Vocabulary | None, from_attributes=True),
        parameter_types=domain.parameter_types,
    )
