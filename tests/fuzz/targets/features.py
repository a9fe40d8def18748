"""The feature parser: text to expression and back, in words, checked against a domain, evaluated."""

from __future__ import annotations

from random import Random

from tests.fuzz.checks import as_file, outcome, same
from tests.fuzz.targets import grammar
from tests.fuzz.targets.examples import domain, task
from trailmark.features.batch import evaluate
from trailmark.features.incremental.evaluation import bind
from trailmark.features.states import state_batch
from trailmark.features.syntax import Expression, Kind
from trailmark.features.text import check, parse
from trailmark.files import read_text
from trailmark.landmarks.functions import StateDescriptor, StateProgressor
from trailmark.report.words import Words

WORDS = grammar.WORDS


def one(data: bytes) -> str:
    return outcome(lambda: _read(read_text(as_file(data), "feature")))


def _read(text: str) -> None:
    found = parse(text, "input")
    same(parse(str(found)), found, "feature to text and back")
    Words().value(found)
    if found.kind in (Kind.BOOLEAN, Kind.NUMERICAL):
        Words().descriptor(StateDescriptor(found))
        Words().progressor(StateProgressor(found))
    vocabulary = domain().vocabulary
    Words(vocabulary, domain().parameter_types).value(found)
    check(found, vocabulary)
    _evaluate(found)


def _evaluate(found: Expression) -> None:
    """Both evaluators give the same value in the initial state."""
    if found.kind not in (Kind.BOOLEAN, Kind.NUMERICAL):
        return
    state = task().initial_interpretation
    values = evaluate([found], state_batch([(task().structure, [state])])).values
    started = bind([found], task().structure).start(state)
    same(list(started.values), values[:, 0].tolist(), "incremental and batched values")


def seeds() -> list[bytes]:
    chance = Random(0)
    return [make(chance) for _ in range(20)]


def make(chance: Random) -> bytes:
    return grammar.feature(chance).encode()
