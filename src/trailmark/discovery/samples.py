"""Choosing some of many states, the same ones in every run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def spread(items: Sequence[Item], most: int) -> Sequence[Item]:
    """At most so many of the items, evenly spread; all where there are no more."""
    return items[:: -(-len(items) // most)] if len(items) > most else items
