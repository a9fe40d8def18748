"""Giving a place in the input to errors of checks that know none."""

from __future__ import annotations

from collections.abc import Callable

from trailmark.errors import InputError


class located:
    """`with located(make):` turns an `InputError` without a place into `make(message, hint)`."""

    def __init__(self, make: Callable[[str, str | None], InputError]) -> None:
        self.make = make

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError) and error.place is None:
            raise self.make(error.message, error.hint) from None
