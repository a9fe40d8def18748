"""Reading the MODEL argument: a model file, a hand-written graph, or `none`."""

from __future__ import annotations

from trailmark.api import load
from trailmark.landmarks import Model
from trailmark.task import Domain

NONE = "none"


def read_model(argument: str, domain: Domain | None = None) -> Model | None:
    """The model of a file, checked against the domain; None for the word `none`."""
    return None if argument == NONE else load(argument, domain).model
