"""Which of a landmark's many descriptors say most to a reader.

What is simple comes first, what holds before what does not, and what speaks of the goal before what
does not; a descriptor that follows from another one of the same landmark adds nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from trailmark.features.syntax import Expression, Kind, Slot, expression, subexpressions
from trailmark.landmarks import StateDescriptor
from trailmark.report.english.plain import TOP, conjuncts, plain
from trailmark.report.english.words import GOAL_SUFFIX

NEGATION_COST = 4
"""A negation weighs as much as so many steps of complexity."""
GOAL_BONUS = 3
"""So much complexity is made up for by speaking of the goal."""
SLACK = 3
"""A descriptor gives way to one from which it follows only where that is not much harder to read."""
DISJUNCTION_COST = 4
"""An alternative inside a descriptor is hard to read."""


def chosen(
    descriptors: Sequence[StateDescriptor],
    most: int,
    arities: Mapping[str, int],
    goals: Collection[str] | None = None,
) -> list[StateDescriptor]:
    """The few that say most, the best first. `goals` are the names of goal predicates, where known."""
    follows = {each: tuple(_implied(each.feature, arities)) for each in descriptors}
    costs = {each: _cost(each, arities, goals) for each in descriptors}
    ranked = sorted(descriptors, key=lambda each: (costs[each], str(each)))
    telling = [
        each
        for place, each in enumerate(ranked)
        if not any(
            _entails(other, each, follows) and costs[other] <= costs[each] + SLACK
            for other in [
                *ranked[:place],
                *(late for late in ranked[place + 1 :] if not _entails(each, late, follows)),
            ]
        )
    ]
    return telling[:most]


def narrowed(feature: Expression, arities: Mapping[str, int]) -> Expression:
    """`Some truck is at a cell with nothing but trucks` where the feature says only `something`.

    What has R to an object with nothing but C at the other end of R is in C itself.
    """
    counted = _counted(feature, arities)
    if counted is None or feature.constructor.name not in ("n_count", "b_nonempty", "b_empty"):
        return feature
    found: list[Expression] = []
    for part in conjuncts(counted):
        if part.constructor.name == "c_some" and part.children[0].constructor.name == "r_primitive":
            name, first, second = part.children[0].arguments
            back = expression("r_primitive", name, second, first)
            for inner in conjuncts(part.children[1]):
                if inner.constructor.name == "c_all" and inner.children[0] is back:
                    found += [each for each in [inner.children[1]] if each.constructor.name == "c_primitive"]
    missing = [each for each in dict.fromkeys(found) if each not in conjuncts(counted)]
    for each in missing:
        counted = expression("c_and", each, counted)
    return expression(feature.constructor.name, counted) if missing else feature


def _cost(descriptor: StateDescriptor, arities: Mapping[str, int], goals: Collection[str] | None) -> int:
    read = plain(descriptor.feature, arities)
    parts = list(subexpressions([read]))
    alternatives = sum(part.constructor.name == "c_or" for part in parts)
    cost = read.complexity + DISJUNCTION_COST * alternatives
    if not descriptor.positive:
        cost += NEGATION_COST
    if any(_names_goal(part, goals) for part in parts):
        cost -= GOAL_BONUS
    return cost


def _names_goal(part: Expression, goals: Collection[str] | None) -> bool:
    if part.constructor.takes[:1] != (Slot.PREDICATE,):
        return False
    name = str(part.arguments[0])
    return name in goals if goals is not None else name.endswith(GOAL_SUFFIX)


def _entails(
    stronger: StateDescriptor,
    weaker: StateDescriptor,
    follows: Mapping[StateDescriptor, tuple[Expression, ...]],
) -> bool:
    """Whether the one plainly follows from the other: some C with D, so some D; no D, so no C with D."""
    if not (stronger.is_plain and weaker.is_plain) or stronger.positive != weaker.positive:
        return False
    whole, part = (stronger, weaker) if stronger.positive else (weaker, stronger)
    return bool(follows[part]) and follows[part][0] in follows[whole]


def _implied(feature: Expression, arities: Mapping[str, int]) -> Iterator[Expression]:
    """Every concept or role that has a member wherever the feature is above zero, its own first."""
    counted = _counted(feature, arities)
    if counted is None or feature.constructor.name not in ("n_count", "b_nonempty"):
        return
    waiting = [counted]
    while waiting:
        each = waiting.pop()
        yield each
        name = each.constructor.name
        if name == "c_and":
            waiting += conjuncts(each)
        elif name == "c_some":
            role, filler = each.children
            waiting.append(role)
            if filler is not TOP:
                waiting += [filler, expression("c_some", role, TOP)]
        elif name == "r_and":
            waiting += each.children
        elif each.kind is Kind.ROLE and name == "r_primitive":
            yield expression("c_some", each, TOP)


def _counted(feature: Expression, arities: Mapping[str, int]) -> Expression | None:
    if feature.constructor.name not in ("n_count", "b_nonempty", "b_empty"):
        return None
    return plain(feature, arities).children[0]
