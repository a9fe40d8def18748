"""Description-logic expressions: concepts, roles, Booleans and numericals as immutable trees.

Every expression exists once (hash-consing), so that identity is equality and shared parts are
shared in fact. The constructors and their names are those of DLPlan's text syntax, extended by a
few that DLPlan lacks; `complexity` is the size of the syntax tree, as DLPlan counts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Union
from weakref import WeakValueDictionary

from trailmark.errors import FeatureError
from trailmark.relational import Symbol


class Kind(Enum):
    """What an expression denotes in a state."""

    CONCEPT = "concept"
    """A set of objects."""
    ROLE = "role"
    """A set of pairs of objects."""
    BOOLEAN = "Boolean"
    """A truth value."""
    NUMERICAL = "numerical"
    """A whole number, or `INFINITE`."""


class Slot(Enum):
    """What a constructor takes at one argument place, besides expressions."""

    PREDICATE = "predicate"
    POSITION = "argument position"
    OBJECT = "constant"
    FUNCTION = "nullary function"


Takes = Kind | Slot | tuple[Kind, ...]
"""What may stand at an argument place of a constructor."""


@dataclass(frozen=True)
class Constructor:
    """One rule of the grammar: its name in text, what it makes and what it takes.

    `CONCEPT_OR_ROLE` places take either kind; two of them in one rule take the same kind.
    """

    name: str
    makes: Kind
    takes: tuple[Takes, ...]


CONCEPT, ROLE, BOOLEAN, NUMERICAL = Kind.CONCEPT, Kind.ROLE, Kind.BOOLEAN, Kind.NUMERICAL
CONCEPT_OR_ROLE = (Kind.CONCEPT, Kind.ROLE)

CONSTRUCTORS: dict[str, Constructor] = {
    rule.name: rule
    for rule in (
        Constructor("c_top", CONCEPT, ()),
        Constructor("c_bot", CONCEPT, ()),
        Constructor("c_primitive", CONCEPT, (Slot.PREDICATE, Slot.POSITION)),
        Constructor("c_one_of", CONCEPT, (Slot.OBJECT,)),
        Constructor("c_not", CONCEPT, (CONCEPT,)),
        Constructor("c_and", CONCEPT, (CONCEPT, CONCEPT)),
        Constructor("c_or", CONCEPT, (CONCEPT, CONCEPT)),
        Constructor("c_diff", CONCEPT, (CONCEPT, CONCEPT)),
        Constructor("c_some", CONCEPT, (ROLE, CONCEPT)),
        Constructor("c_all", CONCEPT, (ROLE, CONCEPT)),
        Constructor("c_equal", CONCEPT, (ROLE, ROLE)),
        Constructor("c_subset", CONCEPT, (ROLE, ROLE)),
        Constructor("c_projection", CONCEPT, (ROLE, Slot.POSITION)),
        Constructor("c_fills", CONCEPT, (ROLE, Slot.OBJECT)),
        Constructor("r_top", ROLE, ()),
        Constructor("r_primitive", ROLE, (Slot.PREDICATE, Slot.POSITION, Slot.POSITION)),
        Constructor("r_inverse", ROLE, (ROLE,)),
        Constructor("r_not", ROLE, (ROLE,)),
        Constructor("r_and", ROLE, (ROLE, ROLE)),
        Constructor("r_or", ROLE, (ROLE, ROLE)),
        Constructor("r_diff", ROLE, (ROLE, ROLE)),
        Constructor("r_compose", ROLE, (ROLE, ROLE)),
        Constructor("r_restrict", ROLE, (ROLE, CONCEPT)),
        Constructor("r_identity", ROLE, (CONCEPT,)),
        Constructor("r_transitive_closure", ROLE, (ROLE,)),
        Constructor("r_transitive_reflexive_closure", ROLE, (ROLE,)),
        Constructor("b_nullary", BOOLEAN, (Slot.PREDICATE,)),
        Constructor("b_empty", BOOLEAN, (CONCEPT_OR_ROLE,)),
        Constructor("b_nonempty", BOOLEAN, (CONCEPT_OR_ROLE,)),
        Constructor("b_inclusion", BOOLEAN, (CONCEPT_OR_ROLE, CONCEPT_OR_ROLE)),
        Constructor("n_count", NUMERICAL, (CONCEPT_OR_ROLE,)),
        Constructor("n_concept_distance", NUMERICAL, (CONCEPT, ROLE, CONCEPT)),
        Constructor("n_function", NUMERICAL, (Slot.FUNCTION,)),
    )
}

INFINITE = 2**31 - 1
"""The value of a distance where there is no path."""


def whole(value: float) -> int:
    """A number as features read it: a fraction is cut off, and what is beyond `INFINITE` is that."""
    return int(max(-INFINITE, min(value, INFINITE)))


Argument = Union["Expression", str, int]


class Expression:
    """A node of the syntax tree. Make one with `expression(...)` or by parsing text."""

    __slots__ = ("__weakref__", "arguments", "complexity", "constructor", "kind")

    constructor: Constructor
    arguments: tuple[Argument, ...]
    kind: Kind
    complexity: int
    """The size of the syntax tree."""

    def __str__(self) -> str:
        # Without recursion: an expression may be deeper than the interpreter's stack.
        pieces: list[str] = []
        waiting: list[Argument] = [self]
        while waiting:
            node = waiting.pop()
            if not isinstance(node, Expression):
                pieces.append(str(node))
                continue
            pieces.append(node.constructor.name)
            if node.arguments:
                pieces.append("(")
                waiting.append(")")
                for argument in reversed(node.arguments):
                    waiting += (argument, ",")
                waiting.pop()
        return "".join(pieces)

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        return expression, (self.constructor.name, *self.arguments)

    @property
    def children(self) -> tuple[Expression, ...]:
        """The expressions this one is made of, left to right."""
        return tuple(argument for argument in self.arguments if isinstance(argument, Expression))


_known: WeakValueDictionary[tuple[object, ...], Expression] = WeakValueDictionary()


def expression(name: str, *arguments: Argument) -> Expression:
    """The one expression with this constructor and these arguments."""
    key = (name, *arguments)
    node = _known.get(key)
    if node is None:
        rule = CONSTRUCTORS.get(name)
        if rule is None:
            raise FeatureError(f"unknown constructor {name!r}")
        _require_fitting(rule, arguments)
        node = Expression()
        node.constructor = rule
        node.arguments = arguments
        node.kind = rule.makes
        node.complexity = 1 + sum(
            argument.complexity for argument in arguments if isinstance(argument, Expression)
        )
        node = _known.setdefault(key, node)
    return node


NAME = re.compile(r"[^\s(),]+")
"""A predicate, constant or function: anything PDDL may call one, up to the text's own punctuation."""
ROLE_ENDS = 2
"""A role relates its first end to its second; `c_projection` picks one of them."""


def place(rule: Constructor, before: Sequence[Argument]) -> Takes:
    """What the rule takes after these arguments."""
    takes = rule.takes[len(before)]
    if isinstance(takes, tuple):
        for earlier, argument in zip(rule.takes, before, strict=False):
            if earlier == takes and isinstance(argument, Expression):
                return argument.kind
    return takes


def fits(rule: Constructor, before: Sequence[Argument], argument: Argument) -> bool:
    """Whether the argument may follow these in the rule, whatever the vocabulary."""
    takes = place(rule, before)
    if takes is Slot.POSITION:
        most = ROLE_ENDS if rule.takes[0] is Kind.ROLE else None
        return type(argument) is int and argument >= 0 and (most is None or argument < most)
    if isinstance(takes, Slot):
        return isinstance(argument, str) and NAME.fullmatch(argument) is not None
    kinds = takes if isinstance(takes, tuple) else (takes,)
    return isinstance(argument, Expression) and argument.kind in kinds


def _require_fitting(rule: Constructor, arguments: tuple[Argument, ...]) -> None:
    """Raise where an argument does not fit; quick where each is an expression of the kind asked for."""
    if len(arguments) != len(rule.takes):
        raise FeatureError(f"{rule.name} takes {len(rule.takes)} arguments, not {len(arguments)}")
    for number, (argument, takes) in enumerate(zip(arguments, rule.takes, strict=True)):
        is_plain = type(argument) is Expression and argument.kind is takes
        if not is_plain and not fits(rule, arguments[:number], argument):
            wanted = describe(place(rule, arguments[:number]))
            raise FeatureError(f"argument {number + 1} of {rule.name} must be {wanted}, not {argument}")


def describe(takes: Takes) -> str:
    """What stands at the place, for a message: `a concept or a role`."""
    kinds = takes if isinstance(takes, tuple) else (takes,)
    names = [f"{'an' if kind.value[0] in 'aeiou' else 'a'} {kind.value}" for kind in kinds]
    return " or ".join(names)


def subexpressions(roots: tuple[Expression, ...] | list[Expression]) -> Iterator[Expression]:
    """Every distinct expression in these trees, parts before wholes."""
    seen: set[Expression] = set()
    for root in roots:
        stack: list[tuple[Expression, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if node in seen:
                continue
            if ready:
                seen.add(node)
                yield node
            else:
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))


def open_pairs(goal: Symbol) -> Expression:
    """The pairs of objects with an open goal: one of this goal version of a predicate, and not of its own."""
    wanted, now = (expression("r_primitive", name, 0, 1) for name in (goal.name, str(goal.goal_of)))
    return expression("r_diff", wanted, now)


def with_open_goal(goal: Symbol) -> list[Expression]:
    """The objects at each place of a goal version whose goal is open."""
    if goal.arity == 2:
        pairs = open_pairs(goal)
        return [
            expression("c_some", role, expression("c_top"))
            for role in (pairs, expression("r_inverse", pairs))
        ]
    names = (goal.name, str(goal.goal_of))
    both = [[expression("c_primitive", name, place) for name in names] for place in range(goal.arity)]
    return [expression("c_and", wanted, expression("c_not", now)) for wanted, now in both]
