"""The lifted successor generator: applicable actions of a state, or those new since the last one;
and how many actions a task has when it is grounded.

The engine's grounding is one call that nothing interrupts. The joins find the same actions, those that
are applicable where nothing is ever deleted, in a fifth of the time, and may end at any action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from trailmark.errors import InputError
from trailmark.relational import Structure
from trailmark.task.lifted.schema import (
    Literal,
    Schema,
    compile_schemas,
    searched_structure,
    supports,
    unsupported,
)
from trailmark.task.lifted.source import Source
from trailmark.task.lifted.state import MOST_REMEMBERED, Atoms, Statistics, WorkingState, operations
from trailmark.task.plans import Step
from trailmark.task.walks import estimated_ground_actions, looseness

if TYPE_CHECKING:
    from trailmark.task.task import Task


Action = tuple[int, ...]
"""The schema's place in the domain, then the objects of its parameters."""

NO_LIMIT = 2**62

Join = Callable[..., None]
"""`join(out, limit, seen, *objects)`: see `Source.join`."""


class Trigger(NamedTuple):
    """A join that an atom starts, with the atom's objects, or one over the whole state."""

    schema: int
    every: Join
    """Appends every action that the atom takes part in."""
    novel: Join | None
    """Appends those with a novel effect; None where the schema adds nothing."""
    objects: tuple[int, ...] = ()


Starts = dict[int, list[tuple[int, str]]]
"""By predicate: the schemas with a precondition on it, and how their functions' names end."""


class Triggers(dict[int, tuple[Trigger, ...]]):
    """By atom: the joins it can start, found when first asked for."""

    def __init__(
        self, decode: Callable[[int], tuple[int, tuple[int, ...]]], starts: Starts, names: dict[str, Any]
    ) -> None:
        super().__init__()
        self._decode = decode
        self._starts = {
            symbol: [
                (names[f"match{suffix}"], schema, names[f"every{suffix}"], names.get(f"novel{suffix}"))
                for schema, suffix in found
            ]
            for symbol, found in starts.items()
        }

    def __missing__(self, atom: int) -> tuple[Trigger, ...]:
        symbol, objects = self._decode(atom)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        found = self[atom] = tuple(
            Trigger(schema, every, novel, objects)
            for match, schema, every, novel in self._starts.get(symbol, ())
            if match(*objects)
        )
        return found


class Joins:
    """The generated functions that find a task's applicable actions, and the tables they read."""

    def __init__(
        self, task: Task, structure: Structure, schemas: tuple[Schema, ...], state: WorkingState
    ) -> None:
        source = Source(structure)
        starts: dict[bool, Starts] = {True: {}, False: {}}
        text = _source(schemas, source, Statistics(structure, task.initial_atoms), starts)
        names = source.names
        names.update(ATOMS=state.atoms, ROOT=state.root, STATIC=structure.static_atoms)
        exec(compile(text, "<joins>", "exec"), names)
        self.whole = tuple(
            Trigger(place, names[f"every{place}"], names.get(f"novel{place}"))
            for place in range(len(schemas))
        )
        """Those of every schema over the whole state."""
        self.needed = Triggers(structure.decode, starts[True], names)
        """By atom: the joins over the actions that need it to hold."""
        self.excluded = Triggers(structure.decode, starts[False], names)
        """By atom: the joins over the actions that need it not to hold."""
        state.index(structure, source.patterns)


class LiftedGenerator:
    """Applicable actions of a task's states, without grounding.

    It has one current state, `state`. The joins that read it are made when they are first asked for: leaps by
    recipes go without.
    """

    def __init__(self, task: Task, *, relaxed: bool = False) -> None:
        """Where `relaxed`, actions need no atom not to hold."""
        reason = unsupported(task)
        if reason is not None:
            raise InputError(f"no lifted generation: {reason}", hint="use the engine's successors")
        self.task = task
        self.structure = searched_structure(task)
        """The task's, with what costs demand as further static facts."""
        self.schemas = compile_schemas(task, self.structure, relaxed)
        self.state = WorkingState()
        self.effects_of = self._effects()
        """For each schema, the function from an action to the atoms it adds, and those it deletes and does
        not add."""
        self.reset(task.initial_atoms)

    def _effects(self) -> tuple[Callable[[Action], tuple[tuple[int, ...], tuple[int, ...]]], ...]:
        source = Source(self.structure)
        text = "\n".join(source.effects(f"effects{schema.index}", schema) for schema in self.schemas)
        exec(compile(text, "<effects>", "exec"), source.names)
        return tuple(source.names[f"effects{schema.index}"] for schema in self.schemas)

    @cached_property
    def joins(self) -> Joins:
        return Joins(self.task, self.structure, self.schemas, self.state)

    def reset(self, atoms: Iterable[int]) -> None:
        """Make these atoms the base and the current state, with all orders as in a new generator."""
        self.state.clear()
        self.commit(set(atoms), frozenset())

    def commit(self, added: Atoms, deleted: Atoms) -> None:
        """Make the state with this difference to the base the base."""
        self.state.commit(added, deleted)

    def effects(self, action: Action) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The atoms the action adds, and those it deletes and does not add."""
        return self.effects_of[action[0]](action)

    def applicable(self) -> list[Action]:
        """Every applicable action of the current state."""
        found: list[Action] = []
        for joins in self.joins.whole:
            joins.every(found, NO_LIMIT, None)
        return found

    def action(self, step: Step) -> Action:
        """The action of a plan's step."""
        places = self.task.structure.object_index
        schema = next(candidate for candidate in self.schemas if candidate.name == step.action)
        return (schema.index, *(places[argument] for argument in step.arguments))

    def step(self, action: Action) -> Step:
        objects = self.task.structure.objects
        return Step(self.schemas[action[0]].name, tuple(objects[argument] for argument in action[1:]))


def _source(
    schemas: tuple[Schema, ...], source: Source, statistics: Statistics, starts: dict[bool, Starts]
) -> str:
    """All functions of the task; `starts` gets those that positive and negative literals start."""
    pieces: list[str] = []
    for schema in schemas:
        certain = [_certain(schema, place, schemas, statistics) for place in range(schema.arity)]
        triggers: list[tuple[str, Literal | None, bool]] = [(str(schema.index), None, True)]
        for number, literal in enumerate((*schema.positive, *schema.negative)):
            if literal.fluent:
                triggers.append((f"{schema.index}_{number}", literal, number < len(schema.positive)))
        for suffix, trigger, holds in triggers:
            fixed, join = operations(schema, trigger, statistics, certain)
            if trigger is None:
                join = [*fixed, *join]
            else:
                starts[holds].setdefault(trigger.symbol, []).append((schema.index, suffix))
                pieces.append(source.match(f"match{suffix}", schema, trigger, fixed))
            pieces.append(source.join(f"every{suffix}", schema, trigger, join, novel=False))
            if any(effect not in schema.positive for effect in schema.adds):
                pieces.append(source.join(f"novel{suffix}", schema, trigger, join, novel=True))
    return "\n".join(pieces)


def _certain(
    schema: Schema, variable: int, schemas: tuple[Schema, ...], statistics: Statistics
) -> frozenset[int]:
    """The positive preconditions that only objects of the variable's type can satisfy."""
    allowed = schema.allowed[variable]

    def is_safe(literal: Literal, place: int) -> bool:
        if not statistics.values(literal.symbol, place) <= allowed:
            return False
        terms = [
            (owner, add.terms[place])
            for owner in schemas
            for add in owner.adds
            if literal.fluent and add.symbol == literal.symbol
        ]
        return all(~term in allowed if term < 0 else owner.allowed[term] <= allowed for owner, term in terms)

    return frozenset(
        number
        for number, literal in enumerate(schema.positive)
        if any(term == variable and is_safe(literal, place) for place, term in enumerate(literal.terms))
    )


GROUNDING_SECONDS = 30e-6
"""What the engine takes to ground one action: 6 to 56 µs on tasks of 15 domains."""


def ground_actions(task: Task, most: float, look_at_clock: Callable[[], object]) -> int | None:
    """How many ground actions the task has; None where there are more than `most`, unless they are made
    already. The clock is looked at after every join.

    Where the lifted generator does not cover the task an estimate decides, which is often a hundred times
    too high. Where the engine looks at many bindings for one action, each counts for as many.
    """
    engine = task.engine
    if not engine.is_grounded:
        most /= looseness(task)
    if engine.ground_actions is None:
        if supports(task):
            count = _counted(task, most, look_at_clock)
        else:
            count = int(min(estimated_ground_actions(task), most + 1))
        if count > most and not engine.is_grounded:
            return None
        engine.ground_actions = count
    return engine.ground_actions if engine.is_grounded or engine.ground_actions <= most else None


def _counted(task: Task, most: float, look_at_clock: Callable[[], object]) -> int:
    """The ground actions, or more than `most` where there are more."""
    generator = LiftedGenerator(task, relaxed=True)
    effects, total, limit = generator.effects_of, 0, int(most) + 1
    known, new = set(task.initial_atoms), set[int]()
    joins = list(generator.joins.whole)
    while joins:
        actions: set[Action] = set()
        for trigger in joins:
            found: list[Action] = []
            trigger.every(found, limit - total, None, *trigger.objects)
            actions.update(found)
            if total + len(actions) >= limit:
                return limit
            look_at_clock()
        total += len(actions)
        new = {atom for action in actions for atom in effects[action[0]](action)[0]} - known
        known |= new
        generator.commit(new, frozenset())
        joins = [trigger for atom in sorted(new) for trigger in generator.joins.needed[atom]]
    return total
