"""Steps of a plan that lie apart, brought next to one another where the plan allows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trailmark.task.lifted.schema import StripsStep


@dataclass(frozen=True)
class Window:
    """A plan in three parts."""

    before: list[StripsStep]
    inside: list[StripsStep]
    behind: list[StripsStep]


def gathered(actions: Sequence[StripsStep], members: Iterable[int], most: int) -> Window | None:
    """The plan with these steps next to one another, and those that must stay between them; None where
    these are too many."""
    inside = {place for place in members if place < len(actions)}
    if not inside:
        return None
    first, last = min(inside), max(inside)
    span = range(first, last + 1)
    later = _related(actions, span, inside, lambda action, touched: _is_bound(touched, action))
    inside |= later & _related(actions, reversed(span), inside, _is_bound)
    if len(inside) > most:
        return None
    later -= inside
    return Window(
        [*actions[:first], *(actions[place] for place in span if place not in inside and place not in later)],
        [actions[place] for place in span if place in inside],
        [*(actions[place] for place in span if place in later), *actions[last + 1 :]],
    )


class _Touched:
    """What some steps read and write."""

    def __init__(self) -> None:
        self.needs: set[int] = set()
        self.forbids: set[int] = set()
        self.adds: set[int] = set()
        self.deletes: set[int] = set()

    def add(self, action: StripsStep) -> None:
        self.needs |= action.needs
        self.forbids |= action.forbids
        self.adds |= action.adds
        self.deletes |= action.deletes


def _is_bound(earlier: StripsStep | _Touched, later: StripsStep | _Touched) -> bool:
    """Whether the later steps cannot come before the earlier ones."""
    return not (
        later.needs.isdisjoint(earlier.adds)
        and later.forbids.isdisjoint(earlier.deletes)
        and later.deletes.isdisjoint(earlier.needs)
        and later.deletes.isdisjoint(earlier.adds)
        and later.adds.isdisjoint(earlier.forbids)
        and later.adds.isdisjoint(earlier.deletes)
    )


def _related(
    actions: Sequence[StripsStep],
    order: Iterable[int],
    inside: set[int],
    related: Callable[[StripsStep, _Touched], bool],
) -> set[int]:
    """The steps, taken in this order, that must stay on their side of a member before them."""
    touched, found = _Touched(), set[int]()
    for place in order:
        action = actions[place]
        if place in inside:
            touched.add(action)
        elif related(action, touched):
            found.add(place)
            touched.add(action)
    return found
