"""Making inputs out of inputs: bytes, words, brackets, JSON values and whole lines are changed.

All readers here take text with brackets, so the changes that keep brackets in balance get furthest.
Everything is chosen by the given `Random`: the same seed makes the same inputs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LARGEST = 60_000
"""Bytes of a made input; larger ones are slow and find nothing else."""
MOST_CHANGES = 6
MOST_COPIES = 300

NUMBERS = (
    "0", "1", "-1", "2", "7", "99", "1000", "65536", "2147483647", "2147483648", "-2147483649",
    "9007199254740993", "18446744073709551616", "1e308", "1e309", "-0.0", "0.1", "1e-320", "nan", "inf",
    "9" * 40, "9" * 5000, "0x10", "1_000", "٣", "１",
)  # fmt: skip
STRANGE = (
    "\x00", "\x01", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff", "\u0130", "\u00df", "\ud7ff",
    "\U0001f600", "e\u0301", "\r", "\r\n", "\t", "\v", "\x1c", "é", "İ", "ſ", "ǆ", "''", '"', "\\", "`", "%s",
    "{}", "{0}", "<script>", "]]>", "&amp;", "../../etc/passwd", "file:///", "__class__", "a" * 3000,
)  # fmt: skip

_WORD = re.compile(r"\s+|[\w?.:!-]+|[^\w\s]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_OPENING, _CLOSING = "([{", ")]}"

Change = Callable[["Mutator", str], str]


class Mutator:
    """Changes inputs of one target; `words` is its dictionary, `pool` the inputs to take parts from."""

    def __init__(self, chance: Random, words: Sequence[str], pool: Sequence[bytes]) -> None:
        self.chance = chance
        self.words = words or ("x",)
        self.pool = pool

    def mutated(self, data: bytes) -> bytes:
        """Another input, with a few changes of any kind."""
        if self.chance.random() < 0.1:
            return self._bytes(data)[:LARGEST]
        text = data.decode("utf-8", "surrogateescape")
        for _ in range(1 + int(self.chance.expovariate(1.0)) % MOST_CHANGES):
            text = self.chance.choice(_CHANGES)(self, text)[:LARGEST]
        return text.encode("utf-8", "surrogatepass" if self.chance.random() < 0.01 else "replace")[:LARGEST]

    def _bytes(self, data: bytes) -> bytes:
        found = bytearray(data or b"\0")
        for _ in range(self.chance.randint(1, 8)):
            place = self.chance.randrange(len(found))
            kind = self.chance.randrange(4)
            if kind == 0:
                found[place] ^= 1 << self.chance.randrange(8)
            elif kind == 1:
                found[place] = self.chance.randrange(256)
            elif kind == 2:
                found[place:place] = self.chance.randbytes(self.chance.randint(1, 4))
            elif len(found) > 1:
                del found[place : place + self.chance.randint(1, 16)]
                found = found or bytearray(b"\0")
        return bytes(found)

    def _token(self) -> str:
        kind = self.chance.random()
        if kind < 0.6:
            return self.chance.choice(self.words)
        if kind < 0.8:
            return self.chance.choice(NUMBERS)
        return self.chance.choice(STRANGE)

    def _other(self) -> str:
        return self.chance.choice(self.pool).decode("utf-8", "surrogateescape")

    def word_changed(self, text: str) -> str:
        """A word replaced, removed, doubled, swapped with another or put in."""
        words = list(_WORD.finditer(text))
        if not words:
            return self._token()
        first, second = self.chance.choice(words), self.chance.choice(words)
        new = {
            0: self._token(),
            1: "",
            2: first.group() * 2,
            3: second.group(),
            4: f"{self._token()} {first.group()}",
            5: f" {first.group()} {second.group()} ",
        }[self.chance.randrange(6)]
        return text[: first.start()] + new + text[first.end() :]

    def exchanged(self, text: str) -> str:
        """A word in the place of another that looks alike: a variable for a variable, a name for a name."""
        words = [
            match for match in _WORD.finditer(text) if match.group()[0].isalnum() or match.group()[0] in "?:"
        ]
        if not words:
            return self.word_changed(text)
        first = self.chance.choice(words)
        begins = first.group()[0]
        alike = [each.group() for each in words if _class(each.group()[0]) == _class(begins)]
        return text[: first.start()] + self.chance.choice(alike) + text[first.end() :]

    def number_changed(self, text: str) -> str:
        numbers = list(_NUMBER.finditer(text))
        if not numbers:
            return text + self.chance.choice(NUMBERS)
        chosen = self.chance.choice(numbers)
        return text[: chosen.start()] + self.chance.choice(NUMBERS) + text[chosen.end() :]

    def group_changed(self, text: str) -> str:
        """A bracketed part removed, doubled, moved, replaced, or put into itself many times."""
        first, second = self._group(text), self._group(text)
        if first is None or second is None:
            return self.word_changed(text)
        part, other = text[slice(*first)], text[slice(*second)]
        kind = self.chance.randrange(6)
        if kind == 5:
            other = self._other()
            taken = self._group(other)
            other = other[slice(*taken)] if taken else other
        copies = self.chance.choice([2, 3, 20, MOST_COPIES])
        inner = part[:1] + self.chance.choice(self.words) + " "
        new = [part + " " + part, "", other, inner * copies + part + part[-1:] * copies, part * copies, other]
        return text[: first[0]] + new[kind] + text[first[1] :]

    def _group(self, text: str) -> tuple[int, int] | None:
        """Where some bracket and its partner stand."""
        places = [match.start() for match in re.finditer(r"[(\[{]", text)]
        if not places:
            return None
        start, depth = self.chance.choice(places), 0
        for place in range(start, len(text)):
            if text[place] in _OPENING:
                depth += 1
            elif text[place] in _CLOSING:
                depth -= 1
                if not depth:
                    return start, place + 1
        return start, len(text)

    def line_changed(self, text: str) -> str:
        """A line removed, doubled, moved, joined with the next, or taken from another input."""
        lines = text.split("\n")
        place, other = self.chance.randrange(len(lines)), self.chance.randrange(len(lines))
        kind = self.chance.randrange(5)
        if kind == 0:
            del lines[place]
        elif kind == 1:
            lines.insert(place, lines[place])
        elif kind == 2:
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == 3:
            lines[place : place + 2] = [" ".join(lines[place : place + 2])]
        else:
            lines.insert(place, self.chance.choice(self._other().split("\n")))
        return "\n".join(lines)

    def spliced(self, text: str) -> str:
        """The beginning of this input with the end of another."""
        other = self._other()
        return text[: self.chance.randint(0, len(text))] + other[self.chance.randint(0, len(other)) :]

    def cut(self, text: str) -> str:
        start = self.chance.randint(0, len(text))
        return text[:start] + text[start + self.chance.randint(1, 60) :]

    def json_changed(self, text: str) -> str:
        """A value of a JSON document replaced, removed, doubled or swapped; other texts by their words."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return self.word_changed(text)
        places = list(_places(document))
        if not places:
            return self.word_changed(text)
        for _ in range(self.chance.randint(1, 3)):
            holder, key = self.chance.choice(places)
            other_holder, other_key = self.chance.choice(places)
            try:
                new = self._json_value(other_holder[other_key])
                if self.chance.random() < 0.15:
                    del holder[key]
                else:
                    holder[key] = new
            except (KeyError, IndexError):
                continue
        try:
            return json.dumps(document, ensure_ascii=self.chance.random() < 0.3, indent=1)
        except (ValueError, RecursionError):
            return text

    def _json_value(self, other: object) -> object:
        values: list[object] = [
            other, other, other, None, True, False, 0, 1, -1, 2**31, 2**53 + 1, 10**40, 1e308, -0.5, [], {},
    "",
            self._token(), [other], {"x": other},
        ]  # fmt: skip
        return json.loads(json.dumps(self.chance.choice(values)))


def _class(letter: str) -> str:
    return "a" if letter.isalpha() else "0" if letter.isdigit() else letter


def _places(value: object) -> list[tuple[Any, Any]]:
    """Every holder and key of a document's values."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict):
            found += [(holder, key) for key in holder]
            waiting += holder.values()
        elif isinstance(holder, list):
            found += [(holder, place) for place in range(len(holder))]
            waiting += holder
    return found


_CHANGES: tuple[Change, ...] = (
    Mutator.exchanged,
    Mutator.exchanged,
    Mutator.exchanged,
    Mutator.word_changed,
    Mutator.word_changed,
    Mutator.number_changed,
    Mutator.group_changed,
    Mutator.group_changed,
    Mutator.line_changed,
    Mutator.spliced,
    Mutator.cut,
    Mutator.json_changed,
    Mutator.json_changed,
)
