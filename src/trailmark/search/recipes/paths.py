"""Shortest paths from one place, found lazily: nearest places first, as far as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush


class Paths:
    """Shortest paths from one place, found as far as they were asked for."""

    def __init__(self, start: int, steps: Callable[[int], Iterable[tuple[int, float]]]) -> None:
        self._steps = steps
        self._came_from: dict[int, int | None] = {start: None}
        self._costs = {start: 0.0}
        self._nearest: list[int] = []
        self._done: set[int] = set()
        self._waiting: list[tuple[float, int, int]] = [(0.0, 0, start)]
        self._pushed = 0

    def __iter__(self) -> Iterator[int]:
        """Places that can be reached, nearest first."""
        place = 0
        while place < len(self._nearest) or self._advance():
            yield self._nearest[place]
            place += 1

    def __contains__(self, place: int) -> bool:
        while place not in self._done:
            if not self._advance():
                return False
        return True

    def __len__(self) -> int:
        """How many places are known so far."""
        return len(self._came_from)

    def cost(self, place: int) -> float:
        """Of the way to a place that can be reached."""
        return self._costs[place]

    def to(self, place: int) -> list[int]:
        """The places on the way, both ends included; the place must be one that can be reached."""
        path = [place]
        while (before := self._came_from[path[-1]]) is not None:
            path.append(before)
        path.reverse()
        return path

    def _advance(self) -> bool:
        """Finds the next nearest place; whether there is one."""
        while self._waiting:
            cost, _, here = heappop(self._waiting)
            if here in self._done:
                continue
            self._done.add(here)
            self._nearest.append(here)
            for there, step in self._steps(here):
                known = self._costs.get(there)
                if there not in self._done and (known is None or cost + step < known):
                    self._costs[there] = cost + step
                    self._came_from[there] = here
                    self._pushed += 1
                    heappush(self._waiting, (cost + step, self._pushed, there))
            return True
        return False
