"""Strict JSON: parsing without surprises, and reading a document with the place of every error.

Refused are: anything that is not standard JSON (NaN, Infinity), a key given twice, numbers of
absurd size, and nesting that would overflow the stack.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from trailmark.errors import ModelError, Place

LONGEST_NUMBER = 30
"""Digits and signs; longer ones would also make Python's own conversion slow."""

MOST_FIELDS = 1000
"""Of an object whose fields are known: enough to name one that is not."""


def parse_json(text: str, source: str) -> object:
    """The document in this text, or a `ModelError`."""

    def no_constant(name: str) -> NoReturn:
        raise _Refused(f"{name} is not a number")

    def number(convert: type[int] | type[float]) -> Any:
        def read(digits: str) -> int | float:
            if len(digits) > LONGEST_NUMBER:
                raise _Refused(f"a number of {len(digits)} characters")
            value = convert(digits)
            if not math.isfinite(value):
                raise _Refused(f"{digits} is out of range")
            return value

        return read

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in items:
            if key in found:
                raise _Refused(f"the key {_shown(key)} is given twice")
            found[key] = value
        return found

    try:
        document: object = json.loads(
            text,
            parse_constant=no_constant,
            parse_int=number(int),
            parse_float=number(float),
            object_pairs_hook=pairs,
        )
    except _Refused as error:
        raise ModelError(f"not a valid document: {error}", place=Place(source)) from None
    except json.JSONDecodeError as error:
        place = Place(source, error.lineno, error.colno)
        raise ModelError(f"not a valid JSON document: {error.msg}", place=place) from None
    except RecursionError:
        raise ModelError("not a valid document: nested too deeply", place=Place(source)) from None
    return document


class _Refused(Exception):
    """JSON that is well formed for Python's reader, but not for us."""


@dataclass(frozen=True)
class Node:
    """A part of a document with its path, and checked ways to read it."""

    value: object
    source: str
    path: str = ""

    def error(self, message: str, hint: str | None = None) -> ModelError:
        where = f"{self.path}: " if self.path else ""
        return ModelError(f"{where}{message}", place=Place(self.source), hint=hint)

    def object(self, keys: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Node]:
        """An object with exactly these keys, and some of the optional ones."""
        found = self.mapping(MOST_FIELDS)
        missing = [key for key in keys if key not in found]
        if missing:
            raise self.error(f"the field {missing[0]!r} is missing")
        unknown = [key for key in found if key not in keys and key not in optional]
        if unknown:
            raise self.error(f"unknown field {_shown(unknown[0])}")
        return found

    def mapping(self, most: int) -> dict[str, Node]:
        """An object with any keys."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        if len(self.value) > most:
            raise self.error(f"more than {most} fields")
        return {
            key: Node(value, self.source, f"{self.path}.{_short(key)}" if self.path else _short(key))
            for key, value in self.value.items()
        }

    def array(self, most: int) -> list[Node]:
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        if len(self.value) > most:
            raise self.error(f"more than {most} entries")
        return [Node(each, self.source, f"{self.path}[{place}]") for place, each in enumerate(self.value)]

    def integer(self, least: int, most: int) -> int:
        if type(self.value) is not int or not least <= self.value <= most:
            raise self.wrong(f"an integer from {least} to {most}")
        return self.value

    def number(self, least: float | None = None) -> float:
        """A finite number; infinite ones do not pass the parser."""
        value = self.value
        if type(value) is not int and type(value) is not float:
            raise self.wrong("a number")
        if least is not None and value < least:
            raise self.wrong(f"a number from {least} on")
        return float(value)

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def text(self, longest: int) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        if len(self.value) > longest:
            raise self.error(f"longer than {longest} characters")
        if any("\ud800" <= character <= "\udfff" for character in self.value):
            raise self.error("contains half of a character")
        return self.value

    def wrong(self, expected: str) -> ModelError:
        return self.error(f"expected {expected}, found {_shown(self.value)}")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return json.dumps(_short(value) if isinstance(value, str) else value)


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[:most] + "…"
