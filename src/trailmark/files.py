"""Reading and writing the user's files.

Everything that can be wrong with a file that is read is a clear error, and a file that is written is
either whole or not there.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from trailmark.errors import InputError, Place, shorten

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

try:
    import fcntl
except ImportError:  # A platform without locks keeps what a killed writer leaves.
    fcntl = None  # type: ignore[assignment]

MAX_FILE_BYTES = 64 * 1024 * 1024
"""A larger file is refused before it is read; the largest public benchmark files have a few MB."""


def read_text(
    path: str | os.PathLike[str], what: str, *, may_be_empty: bool = False, most_bytes: int = MAX_FILE_BYTES
) -> str:
    """The text of a file the user named; `what` says in an error what it should have been."""
    name = os.fspath(path)
    place = Place(name)
    try:
        if os.path.isdir(name):
            raise InputError(f"this is a folder, not a {what}", place=place, hint="name the file itself")
        with open(name, "rb") as stream:
            # Asked of what is read, not of the folder's entry: a pipe or a device has no size.
            data = stream.read(most_bytes + 1)
        if len(data) > most_bytes:
            raise InputError(
                f"the file is too large: a {what} may have {most_bytes / 1e6:.0f} MB", place=place
            )
    except FileNotFoundError:
        raise InputError(f"there is no such {what}", place=place, hint="check the path") from None
    except InputError:
        raise
    except ValueError:
        raise InputError(f"this is not the path of a {what}", place=Place(repr(name))) from None
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise InputError(f"the {what} cannot be read: {reason}", place=place) from None
    if b"\0" in data:
        raise InputError(f"this is a binary file, not a {what}", place=place)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if not text.strip() and not may_be_empty:
        raise InputError(f"the {what} is empty", place=place)
    return text


_LINE_OF_SYNTAX_ERROR = re.compile(r"\s*\(at line (\d+), column (\d+)\)")
LONGEST_SYNTAX_ERROR = 120
"""Characters of what a TOML reader says; it may repeat a whole line."""


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The document in a TOML text; `source` stands for the file in errors."""
    try:
        document: dict[str, Any] = tomllib.loads(text)
        return document
    except tomllib.TOMLDecodeError as problem:
        match = _LINE_OF_SYNTAX_ERROR.search(str(problem))
        place = Place(source, int(match[1]), int(match[2])) if match else Place(source)
        message = _LINE_OF_SYNTAX_ERROR.sub("", str(problem))
        raise InputError(shorten(message, LONGEST_SYNTAX_ERROR), place=place) from None
    except (ValueError, RecursionError):
        # Python's reader passes these on: a number of thousands of digits, thousands of brackets.
        raise InputError("a number is too long, or brackets nest too deep", place=Place(source)) from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Writes to a temporary file in the same folder and renames it, so that no reader and no
    interruption ever meets half a file.

    A writer that is killed leaves its temporary file; the next one to write in the folder removes it.
    """
    with _writing_errors(path):
        target = _target(path)
        if target is None:
            with open(path, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~_umask()
        with _temporary_file(os.path.dirname(target)) as (handle, temporary):
            with open(handle, "w", encoding="utf-8", newline="\n", closefd=False) as stream:
                stream.write(text)
                stream.flush()
                os.fsync(handle)
            os.chmod(temporary, mode)
            os.replace(temporary, target)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Fails now where `write_text` would fail later for the place it was given."""
    with _writing_errors(path):
        target = _target(path)
        if target is None:
            if os.path.isdir(path) or not os.access(path, os.W_OK):
                with open(path, "a"):
                    pass
            return
        with _temporary_file(os.path.dirname(target)):
            pass


PLANNER_FOLDERS = "trailmark-fd-"
"""How the names of the folders begin in which a planner behind this one works."""


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """A temporary folder for as long as this is open; those of killed processes are removed before."""
    remove_scratch_folders(prefix)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        # Before it is locked, another process that starts may take it for abandoned and remove it.
        with suppress(FileNotFoundError):
            handle = os.open(folder, os.O_RDONLY)
            if _hold(handle, folder):
                break
            os.close(handle)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def remove_scratch_folders(prefix: str) -> None:
    """Removes the temporary folders of killed processes now, instead of when the next one is made."""
    _remove_abandoned(Path(tempfile.gettempdir()), prefix, "")


_PREFIX, _SUFFIX = ".trailmark-", ".tmp"


@contextmanager
def _temporary_file(folder: str) -> Iterator[tuple[int, str]]:
    """A new file in a folder, locked for as long as its writer lives, gone at the end if not renamed."""
    _remove_abandoned(Path(folder), _PREFIX, _SUFFIX)
    while True:
        handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
        try:
            if _hold(handle, Path(name)):
                yield handle, name
                return
        finally:
            with suppress(OSError):
                os.unlink(name)
            os.close(handle)


def _hold(handle: int, path: Path) -> bool:
    """Locks a new file or folder against being taken for abandoned; False where that came too late."""
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
    return path.exists()


def _remove_abandoned(folder: Path, prefix: str, suffix: str) -> None:
    """Removes temporary files and folders of writers that are no more: nobody holds their locks."""
    if fcntl is None:
        return
    with suppress(OSError):
        names = [name for name in os.listdir(folder) if name.startswith(prefix) and name.endswith(suffix)]
        for path in (folder / name for name in names):
            with suppress(OSError):
                handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if path.is_dir():
                        shutil.rmtree(path, ignore_errors=True)
                    else:
                        os.unlink(path)
                finally:
                    os.close(handle)


def _target(path: str | os.PathLike[str]) -> str | None:
    """The file to replace; None for a device or a pipe such as /dev/stdout, which is written instead.

    A link keeps pointing at its file.
    """
    target = os.path.realpath(os.fspath(path))
    return None if os.path.exists(target) and not os.path.isfile(target) else target


@contextmanager
def _writing_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(
            f"cannot be written: {reason}", place=Place(os.fspath(path)), hint="choose another place with -o"
        ) from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
