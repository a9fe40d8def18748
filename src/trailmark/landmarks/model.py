"""The model file: a learned landmark graph with where it came from, as one JSON document.

`model.schema.json` beside this module describes the document. Writing is canonical: the same
model gives the same bytes, and two runs on the same input differ in `times` alone. Reading is in
`modelreader`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Union

from trailmark.errors import InputError, ModelError
from trailmark.features.syntax import Expression
from trailmark.files import write_text
from trailmark.landmarks.estimate import Estimate
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph
from trailmark.landmarks.vocabularyfile import types_document, vocabulary_document
from trailmark.relational import Vocabulary

FORMAT = "trailmark-model"
SCHEMA_VERSION = 1

Scalar = str | int | float | bool | None
Json = Union[Scalar, "list[Json]", "dict[str, Json]"]


@dataclass(frozen=True)
class TrainingRecord:
    """One training trajectory: where it came from, and how it fits the graph."""

    problem: str
    """The problem file's name."""
    problem_sha256: str
    plan: str | None
    """The plan file's name; None where the plan was found while learning."""
    plan_sha256: str | None
    length: int
    """Steps of the plan."""
    passes: tuple[int, ...]
    """The counter of each loop in the initial state."""
    satisfied: bool
    reason: str = ""
    """Why the trajectory does not satisfy the graph."""


@dataclass(frozen=True)
class Candidate:
    """A graph that learning tried, and how planning with it went on the validation instances."""

    graph: str
    """What its landmarks ask for, in short."""
    unsolved: int
    effort: float
    """Generated states, with weights for the plans' steps and for leaps that were hard."""
    steps: int
    chosen: bool


@dataclass(frozen=True)
class Model:
    """What learning makes and planning needs."""

    graph: LandmarkGraph
    domain: str
    """The domain's name."""
    signature: str
    """A hash of the domain's predicates, types and constants: what the features depend on."""
    method: str
    """How the graph was found, as in `chain` or `counter`."""
    training: tuple[TrainingRecord, ...] = ()
    estimate: Estimate | None = None
    options: Mapping[str, Scalar] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of this program and of what it used."""
    times: Mapping[str, float] = field(default_factory=dict)
    """Seconds, by what they were spent on. The only part that differs from run to run."""
    candidates: tuple[Candidate, ...] = ()
    """The best of the graphs that were tried, where the method compares several."""
    vocabulary: Vocabulary | None = None
    """The domain's names, with which the graph is put in words; None where they are not known."""
    parameter_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each predicate the type of every parameter. A goal version may have closer types of its own."""

    def check_domain(self, name: str, signature: str) -> None:
        """Refuse a domain this model was not learned for."""
        if signature == self.signature:
            return
        which = f"for domain {self.domain!r}, not {name!r}"
        if name == self.domain:
            which = f"for another version of domain {name!r}: its predicates, types or constants differ"
        raise ModelError(f"the model is {which}", hint="learn a model for this domain")


def document(model: Model) -> dict[str, Json]:
    """The model as a JSON document."""
    places = model.graph.feature_index
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "domain": {
            "name": model.domain,
            "signature": model.signature,
            "vocabulary": vocabulary_document(model.vocabulary),
            "parameter_types": types_document(model.parameter_types),
        },
        "method": model.method,
        "options": dict(model.options),
        "seed": model.seed,
        "versions": dict(model.versions),
        "features": [str(feature) for feature in model.graph.features],
        "graph": {
            "landmarks": [_landmark(landmark, places) for landmark in model.graph.landmarks],
            "loops": [
                {
                    "source": loop.source,
                    "target": loop.target,
                    "exit": [_descriptor(each, places) for each in loop.exit],
                    "progression": [_progressor(each, places) for each in loop.progression],
                    "counter": [_value(each, places) for each in loop.counter],
                }
                for loop in model.graph.loops
            ],
            "guards": [_descriptor(each, places) for each in model.graph.guards],
        },
        "training": [_record(each) for each in model.training],
        "candidates": [_candidate(each) for each in model.candidates],
        "estimate": None if model.estimate is None else _estimate(model.estimate),
        "times": dict(model.times),
    }


def dumps(model: Model) -> str:
    """The canonical text of the model."""
    try:
        return (
            json.dumps(document(model), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
        )
    except ValueError as error:
        raise InputError(f"the model cannot be written: {error}") from None


def save(model: Model, path: Path) -> None:
    """Write the model file: all or nothing."""
    write_text(path, dumps(model))


def _landmark(each: Landmark, places: Mapping[Expression, int]) -> dict[str, Json]:
    """Possible landmarks and those in branches have a field more, which older programs do not know."""
    found: dict[str, Json] = {
        "descriptors": [_descriptor(descriptor, places) for descriptor in each.descriptors],
        "progressors": [_progressor(progressor, places) for progressor in each.progressors],
    }
    if each.is_possible:
        found["share"] = each.share
    if each.branch is not None:
        found["branch"] = list(each.branch)
    return found


def _descriptor(each: StateDescriptor, places: Mapping[Expression, int]) -> dict[str, Json]:
    return {
        "feature": places[each.feature],
        "positive": each.positive,
        "operator": each.operator,
        "threshold": each.threshold,
    }


def _progressor(each: StateProgressor, places: Mapping[Expression, int]) -> list[Json]:
    return [{"feature": places[link.feature], "decreases": link.decreases} for link in each.chain]


def _value(each: StateValue, places: Mapping[Expression, int]) -> dict[str, Json]:
    return {"feature": places[each.feature], "minus": each.minus}


def _record(each: TrainingRecord) -> dict[str, Json]:
    return {
        "problem": each.problem,
        "problem_sha256": each.problem_sha256,
        "plan": each.plan,
        "plan_sha256": each.plan_sha256,
        "length": each.length,
        "passes": list(each.passes),
        "satisfied": each.satisfied,
        "reason": each.reason,
    }


def _candidate(each: Candidate) -> dict[str, Json]:
    return {
        "graph": each.graph,
        "unsolved": each.unsolved,
        "effort": each.effort,
        "steps": each.steps,
        "chosen": each.chosen,
    }


def _estimate(each: Estimate) -> dict[str, Json]:
    return {
        "base": each.base,
        "per_pass": list(each.per_pass),
        "largest_error": each.largest_error,
        "trajectories": each.trajectories,
    }
