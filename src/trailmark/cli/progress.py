"""One line of progress on stderr for a person; nothing where stderr is not a terminal."""

from __future__ import annotations

import sys
from types import TracebackType


class ProgressLine:
    """A spinner with the latest word on what is being done."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._status = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("starting", spinner="dots")

    def __enter__(self) -> ProgressLine:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def say(self, text: str) -> None:
        if self._status is not None:
            from rich.markup import escape

            self._status.update(escape(text))
