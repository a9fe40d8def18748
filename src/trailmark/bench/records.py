"""Results on disk: one JSON line a run, appended whole, by one writer.

A process that is killed while it writes leaves at most a last line without its end. Opening the file
again cuts that line off, and its run is run again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from trailmark.errors import InputError, Place

Record = dict[str, Any]

RESULTS = "results.jsonl"


RETRIED = ("error", "no model")
"""Endings that say nothing about the planner; such a run can be run again, and its new record counts."""


def is_final(record: Record | None) -> bool:
    return record is not None and record["status"] not in RETRIED


def read_records(path: Path) -> dict[str, Record]:
    """The records by key; of two, the first that is final. A torn last line is left out."""
    if not path.is_file():
        return {}
    data = path.read_bytes()
    records: dict[str, Record] = {}
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            record = json.loads(line)
            if not is_final(records.get(record["key"])):
                records[record["key"]] = record
        except (ValueError, KeyError, TypeError):
            raise InputError(
                "this line is not a record of a run",
                place=Place(str(path), number),
                hint="remove the line and use --resume: its run is run again",
            ) from None
    return records


class RecordWriter:
    """Appends records; while it is open no other writer can open the same file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: dict[str, Record] = {}
        self._file = -1

    def __enter__(self) -> RecordWriter:
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._lock()
        self.records = read_records(self.path)
        data = self.path.read_bytes()
        os.ftruncate(self._file, data.rfind(b"\n") + 1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def add(self, record: Mapping[str, Any]) -> None:
        """Writes a record and waits until it is on disk; a run that has one is left out."""
        if is_final(self.records.get(record["key"])):
            return
        line = json.dumps(record, allow_nan=False, sort_keys=True).encode() + b"\n"
        written = 0
        while written < len(line):
            written += os.write(self._file, line[written:])
        os.fsync(self._file)
        self.records[record["key"]] = dict(record)

    def forget_retried(self) -> None:
        """Runs that can be run again count as not run; their lines stay until newer ones follow."""
        self.records = {key: record for key, record in self.records.items() if is_final(record)}

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise InputError(
                "another run is writing these results", place=Place(str(self.path)), hint="use another -o"
            ) from None
