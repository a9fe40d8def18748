"""The domain's names in a model file, so that a graph can be put in words without the domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trailmark.landmarks.jsoncheck import Node
from trailmark.relational import Symbol, Vocabulary

if TYPE_CHECKING:
    from trailmark.landmarks.model import Json

MOST_SYMBOLS = 10_000
MOST_ARGUMENTS = 100
LONGEST_NAME = 10_000

_SYMBOL_FIELDS = ("name", "arity", "static", "goal_of", "is_type")


def vocabulary_document(vocabulary: Vocabulary | None) -> Json:
    """The vocabulary as JSON; null for a model that has none."""
    if vocabulary is None:
        return None
    return {
        "symbols": [
            {
                "name": each.name,
                "arity": each.arity,
                "static": each.static,
                "goal_of": each.goal_of,
                "is_type": each.is_type,
            }
            for each in vocabulary.symbols
        ],
        "constants": list(vocabulary.constants),
        "functions": list(vocabulary.functions),
    }


def types_document(parameter_types: Mapping[str, Sequence[str]]) -> Json:
    """For each predicate the types of its parameters, as JSON."""
    return {name: list(types) for name, types in parameter_types.items()}


def read_vocabulary(node: Node) -> Vocabulary | None:
    """The vocabulary in this part of a document."""
    if node.value is None:
        return None
    fields = node.object(["symbols", "constants", "functions"])
    symbols = tuple(_symbol(each) for each in fields["symbols"].array(MOST_SYMBOLS))
    if len({each.name for each in symbols}) < len(symbols):
        raise fields["symbols"].error("a name is listed twice")
    return Vocabulary(symbols, _names(fields["constants"]), _names(fields["functions"]))


def read_types(node: Node) -> dict[str, tuple[str, ...]]:
    """The types of the predicates' parameters in this part of a document."""
    return {
        Node(name, each.source, each.path).text(LONGEST_NAME): tuple(
            kind.text(LONGEST_NAME) for kind in each.array(MOST_ARGUMENTS)
        )
        for name, each in node.mapping(MOST_SYMBOLS).items()
    }


def _symbol(node: Node) -> Symbol:
    fields = node.object(_SYMBOL_FIELDS)
    goal_of = fields["goal_of"]
    return Symbol(
        name=fields["name"].text(LONGEST_NAME),
        arity=fields["arity"].integer(0, MOST_ARGUMENTS),
        static=fields["static"].boolean(),
        goal_of=None if goal_of.value is None else goal_of.text(LONGEST_NAME),
        is_type=fields["is_type"].boolean(),
    )


def _names(node: Node) -> tuple[str, ...]:
    return tuple(each.text(LONGEST_NAME) for each in node.array(MOST_SYMBOLS))
