"""What the typed structures of a model file have in common: exact fields, and limits on sizes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

LARGEST_COUNT = 2**53
"""Integers up to here survive any JSON reader."""
MOST_ENTRIES = 10_000

Text = Annotated[str, Meta(max_length=10_000)]
Count = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
many = Meta(max_length=MOST_ENTRIES)


class Entry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An object of the document: exactly its fields, of exactly these types."""
