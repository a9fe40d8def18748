"""The ways through a chain with possible landmarks and branches, both beyond the paper.

A possible landmark may be skipped. A branch is a group of alternative chains between two landmarks, of
which one is followed: a trajectory takes the alternative that it accepts a landmark of first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trailmark.errors import InputError

if TYPE_CHECKING:
    from trailmark.landmarks.graph import Landmark, Loop

Unit = tuple[range, ...]
"""The positions of one landmark outside of branches, or those of each alternative of a group."""


@dataclass(frozen=True)
class Routes:
    """For every position of a chain, and the one past its end, how it goes on from there."""

    awaited: tuple[tuple[int, ...], ...]
    """What a state may accept: those up to the first that cannot be skipped, and at a branch those of
    every alternative. Necessary ones come before possible ones: so possible landmarks never keep a
    necessary one from being accepted in the state that would accept it without them."""
    required: tuple[int | None, ...]
    """The first one that cannot be skipped, at a branch that of its first alternative; None where all
    that is left is possible."""
    following: tuple[int, ...]
    """Where a landmark leads: to the next one, or from the last of an alternative past the others."""
    rest: tuple[int, ...]
    """How many landmarks are left on the longest way."""


def units(landmarks: Sequence[Landmark]) -> list[Unit]:
    """The chain as single landmarks and groups, which must be numbered in order."""
    found: list[Unit] = []
    position, group = 0, 0
    while position < len(landmarks):
        branch = landmarks[position].branch
        if branch is None:
            found.append((range(position, position + 1),))
            position += 1
            continue
        group += 1
        alternatives = list(_alternatives(landmarks, position, group))
        if len(alternatives) < 2:
            raise InputError(
                f"landmark {position + 1} is in branch {branch[0]}.{branch[1]}, which has no alternative",
                hint="number groups from 1 in order, and the alternatives of each: 1.1, 1.1, 1.2, 2.1, 2.2",
            )
        found.append(tuple(alternatives))
        position = alternatives[-1].stop
    return found


def _alternatives(landmarks: Sequence[Landmark], position: int, group: int) -> Iterator[range]:
    alternative = 1
    while True:
        start = position
        while position < len(landmarks) and landmarks[position].branch == (group, alternative):
            position += 1
        if position == start:
            return
        yield range(start, position)
        alternative += 1


def find_routes(landmarks: Sequence[Landmark]) -> Routes:
    """All ways through these landmarks."""
    parts = units(landmarks)
    size = len(landmarks)
    awaited: list[tuple[int, ...]] = [()] * (size + 1)
    required: list[int | None] = [None] * (size + 1)
    following, rest = [size] * size, [0] * (size + 1)
    after = size
    for unit in reversed(parts):
        for alternative in unit:
            for position in reversed(alternative):
                last = position == alternative[-1]
                following[position] = after if last else position + 1
                rest[position] = 1 + rest[following[position]]
                awaited[position] = (position,)
                required[position] = position
                if landmarks[position].is_possible:
                    awaited[position] += awaited[following[position]]
                    required[position] = required[following[position]]
        start = unit[0].start
        awaited[start] = tuple(
            sorted({place for alternative in unit for place in awaited[alternative.start]})
        )
        optional = any(all(landmarks[place].is_possible for place in alternative) for alternative in unit)
        required[start] = required[after] if optional else required[start]
        rest[start] = max(rest[alternative.start] for alternative in unit)
        after = start
    return Routes(
        tuple(
            tuple(sorted(positions, key=lambda place: landmarks[place].is_possible)) for positions in awaited
        ),
        tuple(required),
        tuple(following),
        tuple(rest),
    )


def check_loop(landmarks: Sequence[Landmark], loop: Loop) -> None:
    """A loop starts at a landmark that every pass must achieve, and leads to none inside a branch."""
    source, name = landmarks[loop.source], loop.source + 1
    if source.is_possible or source.branch is not None:
        raise InputError(f"the loop at landmark {name} starts at one that can be skipped")
    if landmarks[loop.target].branch is None:
        return
    if not any(loop.target == unit[0].start for unit in units(landmarks)):
        raise InputError(
            f"the loop at landmark {name} leads into a branch",
            hint="lead it to the first one of the branch",
        )
