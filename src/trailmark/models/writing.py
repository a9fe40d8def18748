"""Writing a model file. It is canonical: the same model gives the same bytes, and two runs on the same
input differ in `times` alone.

The data classes have the fields that the document has, so that they are written as they are; a feature
is written as its place among the features.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from trailmark.errors import InputError
from trailmark.files import write_text
from trailmark.landmarks.graph import NECESSARY, LandmarkGraph
from trailmark.models.document import FORMAT, GRAPH, PROGRAM, SCHEMA_VERSION
from trailmark.models.model import Model


def dumps(model: Model) -> str:
    """The canonical text of the model."""
    places = model.guidance.feature_index
    # Features stand there by their place, and concepts of recipes in full.
    content = to_builtins(_document(model), enc_hook=lambda known: places.get(known, str(known)))
    for landmark in content["guidance"].get("landmarks", ()):
        _leave_out_defaults(landmark)
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
    }


def _fields(guidance: Any) -> dict[str, Any]:
    return {name: getattr(guidance, name) for name in guidance.__dataclass_fields__}


def _leave_out_defaults(landmark: dict[str, Any]) -> None:
    """Only possible landmarks have a share, and only those in branches a branch."""
    if landmark["share"] == NECESSARY:
        del landmark["share"]
    if landmark["branch"] is None:
        del landmark["branch"]
