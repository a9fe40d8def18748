"""Strict JSON, read into typed structures with the place of every error.

Beyond what `msgspec` checks, refused are: numbers that are not standard JSON (NaN, Infinity) or of
absurd size, a key given twice, half of a character, and nesting that would overflow the stack.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
from msgspec import Meta, Struct

from trailmark.errors import InputError, ModelError, Place

LONGEST_NUMBER = 30
"""Digits and signs; longer ones would also make Python's own conversion slow."""
LONGEST_MESSAGE = 300
Kind = TypeVar("Kind")


LARGEST_COUNT = 2**53
"""Integers up to here survive any JSON reader."""
MOST_ENTRIES = 10_000

Text = Annotated[str, Meta(max_length=10_000)]
Count = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
many = Meta(max_length=MOST_ENTRIES)


class Entry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An object of the document: exactly its fields, of exactly these types."""


class _Refused(Exception):
    """JSON that is well formed for Python's reader, but not for us."""


def parse_json(text: str, source: str) -> object:
    """The document in this text, or a `ModelError`."""
    try:
        document: object = json.loads(
            text,
            parse_constant=_no_constant,
            parse_int=lambda digits: _number(int, digits),
            parse_float=lambda digits: _number(float, digits),
            object_pairs_hook=_unique_keys,
        )
    except _Refused as error:
        raise ModelError(f"not a valid document: {_one_line(str(error))}", place=Place(source)) from None
    except json.JSONDecodeError as error:
        place = Place(source, error.lineno, error.colno)
        raise ModelError(f"not a valid JSON document: {error.msg}", place=place) from None
    except RecursionError:
        raise ModelError("not a valid document: nested too deeply", place=Place(source)) from None
    _require_whole_characters(document, source)
    return document


def typed(
    document: object,
    kind: type[Kind],
    source: str,
    path: str = "",
    made: Callable[[type, Any], Any] | None = None,
) -> Kind:
    """The document, or the part of one at this path, as such a structure; a `ModelError` names the place in
    it, as in `features[2]`. `made` makes what msgspec cannot make."""
    try:
        return msgspec.convert(document, kind, dec_hook=made)
    except msgspec.ValidationError as error:
        # As in "Expected `int` >= 0 - at `$.seed`".
        what, _, inner = str(error).partition(" - at `$")
        where = f"{path}{inner.rstrip('`')}".lstrip(".")
        if isinstance(error.__cause__, InputError):
            raise place_error(source, where, error.__cause__.message, error.__cause__.hint) from None
        raise place_error(source, where, what[:1].lower() + what[1:].replace("`", "")) from None


def place_error(source: str, path: str, message: str, hint: str | None = None) -> ModelError:
    """What is wrong at this place of the document."""
    where = f"{path}: " if path else ""
    return ModelError(_one_line(f"{where}{message}"), place=Place(source), hint=hint)


def _no_constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not a number")


def _number(convert: type[int] | type[float], digits: str) -> Any:
    if len(digits) > LONGEST_NUMBER:
        raise _Refused(f"a number of {len(digits)} characters")
    value = convert(digits)
    if not math.isfinite(value):
        raise _Refused(f"{digits} is out of range")
    return value


def _unique_keys(items: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in items:
        if key in found:
            raise _Refused(f"the key {key} is given twice")
        found[key] = value
    return found


_HALF = re.compile("[\ud800-\udfff]")


def _require_whole_characters(document: object, source: str) -> None:
    waiting = [("", document)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{path}.{key}", inner) for key, inner in value.items()]
            waiting += [(path, key) for key in value]
        elif isinstance(value, list):
            waiting += [(f"{path}[{place}]", inner) for place, inner in enumerate(value)]
        elif isinstance(value, str) and _HALF.search(value):
            raise place_error(source, path.lstrip("."), "contains half of a character")


def _one_line(message: str) -> str:
    """Text of a document in a message: without control characters, and not too long."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in message)
    return shown if len(shown) <= LONGEST_MESSAGE else shown[:LONGEST_MESSAGE] + "…"
