"""The one exception root of the library, and the exit code each kind of failure has.

An error says what was wrong, where, and what to do about it. Library code raises these and
nothing else; only the command line turns them into a line on stderr and an exit code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum


class ExitCode(IntEnum):
    """What a command of `trailmark` returns to its shell."""

    DONE = 0
    NO = 1
    BAD_INPUT = 2
    UNSOLVABLE = 10
    NO_PLAN_FOUND = 11
    TIME_LIMIT = 12
    MEMORY_LIMIT = 13
    NO_GRAPH = 14
    INTERNAL = 20
    INTERRUPTED = 130


@dataclass(frozen=True)
class Place:
    """Where in the input something is wrong: a file, and a line and column where there is one."""

    source: str
    line: int | None = None
    column: int | None = None

    @classmethod
    def within(cls, text: str, offset: int, source: str) -> Place:
        """The line and column of an offset in a text."""
        return cls(source, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))

    def __str__(self) -> str:
        parts = [self.source, self.line, self.column]
        return ":".join(str(part) for part in parts if part is not None)


class TrailmarkError(Exception):
    """Base of every error the library raises."""

    exit_code = ExitCode.INTERNAL

    def __init__(self, message: str, *, place: Place | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        return f"{text} ({self.hint})" if self.hint else text


class InputError(TrailmarkError, ValueError):
    """Something the user gave is missing, malformed or does not fit."""

    exit_code = ExitCode.BAD_INPUT


class PddlError(InputError):
    """A PDDL file that cannot be read, or that uses what is not supported."""


class PlanError(InputError):
    """A plan file that cannot be read, or a step that no action of the domain matches."""


class FeatureError(InputError):
    """A description-logic expression that cannot be read or does not fit the domain."""


class ModelError(InputError):
    """A model file that is damaged, too new, or made for another domain."""


class NoGraphError(TrailmarkError):
    """The training trajectories share no landmark."""

    exit_code = ExitCode.NO_GRAPH


class TimeLimitError(TrailmarkError):
    """The wall-clock budget is used up."""

    exit_code = ExitCode.TIME_LIMIT


class MemoryLimitError(TrailmarkError):
    """The memory budget is used up."""

    exit_code = ExitCode.MEMORY_LIMIT


class MissingExtraError(InputError):
    """An optional dependency is not installed."""


class EngineError(TrailmarkError):
    """The planning engine failed on input that passed our own checks."""


class SearchStatus(str, Enum):
    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """Proved: the whole state space was searched without pruning or commitment."""
    NO_PLAN_FOUND = "no plan found"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.DONE if self is SearchStatus.SOLVED else ExitCode[self.name]


def shorten(text: str, limit: int = 40) -> str:
    """The text, cut where it would make an error unreadable."""
    printable = "".join(letter if letter.isprintable() else "?" for letter in text[: limit + 1])
    return printable if len(text) <= limit else printable[:limit] + "..."


LONGEST_NAME = 60
"""No similar name is looked for where one is longer."""


def similar(name: str, known: Iterable[str]) -> str | None:
    """A hint at the known name that was probably meant."""
    if len(name) > LONGEST_NAME:
        return None
    from difflib import get_close_matches  # no command that works needs it

    names = list(known)
    matches = get_close_matches(name, names, n=1) or get_close_matches(name.lower(), names, n=1)
    return f"did you mean {matches[0]!r}?" if matches else None


_TYPES: dict[str, type | tuple[type, ...]] = {
    "bool": bool, "int": int, "float": (int, float), "str": str, "None": type(None),
}  # fmt: skip


def check_options(options: Mapping[str, object], kind: type, further: Iterable[str]) -> None:
    """Raises where an option is no field of this dataclass, naming these and further ones, or has a wrong
    type."""
    fields = kind.__dataclass_fields__  # type: ignore[attr-defined]
    for name, value in options.items():
        if name not in fields:
            known = ", ".join(sorted([*fields, *further]))
            raise InputError(f"there is no option '{name}'", hint=f"use one of {known}")
        types = fields[name].type.split(" | ")
        simple = tuple(_TYPES[name] for name in types if name in _TYPES)
        if len(simple) == len(types) and not any(isinstance(value, known) for known in simple):
            raise InputError(f"the option '{name}' cannot be {value!r}", hint=f"give {' or '.join(types)}")
