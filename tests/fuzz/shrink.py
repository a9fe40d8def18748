"""Making an input that goes wrong smaller while it goes wrong in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def shrunk(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """The input without the brackets, lines and pieces that are not needed for `still` to hold."""
    smaller = True
    while smaller:
        smaller = False
        for start, stop in _parts(data):
            rest = data[:start] + data[stop:]
            if len(rest) < len(data) and still(rest):
                data, smaller = rest, True
                break
    return data


def _parts(data: bytes) -> Iterator[tuple[int, int]]:
    """Brackets from the longest to the shortest, lines, then pieces of falling length."""
    groups: list[tuple[int, int]] = []
    opened: list[int] = []
    for place, letter in enumerate(data):
        if letter in b"([{":
            opened.append(place)
        elif letter in b")]}" and opened:
            groups.append((opened.pop(), place + 1))
    yield from sorted(groups, key=lambda each: each[0] - each[1])
    start = 0
    for line in data.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)
    for size in (64, 16, 4, 1):
        yield from ((place, place + size) for place in range(0, len(data), size))
