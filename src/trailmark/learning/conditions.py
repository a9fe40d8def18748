"""When a step of a pass is needed, and what tells passes of one way from those of others.

A step that some passes lack makes something true that a later step needs: the others have it already. Where
that does not tell them apart, what the step itself needs may.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from typing import NamedTuple

from trailmark.learning.journeys import Deed
from trailmark.learning.nouns import Use, Uses
from trailmark.learning.passes import GoalReached, PlanPass, TrainingPlan
from trailmark.models.practice import RARE, SUBJECT, Condition
from trailmark.relational import Symbol
from trailmark.task.walks import literals

FEWEST_PASSES = 4
"""What tells passes from others may be chance where there are fewer."""
FEWEST_OF_TWO = 3
"""The same where two things tell so many from so many others."""

When = tuple[Condition, ...]


@dataclass
class Member:
    """An object of a way by its name in each pass, and where it is first used."""

    names: dict[PlanPass, str]
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
        self._heads: list[int] = []
        for place in range(len(steps)):
            self._heads.append(self._head(place))
        self.dues = [self._due(place) for place in range(len(steps))]

    def _head(self, place: int) -> int:
        """The first of a row of steps up to this one, each made for the next and in the same passes."""
        own = self._steps[place]
        is_told = len(own) < len(self._passes) <= RARE * len(own)
        for earlier in reversed(range(place if is_told else 0)):
            before = self._steps[earlier]
            if before.keys() == own.keys() and all(
                any(by == own[key].step for _, by in deed.purposes) for key, deed in before.items()
            ):
                return self._heads[earlier]
        return place

    def _due(self, place: int) -> Due:
        if self._heads[place] != place:
            return Due(head=self._heads[place])
        if len(self._steps[place]) == len(self._passes):
            return Due(self._again(place))
        block = [at for at, head in enumerate(self._heads) if head == place]
        uses = [use for at in block for use in self._steps[at].items()]
        missing = [(purpose, at - {-1, *block}) for one in block for purpose, at in self._purposes(one)]
        static = not any(self._is_alternative(place, other, missing) for other in range(len(self._steps)))
        apart = told_apart(self._members, self._passes, _actions(uses), self._steps[place], static=static)
        if apart:
            return Due(apart)
        for condition, places in sorted(missing, key=lambda item: self._is_open(item[0])):
            if places:
                every = [at for at in sorted(places) if len(self._steps[at]) == len(self._passes)]
                if not every and len(set().union(*(self._steps[at] for at in places))) == len(self._passes):
                    every = [len(self._steps) - 1]  # All passes have one of the steps that ask for it.
                return Due((condition,), serves=every[0] if every else min(places))
        return Due()

    def _is_alternative(self, place: int, other: int, missing: Sequence[tuple[Condition, set[int]]]) -> bool:
        """Whether other passes have another step for the same."""
        known = {condition for condition, _ in missing}
        return self._steps[place].keys().isdisjoint(self._steps[other]) and any(
            condition in known for condition, _ in self._purposes(other)
        )

    def _again(self, place: int) -> When:
        """What is missing where the step is done anew, though all passes have it, or mends something."""
        uses = self._steps[place].items()
        is_shared = any(deed.is_earlier for _, deed in uses)
        if not is_shared and not all(plan_pass.mends(deed) for plan_pass, deed in uses):
            return ()
        return next(
            ((condition,) for condition, _ in self._purposes(place) if not self._is_open(condition)), ()
        )

    def _purposes(self, place: int) -> Iterator[tuple[Condition, set[int]]]:
        """What is missing when the step, or the row of steps it is in, is due, and the steps that need
        it; what is missing most often first, then what is about the subject."""
        head = self._steps[self._heads[place]]
        lifted: dict[tuple[str, tuple[int | None, ...], bool], dict[PlanPass, set[int]]] = {}
        for plan_pass, deed in self._steps[place].items():
            due = plan_pass.source.atoms(head[plan_pass].step) ^ plan_pass.source.atoms(deed.step + 1)
            for atom, by in deed.purposes:
                if atom not in due:
                    continue
                name, *objects = plan_pass.source.path.structure.named(atom)
                own = dict(zip(plan_pass.arguments(deed), self._numbers[place], strict=True))
                roles = tuple(own.get(one, self._number(plan_pass, one)) for one in objects)
                key = name, roles, atom not in plan_pass.source.atoms(deed.step + 1)
                lifted.setdefault(key, {}).setdefault(plan_pass, set()).add(self._place(plan_pass, by))
        for key, places in sorted(
            lifted.items(), key=lambda item: (-len(item[1]), SUBJECT not in item[0][1], str(item[0]))
        ):
            yield from ((condition, set().union(*places.values())) for condition in _told(*key))

    def _place(self, plan_pass: PlanPass, step: int) -> int:
        """Which step of the way a step of the plan is."""
        own = (place for place, uses in enumerate(self._steps) if plan_pass in uses)
        return next((place for place in own if self._steps[place][plan_pass].step == step), -1)

    def _number(self, plan_pass: PlanPass, name: str) -> int | None:
        own = (number for number, known in enumerate(self._members) if known.names.get(plan_pass) == name)
        return next(own, None)

    def _is_open(self, condition: Condition) -> bool:
        """Whether it is about any object in relation to another: steps of the pass may change that, too."""
        symbols = self._passes[0].source.vocabulary
        return symbols[condition.predicate].arity == 2 and condition.other is None


def _actions(uses: Sequence[tuple[PlanPass, Deed]]) -> set[str]:
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
    inside: Collection[PlanPass],
    least: int = 2,
    static: bool = False,
) -> When:
    """What tells the passes inside from all others when they begin, about their subject or goals: one or two
    things that the actions are about; empty where nothing does, or fewer than `least` have it. What is
    static never changes, or is where something is when the pass begins."""
    own, is_few = frozenset(inside), len(passes) < FEWEST_PASSES
    fewer = min(len(own), len(passes) - len(own))
    if fewer < least:
        return ()
    known: dict[frozenset[PlanPass], Condition] = {}
    for condition in _candidates(members, _mentioned(passes[0].source, actions), static):
        said = condition(holds=True)
        holding = frozenset(plan_pass for plan_pass in passes if _holds(said, plan_pass, members))
        if holding not in known or (is_few and not known[holding].holds):
            known[holding] = said
        known.setdefault(frozenset(passes) - holding, condition(holds=False))
    if found := known.get(own):
        is_sure = found.holds and not found.role and all(_is_asked_first(found, one) for one in own)
        return (found,) if is_sure or not is_few else ()
    wider = [keys for keys in known if own < keys and fewer >= FEWEST_OF_TWO and not is_few]
    return next(((known[a], known[b]) for a, b in combinations(wider, 2) if a & b == own), ())


def _mentioned(source: TrainingPlan, actions: Collection[str]) -> list[Symbol]:
    """The predicates that the actions ask for or change, those with fewer objects first."""
    names = {
        atom.predicate
        for action in actions
        for asked in (literals(source.actions[action].precondition) or (),)
        for atom in (*source.effects(action), *(atom for atom, _ in asked))
    }
    found = [source.vocabulary[name] for name in names if name in source.vocabulary]
    return sorted(found, key=lambda symbol: (symbol.arity, symbol.name))


def _candidates(
    members: Sequence[Member], mentioned: Sequence[Symbol], static: bool
) -> Iterator[partial[Condition]]:
    """What may hold or not of the subject and of its goals' objects: that one has something static in common
    with what the subject is related to, or stands in a fact; and that the subject's relative does."""
    unary, binary = ([symbol for symbol in mentioned if symbol.arity == arity] for arity in (1, 2))
    for role, member in enumerate(members):
        if role and not member.wanted:
            continue
        for one, two in product(binary if member.wanted else (), repeat=2):
            if one.static > two.static:
                yield partial(Condition, predicate=one.name, place=0, role=role, via=two.name)
        for symbol in mentioned:
            for place in range(symbol.arity if symbol.static or not static else 0):
                yield partial(Condition, predicate=symbol.name, place=place, role=role)
    for one, two in product(unary, binary):
        yield partial(Condition, predicate=one.name, place=0, role=SUBJECT, via=two.name)


def wanted(plan_pass: PlanPass, goal: GoalReached, place: int) -> str:
    """The object that the pass has in this place of a goal of the kind; empty where that is its subject."""
    own = [known.objects[place] for known in plan_pass.end.goals if known.predicate == goal.predicate]
    return own[0] if own and own[0] != plan_pass.end.subject else ""


def _holds(said: Condition, plan_pass: PlanPass, members: Sequence[Member]) -> bool:
    """Whether the condition holds when the pass begins."""
    source, begin, meant = plan_pass.source, plan_pass.begin, members[said.role].wanted
    thing = plan_pass.end.subject if meant is None else wanted(plan_pass, *meant)
    facts = source.facts(begin)
    if not said.via:
        return any(fact[0] == said.predicate and fact[said.place + 1] == thing for fact in facts)
    near = source.related(begin, said.via, [plan_pass.end.subject])
    if source.vocabulary[said.predicate].arity == 1:
        return any((said.predicate, one) in facts for one in near)
    shared = source.related(begin, said.predicate, near)
    return not shared.isdisjoint(source.related(begin, said.predicate, [thing]))


def _is_asked_first(said: Condition, plan_pass: PlanPass) -> bool:
    """Whether the first action of a pass needs this of the subject."""
    plan, names = plan_pass.source, plan_pass.source.objects(plan_pass.begin)
    needs = plan.needs(plan.steps[plan_pass.begin].action)
    places = [atom.terms[said.place] for atom in needs if atom.predicate == said.predicate]
    return any(names.get(term) == plan_pass.end.subject for term in places)
