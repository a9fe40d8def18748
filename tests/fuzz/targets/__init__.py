"""The targets by name. Each is a module with `one`, and with `WORDS`, `seeds` and `make` for its inputs.

One whose inputs may bring down the process runs them in a child; its `direct` does the same in this one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random

NAMES = (
    "features", "functions", "graphs", "models", "recipes", "plans", "suites", "asp", "pddl", "engine",
    "plan", "learn",
)  # fmt: skip

CORPUS = Path(__file__).parents[1] / "corpus"


@dataclass(frozen=True)
class Target:
    name: str
    one: Callable[[bytes], str]
    """What happened with this input; raises where the program is wrong."""
    direct: Callable[[bytes], str]
    """The same without a child, so that what it covers can be seen."""
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
    direct = getattr(module, "direct", module.one)
    return Target(name, module.one, direct, module.WORDS, module.seeds, module.make)
