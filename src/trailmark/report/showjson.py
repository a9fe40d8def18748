"""A landmark graph in words as a JSON document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trailmark.report.outline import LandmarkOutline, Outline
from trailmark.report.words import Part


def outline_json(told: Outline) -> dict[str, Any]:
    """Each landmark with its phrases and formulas, loops, guards, and how the graph was learned."""
    model = told.model
    return {
        "status": "shown",
        "domain": model.domain,
        "method": model.method,
        "landmarks": [_landmark(each) for each in told.landmarks],
        "guards": _parts(told.guards),
        "expected_length": told.estimate(),
        "training": [
            {
                "problem": each.problem,
                "length": each.length,
                "passes": list(each.passes),
                "satisfied": each.satisfied,
                "reason": each.reason,
            }
            for each in model.training
        ],
    }


def _landmark(landmark: LandmarkOutline) -> dict[str, Any]:
    loop = landmark.loop
    return {
        "number": landmark.number,
        "summary": landmark.summary,
        "parts": _parts(landmark.parts),
        **({"share": landmark.share} if landmark.is_possible else {}),
        **({"branch": list(branch)} if (branch := landmark.branch) is not None else {}),
        "loop": None
        if loop is None
        else {
            "target": loop.target + 1,
            "until": _parts(loop.words.exit),
            "each_time": _parts(loop.words.progress),
            "passes": _parts(loop.words.counter),
        },
    }


def _parts(parts: Iterable[Part]) -> list[dict[str, Any]]:
    return [
        {
            "phrase": part.phrase,
            "formula": part.formula,
            "shown": part.shown,
            **({"inside_a_pass": list(part.inner)} if part.inner else {}),
        }
        for part in parts
    ]
