"""PDDL through learning, the model file, and planning with the model.

The inputs are those of `pddl`; their bytes choose the method.
"""

from __future__ import annotations

import warnings
from zlib import crc32

from tests.fuzz.checks import as_file, outcome, same
from tests.fuzz.isolated import Isolated
from tests.fuzz.targets import engine, pddl, plan
from tests.fuzz.targets.shown import show
from trailmark.api import learn, load
from trailmark.errors import ExitCode
from trailmark.task import Domain, Task

WORDS = pddl.WORDS
seeds = pddl.seeds
make = pddl.make
one = Isolated("learn")

SECONDS = 0.3
COMPLEXITY = 4
FEATURES = 60
METHODS = ("counter", "chain", "auto", "paper")
ALLOWED = engine.ALLOWED | {ExitCode.NO_GRAPH, ExitCode.TIME_LIMIT}


def direct(data: bytes) -> str:
    return outcome(lambda: _learn(data), ALLOWED)


def _learn(data: bytes) -> None:
    domain, problem = pddl.files(data)
    known = Domain.load(domain)
    task = Task.load(known, problem)
    if not engine.is_small(task):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learned = learn(
            domain,
            [problem],
            "embedded",
            method=METHODS[crc32(data) % len(METHODS)],
            complexity=COMPLEXITY,
            feature_limit=FEATURES,
            time_limit=SECONDS,
        )
    path = as_file(b"", ".json")
    learned.save(path)
    model = load(path, known)
    same(model.model, learned.model, "the model in its file")
    show(model.model)
    plan.check(task, lambda: model.plan(task, complete="lazy", time_limit=SECONDS))
