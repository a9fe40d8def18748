"""What objects of training tasks are called, and how one of a pass is found from another: by a fact that
relates the two in all passes.

A domain may declare less than a reader knows: `at` takes any object, but goals are about packages
alone; or all objects have one type and static predicates such as `car` and `port` stand for types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from trailmark.learning.journeys import Deed
from trailmark.learning.passes import PlanPass
from trailmark.models.practice import Relation
from trailmark.relational import Symbol
from trailmark.task import Domain
from trailmark.task.model import OBJECT_TYPE
from trailmark.task.plans import Trajectory

MOST_KINDS = 3
"""So many types are named one by one."""

_Place = tuple[str, int]
"""A predicate and the position of a parameter."""
_Object = tuple[int, str]
"""The number of a training task and one of its objects."""


class Nouns:
    """What the objects of training tasks are called."""

    def __init__(self, domain: Domain, paths: Sequence[Trajectory]) -> None:
        self._domain = domain
        self._tasks = len(paths)
        self._seen: dict[_Place, set[_Object]] = {}
        for instance, path in enumerate(paths):
            atoms = path.structure.static_atoms.union(*(state.atoms for state in path.states))
            for name, *objects in map(path.structure.named, atoms):
                for position, thing in enumerate(objects):
                    self._seen.setdefault((name, position), set()).add((instance, thing))
        self._extents = {name: self._seen.get((name, 0), set()) for name in _nouns(domain, self._seen)}

    def of(self, objects: Iterable[_Object]) -> str:
        """The closest type of all these objects; empty where there is none.
        A property that is closer than their type goes before it."""
        known = set(objects)
        found = _closest(self._extents, known, OBJECT_TYPE)
        if found == OBJECT_TYPE:
            kinds = sorted({self.kind(one) for one in known})
            return "/".join(kinds) if len(kinds) <= MOST_KINDS and OBJECT_TYPE not in kinds else ""
        symbols = self._domain.vocabulary
        if found in symbols and not symbols[found].is_type:
            types = {name: extent for name, extent in self._extents.items() if symbols[name].is_type}
            kind = _closest(types, known, OBJECT_TYPE)
            return found if kind == OBJECT_TYPE or self._takes_all(kind) else f"{found} {kind}"
        return found

    def kind(self, one: _Object) -> str:
        """The closest type of an object; where there are none, the closest property that stands for one."""
        symbols = self._domain.vocabulary
        types = {name: extent for name, extent in self._extents.items() if symbols[name].is_type}
        return _closest(types or self._extents, {one}, OBJECT_TYPE)

    def _takes_all(self, kind: str) -> bool:
        """Whether a type says little, as a predicate relates its objects: `at` a car to a port."""
        declared = self._domain.parameter_types
        return any(types.count(kind) > 1 for types in declared.values())

    def is_single(self, noun: str) -> bool:
        """Whether every training task has just one object of this type."""
        extent = [instance for instance, _ in self._extents.get(noun, ())]
        return len(extent) == len(set(extent)) == self._tasks

    def mean(self, noun: str) -> float:
        """How many objects of this type a training task has; without bound where it is none."""
        return len(self._extents[noun]) / self._tasks if noun in self._extents else float("inf")

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
        } | {kind.name: kind.types for kind in domain.model.types if domain.vocabulary[kind.name].is_type}


def _nouns(domain: Domain, seen: dict[_Place, set[_Object]]) -> list[str]:
    """Types, and the static properties that divide all objects of a type as subtypes would; in a
    domain without types all static properties stand for them."""
    symbols = domain.vocabulary.symbols
    types = [symbol.name for symbol in symbols if symbol.is_type]
    properties = [symbol for symbol in symbols if _is_property(symbol) and seen.get((symbol.name, 0))]
    if not types:
        return [symbol.name for symbol in properties]
    found = list(types)
    for kind in types:
        objects = seen.get((kind, 0), set())
        dividing = [symbol.name for symbol in properties if domain.parameter_types[symbol.name] == (kind,)]
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


FEWEST_USES = 3
"""A relation that no action asks for may be chance where fewer uses show it."""

FEWEST_SHARING = 2
"""The same for what an object has in common with another."""

Uses = Mapping[PlanPass, Deed]
"""A step of a way in the passes that have it."""
Names = Mapping[PlanPass, str]
"""An object by its name in each pass."""
_Places = tuple[str, int, int]
"""A predicate, and the places of the anchor and of the object."""


@dataclass(frozen=True)
class Use:
    """An object as an argument of an action in one pass."""

    plan_pass: PlanPass
    deed: Deed
    name: str

    def related(self, anchor: str) -> set[_Places]:
        """How facts relate the anchor to the object before the action and the moves to it."""
        return {
            (predicate, objects.index(anchor), objects.index(self.name))
            for predicate, *objects in self.plan_pass.source.facts(self.deed.first)
            if anchor in objects and self.name in objects and anchor != self.name
        }

    def asks(self, places: _Places, anchor: str) -> bool:
        """Whether the action itself needs the relation."""
        source, (predicate, at, here) = self.plan_pass.source, places
        names = source.objects(self.deed.step)
        return any(
            (names.get(atom.terms[at]), names.get(atom.terms[here])) == (anchor, self.name)
            for atom in source.needs(self.plan_pass.action(self.deed))
            if atom.predicate == predicate
        )

    def moves_by(self, predicate: str) -> bool:
        """Whether the object is moved before the action, and where it was does not tell which one it is."""
        return any(
            moves.relation == predicate and self.name in moves.movers for moves in self.deed.approaches
        )

    def rivals(self, places: _Places, anchor: str) -> int:
        """How many objects are related to the anchor like this."""
        name, at, here = places
        facts = self.plan_pass.source.facts(self.deed.first)
        return len({fact[here + 1] for fact in facts if fact[0] == name and fact[at + 1] == anchor})


def closest(
    uses: Sequence[Use], anchors: Mapping[int, Names], asked: Collection[str], alike: float
) -> Relation | None:
    """The relation that fewest objects have, best one that all uses show or the action needs. `asked` are the
    predicates that actions of the passes ask for, `alike` says how many objects of the kind a task has."""
    found: list[tuple[bool, float, bool, int, Relation]] = []
    vocabulary = uses[0].plan_pass.source.vocabulary
    for anchor, names in anchors.items():
        for places, known in _common(uses, names, asked):
            if vocabulary[places[0]].arity > 2 or any(use.moves_by(places[0]) for use in uses):
                continue
            rivals = [use.rivals(places, names[use.plan_pass]) for use in known]
            mean = sum(rivals) / len(rivals)
            if mean < alike or mean == 1:
                forward = places[1] < places[2]
                relation = Relation(
                    predicate=places[0], anchor=anchor, forward=forward, unique=max(rivals) == 1
                )
                is_asked = all(use.asks(places, names[use.plan_pass]) for use in known)
                is_partial = len(known) < len(uses) and not is_asked
                found.append((is_partial, mean, not is_asked, anchor, relation))
    if found:
        return min(found, key=lambda candidate: candidate[:4])[4]
    return next(chain(_either(uses, anchors), _sharing(uses, anchors, asked)), None)


def _common(
    uses: Sequence[Use], names: Names, asked: Collection[str]
) -> Iterator[tuple[_Places, Sequence[Use]]]:
    """What relates the object to the anchor in all uses that have both, which are half of them at least;
    where no action asks for it, only what never changes and is seen often."""
    known = [use for use in uses if use.plan_pass in names]
    if not known or 2 * len(known) < len(uses):
        return
    vocabulary = uses[0].plan_pass.source.vocabulary
    for places in sorted(set.intersection(*(use.related(names[use.plan_pass]) for use in known))):
        if places[0] in asked or (vocabulary[places[0]].static and len(known) >= FEWEST_USES):
            yield places, known


def _either(uses: Sequence[Use], anchors: Mapping[int, Names]) -> Iterator[Relation]:
    """Two static predicates of which one relates the object to the anchor in every use."""
    vocabulary = uses[0].plan_pass.source.vocabulary
    for anchor, names in anchors.items():
        related = [
            {places for places in use.related(names.get(use.plan_pass, "")) if vocabulary[places[0]].static}
            for use in uses
        ]
        for one, two in combinations(sorted(set().union(*related)), 2):
            if (
                len(uses) >= FEWEST_USES
                and one[1:] == two[1:]
                and all({one, two} & use_places for use_places in related)
            ):
                yield Relation(
                    predicate=one[0], rival=two[0], anchor=anchor, forward=one[1] < one[2], unique=False
                )


def _sharing(uses: Sequence[Use], anchors: Mapping[int, Names], asked: Collection[str]) -> Iterator[Relation]:
    """A static predicate that gives each object one value, the same for this one and the anchor."""
    vocabulary = uses[0].plan_pass.source.vocabulary
    known = [name for name in sorted(asked) if vocabulary[name].static and vocabulary[name].arity == 2]
    for anchor, names in anchors.items():
        both = [(use, names[use.plan_pass]) for use in uses if use.plan_pass in names]
        if len(both) < FEWEST_SHARING or 2 * len(both) < len(uses):
            continue
        for predicate in known:
            if all(_shares(use, name, predicate) for use, name in both):
                yield Relation(predicate=predicate, anchor=anchor, forward=True, unique=False, same=True)


def _shares(use: Use, anchor: str, predicate: str) -> bool:
    facts = [fact for fact in use.plan_pass.source.facts(0) if fact[0] == predicate]
    value = {fact[1]: fact[2] for fact in facts}
    has_one = len(value) == len(facts) and len({*value.values()}) > 1
    return has_one and anchor != use.name and value.get(anchor, "") == value.get(use.name)
