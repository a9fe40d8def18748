"""Our own PDDL reader and all that is made from it without the engine.

An input is a domain, a line of `;;;;`, and a problem.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from tests.fuzz.checks import as_file, outcome
from tests.task.random_pddl import random_task
from trailmark import domains
from trailmark.errors import ExitCode
from trailmark.task import Domain, Plan, Task, canonical, validate
from trailmark.task.executor import Executor
from trailmark.task.lifted.generator import LiftedGenerator
from trailmark.task.lifted.schema import unsupported

SEPARATOR = b"\n;;;;\n"
WORDS = (
    "(", ")", "()", "?x", "?y - object", "- ", "and", "or", "not", "imply", "exists (?z)", "forall (?z)",
    "when",
    "=", "<", ">=", "+", "-", "*", "/", "increase", "decrease", "assign", "scale-up", "scale-down",
    "total-cost",
    "(total-cost)", "(either object object)", "object", "number", ":requirements", ":types", ":constants",
    ":predicates", ":functions", ":derived", ":action", ":parameters", ":precondition", ":effect", ":init",
    ":goal",
    ":objects", ":metric minimize", ":domain", "define", "domain", "problem", "(and)", "(or)", "(not (and))",
    "(= 1 1)", "(:derived (p ?x) (p ?x))", ";", "\n;;;;\n", ":adl", ":durative-actions", "at-start",
)  # fmt: skip

SMALL_TASK = 200
"""Only tasks of fewer objects are taken further than reading."""


def one(data: bytes) -> str:
    return outcome(lambda: _use(read(data)), frozenset((ExitCode.TIME_LIMIT,)))


def read(data: bytes) -> Task:
    domain, problem = files(data)
    return Task.load(Domain.load(domain), problem)


def files(data: bytes) -> tuple[Path, Path]:
    domain, _, problem = data.partition(SEPARATOR)
    return as_file(domain, ".domain.pddl"), as_file(problem, ".problem.pddl")


def _use(task: Task) -> None:
    if len(task.object_types) > SMALL_TASK:
        return
    assert task.goal is not None
    assert task.initial_atoms is not None
    canonical.engine_texts(task.domain.model, task.model, task.object_types)
    validate(task, Plan(()))
    Executor(task).initial()
    if unsupported(task) is None:
        LiftedGenerator(task).applicable()


@cache
def _folders() -> tuple[Path, ...]:
    base = Path(__file__).parents[2] / "pddl"
    return tuple(sorted(path.parent for path in base.glob("*/problem.pddl")))


def seeds() -> list[bytes]:
    """The project's small files of every feature of PDDL, and one training task of each domain."""
    found = [
        (folder / "domain.pddl").read_bytes() + SEPARATOR + (folder / "problem.pddl").read_bytes()
        for folder in _folders()
    ]
    pairs = ((domains.domain_text(name), domains.train_problems(name)[0]) for name in domains.names())
    return found + [domain.encode() + SEPARATOR + problem.encode() for domain, problem in pairs]


def make(chance: Random) -> bytes:
    domain, problem = random_task(chance)
    return domain.encode() + SEPARATOR + problem.encode()
