"""The passes of training plans, each as the actions that serve it.

A pass ends with a step that reaches a goal for good. What serves it is found backwards from there: what the
step needs, who made it true, and what that needed in turn, up to the ends of other passes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trailmark.errors import PlanError
from trailmark.learning.relocation import Relocation, relocations
from trailmark.learning.training import TrainingInstance
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
from trailmark.task.model import ActionSchema, Atom
from trailmark.task.walks import literals


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


@dataclass(frozen=True, order=True)
class GoalReached:
    """A goal with the objects it names."""

    predicate: str
    objects: tuple[str, ...]
    holds: bool
    """Whether the goal is that it holds, or that it does not."""


@dataclass(frozen=True)
class PassEnd:
    """The steps that a pass is made for."""

    steps: tuple[int, ...]
    """In order; the last one ends it."""
    subject: str | None
    """The object that the pass is about."""
    goals: tuple[GoalReached, ...] = ()
    """What they reach for it."""

    @property
    def step(self) -> int:
        return self.steps[-1]


@dataclass(frozen=True)
class PlanPass:
    """One pass of a plan."""

    plan: int
    source: TrainingPlan
    end: PassEnd
    deeds: tuple[Deed, ...]

    def arguments(self, deed: Deed) -> tuple[str, ...]:
        return self.source.steps[deed.step].arguments

    def action(self, deed: Deed) -> str:
        return self.source.steps[deed.step].action

    @property
    def begin(self) -> int:
        """The step before which it has not begun."""
        return min((deed.first for deed in self.deeds), default=self.end.step)

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
        self.path = _shortened(instance, name)
        self.steps = self.path.plan.steps
        self._facts: dict[int, tuple[tuple[str, ...], ...]] = {}

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
        return relocations(self.schemas)

    @cached_property
    def actions(self) -> dict[str, ActionSchema]:
        return {action.name: action for action in self.task.domain.model.actions}

    def needs(self, action: str) -> list[Atom]:
        """What an action needs to hold."""
        return [atom for atom, sign in literals(self.actions[action].precondition) or () if sign]

    def atoms(self, state: int) -> frozenset[int]:
        return self.path.states[state].atoms

    def facts(self, state: int) -> tuple[tuple[str, ...], ...]:
        """What holds in a state: predicates with their objects, by names; types and goals left out."""
        if state not in self._facts:
            structure = self.path.structure
            symbols = structure.vocabulary
            named = (structure.named(atom) for atom in (*structure.static_atoms, *self.atoms(state)))
            self._facts[state] = tuple(
                fact for fact in named if not symbols[fact[0]].goal_of and not symbols[fact[0]].is_type
            )
        return self._facts[state]

    def passes(self, plan: int, ends: Sequence[PassEnd]) -> Iterator[PlanPass]:
        """The passes with these ends, in order. What served an earlier pass is told again only where it still
        holds at the end, as a machine that was switched on once."""
        steps = {step for end in ends for step in end.steps}
        told: set[int] = set()
        first = 0
        for end in ends:
            deeds = tuple(self._deeds(end, first, steps - {*end.steps}, told))
            yield PlanPass(plan, self, end, deeds)
            told |= {deed.step for deed in deeds}
            first = end.step + 1

    def goal_ends(self, *, whole: bool = False) -> list[PassEnd]:
        """The steps that reach goals for good, by the first objects of these; or all such steps for an object
        as one pass, where it has not several goals of one kind."""
        reached = sorted(self._reached())
        parts: dict[tuple[str, int], list[tuple[int, GoalReached]]] = {}
        for step, goal in reached:
            kinds = [known.predicate for _, known in reached if known.objects[:1] == goal.objects[:1]]
            is_one = whole and len(kinds) == len(set(kinds))
            parts.setdefault(("".join(goal.objects[:1]), 0 if is_one else step), []).append((step, goal))
        found = [
            PassEnd(tuple(dict(known)), subject or None, tuple(goal for _, goal in known))
            for (subject, _), known in parts.items()
        ]
        return sorted(found, key=lambda end: (end.step, end.subject or ""))

    def _reached(self) -> Iterator[tuple[int, GoalReached]]:
        """The goals, each with the step that reaches it for good."""
        goal = self.task.goal
        for atom in goal.positive | goal.negative:
            wanted = atom in goal.positive
            before = [step for step in range(len(self.steps)) if (atom in self.atoms(step)) != wanted]
            if before:
                name, *objects = self.path.structure.named(atom)
                yield before[-1], GoalReached(name, tuple(objects), wanted)

    def _deeds(
        self, end: PassEnd, first: int, ends: Collection[int], told: Collection[int]
    ) -> Iterator[Deed]:
        if self._ground is None:
            yield from (Deed(step) for step in range(first, end.step + 1))
            return
        found: dict[int, Deed] = {}
        waiting = [*end.steps]
        while waiting:
            step = waiting.pop()
            if step in found:
                continue
            floor = max((other for other in ends if other < step), default=-1)
            needed = [
                (atom, by)
                for atom, by in self._producers(step, end.subject if step in end.steps else None)
                if by not in ends
            ]
            chains = [
                self._chain(by, floor, ends)
                for atom, by in needed
                if by not in told and self._reaches(by, atom)
            ]
            approaches = [self._moves(chain) for chain in chains]
            enabling = [each for chain in chains for each in self._enabling(chain)]
            for atom, by in [*(each for each in needed if not self._is_part(each, approaches)), *enabling]:
                if by not in told:
                    waiting += [by] if by not in ends else []
                elif atom in self.atoms(end.step + 1):
                    found[by] = Deed(by)
            found[step] = Deed(step, tuple(approaches))
        made = set(found)
        for step in sorted(found):
            own = [
                replace(moves, steps=tuple(move for move in moves.steps if move not in made))
                for moves in found[step].approaches
            ]
            made |= {move for moves in own for move in moves.steps}
            yield replace(found[step], approaches=tuple(moves for moves in own if moves.steps))

    def _is_part(self, needed: tuple[int, int], approaches: Sequence[Moves]) -> bool:
        """Whether what is needed comes from moving what is moved anyway, as when it leaves a place."""
        if self.relocations[self.steps[needed[1]].action] is None:
            return False
        moved = self._moves([needed[1]])
        return any((moves.relation, moves.movers) == (moved.relation, moved.movers) for moves in approaches)

    def _enabling(self, chain: Sequence[int]) -> Iterator[tuple[int, int]]:
        """What made moves possible, with the step that did, moves of the same thing left out."""
        moves = [self._moves(chain)]
        for move in chain:
            yield from (needed for needed in self._producers(move) if not self._is_part(needed, moves))

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
        known, names = self.relocations[self.steps[chain[0]].action], self.steps[chain[0]].arguments
        assert known is not None
        relation = self.path.structure.vocabulary.symbols[known.reaches.symbol].name
        movers = tuple(names[term] for term in known.movers)
        return Moves(relation, tuple(sorted(chain)), names[known.target], movers)


def _shortened(instance: TrainingInstance, name: str) -> Trajectory:
    try:
        return trajectory(instance.task, Plan(shorten(instance.task, instance.plan.steps)), name)
    except PlanError:
        return trajectory(instance.task, instance.plan, name)
