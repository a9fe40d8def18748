"""What the parameters of predicates are called in words: their types, as close as training shows them.

A domain may declare less than a reader knows: `at` takes any object, but goals are about packages
alone; or all objects have one type and static predicates such as `car` and `port` stand for types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trailmark.relational import Structure, Symbol
from trailmark.task import Domain
from trailmark.task.model import OBJECT_TYPE
from trailmark.task.plans import Trajectory

MOST_KINDS = 3
"""So many types are named one by one."""

_Place = tuple[str, int]
"""A predicate and the position of a parameter."""
_Object = tuple[int, int]
"""An instance and one of its objects."""


class Nouns:
    """What the objects of training tasks are called."""

    def __init__(self, domain: Domain, paths: Sequence[Trajectory]) -> None:
        self._domain = domain
        self._seen: dict[_Place, set[_Object]] = {}
        self._places = [path.structure.object_index for path in paths]
        for instance, path in enumerate(paths):
            atoms = path.structure.static_atoms.union(*(state.atoms for state in path.states))
            _collect(self._seen, instance, path.structure, atoms)
        self._extents = {name: self._seen.get((name, 0), set()) for name in _nouns(domain, self._seen)}

    def of(self, objects: Iterable[tuple[int, str]]) -> str:
        """The closest type of all these objects, each with the number of its path; empty where there is none.
        A property that is closer than their type goes before it."""
        named = set(objects)
        known = {(instance, self._places[instance][name]) for instance, name in named}
        found = _closest(self._extents, known, OBJECT_TYPE)
        if found == OBJECT_TYPE:
            kinds = sorted({self.kind(one) for one in named})
            return "/".join(kinds) if len(kinds) <= MOST_KINDS and OBJECT_TYPE not in kinds else ""
        symbols = self._domain.vocabulary
        if found in symbols and not symbols[found].is_type:
            types = {name: extent for name, extent in self._extents.items() if symbols[name].is_type}
            kind = _closest(types, known, OBJECT_TYPE)
            return found if kind == OBJECT_TYPE or self._takes_all(kind) else f"{found} {kind}"
        return found

    def kind(self, one: tuple[int, str]) -> str:
        """The closest type of an object; where there are none, the closest property that stands for one."""
        symbols = self._domain.vocabulary
        types = {name: extent for name, extent in self._extents.items() if symbols[name].is_type}
        return _closest(types or self._extents, {(one[0], self._places[one[0]][one[1]])}, OBJECT_TYPE)

    def _takes_all(self, kind: str) -> bool:
        """Whether a type says little, as a predicate relates its objects: `at` a car to a port."""
        declared = self._domain.parameter_types
        return any(types.count(kind) > 1 for types in declared.values())

    def is_single(self, noun: str) -> bool:
        """Whether every training task has just one object of this type."""
        extent = [instance for instance, _ in self._extents.get(noun, ())]
        return len(extent) == len(set(extent)) == len(self._places)

    def mean(self, noun: str) -> float:
        """How many objects of this type a training task has; without bound where it is none."""
        return len(self._extents[noun]) / len(self._places) if noun in self._extents else float("inf")

    def of_parameters(self) -> dict[str, tuple[str, ...]]:
        """For each predicate and goal version the closest type that all its arguments in training have.

        Where no type is closer, or the predicate was never seen, it is the declared one.
        """
        domain, declared = self._domain, self._domain.parameter_types
        return {
            symbol.name: tuple(
                _closest(self._extents, self._seen.get((symbol.name, position), set()), kind)
                for position, kind in enumerate(declared[symbol.goal_of or symbol.name])
            )
            for symbol in domain.vocabulary.symbols
            if not symbol.is_type
        } | {each.name: each.types for each in domain.model.types if domain.vocabulary[each.name].is_type}


def parameter_nouns(domain: Domain, paths: Sequence[Trajectory]) -> dict[str, tuple[str, ...]]:
    """The nouns of all predicates' parameters."""
    return Nouns(domain, paths).of_parameters()


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
