"""What the process at work tells the one that watches it: a line on the terminal that says what is being
done, and for how long already; and answers, kept in a file, that outlive a process that is ended.

The process that watches draws the line: the work itself may be in a native call that takes a minute. What it
says reaches the watching process by a piece of memory that both share.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
import sys
import time
from typing import Any, BinaryIO, NamedTuple

CLEAR = "\r\x1b[K"
"""Empties the line of the terminal that the progress stands in."""
FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
REFRESH_SECONDS = 0.1
_SIZE = 1024


class ProgressLine:
    """Made before the work is given to another process, where it is told what to say; nothing is shown where
    stderr is no terminal."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._memory = mmap.mmap(-1, _SIZE)
        self._shown = not quiet and sys.stderr.isatty()
        self._started = time.monotonic()
        self._next, self._frame = 0.0, 0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """What is printed after this does not meet the line. An error leaves what was said to whoever tells
        it."""
        if error is None:
            self.take()

    def take(self) -> str:
        """What was said last; from now on nothing is shown."""
        said = self.said
        self.say("")
        self.clear()
        return said

    def say(self, text: str) -> None:
        """What is being done now; without words nothing is shown."""
        self._memory[:] = text.encode()[:_SIZE].ljust(_SIZE, b"\0")

    @property
    def said(self) -> str:
        """What was said last."""
        return self._memory[:].rstrip(b"\0").decode(errors="ignore")

    def draw(self) -> None:
        """Shows what was said last and the time; to be called again and again."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        if self.said:
            self._next, self._frame = now + REFRESH_SECONDS, (self._frame + 1) % len(FRAMES)
            line = f"{FRAMES[self._frame]} {now - self._started:.0f} s  {self.said}"
            to_terminal(f"{CLEAR}{line[: shutil.get_terminal_size().columns - 1]}")

    def clear(self) -> None:
        if self._shown:
            to_terminal(CLEAR)


def to_terminal(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def print_line(line: str) -> None:
    """A line on stderr, in the place of the progress where that is shown."""
    print(f"{CLEAR if sys.stderr.isatty() else ''}{line}", file=sys.stderr)


class Answer(NamedTuple):
    """What `plan` has to say of a search."""

    document: dict[str, Any]
    """As `--json` prints it."""
    code: int
    """The exit code."""
    text: str = ""
    """The plan, where stdout gets it."""
    final: bool = True
    """Whether it is the result, or a plan that is one also where a better one was looked for; else it is
    how far the search has come."""


class KeptAnswer:
    """The answers of one process, each a line of JSON."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def keep(self, answer: Answer) -> None:
        os.write(self._file.fileno(), json.dumps(answer).encode() + b"\n")

    def latest(self) -> Answer | None:
        """The last whole line; one that was being written when the process ended does not count."""
        self._file.seek(0)
        *whole, _ = self._file.read().split(b"\n")
        return Answer(*json.loads(whole[-1])) if whole else None
