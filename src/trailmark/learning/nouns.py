"""What the parameters of predicates are called in words: their types, as close as training shows them.

A domain may declare less than a reader knows: `at` takes any object, but goals are about packages
alone; or all objects have one type and static predicates such as `car` and `port` stand for types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trailmark.relational import Structure, Symbol
from trailmark.task import Domain
from trailmark.task.replay import Trajectory

_Place = tuple[str, int]
"""A predicate and the position of a parameter."""
_Object = tuple[int, int]
"""An instance and one of its objects."""


def parameter_nouns(domain: Domain, paths: Sequence[Trajectory]) -> dict[str, tuple[str, ...]]:
    """For each predicate and goal version the closest type that all its arguments in training have.

    Where no type is closer, or the predicate was never seen, it is the declared one.
    """
    seen: dict[_Place, set[_Object]] = {}
    for instance, path in enumerate(paths):
        atoms = path.structure.static_atoms.union(*(state.atoms for state in path.states))
        _collect(seen, instance, path.structure, atoms)
    extents = {name: seen.get((name, 0), set()) for name in _nouns(domain, seen)}
    declared = domain.parameter_types
    return {
        symbol.name: tuple(
            _closest(extents, seen.get((symbol.name, position), set()), kind)
            for position, kind in enumerate(declared[symbol.goal_of or symbol.name])
        )
        for symbol in domain.vocabulary.symbols
        if not symbol.is_type
    } | {each.name: each.types for each in domain.model.types if domain.vocabulary[each.name].is_type}


def _collect(
    seen: dict[_Place, set[_Object]], instance: int, structure: Structure, atoms: Iterable[int]
) -> None:
    symbols = structure.vocabulary.symbols
    for atom in atoms:
        symbol, arguments = structure.decode(atom)
        for position, each in enumerate(arguments):
            seen.setdefault((symbols[symbol].name, position), set()).add((instance, each))


def _nouns(domain: Domain, seen: dict[_Place, set[_Object]]) -> list[str]:
    """Types, and the static properties that divide all objects of a type as subtypes would; in a
    domain without types all static properties stand for them."""
    symbols = domain.vocabulary.symbols
    types = [each.name for each in symbols if each.is_type]
    properties = [each for each in symbols if _is_property(each) and seen.get((each.name, 0))]
    if not types:
        return [each.name for each in properties]
    found = list(types)
    for kind in types:
        objects = seen.get((kind, 0), set())
        dividing = [each.name for each in properties if domain.parameter_types[each.name] == (kind,)]
        parts = [seen[name, 0] for name in dividing]
        if len(parts) > 1 and sum(map(len, parts)) == len(objects) == len(set().union(*parts)):
            found += dividing
    return found


def _is_property(symbol: Symbol) -> bool:
    return symbol.static and symbol.arity == 1 and not symbol.is_type and symbol.goal_of is None


def _closest(extents: dict[str, set[_Object]], objects: set[_Object], declared: str) -> str:
    if not objects:
        return declared
    fitting = [(len(extent), name) for name, extent in extents.items() if objects <= extent]
    least = min((size for size, _ in fitting), default=0)
    if not fitting or least == len(extents.get(declared, ())):
        return declared
    return next(name for size, name in fitting if size == least)
