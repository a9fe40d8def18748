"""Concepts taken apart for phrases: what joins their parts, with negations moved to those, and which names
they use."""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.features.syntax import Expression, Kind, Slot, subexpressions
from trailmark.features.syntax import expression as make
from trailmark.relational import Vocabulary
from trailmark.report.english.words import GOAL_SUFFIX, DomainWords, ParameterTypes

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


def words_for(
    node: Expression, vocabulary: Vocabulary | None, parameter_types: ParameterTypes | None
) -> DomainWords:
    """What is known about the names in this expression; without a vocabulary, what its use of them shows."""
    arities = {symbol.name: symbol.arity for symbol in vocabulary.symbols} if vocabulary is not None else {}
    for name, types in (parameter_types or {}).items():
        arities |= {each: len(types) for each in (name, name + GOAL_SUFFIX) if each not in arities}
    for part in subexpressions([node]):
        if part.constructor.takes[:1] == (Slot.PREDICATE,):
            name = str(part.arguments[0])
            if vocabulary is None or name not in vocabulary:
                least = 1 + max((each for each in part.arguments[1:] if isinstance(each, int)), default=-1)
                base = name.removesuffix(GOAL_SUFFIX)
                for each in (name, base, base + GOAL_SUFFIX):
                    arities[each] = max(arities.get(each, 0), least)
    return DomainWords(vocabulary, dict(parameter_types or {}), arities)
