"""What a target may do with its input: succeed, or fail with one of our own errors in one line."""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path

from trailmark.errors import ExitCode, TrailmarkError

LONGEST_MESSAGE = 2_000
"""A longer line is no message: some part of the input was put into it uncut."""

PLACES = 3
"""An outcome is told by its error's last lines of the program: helpers raise for many callers."""


class Wrong(AssertionError):
    """The program did what it must never do."""


def outcome(work: Callable[[], object], allowed: frozenset[ExitCode] = frozenset()) -> str:
    """The name of what happened: `ok`, or the kind of the error and where it was raised.

    Errors of bad input are right; those with another exit code only where it is `allowed`.
    """
    try:
        work()
    except TrailmarkError as error:
        text = str(error)
        if "\n" in text or not text.strip():
            raise Wrong(f"not a one-line message: {text!r}") from error
        if len(text) > LONGEST_MESSAGE:
            raise Wrong(f"a long message: {len(text)} characters, {text[:200]!r}") from error
        if error.exit_code is not ExitCode.BAD_INPUT and error.exit_code not in allowed:
            raise
        return f"{type(error).__name__} at {place_of(error)}"
    return "ok"


def place_of(problem: BaseException) -> str:
    """The last lines of the program that an exception passed."""
    passed = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(problem.__traceback__)]
    places = [(name, line) for name, line in passed if "/trailmark/" in name][-PLACES:]
    return " < ".join(f"{Path(name).name}:{line}" for name, line in reversed(places)) or "?"


def same(first: object, second: object, what: str) -> None:
    """Refuses a round trip that does not come back."""
    if first != second:
        raise Wrong(f"{what}: {first!r} became {second!r}"[:LONGEST_MESSAGE])


def as_file(data: bytes, suffix: str = "") -> Path:
    """The data in a file, as the user gives it; the next call replaces it."""
    path = _folder() / f"input{suffix}"
    path.write_bytes(data)
    return path


@cache
def _folder() -> Path:
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.TemporaryDirectory(prefix="trailmark-fuzz-", dir=base)
    _KEPT.append(folder)
    return Path(folder.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []
"""Alive until the process ends, which removes the folder."""
