"""When a step of a pass is needed, and what tells passes of one way from those of others.

A step that some passes lack makes something true that a later step needs: the others have it already. Where
that does not tell them apart, what the step itself needs may.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, repeat
from typing import Any

from trailmark.learning.arguments import Uses
from trailmark.learning.passes import GoalReached, PlanPass, TrainingPlan
from trailmark.learning.relations import Use
from trailmark.models.practice import RARE, SUBJECT, Condition
from trailmark.task.model import Add, Delete
from trailmark.task.walks import literals, subeffects

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


@dataclass(frozen=True)
class Due:
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
        self._deeds = [{id(each): deed for each, deed in uses} for uses in steps]
        self._known = {number for number, member in enumerate(members) if not number or member.wanted}
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
        missing = [(each, at) for one in block for each, at in self._purposes(one) if not at & {*block}]
        if when := self._when(place, block, missing):
            return Due(when)
        for condition, places in sorted(missing, key=lambda item: self._is_open(item[0])):
            asking = sorted(places - {-1}, key=lambda at: (len(self._deeds[at]) < len(self._passes), at))
            if asking:
                return Due((condition,), serves=asking[0])
        return Due()

    def _again(self, place: int) -> When:
        """What is missing where the step is done anew, though all passes have it, or mends something."""
        uses = self._steps[place]
        is_anew = len({(each.plan, deed.step) for each, deed in uses}) == len(self._passes)
        if is_anew and not all(each.mends(deed) for each, deed in uses):
            return ()
        return next(((each,) for each, _ in self._purposes(place) if not self._is_open(each)), ())

    def _when(self, place: int, block: Sequence[int], missing: Sequence[tuple[Condition, set[int]]]) -> When:
        """What the steps need and never change, or lack without each other, of the subject and its goals;
        else what tells their passes apart; else what is missing of other objects, or what they need."""
        uses = [use for at in block for use in self._steps[at]]
        symbols = uses[0][0].source.path.structure.vocabulary
        needs = [each for at in block for each in self._needs(self._steps[at])]
        sure = [condition for condition, places in missing if self._serves_all(places)]
        plain = [each for each in needs if symbols[each.predicate].static]
        plain += [each for each in sure if {each.role, each.other or each.role} <= self._known]
        apart = told_apart(self._members, self._passes, _actions(uses), self._deeds[place])
        return (
            self._first([(each,) for each in plain], place)
            or (apart if apart and any(each.via for each in apart) else self._first([apart], place))
            or self._first(
                [(each,) for each in (*sure, *needs) if each.role in self._known or not self._is_open(each)],
                place,
            )
        )

    def _first(self, whens: Sequence[When], place: int) -> When:
        return next((when for when in whens if when and self._tells(when, place)), ())

    def _serves_all(self, places: Collection[int]) -> bool:
        """Whether every pass has one of these steps."""
        return len({key for place in places for key in self._deeds[place]}) == len(self._passes)

    def _purposes(self, place: int) -> Iterator[tuple[Condition, set[int]]]:
        """What is mostly missing without the step, and the steps that need it; what is missing most often
        first, then what is about the subject."""
        uses = self._steps[place]
        lifted: dict[tuple[str, tuple[int | None, ...], bool], dict[int, int]] = {}
        for each, deed in uses:
            for atom, by in deed.purposes:
                name, *objects = each.source.path.structure.named(atom)
                own = dict(zip(each.arguments(deed), self._numbers[place], strict=True))
                roles = tuple(own.get(one, self._number(each, one)) for one in objects)
                key = name, roles, atom not in each.source.atoms(deed.step + 1)
                lifted.setdefault(key, {})[id(each)] = self._place(each, by)
        common = [(key, [*known.values()]) for key, known in lifted.items() if 2 * len(known) >= len(uses)]
        for key, places in sorted(
            common, key=lambda item: (-len(item[1]), SUBJECT not in item[0][1], str(item))
        ):
            yield from ((condition, {*places}) for condition in _told(*key))

    def _needs(self, uses: Uses) -> Iterator[Condition]:
        """What the step needs of the subject or a goal's object."""
        each, deed = uses[0]
        names = [each.name for each in each.source.actions[each.action(deed)].parameters]
        arguments = dict(zip(names, each.arguments(deed), strict=True))
        for atom in each.source.needs(each.action(deed)):
            roles = [self._number(each, arguments.get(term, term)) for term in atom.terms]
            yield from _told(atom.predicate, [role if role in self._known else None for role in roles], True)

    def _place(self, each: PlanPass, step: int) -> int:
        """Which step of the way a step of the plan is."""
        own = (place for place, deeds in enumerate(self._deeds) if id(each) in deeds)
        return next((place for place in own if self._deeds[place][id(each)].step == step), -1)

    def _number(self, each: PlanPass, name: str) -> int | None:
        own = (number for number, known in enumerate(self._members) if known.names.get(id(each)) == name)
        return next(own, None)

    def _tells(self, when: When, place: int) -> bool:
        """Whether all of it holds before the step in the passes that have it, and in no other pass before the
        step that comes next there."""
        roles = {role for each in when for role in (each.role, each.other or SUBJECT)}
        if not any(
            all(id(each) in self._members[role].names for role in roles)
            for each in self._passes
            if id(each) not in self._deeds[place]
        ):
            return False
        for each in self._passes:
            own = self._deeds[place].get(id(each))
            later = (deeds[id(each)] for deeds in self._deeds[place:] if id(each) in deeds)
            due = next(later).first
            states = [each.begin if self._is_open(condition) else due for condition in when]
            holds = all(map(self._holds, repeat(each), when, states))
            if holds != (own is not None):
                return False
        return True

    def _is_open(self, condition: Condition) -> bool:
        """Whether it is about any object in relation to another: steps of the pass may change that, too."""
        symbols = self._passes[0].source.path.structure.vocabulary
        return symbols[condition.predicate].arity == 2 and condition.other is None

    def _holds(self, each: PlanPass, condition: Condition, state: int) -> bool:
        """Whether it holds; what is not known of in the pass does not call for anything."""
        asked = {condition.place: self._members[condition.role].names.get(id(each))}
        if condition.other is not None:
            asked[1 - condition.place] = self._members[condition.other].names.get(id(each))
        facts = [fact for fact in each.source.facts(state) if fact[0] == condition.predicate]
        found = any(
            len(fact) == 1 or all(fact[at + 1] == name for at, name in asked.items()) for fact in facts
        )
        return None not in asked.values() and found == condition.holds


def _actions(uses: Uses) -> set[str]:
    """The actions of a step and of the moves to it."""
    moves = {each.source.steps[at].action for each, deed in uses for go in deed.approaches for at in go.steps}
    return moves | {each.action(deed) for each, deed in uses}


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
) -> When:
    """What tells the passes with these ids from all others when they begin, about their subject or goals: one
    or two things that the actions are about; empty where nothing does, or fewer than `least` have it."""
    by_id, own = {id(each): each for each in passes}, frozenset(inside)
    fewer = min(len(own), len(by_id) - len(own))
    if fewer < least or len(by_id) < FEWEST_PASSES:
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
            holding = {key for key, each in by_id.items() if _shares(each, member, one, two)}
            known |= _both(holding, by_id, known, predicate=one, place=0, role=number, via=two)
        for name, place in ((name, place) for arity, name in mentioned for place in range(arity)):
            holding = {key for key, each in by_id.items() if _has(each, member, name, place)}
            known |= _both(holding, by_id, known, predicate=name, place=place, role=number)
    if own in known:
        return (known[own],)
    wider = [keys for keys in known if own < keys and fewer >= FEWEST_OF_TWO]
    return next(((known[a], known[b]) for a, b in combinations(wider, 2) if a & b == own), ())


def _mentioned(source: TrainingPlan, actions: Collection[str]) -> set[str]:
    """The predicates that the actions ask for or change."""
    names: set[str] = set()
    for action in (source.actions[name] for name in actions):
        effects = [each for each in subeffects(action.effects) if isinstance(each, Add | Delete)]
        names |= {each.atom.predicate for each in effects}
        names |= {atom.predicate for atom, _ in literals(action.precondition) or ()}
    return names


def wanted(each: PlanPass, goal: GoalReached, place: int) -> str:
    """The object that the pass has in this place of a goal of the kind; empty where that is its subject."""
    own = [known.objects[place] for known in each.end.goals if known.predicate == goal.predicate]
    return own[0] if own and own[0] != each.end.subject else ""


def _has(each: PlanPass, member: Member, predicate: str, place: int) -> bool:
    """Whether the subject or the goal's object has it when the pass begins."""
    name = each.end.subject if member.wanted is None else wanted(each, *member.wanted)
    return any(fact[0] == predicate and fact[place + 1] == name for fact in each.source.facts(each.begin))


def _shares(each: PlanPass, member: Member, predicate: str, via: str) -> bool:
    """Whether what the subject is related to and the object have the same there when the pass begins."""
    facts = each.source.facts(each.begin)
    near = {fact[2] for fact in facts if fact[0] == via and fact[1] == each.end.subject}
    goal = wanted(each, *member.wanted) if member.wanted is not None else ""
    ends = [
        {fact[2] for fact in facts if fact[0] == predicate and fact[1] in ones} for ones in (near, {goal})
    ]
    return bool(ends[0] & ends[1])


def _both(
    holding: set[int], passes: Collection[int], known: Mapping[frozenset[int], Condition], **said: Any
) -> dict[frozenset[int], Condition]:
    """The condition and its opposite by the passes that they tell, where nothing did."""
    told = {True: frozenset(holding), False: frozenset(passes) - holding}
    return {keys: Condition(holds=holds, **said) for holds, keys in told.items() if keys not in known}
