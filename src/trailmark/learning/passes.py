"""The passes of training plans, each as the actions that serve it.

A pass ends where the first feature of a counter reaches a new least value. What serves it is found
backwards from its last action: what that needs, who made it true, and what that needed in turn, up to
the ends of other passes. So a pass is told by itself where a plan makes several at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from trailmark.errors import PlanError
from trailmark.learning.training import TrainingInstance
from trailmark.programs.program import Program
from trailmark.search.shorten import shorten
from trailmark.task import Plan, Task, Trajectory, trajectory
from trailmark.task.lifted.schema import (
    Literal,
    Schema,
    compile_schemas,
    searched_structure,
    strips_steps,
    supports,
)


@dataclass(frozen=True)
class Relocation:
    """What a schema moves: the atoms that say where it was and where it is differ in one variable."""

    leaves: Literal
    reaches: Literal
    source: int
    """The variable of the place it moves from."""
    target: int

    @property
    def movers(self) -> list[int]:
        """The variables of what moves."""
        return [term for term in self.leaves.terms if term >= 0 and term != self.source]


def relocation(schema: Schema) -> Relocation | None:
    """The schema as a move, where it is one: it changes nothing but things about the mover and the places."""
    for leaves in schema.deletes:
        for reaches in schema.adds:
            if leaves not in schema.positive or len(leaves.terms) > 2:
                continue
            changed = _changed(leaves, reaches)
            if changed is None or min(changed) < 0:
                continue
            about = {*leaves.terms, changed[1]}
            others = [each for each in (*schema.adds, *schema.deletes) if not set(each.terms) <= about]
            movers = about - set(changed)
            if all(_is_carried(each, schema, movers) for each in others):
                return Relocation(leaves, reaches, *changed)
    return None


def _changed(leaves: Literal, reaches: Literal) -> tuple[int, int] | None:
    """The one place in which two atoms of a predicate differ."""
    if leaves.symbol != reaches.symbol:
        return None
    pairs = zip(leaves.terms, reaches.terms, strict=True)
    changed = [(source, target) for source, target in pairs if source != target]
    return changed[0] if len(changed) == 1 else None


def _is_carried(literal: Literal, schema: Schema, movers: set[int]) -> bool:
    """Whether the effect changes another value of the mover, such as its fuel."""
    pairs = [(a, b) for a in schema.deletes for b in schema.adds if literal in (a, b)]
    return any(_changed(a, b) and set(a.terms) & set(b.terms) <= movers for a, b in pairs)


@dataclass(frozen=True)
class Moves:
    """Moves of a plan that lead one thing to a place."""

    relation: str
    steps: tuple[int, ...]
    target: str
    movers: tuple[str, ...]


@dataclass(frozen=True)
class Deed:
    """An action that serves a pass, and the moves that lead to its place."""

    step: int
    """Its place in the plan, counted from 0."""
    approaches: tuple[Moves, ...] = ()
    repeats: bool = False
    """Whether it stands for a group of actions that is repeated."""

    @property
    def first(self) -> int:
        """Where its moves begin."""
        return min((step for moves in self.approaches for step in moves.steps), default=self.step)


@dataclass(frozen=True)
class PlanPass:
    """One pass of a plan."""

    plan: int
    counter: int
    first: int
    """The first step after the pass before."""
    end: int
    """Its last step."""
    subject: str | None
    """The object it is about."""
    deeds: tuple[Deed, ...]

    @property
    def steps(self) -> list[int]:
        """All steps that serve it, in order."""
        moved = {step for deed in self.deeds for moves in deed.approaches for step in moves.steps}
        return sorted(moved | {deed.step for deed in self.deeds})


class TrainingPlan:
    """A plan without needless actions, and which of its actions make possible which others."""

    def __init__(self, instance: TrainingInstance, name: str) -> None:
        self.task: Task = instance.task
        self.name = name
        self.length = len(instance.plan)
        self.path = _shortened(instance, name)
        self.steps = self.path.plan.steps

    @cached_property
    def _ground(self) -> list[tuple[frozenset[int], frozenset[int]]] | None:
        """For each step what must hold and what must not; None for tasks beyond STRIPS."""
        known = strips_steps(self.task, self.steps)
        return None if known is None else [(step.needs, step.forbids) for step in known]

    @cached_property
    def schemas(self) -> dict[str, Schema]:
        """By name; empty for tasks beyond STRIPS."""
        if not supports(self.task):
            return {}
        return {each.name: each for each in compile_schemas(self.task, searched_structure(self.task))}

    @cached_property
    def relocations(self) -> dict[str, Relocation | None]:
        return {name: relocation(schema) for name, schema in self.schemas.items()}

    def atoms(self, state: int) -> frozenset[int]:
        return self.path.states[state].atoms

    def passes(self, plan: int, ends: Sequence[PassEnd]) -> Iterator[PlanPass]:
        """The passes with these ends, in order. What served an earlier pass is told again only where it still
        holds at the end, as a machine that was switched on once."""
        steps = {end.step for end in ends}
        told: set[int] = set()
        first = 0
        for end in ends:
            deeds = tuple(self._deeds(end, first, steps - {end.step}, told))
            yield PlanPass(plan, end.counter, first, end.step, end.subject, deeds)
            told |= {deed.step for deed in deeds}
            first = end.step + 1

    def _deeds(
        self, end: PassEnd, first: int, ends: Collection[int], told: Collection[int]
    ) -> Iterator[Deed]:
        if self._ground is None:
            yield from (Deed(step) for step in range(first, end.step + 1))
            return
        found: dict[int, Deed] = {}
        waiting = [end.step]
        while waiting:
            step = waiting.pop()
            if step in found:
                continue
            floor = max((other for other in ends if other < step), default=-1)
            approaches: list[Moves] = []
            for atom, producer in self._producers(step, end.subject if step == end.step else None):
                if producer in ends:
                    continue
                if producer in told:
                    if atom in self.atoms(end.step + 1):
                        found[producer] = Deed(producer)
                elif self._reaches(producer, atom):
                    chain = self._chain(producer, floor, ends)
                    approaches.append(self._moves(chain))
                    waiting += [
                        by
                        for move in chain
                        for by in self._enabling(move)
                        if floor < by not in (*ends, *told)
                    ]
                else:
                    waiting.append(producer)
            found[step] = Deed(step, tuple(approaches))
        yield from (found[step] for step in sorted(found))

    def _enabling(self, move: int) -> Iterator[int]:
        """What made a move possible, other moves left out."""
        for atom, producer in self._producers(move):
            if not self._reaches(producer, atom):
                yield producer

    def _producers(self, step: int, subject: str | None = None) -> list[tuple[int, int]]:
        """What the step needs, with the last step that made it so; what held from the start is left out.
        Of a subject all is needed that is said of it."""
        assert self._ground is not None
        needs, forbids = self._ground[step]
        if subject is not None:
            decode, place = self.path.structure.decode, self.path.structure.object_index[subject]
            needs |= {atom for atom in self.atoms(step) if place in decode(atom)[1]}
        found: list[tuple[int, int]] = []
        for atom in sorted(needs | forbids):
            wanted = atom in needs
            for before in range(step - 1, -1, -1):
                if (atom in self.atoms(before + 1)) == wanted != (atom in self.atoms(before)):
                    found.append((atom, before))
                    break
        return found

    def _reaches(self, step: int, atom: int) -> bool:
        """Whether the step is a move and the atom says where it leads."""
        known = self.relocations[self.steps[step].action]
        return known is not None and self._atom(step, known.reaches) == atom

    def _atom(self, step: int, literal: Literal) -> int:
        structure = self.path.structure
        places = [structure.object_index[name] for name in self.steps[step].arguments]
        return structure.encode(literal.symbol, [places[t] if t >= 0 else ~t for t in literal.terms])

    def _chain(self, last: int, floor: int, ends: Collection[int]) -> list[int]:
        """Moves that follow each other up to this one, after the pass before."""
        chain = [last]
        while True:
            known = self.relocations[self.steps[chain[-1]].action]
            assert known is not None
            leaves = self._atom(chain[-1], known.leaves)
            makers = [by for atom, by in self._producers(chain[-1]) if atom == leaves]
            if not makers or makers[0] <= floor or makers[0] in ends or not self._reaches(makers[0], leaves):
                return chain
            chain.append(makers[0])

    def _moves(self, chain: Sequence[int]) -> Moves:
        known = self.relocations[self.steps[chain[0]].action]
        assert known is not None
        arguments = self.steps[chain[0]].arguments
        relation = self.path.structure.vocabulary.symbols[known.reaches.symbol].name
        movers = tuple(arguments[term] for term in known.movers)
        return Moves(relation, tuple(sorted(chain)), arguments[known.target], movers)


def _shortened(instance: TrainingInstance, name: str) -> Trajectory:
    try:
        return trajectory(instance.task, Plan(shorten(instance.task, instance.plan.steps)), name)
    except PlanError:
        return trajectory(instance.task, instance.plan, name)


@dataclass(frozen=True)
class PassEnd:
    """The last step of a pass."""

    counter: int
    step: int
    subject: str | None = None


def pass_ends(program: Program, values: Sequence[Sequence[int]]) -> list[PassEnd]:
    """The steps with which passes end. Where several counters fall it is a pass of the first of them."""
    index = program.feature_index
    lows = [values[0][index[counter.features[0]]] for counter in program.counters]
    found: list[PassEnd] = []
    for step, state in enumerate(values[1:]):
        fallen = []
        for place, counter in enumerate(program.counters):
            value = state[index[counter.features[0]]]
            if value < lows[place] and lows[place] > counter.least:
                lows[place] = value
                fallen.append(place)
        found += [PassEnd(place, step) for place in fallen[:1]]
    return found
