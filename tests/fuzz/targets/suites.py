"""Suites of the benchmark: TOML files."""

from __future__ import annotations

from importlib.resources import files
from random import Random

from tests.fuzz.checks import as_file, outcome
from trailmark.bench.suitefile import load_suite

WORDS = (
    "title", "notes", "[limits]", "[learners.x]", "[planners.x]", "[[parts]]", "[parts]", "=", '"all"', '"',
    "'''",
    '"""', "true", "[", "]", "{", "}", "{ width = 5 }", "learn-seconds", "plan-seconds", "megabytes",
    "method",
    "config", "complexity", "seed", "training", "plans", "set", "kind", "command", "alias", "graph",
    "domains",
    "tests", "sizes", "tables", "figures", "baseline", "lama-graph", "own", "1979-05-27", "07:32:00", "0o7",
    "inf",
    "nan", '["auto", "paper"]', "'{domain} {problem} {plan}'", "a.b.c", ",", "#",
)  # fmt: skip

_VALUES = ('"x"', "1", "1.5", "true", "[1, 2]", '["a*"]', "[]", "{ a = 1 }", "1979-05-27")
_TABLES = ("limits", "learners.a", "learners.b", "planners.p", "planners.q", "[parts]", "[parts]")


def one(data: bytes) -> str:
    path = as_file(data, ".toml")
    return outcome(lambda: load_suite(str(path)))


def seeds() -> list[bytes]:
    folder = files("trailmark.bench") / "suites"
    return [each.read_bytes() for each in folder.iterdir()]


def make(chance: Random) -> bytes:
    """Tables with keys that suites have, and values of any type."""
    keys = [word for word in WORDS if word.replace("-", "").isalpha()]
    lines = []
    for table in chance.sample(_TABLES, k=chance.randint(1, len(_TABLES))):
        lines.append(f"[{table}]")
        lines += [
            f"{key} = {chance.choice(_VALUES)}"
            for key in dict.fromkeys(chance.choices(keys, k=chance.randint(0, 4)))
        ]
    return "\n".join(lines).encode()
