"""A model: what learning makes and planning needs, with where it came from, and what its counters expect. And
the strict JSON of its file, read into typed structures with the place of every error.

The loop counters are an estimate of an instance's size and plan length (paper, end of Section 3.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from trailmark.errors import InputError, ModelError, Place
from trailmark.landmarks.functions import Guidance, Valuation
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.programs.program import Program
from trailmark.relational import Vocabulary

if TYPE_CHECKING:
    from trailmark.models.practice import Practice

LARGEST_COUNT = 2**53
"""Integers up to here survive any JSON reader."""
MOST_ENTRIES = 10_000

Text = Annotated[str, Meta(max_length=10_000)]
Count = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
many = Meta(max_length=MOST_ENTRIES)


class Entry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An object of the document: exactly its fields, of exactly these types."""


DECIMALS = 6
"""Coefficients are rounded, so that a model file does not depend on the last bits of an arithmetic."""


Amount = Annotated[float, Meta(ge=0)]


class Estimate(Entry, frozen=True, kw_only=False):
    """How plan length grew with the counters in training: `base + Σ per_pass · passes`, least squares."""

    base: float
    per_pass: Annotated[tuple[float, ...], many]
    """Steps a pass, for each loop."""
    largest_error: Amount
    """By how many steps a training plan differs at most."""
    trajectories: Annotated[int, Meta(ge=1, le=LARGEST_COUNT)]


@dataclass(frozen=True)
class Expectation:
    """What the counters say of a new instance."""

    passes: tuple[int, ...]
    """For each loop how often its landmark is to be achieved."""
    length: int | None
    """The expected plan length; None where the model holds no estimate."""


def fit_estimate(counts: Sequence[Sequence[int]], lengths: Sequence[int]) -> Estimate:
    """Fit plan lengths to the counters of the training trajectories, in the same order.

    A pass never takes fewer than no steps: counters that the fit would give less are left out of it,
    the least one first.
    """
    import numpy as np  # learning alone fits estimates, and planning starts faster without it

    table = np.array([[1, *passes] for passes in counts], dtype=np.float64)
    steps = np.array(lengths, dtype=np.float64)
    used = list(range(table.shape[1]))
    solution = np.zeros(len(used))
    while True:
        solution[:] = 0
        solution[used] = np.linalg.lstsq(table[:, used], steps, rcond=None)[0]
        least = min(used[1:], key=lambda place: solution[place], default=0)
        if least == 0 or solution[least] >= 0:
            break
        used.remove(least)
    error = float(np.abs(table @ solution - steps).max())
    base, *slopes = (_rounded(float(coefficient)) for coefficient in solution)
    return Estimate(base, tuple(slopes), _rounded(error), len(lengths))


def expect(guidance: Guidance, estimate: Estimate | None, initial: Valuation) -> Expectation:
    """Expected passes and plan length for an instance with this initial valuation."""
    counts = guidance.passes(initial)
    if estimate is None:
        return Expectation(counts, None)
    length = estimate.base + sum(
        slope * count for slope, count in zip(estimate.per_pass, counts, strict=True)
    )
    return Expectation(counts, max(0, round(length)))


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # turns -0.0 into 0.0


Scalar = str | int | float | bool | None


class TrainingRecord(Entry, frozen=True, kw_only=False):
    """One training trajectory: where it came from, and how it fits the guidance."""

    problem: Text
    """The problem file's name."""
    problem_sha256: Text
    plan: Text | None
    """The plan file's name; None where the plan was found while learning."""
    plan_sha256: Text | None
    length: Count
    """Steps of the plan."""
    passes: Annotated[tuple[Count, ...], many]
    """The counter of each loop in the initial state."""
    satisfied: bool
    reason: Text = ""
    """Why the trajectory does not satisfy the guidance."""


class Candidate(Entry, frozen=True, kw_only=False):
    """What learning tried, and how planning with it went on the validation instances."""

    graph: Text
    """What it asks for, in short."""
    unsolved: Count
    effort: Amount
    """Generated states, with weights for the plans' steps and for leaps that were hard."""
    steps: Count
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
    practice: Practice | None = None
    """How training plans make the passes of a program; None for landmark graphs and in older files."""

    def check_domain(self, name: str, signature: str) -> None:
        """Refuse a domain this model was not learned for."""
        if signature == self.signature:
            return
        which = f"for domain {self.domain!r}, not {name!r}"
        if name == self.domain:
            which = f"for another version of domain {name!r}: its predicates, types or constants differ"
        raise ModelError(f"the model is {which}", hint="learn a model for this domain")


LONGEST_MESSAGE = 300
Kind = TypeVar("Kind")
_BYTE = re.compile(r" \(byte (\d+)\)")


def parse_json(text: str, source: str) -> object:
    """The document in this text, or a `ModelError`."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        found = _BYTE.search(str(error))
        before = text.encode(errors="replace")[: int(found[1])].decode(errors="ignore") if found else ""
        place = Place.within(text, len(before), source) if found else Place(source)
        message = _one_line(_BYTE.sub("", str(error)).partition(" - at")[0])
        raise ModelError(f"not a valid JSON document: {message}", place=place) from None
    except RecursionError:
        raise ModelError("not a valid document: nested too deeply", place=Place(source)) from None


def typed(
    document: object,
    kind: type[Kind],
    source: str,
    path: str = "",
    made: Callable[[type, Any], Any] | None = None,
) -> Kind:
    """The document, or the part of one at this path, as such a structure; a `ModelError` names the place in
    it, as in `features[2]`. `made` makes what msgspec cannot make."""
    try:
        return msgspec.convert(document, kind, dec_hook=made)
    except msgspec.ValidationError as error:
        # As in "Expected `int` >= 0 - at `$.seed`".
        what, _, inner = str(error).partition(" - at `$")
        where = f"{path}{inner.rstrip('`')}".lstrip(".")
        if isinstance(error.__cause__, InputError):
            raise place_error(source, where, error.__cause__.message, error.__cause__.hint) from None
        raise place_error(source, where, what[:1].lower() + what[1:].replace("`", "")) from None


def place_error(source: str, path: str, message: str, hint: str | None = None) -> ModelError:
    """What is wrong at this place of the document."""
    where = f"{path}: " if path else ""
    return ModelError(_one_line(f"{where}{message}"), place=Place(source), hint=hint)


def _one_line(message: str) -> str:
    """Text of a document in a message: without control characters, and not too long."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in message)
    return shown if len(shown) <= LONGEST_MESSAGE else shown[:LONGEST_MESSAGE] + "…"
