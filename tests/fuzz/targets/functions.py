"""Files of state functions that a user writes."""

from __future__ import annotations

from random import Random

from tests.fuzz.checks import as_file, outcome, same
from tests.fuzz.targets import grammar
from trailmark.discovery.functions import parse_functions
from trailmark.files import read_text
from trailmark.landmarks.functions import OPERATORS

WORDS = (
    *grammar.WORDS, *OPERATORS, "descriptor ", "progressor ", "value ", "decreases ", "increases ", " then ",
    "not ", " - 1", "name: ", "#", "\n", ":",
)  # fmt: skip


def one(data: bytes) -> str:
    return outcome(lambda: _read(read_text(as_file(data), "state functions")))


def _read(text: str) -> None:
    found = parse_functions(text, "input")
    written = "\n".join(
        [
            *(f"descriptor {each}" for each in found.descriptors),
            *(f"progressor {each}" for each in found.progressors),
            *(f"value {each}" for each in found.values),
        ]
    )
    again = parse_functions(written)
    same(again.descriptors, found.descriptors, "descriptors to text and back")
    same(again.progressors, found.progressors, "progressors to text and back")
    same(again.values, found.values, "values to text and back")
    same(set(again.features), set(found.features), "features of the functions")


def seeds() -> list[bytes]:
    chance = Random(0)
    return [make(chance) for _ in range(10)]


def make(chance: Random) -> bytes:
    return "\n".join(line(chance) for _ in range(chance.randint(1, 5))).encode()


def line(chance: Random) -> str:
    """One function, of any kind."""
    numerical = grammar.feature(chance, numerical=True)
    name = chance.choice(["", "", "served: ", "a.b-c : "])
    kinds = (
        grammar.feature(chance),
        f"descriptor {descriptor(chance)}",
        f"progressor {progressor(chance)}",
        f"value {numerical}{chance.choice(['', ' - 1'])}",
    )
    return name + chance.choice(kinds)


def descriptor(chance: Random) -> str:
    if chance.random() < 0.5:
        return chance.choice(["", "not "]) + grammar.feature(chance)
    operator = chance.choice(list(OPERATORS))
    return f"{grammar.feature(chance, numerical=True)} {operator} {chance.randint(0, 3)}"


def progressor(chance: Random) -> str:
    return f"{chance.choice(['decreases', 'increases'])} {grammar.feature(chance, numerical=True)}"
