"""The stages of learning: told when they begin, logged with their time, noted where it cut them short."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from trailmark.limits import UNLIMITED, Budget

Progress = Callable[[str, str], None]
"""Told the stage at work, and a word on how far it is."""

STARTED = "started"

_log = logging.getLogger(__name__)


class Stages:
    """What learning does at the moment, and which of it the clock ended."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self._name = self._word = ""
        self.cut_short: list[str] = []
        """The stages that ended with the time they had, so that more might have been found."""

    def say(self, word: str) -> None:
        """How far the stage at work is; the last word is what it found."""
        self._word = word
        if self._progress is not None:
            self._progress(self._name, word)

    @contextmanager
    def stage(self, name: str, budget: Budget = UNLIMITED) -> Iterator[Budget]:
        """While open, this is at work, and has the time of the budget."""
        outer, self._name = self._name, name
        started = time.monotonic()
        self.say(STARTED)
        try:
            yield budget
        finally:
            late = budget.expired()
            found = "" if self._word == STARTED else f", {self._word}"
            seconds = time.monotonic() - started
            _log.info("%s: %.1f s%s%s", name, seconds, found, ", cut short" if late else "")
            if late and name not in self.cut_short:
                self.cut_short.append(name)
            self._name = outer
