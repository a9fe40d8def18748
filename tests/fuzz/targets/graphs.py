"""Landmark graphs in text: read, written, and shown in every form."""

from __future__ import annotations

from importlib.resources import files
from random import Random

from tests.fuzz.checks import as_file, outcome, same
from tests.fuzz.targets import functions, grammar
from tests.fuzz.targets.shown import show
from trailmark.files import read_text
from trailmark.landmarks import Model, parse_graph, print_graph

WORDS = (
    *functions.WORDS, "landmark", "landmark 1", "loop 2 -> 1", "guard ", "exit ", "progress ", "counter ",
    "->",
)  # fmt: skip


def one(data: bytes) -> str:
    return outcome(lambda: _read(read_text(as_file(data), "landmark graph")))


def _read(text: str) -> None:
    graph = parse_graph(text, "input")
    same(parse_graph(print_graph(graph)), graph, "graph to text and back")
    show(Model(graph, "input", "", "text"))


def seeds() -> list[bytes]:
    folder = files("trailmark.bench") / "graphs"
    return [each.read_bytes() for each in folder.iterdir()]


def make(chance: Random) -> bytes:
    lines = []
    count = chance.randint(1, 4)
    for number in range(1, count + 1):
        lines.append(chance.choice([f"landmark {number}", "landmark"]))
        lines += [functions.descriptor(chance) for _ in range(chance.randint(1, 2))]
        if chance.random() < 0.3:
            lines.append(functions.progressor(chance))
    for source in range(1, count + 1):
        if chance.random() < 0.4:
            lines.append(f"loop {source} -> {chance.randint(1, source)}")
            lines.append(f"exit {functions.descriptor(chance)}")
            lines.append(f"progress {functions.progressor(chance)}")
            lines.append(f"counter {grammar.feature(chance, numerical=True)}")
    if chance.random() < 0.3:
        lines.append(f"guard {functions.descriptor(chance)}")
    return "\n".join(lines).encode()
