"""What a process that may be ended from outside has to say, kept in a file that its parent reads."""

from __future__ import annotations

import json
import os
from typing import Any, BinaryIO, NamedTuple

_LENGTH_BYTES = 8


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
    """The answers of one process, record after record, each with its length before it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def keep(self, answer: Answer) -> None:
        record = json.dumps(answer).encode()
        os.write(self._file.fileno(), len(record).to_bytes(_LENGTH_BYTES, "big") + record)

    def latest(self) -> Answer | None:
        """The last whole record; one that was being written when the process ended does not count."""
        self._file.seek(0)
        found = None
        while len(head := self._file.read(_LENGTH_BYTES)) == _LENGTH_BYTES:
            size = int.from_bytes(head, "big")
            record = self._file.read(size)
            if len(record) == size:
                found = Answer(*json.loads(record))
        return found
