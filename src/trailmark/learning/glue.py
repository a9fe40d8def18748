"""Larger tasks made of the training tasks alone: two or three put together where the domain allows it.

What may be put together is read off the training plans. Kinds of objects of which every task has the same
number are the same objects in both parts: the hands of a barman. An argument that the others determine in
every state has one value in the union too: a robot is at one place, so the places of both robots become one.
What never holds of an object together does not hold of it together here either. All other objects of the
second part get new names. A union is kept where a plain search solves it and its plan is long enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from random import Random

from trailmark.learning.invariants import Invariants, invariants, kinds_of, roles_of
from trailmark.limits import UNLIMITED, Budget
from trailmark.search.lazy import lazy_greedy
from trailmark.search.shorten import shorten
from trailmark.task import Plan, Task, Trajectory
from trailmark.task.model import And, Atom, Condition, FunctionTerm, Not, Typed
from trailmark.task.states import prepare_preferring

SOLVABLE_STATES = 5_000
"""The states within which a plain search must solve a union for it to count."""
LONGER = 1.5
"""So many times as long as the longest training plan is the plan of a union at least."""
ATTEMPTS = 2
"""So many unions are made for each one that is asked for."""
SIZES = (2, 2, 3)
"""How many tasks are put together, in turn."""


@dataclass(frozen=True)
class GluedTask:
    task: Task
    plan: Plan
    """One that a plain search found, shortened."""


def glued_tasks(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    seed: int,
    count: int,
    budget: Budget = UNLIMITED,
) -> list[GluedTask]:
    """At most so many tasks that are larger than the training tasks, the same ones for the same seed.

    `paths` are the training plans, in the order of the tasks. There are none where goals are more than
    conjunctions of literals.
    """
    if not all(task.goal.conjunctive for task in tasks):
        return []
    known, rng = invariants(tasks, paths), Random(seed)
    pairs = sorted(zip(tasks, paths, strict=True), key=lambda pair: len(pair[1].plan))
    larger = pairs[len(pairs) // 2 :]
    least = LONGER * len(larger[-1][1].plan)
    found: list[GluedTask] = []
    for number in range(ATTEMPTS * count):
        if len(found) == count or budget.expired():
            break
        chosen = [rng.choice(larger) for _ in range(SIZES[number % len(SIZES)])]
        start = _midway(chosen[0][1], rng) if number % 2 else None
        task = glue([task for task, _ in chosen], known, rng, f"glued-{number}", start)
        plan = plain_plan(task, budget)
        if plan is not None and len(plan) >= least:
            found.append(GluedTask(task, plan))
    return found


def glue(
    tasks: Sequence[Task], known: Invariants, rng: Random, name: str, start: frozenset[int] | None = None
) -> Task:
    """The union of the tasks; the first one may start from another state, given by its fluent atoms."""
    union = _Union(tasks[0], known, rng)
    for number, task in enumerate(tasks):
        union.add(task, number, start if number == 0 else None)
    union.complete()
    goal: list[Condition] = [*union.goal.atoms, *(Not(atom) for atom in union.unwanted)]
    model = replace(
        tasks[0].model,
        name=name,
        objects=tuple(union.objects.values()),
        initial_atoms=tuple(union.facts.atoms),
        initial_values=tuple(union.values.items()),
        goal=And(tuple(goal)),
    )
    return Task(tasks[0].domain, model, source=name, generation=tasks[0].generation)


def _midway(path: Trajectory, rng: Random) -> frozenset[int]:
    """A state of the first half of the plan."""
    return path.states[rng.randrange(max(1, len(path.states) // 2))].atoms


def plain_plan(task: Task, budget: Budget) -> Plan | None:
    """A plan that lazy greedy search finds in few states, shortened; None where it finds none."""
    result = lazy_greedy(task, prepare_preferring(task), budget, max_states=SOLVABLE_STATES)
    return Plan(shorten(task, result.steps, budget)) if result.steps else None


class _Facts:
    """Facts that fit together by the invariants."""

    def __init__(self, known: Invariants) -> None:
        self._known = known
        self.atoms: dict[Atom, None] = {}
        self.values: dict[tuple[str, int, tuple[str, ...]], str] = {}
        """By predicate, place and the other arguments: what is at a place with one value only."""
        self._roles: dict[str, set[tuple[str, int]]] = defaultdict(set)
        """The predicates and places that each object is at."""

    def add(self, atom: Atom) -> None:
        """Adds a fact, if it fits."""
        if not self._fits(atom):
            return
        self.atoms[atom] = None
        for place, others, value in self._known.determined(atom):
            self.values[atom.predicate, place, others] = value
        for name, role in roles_of(atom):
            self._roles[name].add(role)

    def _fits(self, atom: Atom) -> bool:
        for place, others, value in self._known.determined(atom):
            if self.values.get((atom.predicate, place, others), value) != value:
                return False
        return all(
            self._known.compatible(role, other)
            for name, role in roles_of(atom)
            for other in self._roles.get(name, ())
        )


class _Union:
    def __init__(self, first: Task, known: Invariants, rng: Random) -> None:
        self._known = known
        self._rng = rng
        self._constants = {each.name: each.name for each in first.domain.model.constants}
        self._static = {each.name for each in first.domain.vocabulary.symbols if each.static}
        self.objects: dict[str, Typed] = {}
        self._kinds: dict[str, str] = {}
        self.facts = _Facts(known)
        self.goal = _Facts(known)
        self.unwanted: dict[Atom, None] = {}
        self.values: dict[FunctionTerm, float] = {}

    def add(self, task: Task, number: int, start: frozenset[int] | None) -> None:
        """Adds a task, from another state where one is given."""
        part = task if start is None else task.starting_from(start, task.name)
        names, kinds = self._names(part, number), kinds_of(part)
        for each in part.model.objects:
            name = names[each.name]
            self.objects.setdefault(name, replace(each, name=name))
            self._kinds.setdefault(name, kinds[each.name])
        facts = sorted(part.model.initial_atoms, key=lambda fact: fact.predicate not in self._static)
        for fact in facts:
            self.facts.add(_renamed(fact, names))
        for term, value in part.model.initial_values:
            renamed = FunctionTerm(term.function, tuple(names[each] for each in term.terms))
            self.values.setdefault(renamed, value)
        for wanted in part.goal_atoms(True):
            self.goal.add(_renamed(wanted, names))
        self.unwanted.update(dict.fromkeys(_renamed(each, names) for each in part.goal_atoms(False)))

    def _names(self, part: Task, number: int) -> dict[str, str]:
        """What the objects of the part are called in the union."""
        same = dict(self._constants)
        kinds = kinds_of(part)
        if self.objects:
            for kind in sorted(self._known.shared):
                same.update(zip(_of_kind(kinds, kind), _of_kind(self._kinds, kind), strict=False))
            self._follow(part, kinds, same)
            if len(same) == len(self._constants):
                self._link(kinds, same)
                self._follow(part, kinds, same)
        for each in part.model.objects:
            if each.name not in same:
                name = each.name if number == 0 else f"{each.name}-{number}"
                while name in self.objects or name in same.values():
                    name += "-x"
                same[each.name] = name
        return same

    def _follow(self, part: Task, kinds: Mapping[str, str], same: dict[str, str]) -> None:
        """Where all other arguments of a fact are the same, the one they determine is the same too."""
        used, before = set(same.values()), -1
        while len(same) > before:
            before = len(same)
            for fact in part.model.initial_atoms:
                for place, others, value in self._known.determined(fact):
                    if value in same or not all(each in same for each in others):
                        continue
                    key = fact.predicate, place, tuple(same[each] for each in others)
                    target = self.facts.values.get(key)
                    if target is not None and target not in used and self._kinds.get(target) == kinds[value]:
                        same[value] = target
                        used.add(target)

    def _link(self, kinds: Mapping[str, str], same: dict[str, str]) -> None:
        """Parts with roads of their own are joined at one place."""
        for kind in sorted(self._known.linked):
            ours, theirs = _of_kind(self._kinds, kind), _of_kind(kinds, kind)
            if ours and theirs:
                same[self._rng.choice(theirs)] = self._rng.choice(ours)
                return

    def complete(self) -> None:
        """Relates all objects by the static relations that relate any two of a kind in every task."""
        for predicate, kind, both_ways in sorted(self._known.total):
            objects = _of_kind(self._kinds, kind)
            pairs = {fact.terms for fact in self.facts.atoms if fact.predicate == predicate}
            for first, second in combinations(objects, 2) if not both_ways else permutations(objects, 2):
                if (first, second) not in pairs and (both_ways or (second, first) not in pairs):
                    pair = (first, second)
                    if not both_ways and any((second, x) in pairs and (x, first) in pairs for x in objects):
                        pair = (second, first)
                    pairs.add(pair)
                    self.facts.atoms[Atom(predicate, pair)] = None


def _of_kind(kinds: Mapping[str, str], kind: str) -> list[str]:
    return sorted(name for name, known in kinds.items() if known == kind)


def _renamed(atom: Atom, names: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple(names[each] for each in atom.terms))
