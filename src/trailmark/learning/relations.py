"""How an object of passes is found from another one: by a fact that relates the two in all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from trailmark.learning.passes import Deed, PlanPass
from trailmark.models.practice import Relation

FEWEST_USES = 3
"""A relation that no action asks for may be chance where fewer uses show it."""

FEWEST_SHARING = 2
"""The same for what an object has in common with another."""

Names = Mapping[int, str]
"""An object by its name in each pass, which is known by its id."""
_Places = tuple[str, int, int]
"""A predicate, and the places of the anchor and of the object."""


@dataclass(frozen=True)
class Use:
    """An object as an argument of an action in one pass."""

    each: PlanPass
    deed: Deed
    name: str

    def related(self, anchor: str) -> set[_Places]:
        """How facts relate the anchor to the object before the action and the moves to it."""
        return {
            (predicate, objects.index(anchor), objects.index(self.name))
            for predicate, *objects in self.each.source.facts(self.deed.first)
            if anchor in objects and self.name in objects and anchor != self.name
        }

    def asks(self, places: _Places, anchor: str) -> bool:
        """Whether the action itself needs the relation."""
        source = self.each.source
        parameters = [known.name for known in source.actions[self.each.action(self.deed)].parameters]
        names = dict(zip(parameters, self.each.arguments(self.deed), strict=True))
        needed = ((atom.predicate, *atom.terms) for atom in source.needs(self.each.action(self.deed)))
        predicate, at, here = places
        return any(
            name == predicate and (names.get(terms[at]), names.get(terms[here])) == (anchor, self.name)
            for name, *terms in needed
        )

    def moves_by(self, predicate: str) -> bool:
        """Whether the object is moved before the action, and where it was does not tell which one it is."""
        return any(
            moves.relation == predicate and self.name in moves.movers for moves in self.deed.approaches
        )

    def rivals(self, places: _Places, anchor: str) -> int:
        """How many objects are related to the anchor like this."""
        name, at, here = places
        facts = self.each.source.facts(self.deed.first)
        return len({fact[here + 1] for fact in facts if fact[0] == name and fact[at + 1] == anchor})


def closest(
    uses: Sequence[Use], anchors: Mapping[int, Names], asked: Collection[str], alike: float
) -> Relation | None:
    """The relation that fewest objects have, best one that all uses show or the action needs. `asked` are the
    predicates that actions of the passes ask for, `alike` says how many objects of the kind a task has."""
    found: list[tuple[bool, float, int, Relation]] = []
    vocabulary = uses[0].each.source.path.structure.vocabulary
    for anchor, names in anchors.items():
        for places, known in _common(uses, names, asked):
            if vocabulary[places[0]].arity > 2 or any(use.moves_by(places[0]) for use in uses):
                continue
            rivals = [use.rivals(places, names[id(use.each)]) for use in known]
            mean = sum(rivals) / len(rivals)
            if mean < alike or mean == 1:
                forward = places[1] < places[2]
                relation = Relation(
                    predicate=places[0], anchor=anchor, forward=forward, unique=max(rivals) == 1
                )
                partial = len(known) < len(uses)
                partial = partial and not all(use.asks(places, names[id(use.each)]) for use in known)
                found.append((partial, mean, anchor, relation))
    if found:
        return min(found, key=lambda each: each[:3])[3]
    return next(chain(_either(uses, anchors), _sharing(uses, anchors, asked)), None)


def _common(
    uses: Sequence[Use], names: Names, asked: Collection[str]
) -> Iterator[tuple[_Places, Sequence[Use]]]:
    """What relates the object to the anchor in all uses that have both, which are half of them at least;
    where no action asks for it, only what never changes and is seen often."""
    known = [use for use in uses if id(use.each) in names]
    if not known or 2 * len(known) < len(uses):
        return
    vocabulary = uses[0].each.source.path.structure.vocabulary
    for places in sorted(set.intersection(*(use.related(names[id(use.each)]) for use in known))):
        if places[0] in asked or (vocabulary[places[0]].static and len(known) >= FEWEST_USES):
            yield places, known


def _either(uses: Sequence[Use], anchors: Mapping[int, Names]) -> Iterator[Relation]:
    """Two static predicates of which one relates the object to the anchor in every use."""
    vocabulary = uses[0].each.source.path.structure.vocabulary
    for anchor, names in anchors.items():
        related = [
            {each for each in use.related(names.get(id(use.each), "")) if vocabulary[each[0]].static}
            for use in uses
        ]
        if len(uses) < FEWEST_USES or not all(related):
            continue
        for one, two in combinations(sorted(set().union(*related)), 2):
            if one[1:] == two[1:] and all({one, two} & each for each in related):
                yield Relation(
                    predicate=one[0], rival=two[0], anchor=anchor, forward=one[1] < one[2], unique=False
                )


def _sharing(uses: Sequence[Use], anchors: Mapping[int, Names], asked: Collection[str]) -> Iterator[Relation]:
    """A static predicate that gives each object one value, the same for this one and the anchor."""
    vocabulary = uses[0].each.source.path.structure.vocabulary
    known = [name for name in sorted(asked) if vocabulary[name].static and vocabulary[name].arity == 2]
    for anchor, names in anchors.items():
        both = [(use, names[id(use.each)]) for use in uses if id(use.each) in names]
        if len(both) < FEWEST_SHARING or 2 * len(both) < len(uses):
            continue
        for predicate in known:
            if all(_shares(use, name, predicate) for use, name in both):
                yield Relation(predicate=predicate, anchor=anchor, forward=True, unique=False, same=True)


def _shares(use: Use, anchor: str, predicate: str) -> bool:
    facts = [fact for fact in use.each.source.facts(0) if fact[0] == predicate]
    own, other = ({fact[2] for fact in facts if fact[1] == name} for name in (use.name, anchor))
    has_one = len({fact[1] for fact in facts}) == len(facts)
    return has_one and bool(own & other) and len({fact[2] for fact in facts}) > 1 and anchor != use.name
