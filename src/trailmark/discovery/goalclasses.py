"""What is still to be done, by class of goals: counters that every domain with goals can have.

For a goal predicate the objects (or pairs) whose goal does not hold yet, all of them or only those of
a type or with a static property: an order of a child who is allergic is another class than one of a
child who is not.
"""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.features.syntax import Expression
from trailmark.features.syntax import expression as make
from trailmark.relational import Symbol, Vocabulary


def goal_counters(vocabulary: Vocabulary, goal_predicates: frozenset[str]) -> tuple[Expression, ...]:
    """Counts of open goals, for each goal predicate and each class of objects."""
    found: dict[Expression, None] = {}
    for symbol in vocabulary.symbols:
        if symbol.goal_of in goal_predicates:
            for each in _of_predicate(vocabulary, symbol):
                found[each] = None
    return tuple(found)


def _of_predicate(vocabulary: Vocabulary, goal: Symbol) -> Iterator[Expression]:
    assert goal.goal_of is not None
    if goal.arity == 0:
        return
    if goal.arity == 2:
        open_pairs = make("r_diff", _role(goal.name), _role(goal.goal_of))
        yield make("n_count", open_pairs)
        open_first = make("c_some", open_pairs, make("c_top"))
        open_second = make("c_some", make("r_inverse", open_pairs), make("c_top"))
        sides = [open_first, open_second]
    else:
        sides = [
            make(
                "c_and",
                make("c_primitive", goal.name, position),
                make("c_not", make("c_primitive", goal.goal_of, position)),
            )
            for position in range(goal.arity)
        ]
    for side in sides:
        yield make("n_count", side)
        for symbol in vocabulary.symbols:
            if symbol.static and symbol.arity == 1 and symbol.goal_of is None:
                kind = make("c_primitive", symbol.name, 0)
                yield make("n_count", make("c_and", kind, side))


def _role(name: str) -> Expression:
    return make("r_primitive", name, 0, 1)
