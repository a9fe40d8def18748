"""Reading a model file: everything is checked, nothing is executed.

The file may be damaged, made by a newer version, or made to do harm. Whatever is wrong ends in one
`ModelError` that names the place in the document, as in `graph.landmarks[2].descriptors[0]`.
"""

from __future__ import annotations

from pathlib import Path

from trailmark.errors import FeatureError, ModelError, Place
from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.landmarks.estimate import Estimate
from trailmark.landmarks.functions import (
    LARGEST_THRESHOLD,
    StateDescriptor,
    StateProgressor,
    StateValue,
)
from trailmark.landmarks.graph import NECESSARY, Landmark, LandmarkGraph, Loop
from trailmark.landmarks.jsoncheck import Node, parse_json
from trailmark.landmarks.located import located
from trailmark.landmarks.model import FORMAT, SCHEMA_VERSION, Candidate, Model, Scalar, TrainingRecord
from trailmark.landmarks.vocabularyfile import read_types, read_vocabulary

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes. A model of hundreds of landmarks is far below one megabyte."""
MOST_ENTRIES = 10_000
"""The longest list or object in a document."""
MOST_LANDMARKS = 1_000
MOST_LINKS = 16
"""The longest lexicographic progressor."""
LONGEST_FEATURE = 20_000
LONGEST_TEXT = 10_000
LARGEST_COUNT = 2**53
"""Integers up to here survive any JSON reader."""

_FIELDS = (
    "format",
    "schema_version",
    "domain",
    "method",
    "options",
    "seed",
    "versions",
    "features",
    "graph",
    "training",
    "candidates",
    "estimate",
    "times",
)
_RECORD_FIELDS = (
    "problem",
    "problem_sha256",
    "plan",
    "plan_sha256",
    "length",
    "passes",
    "satisfied",
    "reason",
)


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
    root = Node(parse_json(text, source), source)
    if not isinstance(root.value, dict) or root.value.get("format") != FORMAT:
        raise ModelError("not a Trailmark model", place=Place(source), hint="`trailmark learn -o` writes one")
    version = Node(root.value.get("schema_version"), source, "schema_version").integer(1, LARGEST_COUNT)
    if version > SCHEMA_VERSION:
        raise ModelError(
            f"the model has schema version {version}, this program reads up to {SCHEMA_VERSION}",
            place=Place(source),
            hint="use a newer Trailmark, or learn the model again",
        )
    fields = root.object(_FIELDS)
    domain = fields["domain"].object(["name", "signature", "vocabulary", "parameter_types"])
    features = [_feature(each) for each in fields["features"].array(MOST_ENTRIES)]
    if len(set(features)) < len(features):
        raise fields["features"].error("a feature is listed twice")
    graph = _graph(fields["graph"], features)
    loops = len(graph.loops)
    return Model(
        graph=graph,
        domain=domain["name"].text(LONGEST_TEXT),
        signature=domain["signature"].text(LONGEST_TEXT),
        method=fields["method"].text(LONGEST_TEXT),
        training=tuple(_record(each, loops) for each in fields["training"].array(MOST_ENTRIES)),
        candidates=tuple(_candidate(each) for each in fields["candidates"].array(MOST_ENTRIES)),
        estimate=None if fields["estimate"].value is None else _estimate(fields["estimate"], loops),
        options={key: _scalar(each) for key, each in fields["options"].mapping(MOST_ENTRIES).items()},
        seed=fields["seed"].integer(0, LARGEST_COUNT),
        versions={
            key: each.text(LONGEST_TEXT) for key, each in fields["versions"].mapping(MOST_ENTRIES).items()
        },
        times={key: each.number(0) for key, each in fields["times"].mapping(MOST_ENTRIES).items()},
        vocabulary=read_vocabulary(domain["vocabulary"]),
        parameter_types=read_types(domain["parameter_types"]),
    )


def _feature(node: Node) -> Expression:
    try:
        return parse(node.text(LONGEST_FEATURE), node.path)
    except FeatureError as error:
        raise node.error(f"not a feature: {error.message}") from None


def _graph(node: Node, features: list[Expression]) -> LandmarkGraph:
    fields = node.object(["landmarks", "loops", "guards"])
    landmarks = [_landmark(each, features) for each in fields["landmarks"].array(MOST_LANDMARKS)]
    loops = [_loop(each, features) for each in fields["loops"].array(MOST_LANDMARKS)]
    guards = [_descriptor(each, features) for each in fields["guards"].array(MOST_ENTRIES)]
    with located(node.error):
        return LandmarkGraph(tuple(landmarks), tuple(loops), tuple(guards))


def _landmark(node: Node, features: list[Expression]) -> Landmark:
    fields = node.object(["descriptors", "progressors"], ["share", "branch"])
    descriptors = [_descriptor(each, features) for each in fields["descriptors"].array(MOST_ENTRIES)]
    progressors = [_progressor(each, features) for each in fields["progressors"].array(MOST_ENTRIES)]
    share = fields["share"].integer(1, NECESSARY) if "share" in fields else NECESSARY
    branch = _branch(fields["branch"]) if "branch" in fields else None
    with located(node.error):
        return Landmark(tuple(descriptors), tuple(progressors), share, branch)


def _branch(node: Node) -> tuple[int, int]:
    numbers = node.array(2)
    if len(numbers) != 2:
        raise node.wrong("the numbers of a group and of an alternative")
    group, alternative = (each.integer(1, MOST_LANDMARKS) for each in numbers)
    return group, alternative


def _loop(node: Node, features: list[Expression]) -> Loop:
    fields = node.object(["source", "target", "exit", "progression", "counter"])
    source, target = fields["source"].integer(0, MOST_LANDMARKS), fields["target"].integer(0, MOST_LANDMARKS)
    exits = tuple(_descriptor(each, features) for each in fields["exit"].array(MOST_ENTRIES))
    progression = tuple(_progressor(each, features) for each in fields["progression"].array(MOST_ENTRIES))
    counter = tuple(_value(each, features) for each in fields["counter"].array(MOST_ENTRIES))
    with located(node.error):
        return Loop(source, target, exits, progression, counter)


def _descriptor(node: Node, features: list[Expression]) -> StateDescriptor:
    fields = node.object(["feature", "positive", "operator", "threshold"])
    feature, positive = _chosen(fields["feature"], features), fields["positive"].boolean()
    comparison = fields["operator"].text(2)
    threshold = fields["threshold"].integer(0, LARGEST_THRESHOLD)
    with located(node.error):
        return StateDescriptor(feature, positive, comparison, threshold)


def _progressor(node: Node, features: list[Expression]) -> StateProgressor:
    links = [each.object(["feature", "decreases"]) for each in node.array(MOST_LINKS)]
    if not links:
        raise node.error("a progressor needs a feature")
    made: StateProgressor | None = None
    with located(node.error):
        for link in reversed(links):
            made = StateProgressor(_chosen(link["feature"], features), link["decreases"].boolean(), made)
    assert made is not None  # there is at least one link
    return made


def _value(node: Node, features: list[Expression]) -> StateValue:
    fields = node.object(["feature", "minus"])
    feature, minus = _chosen(fields["feature"], features), fields["minus"].integer(0, LARGEST_THRESHOLD)
    with located(node.error):
        return StateValue(feature, minus)


def _chosen(node: Node, features: list[Expression]) -> Expression:
    if not features:
        raise node.error("there are no features to refer to")
    return features[node.integer(0, len(features) - 1)]


def _record(node: Node, loops: int) -> TrainingRecord:
    fields = node.object(_RECORD_FIELDS)
    passes = fields["passes"].array(loops)
    if len(passes) != loops:
        raise fields["passes"].error(f"expected a number for each of {loops} loops")
    return TrainingRecord(
        problem=fields["problem"].text(LONGEST_TEXT),
        problem_sha256=fields["problem_sha256"].text(LONGEST_TEXT),
        plan=_optional_text(fields["plan"]),
        plan_sha256=_optional_text(fields["plan_sha256"]),
        length=fields["length"].integer(0, LARGEST_COUNT),
        passes=tuple(each.integer(0, LARGEST_COUNT) for each in passes),
        satisfied=fields["satisfied"].boolean(),
        reason=fields["reason"].text(LONGEST_TEXT),
    )


def _candidate(node: Node) -> Candidate:
    fields = node.object(["graph", "unsolved", "effort", "steps", "chosen"])
    return Candidate(
        graph=fields["graph"].text(LONGEST_TEXT),
        unsolved=fields["unsolved"].integer(0, LARGEST_COUNT),
        effort=fields["effort"].number(0),
        steps=fields["steps"].integer(0, LARGEST_COUNT),
        chosen=fields["chosen"].boolean(),
    )


def _estimate(node: Node, loops: int) -> Estimate:
    fields = node.object(["base", "per_pass", "largest_error", "trajectories"])
    slopes = fields["per_pass"].array(loops)
    if len(slopes) != loops:
        raise fields["per_pass"].error(f"expected a number for each of {loops} loops")
    return Estimate(
        base=fields["base"].number(),
        per_pass=tuple(each.number() for each in slopes),
        largest_error=fields["largest_error"].number(0),
        trajectories=fields["trajectories"].integer(1, LARGEST_COUNT),
    )


def _optional_text(node: Node) -> str | None:
    return None if node.value is None else node.text(LONGEST_TEXT)


def _scalar(node: Node) -> Scalar:
    value = node.value
    if isinstance(value, (bool, type(None))):
        return value
    if isinstance(value, str):
        return node.text(LONGEST_TEXT)
    if type(value) is int:
        return node.integer(-LARGEST_COUNT, LARGEST_COUNT)
    return node.number()
