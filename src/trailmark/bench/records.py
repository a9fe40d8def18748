"""Results on disk, and what they were measured on.

There is one JSON line a run, appended whole, by one writer. A process that is killed while it writes
leaves at most a last line without its end. Opening the file again cuts that line off, and its run is run
again. What is noted of the machine has no names of hosts or users. The numbers that the
paper reports stand beside ours.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import platform
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any, BinaryIO

import trailmark
from trailmark import __version__
from trailmark.errors import InputError, Place
from trailmark.files import read_text, write_text

Record = dict[str, Any]

RESULTS = "results.jsonl"


STALLED = "stalled"
"""A run that used less processor time than it was given, in a time long enough for much more."""

RETRIED = ("error", "no model", STALLED)
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

    def __enter__(self) -> RecordWriter:
        self._stream = self.path.open("ab")
        try:
            _lock(self._stream)
        except OSError:
            self._stream.close()
            message, place = "another run is writing these results", Place(str(self.path))
            raise InputError(message, place=place, hint="use another -o") from None
        self.records = read_records(self.path)
        self._stream.truncate(self.path.read_bytes().rfind(b"\n") + 1)
        return self

    def __exit__(self, *problem: object) -> None:
        self._stream.close()

    def add(self, record: Mapping[str, Any]) -> None:
        """Writes a record and waits until it is on disk; a run that has one is left out."""
        if not is_final(self.records.get(record["key"])):
            self._stream.write(json.dumps(record, allow_nan=False, sort_keys=True).encode() + b"\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self.records[record["key"]] = dict(record)

    def forget(self, keys: Collection[str]) -> None:
        """These runs count as not run; their lines stay."""
        self.records = {key: record for key, record in self.records.items() if key not in keys}


def _lock(stream: BinaryIO) -> None:
    with suppress(ImportError):
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


_NOT_KEPT = ("error", STALLED)
_KEPT = (
    "domain", "instance", "learner", "planner", "key", "code", "date", "status", "seconds", "expanded",
    "plan_length", "search_time_s", "same_as", "reason", "clock", "graph", "nodes", "loops", "loop_edges",
    "features", "trajectories", "satisfied", "times",
)  # fmt: skip
"""What tables, figures and a resumed suite need of a record; what few records have stands last."""


def keep_records(folder: Path, file: Path) -> None:
    """Writes the records of a folder to a small file, one row each, and what they were measured on."""
    rows = []
    for record in read_records(folder / RESULTS).values():
        row = [record.get(name) for name in _KEPT]
        while row[-1] is None:
            row.pop()
        if record["status"] not in _NOT_KEPT:
            rows.append(json.dumps(row, separators=(",", ":")))
    head = json.dumps({"about": read_about(folder), "fields": _KEPT})[:-1]
    write_text(file, f'{head}, "records": [\n' + ",\n".join(sorted(rows)) + "\n]}\n")


def take_kept_records(file: Path, folder: Path) -> None:
    """Adds the records of such a file to the results in a folder, where these have none for the same run."""
    known = read_records(folder / RESULTS)
    try:
        document = json.loads(read_text(file, "file of records"))
        about, fields = document["about"], document["fields"]
        kept = [dict(zip(fields, row, strict=False)) for row in document["records"]]
        added = [record for record in kept if record["key"] not in known]
    except (ValueError, KeyError, TypeError):
        raise InputError("this is not a file of kept records", place=Place(str(file))) from None
    if not added:
        return
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ABOUT).exists():
        write_text(folder / ABOUT, json.dumps(about, indent=1) + "\n")
    with RecordWriter(folder / RESULTS) as writer:
        for record in added:
            writer.add({name: value for name, value in record.items() if value is not None})


ABOUT = "about.json"
_CODE = (".py", ".lp")
_PACKAGES = ("pymimir", "numpy", "clingo", "fast-downward.translate", "up-fast-downward")


def write_about(folder: Path, jobs: str) -> None:
    """Notes beside the results what they are measured on."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {"machine": machine(), "versions": versions(), "jobs": jobs}
    write_text(folder / ABOUT, json.dumps(about, indent=1) + "\n")


def read_about(folder: Path) -> dict[str, Any]:
    """What the results in this folder were measured on; this machine where it was not noted."""
    path = folder / ABOUT
    if path.is_file():
        return dict(json.loads(path.read_text(encoding="utf-8")))
    return {"machine": machine(), "versions": versions(), "jobs": "unknown"}


@cache
def code_state() -> str:
    """A short hash of this program's source without its benchmarks: results of two states do not mix."""
    package = Path(trailmark.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.suffix in _CODE and "bench" not in path.relative_to(package).parts:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def machine() -> dict[str, str]:
    """Processor, cores and memory."""
    processor, memory = platform.machine(), "?"
    with suppress(OSError):
        names = re.findall(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.M)
        processor = " ".join(names[0].split()) if names else processor
    with suppress(ValueError, OSError, AttributeError):
        memory = f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
    system = f"{platform.system()} {platform.release()}"
    return {"processor": processor, "cores": str(os.cpu_count() or "?"), "memory": memory, "system": system}


def versions() -> dict[str, str]:
    """Of this program, Python and what the measurements depend on."""
    found = {"trailmark": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


PaperRow = dict[str, str]
PAPER_TRAINING = 5
"""Training instances of the paper's paired tests and of its discovery times."""


@lru_cache(maxsize=16)
def paper_rows(table: str) -> tuple[PaperRow, ...]:
    """The rows of a table of the paper; a `#` line in the file says which table it is."""
    text = (files(__package__) / "paper_tables" / f"{table}.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(csv.DictReader(lines))


def paper_row(table: str, **wanted: object) -> PaperRow | None:
    """The row with these values; numbers are compared as numbers."""
    for row in paper_rows(table):
        if all(_same(row.get(key, ""), value) for key, value in wanted.items()):
            return row
    return None


def _same(text: str, value: object) -> bool:
    with suppress(ValueError):
        return float(text) == value if isinstance(value, int) else text == str(value)
    return False


def best_config(domain: str) -> str:
    """The pool configuration with which the paper solves most in a domain, and of several the fastest."""
    rows = [row for row in paper_rows("discovery") if row["domain"] == domain]
    known = [row for row in rows if _same(row["trajectories"], PAPER_TRAINING)]

    def standing(row: PaperRow) -> tuple[int, float]:
        return int(row["solved"].split("/")[0]), -float(row["avg_time_s"] or 0)

    return max(known, key=standing)["config"] if known else "b3"
