"""Models: a guidance with where it came from, its estimate of plan length, and the model file."""

from trailmark.models.document import dumps, save
from trailmark.models.model import (
    Candidate,
    Estimate,
    Expectation,
    Model,
    TrainingRecord,
    expect,
    fit_estimate,
)  # fmt: skip
from trailmark.models.reading import loads

__all__ = [
    "Candidate", "Estimate", "Expectation", "Model", "TrainingRecord", "dumps", "expect", "fit_estimate",
    "loads", "save",
]  # fmt: skip
