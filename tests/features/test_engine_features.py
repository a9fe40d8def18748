"""Features against pymimir's own description-logic evaluator, on every constructor the two share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

COMPARE = """
import random, sys
from dataclasses import replace
sys.path[:0] = ["benchmarks", "."]
from engine_features import CONCEPTS, Engine
from incremental_features import Delivery, walk
from tests.oracles.bruteforce import evaluate
from trailmark.features.incremental.evaluation import bind
from trailmark.features.syntax import CONSTRUCTORS, INFINITE, Kind, expression
from trailmark.relational import Interpretation

seed = int(sys.argv[1])
rng = random.Random(seed)
ROLES = ["at", "carrying", "adjacent", "at_g"]
SETS = [("empty", 0), ("truck", 0), ("package", 0), ("cell", 0)]
SHARED = [name for name in CONCEPTS if name[0] in "cr"] + ["c_one_of"]
used = set()

def make(kind, depth):
    if depth == 0:
        if kind is Kind.ROLE:
            return expression("r_primitive", rng.choice(ROLES), 0, 1)
        return expression("c_primitive", *rng.choice(SETS))
    rules = [CONSTRUCTORS[name] for name in SHARED if CONSTRUCTORS[name].makes is kind]
    rule = rng.choice(rules)
    used.add(rule.name)
    if rule.name == "c_one_of":
        return expression("c_one_of", "c0")
    return expression(rule.name, *(make(each, rng.randrange(depth)) for each in rule.takes))

features = []
for _ in range(60):
    kind = rng.choice([Kind.CONCEPT, Kind.ROLE])
    features.append(expression("n_count", make(kind, rng.randint(1, 3))))
for _ in range(10):
    features.append(expression("b_nonempty", make(rng.choice([Kind.CONCEPT, Kind.ROLE]), 2)))
    parts = make(Kind.CONCEPT, 1), expression("r_primitive", "adjacent", 0, 1), make(Kind.CONCEPT, 1)
    features.append(expression("n_concept_distance", *parts))
task = Delivery(3, 2, rng)
families = walk(task, 4)
native = Engine(task.structure, task.goal, task.state, features)
structure = replace(task.structure, vocabulary=replace(task.structure.vocabulary, constants=("c0",)))
evaluator = bind(features, structure)
compared = 0
states = {task.state}
for children in families:
    for child in children:
        states.add(child.state)
for atoms in sorted(states, key=sorted)[:12]:
    # Both have a largest number for "no path", ours is the smaller one.
    theirs = [min(value, INFINITE) for value in native.values(native.state(atoms))]
    ours = evaluator.start(Interpretation(atoms)).values
    for feature, a, b in zip(features, ours, theirs, strict=True):
        c = int(evaluate(feature, structure, Interpretation(atoms)))
        if not a == c == b:
            sys.exit(f"{feature}: incremental {a}, brute force {c}, pymimir {b}")
        compared += 1
print(compared, len(SHARED), " ".join(sorted(used)))
"""


@pytest.mark.slow
def test_values_are_those_of_pymimir_on_shared_constructors() -> None:
    """All that the two share but nullary predicates; every constructor is met in some feature."""
    used: set[str] = set()
    for seed in range(6):
        command = [sys.executable, "-c", COMPARE, str(seed)]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode == 0, ended.stderr[-500:]
        compared, shared, *names = ended.stdout.split()
        assert int(compared) > 100
        used.update(names)
    assert len(used) == int(shared)
