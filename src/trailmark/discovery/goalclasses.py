"""What is still to be done, by class of goals: counters that every domain with goals can have.

For a goal predicate the objects (or pairs) whose goal does not hold yet, all of them or only those of
a type or with a static property: an order of a child who is allergic is another class than one of a
child who is not. Where values are ordered by a static role, also how far they are from their goal along
it. Features bound to these objects say what has happened to what still counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from trailmark.features.syntax import Expression, open_pairs, with_open_goal
from trailmark.features.syntax import expression as make
from trailmark.relational import Structure, Symbol, Vocabulary


def goal_counters(vocabulary: Vocabulary, goal_predicates: frozenset[str]) -> tuple[Expression, ...]:
    """Counts of open goals, for each goal predicate and each class of objects."""
    goals = [symbol for symbol in vocabulary.symbols if symbol.goal_of in goal_predicates]
    return tuple(dict.fromkeys(count for goal in goals for count in _of_predicate(vocabulary, goal)))


def open_objects(vocabulary: Vocabulary, goal_predicates: frozenset[str]) -> tuple[Expression, ...]:
    """The objects with a goal that does not hold yet, for each goal predicate and argument."""
    goals = [symbol for symbol in vocabulary.symbols if symbol.goal_of in goal_predicates]
    return tuple(dict.fromkeys(side for goal in goals for side in with_open_goal(goal)))


def bound_features(objects: Iterable[Expression], concepts: Iterable[Expression]) -> Iterator[Expression]:
    """How many of these objects are in each concept, and how many are not."""
    properties = list(concepts)
    for counted in objects:
        for concept in properties:
            yield make("n_count", make("c_and", counted, concept))
            yield make("n_count", make("c_and", counted, make("c_not", concept)))


def value_distances(
    vocabulary: Vocabulary, goal_predicates: frozenset[str], chained: Collection[str]
) -> Iterator[Expression]:
    """How far values are from their goals along a `chained` static role, summed over the objects."""
    for goal in vocabulary.symbols:
        if goal.goal_of not in goal_predicates or goal.arity != 2:
            continue
        now, wanted = _role(str(goal.goal_of)), _role(goal.name)
        for symbol in _static_roles(vocabulary):
            for role in _both_ways(symbol) if symbol.name in chained else ():
                steps = make("r_transitive_closure", role)
                yield make("n_count", make("r_diff", _after(wanted, steps), _after(now, steps)))


def chained_roles(structures: Iterable[Structure]) -> frozenset[str]:
    """The static roles that lead on from where they lead to, as from one level to the next; one between
    things of different kinds does not."""
    found: set[str] = set()
    for structure in structures:
        for symbol in _static_roles(structure.vocabulary):
            pairs = structure.static_tuples.get(structure.vocabulary.index[symbol.name], ())
            if {first for first, _ in pairs} & {second for _, second in pairs}:
                found.add(symbol.name)
    return frozenset(found)


def _static_roles(vocabulary: Vocabulary) -> list[Symbol]:
    symbols = vocabulary.symbols
    return [symbol for symbol in symbols if symbol.static and symbol.arity == 2 and not symbol.goal_of]


def carried_counters(vocabulary: Vocabulary, goal_predicates: frozenset[str]) -> Iterator[Expression]:
    """How many objects are away from their goal, or in another group than it by a static role, where a
    value is also had through something else: a parcel in a truck is where the truck is."""
    for goal in vocabulary.symbols:
        if goal.goal_of not in goal_predicates or goal.arity != 2:
            continue
        wanted = _role(goal.name)
        for place in _carried(vocabulary, str(goal.goal_of)):
            yield _differing(goal, place, wanted)
            for symbol in _static_roles(vocabulary):
                for role in _both_ways(symbol):
                    yield _differing(goal, _after(place, role), _after(wanted, role))


def _carried(vocabulary: Vocabulary, value: str) -> Iterator[Expression]:
    """The values of this predicate that objects have themselves or through what they are in."""
    for symbol in vocabulary.symbols:
        if not symbol.static and symbol.arity == 2 and not symbol.goal_of and symbol.name != value:
            for role in _both_ways(symbol):
                yield _after(make("r_transitive_reflexive_closure", role), _role(value))


def _differing(goal: Symbol, now: Expression, wanted: Expression) -> Expression:
    """How many objects with an open goal have other values than they want."""
    return make(
        "n_count", make("c_and", with_open_goal(goal)[0], make("c_not", make("c_equal", now, wanted)))
    )


def _both_ways(symbol: Symbol) -> tuple[Expression, Expression]:
    return _role(symbol.name), make("r_inverse", _role(symbol.name))


def _after(first: Expression, second: Expression) -> Expression:
    return make("r_compose", first, second)


def _of_predicate(vocabulary: Vocabulary, goal: Symbol) -> Iterator[Expression]:
    if goal.arity == 2:
        yield make("n_count", open_pairs(goal))
    for side in with_open_goal(goal):
        yield make("n_count", side)
        for symbol in vocabulary.symbols:
            if symbol.static and symbol.arity == 1 and symbol.goal_of is None:
                kind = make("c_primitive", symbol.name, 0)
                yield make("n_count", make("c_and", kind, side))


def _role(name: str) -> Expression:
    return make("r_primitive", name, 0, 1)
