"""Model files: read, written, read again, and shown."""

from __future__ import annotations

import json
from functools import cache
from random import Random

from tests.fuzz.checks import as_file, outcome, same
from tests.fuzz.targets import grammar, graphs, recipes
from tests.fuzz.targets.examples import domain
from tests.fuzz.targets.shown import show
from trailmark.api import load
from trailmark.errors import TrailmarkError
from trailmark.models.document import dumps
from trailmark.models.model import Estimate, Model, TrainingRecord
from trailmark.models.reading import loads
from trailmark.programs.program import parse_guidance

WORDS = (
    *grammar.WORDS, "null", "true", "false", '"format"', '"trailmark-model"', '"schema_version"', "{", "}",
    "[",
    "]", ":", ",", "NaN", "Infinity", "\\ud800", "\\u0000", '"guidance"', '"program"', '"feature"', ">", ">=",
)  # fmt: skip


def one(data: bytes) -> str:
    path = as_file(data, ".json")
    return outcome(lambda: _read(load(path).model))


def _read(model: Model) -> None:
    text = dumps(model)
    again = loads(text)
    same(again, model, "model to text and back")
    same(dumps(again), text, "the canonical text")
    show(model)


@cache
def _example() -> str:
    guidance = parse_guidance(graphs.seeds()[0].decode())
    record = TrainingRecord("t1.pddl", "0" * 64, "t1.plan", "1" * 64, 7, (2,) * len(guidance.repeated), True)
    return dumps(
        Model(
            guidance,
            "delivery",
            domain().signature,
            "chain",
            (record,),
            Estimate(1.0, (2.5,) * len(guidance.repeated), 0.5, 5),
            {"complexity": 9, "rules": "phi1", "share": 0.5, "none": None, "loops": True},
            vocabulary=domain().vocabulary,
            parameter_types=domain().parameter_types,
            times={"total_s": 1.5},
        )
    )


def seeds() -> list[bytes]:
    return [_example().encode(), _with_recipes().encode()]


@cache
def _with_recipes() -> str:
    program = recipes.program()
    return dumps(Model(program, "delivery", domain().signature, "counter", vocabulary=domain().vocabulary))


def make(chance: Random) -> bytes:
    """The example with another guidance."""
    document = json.loads(_example())
    while True:
        try:
            guidance = parse_guidance(graphs.make(chance).decode())
        except TrailmarkError:
            continue
        break
    other = json.loads(dumps(Model(guidance, "d", "", "text")))
    loops = len(guidance.repeated)
    document["features"], document["guidance"] = other["features"], other["guidance"]
    if "counters" in document["guidance"]:
        document["guidance"]["recipes"] = json.loads(recipes.make(chance))["recipes"]
    if chance.random() < 0.7:
        document["domain"]["vocabulary"] = None
    document["training"][0]["passes"] = [1] * loops
    document["estimate"]["per_pass"] = [0.5] * loops
    return json.dumps(document).encode()
