"""What a search looks at while it awaits one subgoal: features, joins, and atoms that matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice, product

from trailmark.features.incremental.evaluation import Relevance, bind, moved
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import StateDescriptor
from trailmark.relational import Structure
from trailmark.task import Task
from trailmark.task.lifted import LiftedGenerator
from trailmark.task.lifted.generator import Join, Triggers
from trailmark.task.lifted.schema import Schema
from trailmark.task.lifted.state import MOST_REMEMBERED

READ, GOAL = 1, 2
"""Marks of an atom: some feature of the awaited subgoal depends on it; it is in the goal."""
MOST_INSTANCES = 5_000
"""Effects are looked at one by one, up to this many, before one of them is taken to be marked."""


class Reading:
    """Features around the base, whose values are found from the atoms that they depend on."""

    def __init__(self, features: Sequence[Expression], task: Task, goals: frozenset[int]) -> None:
        evaluator = bind(features, task.structure)
        self.evaluation = evaluator.start(task.initial_interpretation)
        self.marks = Marks(task.structure, Relevance(evaluator), goals)

    def values_after(self, added: set[int], deleted: set[int]) -> tuple[int, ...]:
        """The values in the state with this difference to the base."""
        marks = self.marks
        return self.evaluation.values_after(
            [atom for atom in added if marks[atom] & READ], [atom for atom in deleted if marks[atom] & READ]
        )

    def commit(self, added: set[int], deleted: set[int]) -> None:
        marks = self.marks
        gained = [atom for atom in added if marks[atom] & READ]
        lost = [atom for atom in deleted if marks[atom] & READ]
        if gained or lost:
            self.evaluation = moved(self.evaluation, gained, lost)


class View:
    """What is looked at at one position: the features that decide what is accepted there."""

    def __init__(
        self,
        generator: LiftedGenerator,
        features: Sequence[Expression],
        places: Sequence[int],
        goals: frozenset[int],
    ) -> None:
        self.reading = Reading([features[place] for place in places], generator.task, goals)
        self.marks = self.reading.marks
        self.places = places
        """Where its features are in a valuation of the whole guidance."""
        self.accepts: dict[tuple[int, ...], bool] = {}
        """What the progression said of values since the last commit."""
        self._generator = generator

    @cached_property
    def evaluated(self) -> list[bool]:
        """For each schema, whether its actions may change a feature or a goal."""
        return [self.marks.any_of(schema) for schema in self._generator.schemas]

    @cached_property
    def order(self) -> list[int]:
        """Schemas whose actions may be accepted come first."""
        return sorted(range(len(self.evaluated)), key=lambda schema: not self.evaluated[schema])

    @cached_property
    def whole(self) -> Jobs:
        """The joins over a whole state."""
        return _split(self._generator.joins.whole, self.evaluated)

    @cached_property
    def needed(self) -> Starts:
        return Starts(self._generator.joins.needed, self.evaluated)

    @cached_property
    def excluded(self) -> Starts:
        return Starts(self._generator.joins.excluded, self.evaluated)

    def commit(self, added: set[int], deleted: set[int]) -> None:
        self.reading.commit(added, deleted)
        self.accepts.clear()


Job = tuple[Join, tuple[int, ...]]
"""A join, and the objects it is given."""
Jobs = tuple[tuple[Job, ...], tuple[Job, ...]]
"""Joins of every action, to be tested for acceptance, and joins of novel actions only."""


def _split(
    joins: Iterable[tuple[int, Join, Join | None, tuple[int, ...]]], evaluated: Sequence[bool]
) -> Jobs:
    tested: list[Job] = []
    others: list[Job] = []
    for schema, every, novel, objects in joins:
        if evaluated[schema]:
            tested.append((every, objects))
        elif novel is not None:
            others.append((novel, objects))
    return tuple(tested), tuple(others)


class Starts(dict[int, Jobs]):
    """By atom: the joins it can start."""

    def __init__(self, triggers: Triggers, evaluated: Sequence[bool]) -> None:
        super().__init__()
        self._triggers = triggers
        self._evaluated = evaluated

    def __missing__(self, atom: int) -> Jobs:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        jobs = self[atom] = _split(self._triggers[atom], self._evaluated)
        return jobs


class Marks(dict[int, int]):
    """By atom: `READ`, `GOAL`, both or neither."""

    def __init__(self, structure: Structure, relevance: Relevance, goals: frozenset[int]) -> None:
        super().__init__()
        self._structure = structure
        self._decode = structure.decode
        self._matters = relevance.matters
        self._goals = goals
        self._symbols = relevance.symbols | {self._decode(atom)[0] for atom in goals}

    def __missing__(self, atom: int) -> int:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        mark = GOAL if atom in self._goals else 0
        if self._matters(*self._decode(atom)):
            mark |= READ
        self[atom] = mark
        return mark

    def any_of(self, schema: Schema) -> bool:
        """Whether some action of the schema may change a marked atom."""
        for literal in (*schema.adds, *schema.deletes):
            if literal.symbol not in self._symbols:
                continue
            choices = [sorted(schema.allowed[term]) if term >= 0 else [~term] for term in literal.terms]
            instances = product(*choices)
            for arguments in islice(instances, MOST_INSTANCES):
                if self[self._structure.encode(literal.symbol, arguments)]:
                    return True
            if next(instances, None) is not None:
                return True
        return False


class Goals:
    """The goal's literals."""

    def __init__(self, task: Task) -> None:
        self.positive = task.goal.positive - task.structure.static_atoms
        self.negative = task.goal.negative
        self.atoms = self.positive | self.negative
        self._violated = len(self.negative & task.structure.static_atoms)

    def open_in(self, atoms: frozenset[int]) -> int:
        """How many literals do not hold."""
        return len(self.positive - atoms) + len(self.negative & atoms) + self._violated

    def change(self, added: AbstractSet[int], deleted: AbstractSet[int]) -> int:
        """How many more literals are open after a change."""
        positive, negative = self.positive, self.negative
        change = len(positive.intersection(deleted)) - len(positive.intersection(added))
        if negative:
            change += len(negative.intersection(added)) - len(negative.intersection(deleted))
        return change


class Guards:
    """The guards that do not hold in the base, and must not hold around it: states where one holds are left
    out, because no plan goes through them. One that holds there is wrong or too late, and forbids nothing."""

    def __init__(self, task: Task, guards: Sequence[StateDescriptor]) -> None:
        self._guards = guards
        self._reading = Reading([guard.feature for guard in guards], task, frozenset())
        self.restore()

    def restore(self) -> None:
        """Watch every guard that does not hold in the base."""
        values = self._reading.evaluation.values
        self._watched = [
            (place, guard) for place, guard in enumerate(self._guards) if not guard.holds(values[place])
        ]

    def lift(self) -> None:
        """Watch none until the next commit."""
        self._watched = []

    @property
    def watching(self) -> bool:
        return bool(self._watched)

    def touched(self, atoms: Iterable[int]) -> bool:
        """Whether a change of these atoms may make a guard hold."""
        return any(self._reading.marks[atom] for atom in atoms)

    def hold(self, added: set[int], deleted: set[int]) -> bool:
        """Whether a guard holds in the state with this difference to the base."""
        values = self._reading.values_after(added, deleted)
        return any(guard.holds(values[place]) for place, guard in self._watched)

    def commit(self, added: set[int], deleted: set[int]) -> None:
        self._reading.commit(added, deleted)
        self.restore()


class ChangingObjects:
    """The objects of a task that change, told from the places where they are, and what holds of them.

    Where a counter is to fall, two changes that have nothing to do with each other do not add up to progress
    that neither of them is alone. So only actions on an object that has changed are tested together with the
    change. Places do not count: that two things are at the same place says little about either.
    """

    def __init__(self, task: Task, atoms: Iterable[int]) -> None:
        """The base has these atoms."""
        self._decode = task.structure.decode
        self._movable = self._objects_at_widest_places(task)
        self._about: dict[int, set[int]] = {thing: set() for thing in self._movable}
        """By object: the atoms of the base about it."""
        self.commit(atoms, ())

    def _objects_at_widest_places(self, task: Task) -> frozenset[int]:
        """The objects at the place of each predicate that has the most: a thing is at one place, a place
        has many things."""
        columns: dict[int, list[set[int]]] = {}
        for atom in (*task.initial_atoms, *(task.goal.positive - task.structure.static_atoms)):
            symbol, arguments = self._decode(atom)
            found = columns.setdefault(symbol, [set() for _ in arguments])
            for column, argument in zip(found, arguments, strict=True):
                column.add(argument)
        movable: set[int] = set()
        for found in columns.values():
            most = max(map(len, found), default=0)
            movable.update(*(column for column in found if len(column) == most))
        return frozenset(movable)

    def commit(self, added: Iterable[int], deleted: Iterable[int]) -> None:
        """The base changes by these atoms."""
        decode, about, movable = self._decode, self._about, self._movable
        for atom in added:
            for thing in movable.intersection(decode(atom)[1]):
                about[thing].add(atom)
        for atom in deleted:
            for thing in movable.intersection(decode(atom)[1]):
                about[thing].discard(atom)

    def atoms_about(self, objects: Iterable[int]) -> set[int]:
        """The atoms of the base about any of these objects."""
        return set().union(*[self._about[thing] for thing in objects])

    def objects(self, changed: Iterable[int]) -> set[int] | None:
        """The objects that these atoms say something about; None where one is about nothing but places,
        or about nothing."""
        decode, movable = self._decode, self._movable
        found: set[int] = set()
        for atom in changed:
            about = movable.intersection(decode(atom)[1])
            if not about:
                return None
            found |= about
        return found
