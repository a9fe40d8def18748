"""What programs are tried on: the training tasks, starts on random walks in them, and larger tasks.

How many states a trial may take follows the length of a known plan, and the plain search that finds plans
has a limit of states too: trials are the same on a busy machine.

Larger tasks are unions of two or three training tasks; what may be put together is read off the plans. Kinds
of which every task has the same number are the same objects in both parts, as the hands of a barman. What is
determined or never true together in every state is so in the union. All else of the second part is renamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

from trailmark.learning.invariants import Invariants, invariants, kinds_of, roles_of
from trailmark.learning.validation import Trial, Trials
from trailmark.limits import UNLIMITED, Budget
from trailmark.relational import Interpretation
from trailmark.search.lazy import lazy_greedy
from trailmark.search.shorten import shorten
from trailmark.task import Plan, Task, Trajectory
from trailmark.task.lifted import supports
from trailmark.task.lifted.generator import ground_actions
from trailmark.task.model import And, Atom, Condition, FunctionTerm, Not, Typed
from trailmark.task.states import prepare_preferring

SOLVABLE_STATES = 5_000
SOLVABLE_WORK = 50_000_000
GROUND_ACTIONS = 50_000
"""The states within which a plain search must solve a union for it to count; all their relaxed plans, each of
which costs as much as there are ground actions; and how many of these there may be."""
LONGER = 1.5
"""So many times as long as the longest training plan is the plan of a union at least."""
ATTEMPTS = 2
"""So many unions are made for each one that is asked for."""
SIZES = (2, 2, 3)
"""How many tasks are put together, in turn."""


def glued_tasks(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    seed: int,
    count: int,
    budget: Budget = UNLIMITED,
) -> list[tuple[Task, Plan]]:
    """At most so many tasks that are larger than the training tasks, each with a plan that a plain search
    found; the same ones for the same seed.

    `paths` are the training plans, in the order of the tasks. There are none where goals are more than
    conjunctions of literals.
    """
    if not all(task.goal.conjunctive for task in tasks):
        return []
    known, rng = invariants(tasks, paths), Random(seed)
    pairs = sorted(zip(tasks, paths, strict=True), key=lambda pair: len(pair[1].plan))
    larger = pairs[len(pairs) // 2 :]
    least = LONGER * len(larger[-1][1].plan)
    found: list[tuple[Task, Plan]] = []
    for number in range(ATTEMPTS * count):
        if len(found) == count or budget.expired():
            break
        chosen = [rng.choice(larger) for _ in range(SIZES[number % len(SIZES)])]
        first_half = chosen[0][1].states[: max(1, len(chosen[0][1].states) // 2)]
        start = rng.choice(first_half).atoms if number % 2 else None
        task = glue([task for task, _ in chosen], known, rng, f"glued-{number}", start)
        plan = plain_plan(task, budget)
        if plan is not None and len(plan) >= least:
            found.append((task, plan))
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
    return Task(tasks[0].domain, model, source=name)


def plain_plan(task: Task, budget: Budget) -> Plan | None:
    """A plan that lazy greedy search finds with little work, shortened; None without one. States alone
    count beyond STRIPS: the number of ground actions is a guess there, far too high."""
    actions = ground_actions(task, GROUND_ACTIONS, lambda: None) if supports(task) else 0
    states = 0 if actions is None else min(SOLVABLE_STATES, SOLVABLE_WORK // max(1, actions))
    steps = states and lazy_greedy(task, prepare_preferring(task), budget, max_states=states).steps
    return Plan(shorten(task, steps, budget)) if steps else None


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
        self._constants = {constant.name: constant.name for constant in first.domain.model.constants}
        self._static = {symbol.name for symbol in first.domain.vocabulary.symbols if symbol.static}
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
        for thing in part.model.objects:
            name = names[thing.name]
            self.objects.setdefault(name, replace(thing, name=name))
            self._kinds.setdefault(name, kinds[thing.name])
        facts = sorted(part.model.initial_atoms, key=lambda fact: fact.predicate not in self._static)
        for fact in facts:
            self.facts.add(_renamed(fact, names))
        for term, value in part.model.initial_values:
            renamed = FunctionTerm(term.function, tuple(names[name] for name in term.terms))
            self.values.setdefault(renamed, value)
        for wanted in part.goal_atoms(True):
            self.goal.add(_renamed(wanted, names))
        self.unwanted.update(dict.fromkeys(_renamed(atom, names) for atom in part.goal_atoms(False)))

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
        for thing in part.model.objects:
            if thing.name not in same:
                name = thing.name if number == 0 else f"{thing.name}-{number}"
                while name in self.objects or name in same.values():
                    name += "-x"
                same[thing.name] = name
        return same

    def _follow(self, part: Task, kinds: Mapping[str, str], same: dict[str, str]) -> None:
        """Where all other arguments of a fact are the same, the one they determine is the same too."""
        used, before = set(same.values()), -1
        while len(same) > before:
            before = len(same)
            for fact in part.model.initial_atoms:
                for place, others, value in self._known.determined(fact):
                    if value in same or not all(other in same for other in others):
                        continue
                    key = fact.predicate, place, tuple(same[other] for other in others)
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
    return Atom(atom.predicate, tuple(names[name] for name in atom.terms))


STATES = 1_000
STATES_PER_STEP = 150
"""A trial may take so many states for each step of a known plan, and no fewer than the first number."""
WALK_STARTS = 3
"""So many starts on random walks of the larger instances are tried."""
WALK_LENGTH = 30
GLUED = 3
"""So many larger tasks are put together from the training tasks."""
VALIDATION_STATES = 15_000
"""States for each validation instance that a user gives."""


def make_trials(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    validation: Sequence[Task],
    seed: int,
    budget: Budget,
) -> Trials:
    """The trials for these training tasks with their plans; `validation` are further tasks of a user's."""
    easy = [training_trial(task, path.plan) for task, path in zip(tasks, paths, strict=True)]
    starts = _walk_starts(tasks, Random(seed), budget)
    glued = glued_tasks(tasks, paths, seed, GLUED, budget)
    hard = [training_trial(task, plan) for task, plan in (*starts, *glued)]
    hard += [Trial(task, VALIDATION_STATES) for task in validation]
    return Trials(tuple(easy), tuple(hard))


def training_trial(task: Task, plan: Plan) -> Trial:
    """A trial of a task that has a plan: its limit of states follows the plan's length."""
    return Trial(task, max(STATES, STATES_PER_STEP * len(plan)), len(plan))


def random_walk(task: Task, rng: Random, length: int) -> list[Interpretation]:
    """The states of a random walk from the initial state."""
    state, found = task.initial_state, []
    for _ in range(length):
        successors = task.successors(state)
        if not successors:
            break
        state = rng.choice(successors)[1]
        found.append(task.interpretation(state))
    return found


def _walk_starts(tasks: Sequence[Task], rng: Random, budget: Budget) -> list[tuple[Task, Plan]]:
    """Starts on random walks of the larger half of the instances, those that have a plan: others may be
    dead ends."""
    by_size = sorted(tasks, key=lambda task: len(task.structure.objects))
    larger = by_size[len(by_size) // 2 :]
    found: list[tuple[Task, Plan]] = []
    for number in range(WALK_STARTS):
        task = larger[number % len(larger)]
        walk = random_walk(task, rng, WALK_LENGTH)
        if walk and not budget.expired():
            start = task.starting_from(walk[-1].atoms, f"{task.name}-walk-{number}")
            plan = plain_plan(start, budget)
            if plan is not None:
                found.append((start, plan))
    return found
