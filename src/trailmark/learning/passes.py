"""The passes of training plans, each as the actions that serve it.

A pass ends with a step that reaches a goal for good. What serves it is found backwards from there: what the
step needs, who made it true, and what that needed in turn, up to the ends of other passes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from trailmark.learning.journeys import Deed, Journeys, Moves, Produced, Relocation, relocations
from trailmark.learning.training import TrainingInstance, shortened
from trailmark.task import Task
from trailmark.task.lifted.schema import (
    Schema,
    StripsStep,
    compile_schemas,
    searched_structure,
    strips_steps,
    supports,
)
from trailmark.task.model import ActionSchema, Add, Atom, Delete
from trailmark.task.walks import literals, walk


@dataclass(frozen=True, order=True)
class GoalReached:
    """A goal with the objects it names."""

    predicate: str
    objects: tuple[str, ...]
    holds: bool
    """Whether the goal is that it holds, or that it does not."""


@dataclass(frozen=True)
class PassEnd:
    """The step that a pass is made for."""

    step: int
    subject: str | None
    """The object that the pass is about."""
    goals: tuple[GoalReached, ...] = ()
    """What it reaches for it."""


@dataclass(frozen=True, eq=False)
class PlanPass:
    """One pass of a plan, which is equal to itself alone."""

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
        return min((deed.first for deed in self.deeds if not deed.is_earlier), default=self.end.step)

    @property
    def steps(self) -> list[int]:
        """All steps that are done for it, in order."""
        moved = {step for deed in self.deeds for moves in deed.approaches for step in moves.steps}
        return sorted(moved | {deed.step for deed in self.deeds if not deed.is_earlier})

    @property
    def is_whole(self) -> bool:
        """Whether its steps alone can be done one after the other."""
        state = self.source.atoms(self.begin)
        for step in self.steps if self.source.ground else ():
            if not self.source.ground[step].applicable(state):
                return False
            changed = self.source.changed[step]
            state = state - changed | (changed & self.source.atoms(step + 1))
        return True

    def mends(self, deed: Deed) -> bool:
        """Whether the deed undoes what steps outside the pass have done."""
        own = {*self.steps}
        return bool(deed.purposes) and all(
            any(self.source.undoes(deed.step, step, atom) for step in range(deed.step) if step not in own)
            for atom, _ in deed.purposes
        )


class TrainingPlan:
    """A plan without needless actions, and which of its actions make possible which others."""

    def __init__(self, instance: TrainingInstance, name: str) -> None:
        self.task: Task = instance.task
        self.name = name
        self.path = shortened(instance, name)
        self.steps = self.path.plan.steps
        self.vocabulary = self.path.structure.vocabulary
        self._types = {thing.name: thing.types for thing in self.task.model.objects}
        self._facts: dict[int, tuple[tuple[str, ...], ...]] = {}

    @cached_property
    def ground(self) -> list[StripsStep]:
        """The steps by their atoms; empty for tasks beyond STRIPS."""
        return strips_steps(self.task, self.steps) or []

    @cached_property
    def changed(self) -> list[frozenset[int]]:
        """The atoms that each step makes true or false."""
        return [before.atoms ^ after.atoms for before, after in pairwise(self.path.states)]

    @cached_property
    def schemas(self) -> dict[str, Schema]:
        """By name; empty for tasks beyond STRIPS."""
        if not supports(self.task):
            return {}
        return {schema.name: schema for schema in compile_schemas(self.task, searched_structure(self.task))}

    @cached_property
    def relocations(self) -> dict[str, list[Relocation]]:
        return relocations(self.schemas)

    @cached_property
    def places(self) -> set[str]:
        """The predicates that say where what is moved is."""
        symbols = self.vocabulary.symbols
        return {symbols[move.reaches.symbol].name for known in self.relocations.values() for move in known}

    @cached_property
    def actions(self) -> dict[str, ActionSchema]:
        return {action.name: action for action in self.task.domain.model.actions}

    def needs(self, action: str) -> list[Atom]:
        """What an action needs to hold."""
        return [atom for atom, sign in literals(self.actions[action].precondition) or () if sign]

    def effects(self, action: str, *kinds: type[Add] | type[Delete]) -> list[Atom]:
        """What an action adds or deletes, also under conditions."""
        found = walk(*self.actions[action].effects)
        return [effect.atom for effect in found if isinstance(effect, kinds or (Add, Delete))]

    def parameters(self, action: str) -> list[str]:
        return [parameter.name for parameter in self.actions[action].parameters]

    def objects(self, step: int) -> dict[str, str]:
        """The objects of a step by the parameters of its action."""
        done = self.steps[step]
        return dict(zip(self.parameters(done.action), done.arguments, strict=True))

    def atoms(self, state: int) -> frozenset[int]:
        return self.path.states[state].atoms

    def ended(self, step: int) -> list[tuple[str, ...]]:
        """What the step makes false, by names."""
        return [self.path.structure.named(atom) for atom in self.atoms(step) - self.atoms(step + 1)]

    def facts(self, state: int) -> tuple[tuple[str, ...], ...]:
        """What holds in a state: predicates with their objects, by names; types and goals left out."""
        if state not in self._facts:
            structure, symbols = self.path.structure, self.vocabulary
            named = (structure.named(atom) for atom in (*structure.static_atoms, *self.atoms(state)))
            self._facts[state] = tuple(
                fact for fact in named if not symbols[fact[0]].goal_of and not symbols[fact[0]].is_type
            )
        return self._facts[state]

    def related(self, state: int, predicate: str, things: Collection[str | None]) -> set[str]:
        """To what a binary predicate relates some of the things."""
        return {fact[2] for fact in self.facts(state) if fact[0] == predicate and fact[1] in things}

    def passes(self, plan: int, ends: Sequence[PassEnd]) -> Iterator[PlanPass]:
        """The passes with these ends, in order. What is done to the subject of one pass and serves it is not
        told of another one; what served an earlier pass only where it still holds at the end."""
        steps = {end.step for end in ends}
        others = {end: steps - {end.step} for end in ends}
        own = {
            end: {deed.step for deed in self._deeds(end, 0, others[end]) if self.changes(deed.step, end)}
            for end in ends
        }
        told: dict[int, tuple[object, str | None]] = {}
        first = 0
        for end in ends:
            kind = self._types.get(end.subject or "")
            alike = [own[other] for other in ends if self._types.get(other.subject or "") == kind]
            taken = {step for known in alike for step in known if not self.changes(step, end)}
            mine = (kind, end.subject)
            before = {at for at, by in told.items() if at not in own[end] or by == mine or by[0] != kind}
            kept = {at for at in before if told[at] != mine}
            deeds = tuple(self._deeds(end, first, others[end], before, taken, kept))
            reached = [deed.step for deed in deeds if self._reaches(deed.step, end)]
            if reached[:-1]:
                # It was reached, given up for another pass and reached again.
                end = replace(end, step=reached[0])
                deeds = tuple(self._deeds(end, first, steps - {reached[-1]}, before, taken, kept))
            yield PlanPass(plan, self, end, deeds)
            told |= {deed.step: mine for deed in deeds}
            first = end.step + 1

    def changes(self, step: int, end: PassEnd) -> bool:
        """Whether the step changes something about the subject of a pass."""
        return any(end.subject in self.path.structure.named(atom)[1:] for atom in self.changed[step])

    def _reaches(self, step: int, end: PassEnd) -> bool:
        """Whether the step makes a goal of a pass true."""
        new = {*map(self.path.structure.named, self.atoms(step + 1) - self.atoms(step))}
        return any((goal.predicate, *goal.objects) in new for goal in end.goals if goal.holds)

    def goal_ends(self) -> list[PassEnd]:
        """The steps that reach goals for good, by the first objects of these."""
        goal, parts = self.task.goal, dict[tuple[int, str], list[GoalReached]]()
        for atom in goal.positive | goal.negative:
            name, *objects = self.path.structure.named(atom)
            reached = GoalReached(name, tuple(objects), atom in goal.positive)
            for step in self._last_change(atom, len(self.steps)):
                parts.setdefault((step, "".join(objects[:1])), []).append(reached)
        ends = sorted(parts.items())
        return [PassEnd(step, who or None, tuple(sorted(goals))) for (step, who), goals in ends]

    def _last_change(self, atom: int, before: int) -> list[int]:
        """The last step before this one that made the atom true or false, where there is one."""
        return next(([step] for step in reversed(range(before)) if atom in self.changed[step]), [])

    def _deeds(
        self,
        end: PassEnd,
        first: int,
        ends: Collection[int],
        told: Collection[int] = (),
        taken: Collection[int] = (),
        kept: Collection[int] = (),
    ) -> Iterator[Deed]:
        """What serves a pass; what is taken serves others, what was told is told again where it is kept."""
        if not self.ground:
            yield from map(Deed, range(first, end.step + 1))
            return

        def is_own(atom: int, by: int) -> bool:
            return by not in ends and (by not in taken or self._clears_up(by, atom, end))

        found: dict[int, Deed] = {}
        journeys = Journeys(self.path, self.relocations, self._producers)
        purposes: dict[int, list[tuple[int, int]]] = {}
        waiting = [end.step]
        while waiting:
            step = waiting.pop()
            if step in found:
                continue
            floor = max((other for other in ends if other < step), default=-1)
            needed = [
                (atom, by)
                for atom, by in self._producers(step)
                if is_own(atom, by) and not (by <= floor and journeys.is_part(by, journeys.own(step)))
                if not self._is_reversed(step, by, purposes.get(step, ())) or self.changes(by, end)
            ]
            approaches = journeys.towards(needed, floor, ends)
            enabling = [produced for moves in approaches for produced in journeys.enabling(moves)]
            for atom, by in [
                *(produced for produced in needed if not journeys.is_part(produced[1], approaches)),
                *enabling,
            ]:
                purposes.setdefault(by, []).append((atom, step))
                if by not in told:
                    waiting += [by] if is_own(atom, by) else []
                elif by in kept and all(atom in self.atoms(state) for state in range(by + 1, end.step + 2)):
                    found[by] = Deed(by, is_earlier=True)
            found[step] = Deed(step, tuple(approaches))
        made = set(found)
        for step in sorted(found):
            own: dict[Moves, tuple[int, ...]] = {
                moves: tuple(move for move in moves.steps if move not in made)
                for moves in found[step].approaches
            }
            made.update(*own.values())
            led = tuple(replace(moves, steps=new) for moves, new in own.items() if new)
            yield replace(found[step], approaches=led, purposes=tuple(purposes.get(step, ())))

    def _is_reversed(self, step: int, by: int, purposes: Sequence[tuple[int, int]]) -> bool:
        """Whether all that the step is there for is to undo another one."""
        return bool(purposes) and all(self.undoes(step, by, atom) for atom, _ in purposes)

    def undoes(self, step: int, earlier: int, atom: int) -> bool:
        """Whether an earlier step ended what the step makes so again."""
        wanted = atom in self.atoms(step + 1)
        return (atom in self.atoms(earlier)) == wanted != (atom in self.atoms(earlier + 1))

    def _clears_up(self, step: int, atom: int, end: PassEnd) -> bool:
        """Whether the step makes so again what a step about a pass's subject has ended, as a free hand."""
        return any(self.changes(earlier, end) for earlier in self._last_change(atom, step))

    def _producers(self, step: int) -> list[Produced]:
        """What the step needs, with the last step that made it so; what held from the start is left out."""
        asked = sorted(self.ground[step].needs | self.ground[step].forbids)
        return [(atom, by) for atom in asked for by in self._last_change(atom, step)]
