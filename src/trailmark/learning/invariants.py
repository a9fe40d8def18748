"""What holds in all states of the training plans, and so is taken to hold in every task of the domain.

These are no proofs: what five plans never do, another may. They tell where tasks can be put together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from trailmark.task import Domain, Task, Trajectory
from trailmark.task.model import Add, Atom, Delete
from trailmark.task.walks import walk

Role = tuple[str, int]
"""A predicate and the place of an object in it."""

STATE = ""
"""The state itself, of which a fact without objects says something."""
ANYWHERE = -1
"""The place of the state in facts about objects."""


@dataclass(frozen=True)
class Invariants:
    shared: frozenset[str]
    """Kinds with the same number of objects in every task."""
    functional: frozenset[Role]
    """The places whose object the others at that predicate determine, in every state."""
    together: frozenset[frozenset[Role]]
    """Roles that one object has in the same state, pairs of them."""
    linked: frozenset[str]
    """Kinds that a static relation makes a graph of: places and roads."""
    total: frozenset[tuple[str, str, bool]]
    """Static relations that relate any two objects of a kind in every task, and whether both ways."""

    def determined(self, atom: Atom) -> Iterator[tuple[int, tuple[str, ...], str]]:
        """The places of the fact that its other arguments determine, with these and with the value."""
        for place, value in enumerate(atom.terms):
            if (atom.predicate, place) in self.functional:
                yield place, (*atom.terms[:place], *atom.terms[place + 1 :]), value

    def compatible(self, first: Role, second: Role) -> bool:
        """Whether an object may have both roles in one state.

        Two facts of one predicate with an object at the same place are a matter of `functional`.
        """
        return first == second or frozenset((first, second)) in self.together


def roles_of(atom: Atom) -> Iterator[tuple[str, Role]]:
    """The objects of a fact with their roles in it; the empty name stands for the state."""
    yield STATE, (atom.predicate, len(atom.terms) and ANYWHERE)
    for place, term in enumerate(atom.terms):
        yield term, (atom.predicate, place)


def kinds_of(task: Task) -> dict[str, str]:
    """The kind of each object: its type and its static properties, as many domains use these for types."""
    found = {thing.name: ["/".join(thing.types)] for thing in task.model.objects}
    for fact in sorted(task.model.initial_atoms, key=str):
        if len(fact.terms) == 1 and fact.terms[0] in found and task.domain.vocabulary[fact.predicate].static:
            found[fact.terms[0]].append(fact.predicate)
    return {name: " ".join(words) for name, words in found.items()}


def invariants(tasks: Sequence[Task], paths: Sequence[Trajectory]) -> Invariants:
    """What the training plans tell; `paths` are in the order of the tasks."""
    predicates = tasks[0].domain.model.predicates
    lasting = _lasting(tasks[0].domain)
    functional = {
        (predicate.name, place)
        for predicate in predicates
        if predicate.name not in lasting
        for place in range(predicate.arity)
    }
    roles: set[frozenset[Role]] = set()
    for task, path in zip(tasks, paths, strict=True):
        static = [fact for fact in task.model.initial_atoms if task.domain.vocabulary[fact.predicate].static]
        functional -= _many_valued(static)
        for state in path.states:
            facts = _facts(task, state.atoms)
            functional -= _many_valued(facts)
            roles |= _role_sets((*static, *facts))
    kinds = [kinds_of(task) for task in tasks]
    counts = [Counter(kind_of.values()) for kind_of in kinds]
    shared = {kind for kind in counts[0] if all(count[kind] == counts[0][kind] for count in counts)}
    together = {frozenset(pair) for role_set in roles for pair in combinations(role_set, 2)}
    together |= {
        frozenset(((first.name, ANYWHERE), (second.name, ANYWHERE)))
        for first, second in combinations(predicates, 2)
        if first.arity and second.arity
    }
    relations = [_relations(task, kind) for task, kind in zip(tasks, kinds, strict=True)]
    linked = {
        kind
        for pairs_of in relations
        for predicate, kind in pairs_of
        if not functional & {(predicate, 0), (predicate, 1)}
    }
    return Invariants(
        frozenset(shared),
        frozenset(functional),
        frozenset(together),
        frozenset(linked),
        _total(relations, counts),
    )


def _lasting(domain: Domain) -> set[str]:
    """The predicates whose facts actions add and never take away: there may always be one more."""
    effects = [effect for action in domain.model.actions for effect in walk(*action.effects)]
    added = {effect.atom.predicate for effect in effects if isinstance(effect, Add)}
    return added - {effect.atom.predicate for effect in effects if isinstance(effect, Delete)}


def _facts(task: Task, atoms: Iterable[int]) -> list[Atom]:
    symbols, objects = task.domain.vocabulary.symbols, task.structure.objects
    found: list[Atom] = []
    for atom in sorted(atoms):
        symbol, arguments = task.structure.decode(atom)
        if symbols[symbol].name not in task.domain.derived_predicates:
            found.append(Atom(symbols[symbol].name, tuple(objects[argument] for argument in arguments)))
    return found


def _many_valued(facts: Sequence[Atom]) -> set[Role]:
    """The places that have two values for the same other arguments."""
    values: dict[tuple[str, int, tuple[str, ...]], str] = {}
    found: set[Role] = set()
    for fact in facts:
        for place, value in enumerate(fact.terms):
            key = fact.predicate, place, (*fact.terms[:place], *fact.terms[place + 1 :])
            if values.setdefault(key, value) != value:
                found.add((fact.predicate, place))
    return found


def _role_sets(facts: Iterable[Atom]) -> set[frozenset[Role]]:
    """For every object all its roles in one state."""
    roles: dict[str, set[Role]] = defaultdict(set)
    for fact in facts:
        for name, role in roles_of(fact):
            roles[name].add(role)
    return {frozenset(role_set) for role_set in roles.values()}


Relations = dict[tuple[str, str], set[tuple[str, ...]]]


def _relations(task: Task, kinds: Mapping[str, str]) -> Relations:
    """The pairs in each static relation between objects of one kind, by predicate and kind."""
    found: Relations = defaultdict(set)
    for fact in task.model.initial_atoms:
        if len(fact.terms) == 2 and task.domain.vocabulary[fact.predicate].static:
            first, second = (kinds.get(term, "") for term in fact.terms)
            if first and first == second:
                found[fact.predicate, first].add(fact.terms)
    return found


def _total(
    relations: Sequence[Relations], counts: Sequence[Counter[str]]
) -> frozenset[tuple[str, str, bool]]:
    found: set[tuple[str, str, bool]] = set()
    for predicate, kind in relations[0]:
        pairs = [
            (
                {frozenset(pair) for pair in pairs_of[predicate, kind]},
                len(pairs_of[predicate, kind]),
                count[kind],
            )
            for pairs_of, count in zip(relations, counts, strict=True)
        ]
        if all(2 * len(related) == many * (many - 1) for related, _, many in pairs):
            both_ways = all(ordered == many * (many - 1) for _, ordered, many in pairs)
            found.add((predicate, kind, both_ways))
    return frozenset(found)
