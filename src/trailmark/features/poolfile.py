"""Pools to and from a file: features as text, with or without their values in the training states."""

from __future__ import annotations

import json
import os
import reprlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from trailmark.errors import FeatureError, InputError, Place
from trailmark.features.pool import PoolEnd
from trailmark.features.syntax import Expression, Kind
from trailmark.features.text import parse
from trailmark.features.valuations import Valuations
from trailmark.files import read_text, write_text
from trailmark.relational import Vocabulary

FORMAT: Final = "trailmark-pool"
VERSION: Final = 1
_LOWEST, _HIGHEST = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class StoredPool:
    """What a pool file holds."""

    features: tuple[Expression, ...]
    end: PoolEnd
    """Why generation ended."""
    valuations: Valuations | None = None
    """None where the file has no values."""


def save_pool(
    path: str | os.PathLike[str],
    valuations: Valuations,
    end: PoolEnd = PoolEnd.COMPLETE,
    *,
    values: bool = True,
) -> None:
    """Write a pool; the file is whole or not there. Without `values` only the features are written."""
    head = {"format": FORMAT, "version": VERSION, "end": end.value}
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    lines.append(_list("features", [json.dumps(str(feature)) for feature in valuations.features]))
    if values:
        lines.append(f' "offsets": {json.dumps(list(valuations.offsets))}')
        rows = [json.dumps(row, separators=(",", ":")) for row in valuations.values.tolist()]
        lines.append(_list("values", rows))
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def load_pool(path: str | os.PathLike[str], vocabulary: Vocabulary | None = None) -> StoredPool:
    """Read a pool and check all of it; with a vocabulary, every feature must also fit that."""
    source = os.fspath(path)
    reader = _Reader(source)
    content = reader.json(read_text(path, "pool file"))
    features = reader.features(content.get("features"), vocabulary)
    end = reader.end(content.get("end"))
    if "values" not in content:
        return StoredPool(features, end)
    offsets = reader.offsets(content.get("offsets"))
    values = reader.values(content["values"], features, offsets[-1])
    return StoredPool(features, end, Valuations(features, values, offsets))


def _list(key: str, items: list[str]) -> str:
    return f' "{key}": [\n  ' + ",\n  ".join(items) + "\n ]" if items else f' "{key}": []'


@dataclass(frozen=True)
class _Reader:
    source: str

    def fail(self, message: str, line: int | None = None, column: int | None = None) -> NoReturn:
        raise InputError(
            f"not a pool file: {message}",
            place=Place(self.source, line, column),
            hint="generate the pool again",
        )

    def json(self, text: str) -> dict[str, Any]:
        try:
            content = json.loads(text, parse_constant=lambda name: self.fail(f"{name} is not a number here"))
        except json.JSONDecodeError as problem:
            self.fail(problem.msg, problem.lineno, problem.colno)
        except (ValueError, RecursionError) as problem:
            self.fail(str(problem))
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            self.fail(f'it does not say "format": "{FORMAT}"')
        if content.get("version") != VERSION:
            found = reprlib.repr(content.get("version"))
            self.fail(f"its version is {found}, and this program reads version {VERSION}")
        return content

    def features(self, texts: object, vocabulary: Vocabulary | None) -> tuple[Expression, ...]:
        if not isinstance(texts, list):
            self.fail("it has no list of features")
        features: dict[Expression, None] = {}
        for number, text in enumerate(texts, 1):
            if not isinstance(text, str):
                self.fail(f"feature {number} is not a text")
            source = f"{self.source}, feature {number}"
            feature = parse(text, source, vocabulary)
            if feature.kind not in (Kind.BOOLEAN, Kind.NUMERICAL):
                raise FeatureError(f"a {feature.kind.value} is not a feature", place=Place(source))
            if feature in features:
                self.fail(f"feature {number} is there twice")
            features[feature] = None
        return tuple(features)

    def end(self, text: object) -> PoolEnd:
        try:
            return PoolEnd(text)
        except ValueError:
            self.fail(f"generation cannot have ended by {reprlib.repr(text)}")

    def offsets(self, offsets: object) -> tuple[int, ...]:
        if (
            not isinstance(offsets, list)
            or not all(type(each) is int for each in offsets)
            or len(offsets) < 2
            or offsets[0] != 0
            or any(after <= before for before, after in pairwise(offsets))
        ):
            self.fail("offsets must be numbers that begin with 0 and grow")
        return tuple(offsets)

    def values(self, rows: object, features: tuple[Expression, ...], states: int) -> NDArray[np.int32]:
        if not isinstance(rows, list) or len(rows) != len(features):
            self.fail(f"values must be a list of {len(features)} rows, one a feature")
        for number, (row, feature) in enumerate(zip(rows, features, strict=True), 1):
            if not isinstance(row, list) or len(row) != states:
                self.fail(f"row {number} of the values must have {states} numbers, one a state")
            if not all(type(value) is int and _LOWEST <= value <= _HIGHEST for value in row):
                self.fail(f"row {number} of the values has what is not an integer of 32 bits")
            if feature.kind is Kind.BOOLEAN and not set(row) <= {0, 1}:
                self.fail(f"row {number} of the values is of a Boolean and must be of 0 and 1")
        return np.array(rows, np.int32).reshape(len(features), states)
