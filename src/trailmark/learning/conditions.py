"""When a step of a pass is needed, and what tells passes of one way from those of others.

A step that some passes lack makes something true that a later step needs: the others have it already. Where
that does not tell them apart, what the step itself needs may.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any, NamedTuple

from trailmark.learning.nouns import Use, Uses
from trailmark.learning.passes import GoalReached, PlanPass, TrainingPlan
from trailmark.models.practice import RARE, SUBJECT, Condition
from trailmark.task.walks import literals

FEWEST_PASSES = 4
"""What tells passes from others may be chance where there are fewer."""
FEWEST_OF_TWO = 3
"""The same where two things tell so many from so many others."""

When = tuple[Condition, ...]


@dataclass
class Member:
    """An object of a way by its name in each pass, and where it is first used."""

    names: dict[int, str]
    wanted: tuple[GoalReached, int] | None = None
    """A goal of its kind, and its place there."""
    uses: list[Use] = field(default_factory=list)


class Due(NamedTuple):
    """When a step is needed: under conditions, together with an earlier step, or where a later one asks."""

    when: When = ()
    head: int | None = None
    """The earlier step that is made for it, in the same passes."""
    serves: int | None = None
    """The later step, where the conditions do not tell the passes apart."""


class StepConditions:
    """When each step of a way is needed; the last step is in all passes."""

    def __init__(
        self,
        passes: Sequence[PlanPass],
        steps: Sequence[Uses],
        numbers: Sequence[Sequence[int]],
        members: Sequence[Member],
    ) -> None:
        self._passes = passes
        self._steps = steps
        self._numbers = numbers
        self._members = members
        self._deeds = [{id(plan_pass): deed for plan_pass, deed in uses} for uses in steps]
        self._heads: list[int] = []
        for place in range(len(steps)):
            self._heads.append(self._head(place))
        self.dues = [self._due(place) for place in range(len(steps))]

    def _head(self, place: int) -> int:
        """The first of a row of steps up to this one, each made for the next and in the same passes."""
        own = self._deeds[place]
        is_told = len(own) < len(self._passes) <= RARE * len(own)
        for earlier in reversed(range(place if is_told else 0)):
            before = self._deeds[earlier]
            if before.keys() == own.keys() and all(
                any(by == own[key].step for _, by in deed.purposes) for key, deed in before.items()
            ):
                return self._heads[earlier]
        return place

    def _due(self, place: int) -> Due:
        if self._heads[place] != place:
            return Due(head=self._heads[place])
        if len(self._deeds[place]) == len(self._passes):
            return Due(self._again(place))
        block = [at for at, head in enumerate(self._heads) if head == place]
        uses = [use for at in block for use in self._steps[at]]
        missing = [(purpose, at - {-1, *block}) for one in block for purpose, at in self._purposes(one)]
        static = not any(self._is_alternative(place, other, missing) for other in range(len(self._steps)))
        apart = told_apart(self._members, self._passes, _actions(uses), self._deeds[place], static=static)
        if apart:
            return Due(apart)
        for condition, places in sorted(missing, key=lambda item: self._is_open(item[0])):
            if places:
                every = [at for at in sorted(places) if len(self._deeds[at]) == len(self._passes)]
                if not every and len({key for at in places for key in self._deeds[at]}) == len(self._passes):
                    every = [len(self._steps) - 1]  # All passes have one of the steps that ask for it.
                return Due((condition,), serves=every[0] if every else min(places))
        return Due()

    def _is_alternative(self, place: int, other: int, missing: Sequence[tuple[Condition, set[int]]]) -> bool:
        """Whether other passes have another step for the same."""
        known = {condition for condition, _ in missing}
        return self._deeds[place].keys().isdisjoint(self._deeds[other]) and any(
            condition in known for condition, _ in self._purposes(other)
        )

    def _again(self, place: int) -> When:
        """What is missing where the step is done anew, though all passes have it, or mends something."""
        uses = self._steps[place]
        is_shared = any(deed.is_earlier for _, deed in uses)
        if not is_shared and not all(plan_pass.mends(deed) for plan_pass, deed in uses):
            return ()
        return next(
            ((condition,) for condition, _ in self._purposes(place) if not self._is_open(condition)), ()
        )

    def _purposes(self, place: int) -> Iterator[tuple[Condition, set[int]]]:
        """What is missing when the step, or the row of steps it is in, is due, and the steps that need
        it; what is missing most often first, then what is about the subject."""
        uses, head = self._steps[place], self._deeds[self._heads[place]]
        lifted: dict[tuple[str, tuple[int | None, ...], bool], dict[int, set[int]]] = {}
        for plan_pass, deed in uses:
            due = plan_pass.source.atoms(head[id(plan_pass)].step) ^ plan_pass.source.atoms(deed.step + 1)
            for atom, by in deed.purposes:
                if atom not in due:
                    continue
                name, *objects = plan_pass.source.path.structure.named(atom)
                own = dict(zip(plan_pass.arguments(deed), self._numbers[place], strict=True))
                roles = tuple(own.get(one, self._number(plan_pass, one)) for one in objects)
                key = name, roles, atom not in plan_pass.source.atoms(deed.step + 1)
                lifted.setdefault(key, {}).setdefault(id(plan_pass), set()).add(self._place(plan_pass, by))
        for key, places in sorted(
            lifted.items(), key=lambda item: (-len(item[1]), SUBJECT not in item[0][1], str(item[0]))
        ):
            yield from ((condition, set().union(*places.values())) for condition in _told(*key))

    def _place(self, plan_pass: PlanPass, step: int) -> int:
        """Which step of the way a step of the plan is."""
        own = (place for place, deeds in enumerate(self._deeds) if id(plan_pass) in deeds)
        return next((place for place in own if self._deeds[place][id(plan_pass)].step == step), -1)

    def _number(self, plan_pass: PlanPass, name: str) -> int | None:
        own = (number for number, known in enumerate(self._members) if known.names.get(id(plan_pass)) == name)
        return next(own, None)

    def _is_open(self, condition: Condition) -> bool:
        """Whether it is about any object in relation to another: steps of the pass may change that, too."""
        symbols = self._passes[0].source.path.structure.vocabulary
        return symbols[condition.predicate].arity == 2 and condition.other is None


def _actions(uses: Uses) -> set[str]:
    """The actions of a step and of the moves to it."""
    moves = {
        plan_pass.source.steps[at].action
        for plan_pass, deed in uses
        for go in deed.approaches
        for at in go.steps
    }
    return moves | {plan_pass.action(deed) for plan_pass, deed in uses}


def _told(name: str, roles: Sequence[int | None], holds: bool) -> Iterator[Condition]:
    """Conditions about one of the objects that are known, or both; or about the state alone."""
    known = [(place, role) for place, role in enumerate(roles) if role is not None]
    if not roles:
        yield Condition(predicate=name, place=0, role=SUBJECT, holds=holds)
    elif len(roles) <= 2:
        for place, role in known[:1]:
            yield Condition(predicate=name, place=place, role=role, holds=holds)
            for at, other in known[1:]:
                yield Condition(predicate=name, place=place, role=role, holds=holds, other=other)
                yield Condition(predicate=name, place=at, role=other, holds=holds)


def told_apart(
    members: Sequence[Member],
    passes: Sequence[PlanPass],
    actions: Collection[str],
    inside: Collection[int],
    least: int = 2,
    static: bool = False,
) -> When:
    """What tells the passes with these ids from all others when they begin, about their subject or goals: one
    or two things that the actions are about; empty where nothing does, or fewer than `least` have it. What is
    static never changes, or is where something is when the pass begins."""
    by_id, own = {id(plan_pass): plan_pass for plan_pass in passes}, frozenset(inside)
    fewer = min(len(own), len(by_id) - len(own))
    if fewer < least:
        return ()
    known: dict[frozenset[int], Condition] = {}
    source = passes[0].source
    symbols = source.path.structure.vocabulary
    mentioned = sorted((symbols[name].arity, name) for name in _mentioned(source, actions) if name in symbols)
    for number, member in enumerate(members):
        if number and not member.wanted:
            continue
        binary = [symbols[name] for arity, name in mentioned if arity == 2 and member.wanted]
        for one, two in ((one.name, two.name) for one in binary for two in binary if one.static > two.static):
            holding = {key for key, plan_pass in by_id.items() if _shares(plan_pass, member, one, two)}
            known |= _both(holding, by_id, known, predicate=one, place=0, role=number, via=two)
        own_facts = [(arity, name) for arity, name in mentioned if symbols[name].static or not static]
        for name, place in ((name, place) for arity, name in own_facts for place in range(arity)):
            holding = {key for key, plan_pass in by_id.items() if _has(plan_pass, member, name, place)}
            known |= _both(holding, by_id, known, predicate=name, place=place, role=number)
    for name, via in product(*([name for arity, name in mentioned if arity == count] for count in (1, 2))):
        holding = {key for key, plan_pass in by_id.items() if _leads_to(plan_pass, via, name)}
        known |= _both(holding, by_id, known, predicate=name, place=0, role=SUBJECT, via=via)
    if len(by_id) < FEWEST_PASSES:
        first = set.intersection(*(_first_needs(by_id[key]) for key in own))
        told = [
            condition
            for keys, condition in known.items()
            if keys == own and condition.holds and not condition.role
        ]
        return tuple(condition for condition in told if (condition.predicate, condition.place) in first)[:1]
    if own in known:
        return (known[own],)
    wider = [keys for keys in known if own < keys and fewer >= FEWEST_OF_TWO]
    return next(((known[a], known[b]) for a, b in combinations(wider, 2) if a & b == own), ())


def _mentioned(source: TrainingPlan, actions: Collection[str]) -> set[str]:
    """The predicates that the actions ask for or change."""
    return {
        atom.predicate
        for action in actions
        for asked in (literals(source.actions[action].precondition) or (),)
        for atom in (*source.effects(action), *(atom for atom, _ in asked))
    }


def wanted(plan_pass: PlanPass, goal: GoalReached, place: int) -> str:
    """The object that the pass has in this place of a goal of the kind; empty where that is its subject."""
    own = [known.objects[place] for known in plan_pass.end.goals if known.predicate == goal.predicate]
    return own[0] if own and own[0] != plan_pass.end.subject else ""


def _has(plan_pass: PlanPass, member: Member, predicate: str, place: int) -> bool:
    """Whether the subject or the goal's object has it when the pass begins."""
    name = plan_pass.end.subject if member.wanted is None else wanted(plan_pass, *member.wanted)
    return any(
        fact[0] == predicate and fact[place + 1] == name for fact in plan_pass.source.facts(plan_pass.begin)
    )


def _leads_to(plan_pass: PlanPass, via: str, predicate: str) -> bool:
    """Whether something that the subject is related to has a property when the pass begins."""
    facts = plan_pass.source.facts(plan_pass.begin)
    near = {fact[2] for fact in facts if fact[0] == via and fact[1] == plan_pass.end.subject}
    return any((predicate, thing) in facts for thing in near)


def _first_needs(plan_pass: PlanPass) -> set[tuple[str, int]]:
    """What the first action of a pass needs of the subject."""
    plan, step = plan_pass.source, plan_pass.source.steps[plan_pass.begin]
    names = dict(zip(plan.parameters(step.action), step.arguments, strict=True))
    return {
        (atom.predicate, place)
        for atom in plan.needs(step.action)
        for place, term in enumerate(atom.terms)
        if names.get(term) == plan_pass.end.subject
    }


def _shares(plan_pass: PlanPass, member: Member, predicate: str, via: str) -> bool:
    """Whether what the subject is related to and the object have the same there when the pass begins."""
    facts = plan_pass.source.facts(plan_pass.begin)
    near = {fact[2] for fact in facts if fact[0] == via and fact[1] == plan_pass.end.subject}
    goal = wanted(plan_pass, *member.wanted) if member.wanted is not None else ""
    ends = [
        {fact[2] for fact in facts if fact[0] == predicate and fact[1] in ones} for ones in (near, {goal})
    ]
    return bool(ends[0] & ends[1])


def _both(
    holding: set[int], passes: Collection[int], known: Mapping[frozenset[int], Condition], **said: Any
) -> dict[frozenset[int], Condition]:
    """The condition and its opposite by the passes that they tell, where nothing did."""
    told = {True: frozenset(holding), False: frozenset(passes) - holding}
    return {
        keys: Condition(holds=holds, **said)
        for holds, keys in told.items()
        if keys not in known or (len(passes) < FEWEST_PASSES and holds > known[keys].holds)
    }
