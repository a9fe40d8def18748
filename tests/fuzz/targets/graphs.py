"""Landmark graphs and programs in text: read, written, and shown in every form."""

from __future__ import annotations

from importlib.resources import files
from random import Random

from tests.fuzz.checks import as_file, outcome, same
from tests.fuzz.targets import functions, grammar
from tests.fuzz.targets.shown import show
from tests.landmarks.written import print_graph, print_program
from trailmark.files import read_text
from trailmark.models.model import Model
from trailmark.programs.program import Program, parse_guidance

WORDS = (
    *functions.WORDS, "landmark", "landmark 1", "loop 2 -> 1", "guard ", "exit ", "progress ", "counter ",
    "->", "then ",
)  # fmt: skip


def one(data: bytes) -> str:
    return outcome(lambda: _read(read_text(as_file(data), "landmark graph")))


def _read(text: str) -> None:
    guidance = parse_guidance(text, "input")
    written = print_program(guidance) if isinstance(guidance, Program) else print_graph(guidance)
    same(parse_guidance(written), guidance, "guidance to text and back")
    show(Model(guidance, "input", "", "text"))


def seeds() -> list[bytes]:
    folder = files("trailmark.bench") / "graphs"
    return [*(each.read_bytes() for each in folder.iterdir()), _program(Random(0))]


def make(chance: Random) -> bytes:
    return _program(chance) if chance.random() < 0.4 else _graph(chance)


def _graph(chance: Random) -> bytes:
    lines = []
    count = chance.randint(1, 4)
    for number in range(1, count + 1):
        lines.append(chance.choice([f"landmark {number}", "landmark"]))
        lines += [functions.descriptor(chance) for _ in range(chance.randint(1, 2))]
    for source in range(2, count + 1):
        if chance.random() < 0.4:
            lines.append(f"loop {source} -> {chance.randint(1, source - 1)}")
            lines.append(f"exit {functions.descriptor(chance)}")
            lines.append(f"progress {functions.progressor(chance)}")
            lines.append(f"counter {grammar.feature(chance, numerical=True)}")
    return "\n".join(lines).encode()


def _program(chance: Random) -> bytes:
    lines = []
    for _ in range(chance.randint(1, 3)):
        lines.append(f"counter {grammar.feature(chance, numerical=True)}{chance.choice(['', ' - 1'])}")
        lines += [
            f"then {grammar.feature(chance, numerical=True)}" for _ in range(chance.choice([0, 0, 1, 2]))
        ]
    if chance.random() < 0.3:
        lines.append(f"guard {functions.descriptor(chance)}")
    return "\n".join(lines).encode()
