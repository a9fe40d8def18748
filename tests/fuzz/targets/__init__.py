"""The targets by name. Each is a module with `one`, and with `WORDS`, `seeds` and `make` for its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random

NAMES = ("features", "functions", "graphs", "models", "recipes", "plans", "suites", "asp", "pddl", "engine")

CORPUS = Path(__file__).parents[1] / "corpus"


@dataclass(frozen=True)
class Target:
    name: str
    one: Callable[[bytes], str]
    """What happened with this input; raises where the program is wrong."""
    words: Sequence[str]
    """The words of its language, to be put into inputs."""
    seeds: Callable[[], list[bytes]]
    """Inputs from the project's own files, besides those of the corpus."""
    make: Callable[[Random], bytes]
    """A new input that is right, or nearly."""

    def corpus(self) -> list[tuple[str, bytes]]:
        """The inputs kept in the repository, by file name: examples, and what once went wrong."""
        folder = CORPUS / self.name
        return (
            [(path.name, path.read_bytes()) for path in sorted(folder.iterdir())] if folder.is_dir() else []
        )


def target(name: str) -> Target:
    module = import_module(f"tests.fuzz.targets.{name}")
    return Target(name, module.one, module.WORDS, module.seeds, module.make)
