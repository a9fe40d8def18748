"""Reading and writing the user's files.

Everything that can be wrong with a file that is read is a clear error, and a file that is written is
either whole or not there.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

from trailmark.errors import InputError, Place

MAX_FILE_BYTES = 64 * 1024 * 1024
"""A larger file is refused before it is read; the largest public benchmark files have a few MB."""


def read_text(path: str | os.PathLike[str], what: str, *, may_be_empty: bool = False) -> str:
    """The text of a file the user named; `what` says in an error what it should have been."""
    name = os.fspath(path)
    place = Place(name)
    try:
        if os.path.isdir(name):
            raise InputError(f"this is a folder, not a {what}", place=place, hint="name the file itself")
        with open(name, "rb") as stream:
            # Asked of what is read, not of the folder's entry: a pipe or a device has no size.
            data = stream.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise InputError(
                f"the file is too large: a {what} may have {MAX_FILE_BYTES / 1e6:.0f} MB", place=place
            )
    except FileNotFoundError:
        raise InputError(f"there is no such {what}", place=place, hint="check the path") from None
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


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Writes to a temporary file in the same folder and renames it, so that no reader and no
    interruption ever meets half a file."""
    name = os.fspath(path)
    temporary: str | None = None
    try:
        # A link keeps pointing at its file; a device or a pipe such as /dev/stdout is written, not replaced.
        target = os.path.realpath(name)
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~_umask()
        handle, temporary = tempfile.mkstemp(prefix=".trailmark-", suffix=".tmp", dir=os.path.dirname(target))
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
        temporary = None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(
            f"cannot be written: {reason}", place=Place(name), hint="choose another place with -o"
        ) from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
