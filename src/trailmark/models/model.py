"""A model: what learning makes and planning needs, with where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trailmark.errors import ModelError
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.models.estimate import Estimate
from trailmark.programs.program import Program
from trailmark.relational import Vocabulary

Scalar = str | int | float | bool | None


@dataclass(frozen=True)
class TrainingRecord:
    """One training trajectory: where it came from, and how it fits the guidance."""

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
    """Why the trajectory does not satisfy the guidance."""


@dataclass(frozen=True)
class Candidate:
    """What learning tried, and how planning with it went on the validation instances."""

    graph: str
    """What it asks for, in short."""
    unsolved: int
    effort: float
    """Generated states, with weights for the plans' steps and for leaps that were hard."""
    steps: int
    chosen: bool


@dataclass(frozen=True)
class Model:
    """What learning makes and planning needs."""

    guidance: LandmarkGraph | Program
    domain: str
    """The domain's name."""
    signature: str
    """A hash of the domain's predicates, types and constants: what the features depend on."""
    method: str
    """How the guidance was found, as in `chain` or `counter`."""
    training: tuple[TrainingRecord, ...] = ()
    estimate: Estimate | None = None
    options: Mapping[str, Scalar] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of this program and of what it used."""
    times: Mapping[str, float] = field(default_factory=dict)
    """Seconds, by what they were spent on. The only part that differs from run to run."""
    candidates: tuple[Candidate, ...] = ()
    """The best of what was tried, where the method compares several."""
    vocabulary: Vocabulary | None = None
    """The domain's names, with which the guidance is put in words; None where they are not known."""
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
