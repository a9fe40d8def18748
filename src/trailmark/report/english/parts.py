"""Concepts taken apart for phrases: what joins their parts, with negations moved to those."""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.features.syntax import Expression, Kind
from trailmark.features.syntax import expression as make

TOP = make("c_top")


def having(counted: Expression) -> Expression:
    """The objects of a concept, or those that have a role."""
    return counted if counted.kind is Kind.CONCEPT else make("c_some", counted, TOP)


def quantified(part: Expression) -> tuple[bool, Expression, Expression]:
    """Whether all or some objects are meant, by which role, and of which concept."""
    name, role = part.constructor.name, part.children[0]
    if name == "c_projection":
        return False, make("r_inverse", role) if part.arguments[1] == 1 else role, TOP
    if name == "c_fills":
        return False, role, make("c_one_of", part.arguments[1])
    return name == "c_all", role, part.children[1]


def joined(node: Expression, positive: bool, word: str = "and") -> Iterator[tuple[Expression, bool]]:
    """The parts that are joined by the word, negations moved to them."""
    name, signs = node.constructor.name, (positive, positive)
    parts = node.children
    if name == "c_diff":
        name, signs = "c_and", (positive, not positive)
    elif name in ("c_some", "c_all") and parts[0].constructor.name == "r_identity":
        signs = (positive == (name == "c_some"), positive)
        name, parts = "c_and" if name == "c_some" else "c_or", (parts[0].children[0], parts[1])
    if name == "c_not":
        yield from joined(parts[0], not positive, word)
    elif name in ("c_and", "c_or") and ((name == "c_and") == positive) == (word == "and"):
        for part, sign in zip(parts, signs, strict=True):
            yield from joined(part, sign, word)
    else:
        yield node, positive
